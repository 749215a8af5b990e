/// Reads the notification of a record without a search, where its place is plain: a bare body, or one under the usual
/// name of an envelope, as an object or a text, signed or not.
///
///     {"notification_type":"DID_RENEW",…}        {"id":7,"received_at":"…","body":"{\"notification_type\":…}"}
///     {"signedPayload":"eyJ…"}                   {"message":{"signedPayload":"eyJ…"}}
///
/// It only answers where ``Finder`` would find the same; everything else, each failure included, is left to that.
final class DirectReader {
    let reader: NotificationReader
    private let texts: Int
    /// The text that is read, where it was inside another.
    private let text = OutputBuffer(capacity: 1024)
    /// The reader of what is inside a text of this one's; `nil` if that is too deep.
    private lazy var inner =
        texts < Envelope.mostTexts
        ? DirectReader(reader.policy, keepsPayload: reader.keepsPayload, texts: texts + 1) : nil

    init(_ policy: TrustPolicy, keepsPayload: Bool, texts: Int = 0) {
        reader = NotificationReader(policy, keepsPayload: keepsPayload)
        self.texts = texts
    }

    /// Reads an object, which `walker` is before, or a string that holds one; nothing may follow what is whole.
    ///
    /// - Returns: The notification; `nil` where only a search says what is there.
    func read(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ around: Surroundings, isWhole: Bool
    ) throws(JSONFault) -> FoundNotification? {
        switch value.kind {
        case .object:
            let met = try reader.walk(&walker, around.receivedAt)
            if isWhole { try walker.finish() }
            return try read(met, &walker, around)
        case .string:
            if isWhole { try walker.finish() }
            return read(value.text, walker.memory, around)
        default: return nil
        }
    }

    private func read(
        _ walked: WalkedObject, _ walker: inout JSONWalker, _ around: Surroundings
    ) throws(JSONFault) -> FoundNotification? {
        var met = walked
        guard !met.needsSearch, met.times.attempts == nil else { return nil }
        let fields = reader.v1
        let hasV1Type = !fields[.notificationType].isBlank
        let hasV2Type = !fields[.v2Type].isBlank
        if !fields[.signedPayload].isAbsent {
            guard !hasV1Type, !hasV2Type, met.candidates.isEmpty else { return nil }
            let payload = reader.plain(fields[.signedPayload], walker.memory)
            guard !Finder.isObject(payload) else { return nil }
            var found = readSigned(payload, around, met.times.time)
            if met.hasOthers { found?.mayHaveNeighbors = true }
            return found
        }
        if !hasV1Type, !hasV2Type {
            guard let first = met.candidates.min(by: { $0.rank < $1.rank }), !met.hasParts, !met.hasNamedParts,
                around.level < Envelope.deepest
            else { return nil }
            let memory = walker.memory
            let isAlone = met.candidates.allSatisfy {
                $0.place.at == first.place.at || $0.isPayload
                    || !Envelope.mayHoldNotification($0.value.kind, $0.value.text, memory)
            }
            guard isAlone else { return nil }
            if met.unchecked?.place.at != first.place.at { try reader.check(&met, &walker) }
            var inside = around.inside()
            inside.receivedAt = met.times.time
            walker.go(to: first.place)
            var found = try read(first.value, &walker, inside, isWhole: false)
            if met.hasOthers || met.candidates.count > 1 { found?.mayHaveNeighbors = true }
            return found
        }
        try reader.check(&met, &walker)
        // Beside a type of version 1, the names of an envelope lead; beside one of version 2, what is in a row may.
        let isRow = met.hasOthers || met.candidates.contains { !$0.isPayload }
        guard hasV2Type || met.candidates.isEmpty, !isRow || !reader.hasBareType(met),
            case .notification(var found) = try reader.read(met, around)
        else { return nil }
        found.mayHaveNeighbors = isRow
        return found
    }

    /// Reads the characters of a string.
    private func read(_ text: JSONText, _ memory: UnsafeRawPointer, _ around: Surroundings) -> FoundNotification? {
        let bytes = reader.plain(text, memory)
        if SignedPayload.looksLikeOne(bytes) { return readSigned(bytes, around, around.receivedAt) }
        guard let first = bytes.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x22, let inner else {
            return nil
        }
        inner.text.removeAll()
        inner.text.append(bytes)
        return inner.readText(around)
    }

    /// Reads a compact JWS: the policy judges it as it was received, then its payload is read.
    private func readSigned(
        _ bytes: UnsafeRawBufferPointer, _ around: Surroundings, _ receivedAt: ReceiveTime?
    ) -> FoundNotification? {
        guard let inner else { return nil }
        var inside = around
        inside.receivedAt = receivedAt
        inner.text.removeAll()
        guard let signed = try? reader.policy.authenticity(ofSignedPayload: bytes, payload: inner.text) else {
            return nil
        }
        inside.signed = signed
        guard inner.text.bytes.first(where: { $0 > 0x20 }) == 0x7B else { return nil }
        return inner.readText(inside)
    }

    private func readText(_ around: Surroundings) -> FoundNotification? {
        let length = (text.bytes.lastIndex { $0 > 0x20 } ?? -1) + 1
        text.reserve(JSONScanner.slack)
        let memory = UnsafeRawPointer(text.memory)
        var walker = reader.scan(memory, 0..<length)
        guard reader.scanner.fault == nil else { return nil }
        var inside = around
        inside.texts += 1
        return try? read(walker.root(), &walker, inside, isWhole: true)
    }
}
