/// The search for a notification under unknown names, where no known name leads to one.
///
///     {"Records":[{"kinesis":{"data":"eyJub3RpZm…"}}]}      base64 in an array
///     {"log":{"entries":[{"request":{"postData":{"text":"{…}"}}}]}}
///     {"Item":{"doc":{"M":{"notification_type":{"S":"CANCEL"}}}}}
///
/// It goes down objects and arrays, texts of JSON and base64. All that it finds in an array are notifications of the
/// record; of the members of one object, what says the same as one before is the same notification kept twice.
extension NotificationDecoder {
    /// A value under an unknown name.
    struct Other {
        var value: JSONWalker.Value
        var place: JSONWalker.Place

        /// Whether a value is worth a look: an object, an array, or a text that begins as JSON, a JWS or base64 of one.
        static func mayHoldNotification(_ value: JSONWalker.Value, _ memory: UnsafeRawPointer) -> Bool {
            switch value.kind {
            case .object, .array: return true
            case .string:
                guard value.text.count > 20 else { return false }
                switch memory.load(fromByteOffset: value.text.start, as: UInt8.self) {
                case 0x7B, 0x5B, 0x22, 0x5C, 0x20, 0x0A: return true
                case 0x65, 0x57, 0x49, 0x5A: return true
                case 0x30: return memory.load(fromByteOffset: value.text.start + 1, as: UInt8.self) | 0x20 == 0x78
                default:
                    let text = UnsafeRawBufferPointer(start: memory + value.text.start, count: value.text.count)
                    return NotificationDecoder.isRequest(base64: text) || NotificationDecoder.mayHoldPart(text)
                }
            default: return false
            }
        }
    }

    /// Whether a text is base64 of what begins with `POST`, as gateways keep a request with its header.
    private static func isRequest(base64 text: UnsafeRawBufferPointer) -> Bool { text.starts(with: "UE9T".utf8) }

    /// Whether the object walked last is not a notification itself, so that one may be in it.
    func mayBeAround(_ memory: UnsafeRawPointer) -> Bool {
        v1[.notificationType].isBlank && (v1[.v2Type].isBlank || !isString(v1[.v2Type], memory))
            && v1[.signedPayload].isAbsent && !v1.oddities.contains(.capitals) && level < Envelope.deepest
    }

    /// Looks into the values under unknown names; `nil` if no notification is there.
    @inline(never)
    func search(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError?? {
        let before = visitor.notifications
        let searchedBefore = visitor.beginSearch()
        defer { visitor.endSearch(searchedBefore) }
        let failure = try takeOthers(met, &walker, visitor)
        if visitor.notifications > before || failure != nil { return .some(failure) }
        if !met.isTyped, texts < Envelope.mostTexts,
            TypedValues.mayBe(in: walker.memory, from: met.start.at, to: met.end),
            let failure = try takeTyped(met, &walker, visitor)
        {
            return failure
        }
        guard !met.others.isEmpty else { return nil }
        // Values inside were walked into `v1`; the object itself holds nothing.
        v1.removeAll()
        try v1.root.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        return nil
    }

    /// Decodes an object in typed values (`{"S":"CANCEL"}`) as one unit; `nil` if it is not a notification.
    ///
    /// This comes before its members are searched, which would open each of them by itself.
    @inline(never)
    func searchTyped(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError?? {
        guard texts < Envelope.mostTexts else { return nil }
        let searchedBefore = visitor.beginSearch()
        defer { visitor.endSearch(searchedBefore) }
        return try takeTyped(met, &walker, visitor)
    }

    /// Takes every notification in the values under unknown names.
    ///
    /// - Returns: The first failure that must be said aloud.
    func takeOthers(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let others = signedFirst(met.others, walker.memory)
        let (knownBefore, seenBefore) = (visitor.knownPrints, visitor.seenPrints)
        let comparedBefore = visitor.comparesPrints
        visitor.comparesPrints = comparedBefore || others.count > 1
        var all: Set<UInt64> = []
        var failure: NotificationError?
        for other in others {
            walker.go(to: other.place)
            visitor.seenPrints = []
            let before = visitor.notifications
            let outcome = try take(other, &walker, met.receivedAt, visitor)
            all.formUnion(visitor.seenPrints)
            visitor.knownPrints.formUnion(visitor.seenPrints)
            if visitor.notifications > Envelope.mostNotifications { failure = .tooMany(other.place.at) }
            if failure?.code == .tooManyNotifications { break }
            if let outcome, visitor.wasRefused || visitor.notifications > before || isSerious(outcome, other, walker) {
                failure = failure ?? outcome
                if visitor.wasRefused { break }
            }
        }
        visitor.knownPrints = knownBefore
        visitor.seenPrints = seenBefore.union(all)
        visitor.comparesPrints = comparedBefore
        return failure
    }

    private func take(
        _ other: Other, _ walker: inout JSONWalker, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        guard isPlausible(other, walker.memory) else { return nil }
        level += 1
        defer { level -= 1 }
        return try take(other.value, &walker, receivedAt, finishes: false, visitor)
    }

    /// What is signed leads, as it is worth more than what was decoded from it.
    private func signedFirst(_ others: [Other], _ memory: UnsafeRawPointer) -> [Other] {
        guard others.count > 1 else { return others }
        return others.filter { isSigned($0, memory) } + others.filter { !isSigned($0, memory) }
    }

    /// Whether a text looks like a JWS.
    private func isSigned(_ other: Other, _ memory: UnsafeRawPointer) -> Bool {
        other.value.kind == .string
            && memory.loadUnaligned(fromByteOffset: other.value.text.start, as: UInt16.self).littleEndian == 0x7965
    }

    /// Whether it can be a notification: what is signed may be anybody's, such as the token of a request, and is
    /// looked at before a policy judges it.
    func isPlausible(_ other: Other, _ memory: UnsafeRawPointer) -> Bool {
        guard isSigned(other, memory) else { return true }
        let text = plain(other.value.text, memory)
        return !SignedPayload.looksLikeOne(text) || Self.mayBeNotification(text)
    }

    /// Whether the payload of a signed text may be a notification.
    static func mayBeNotification(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let parts = SignedPayload(text), let payload = StrictBase64.decoded(url: Array(parts.payload)) else {
            return false
        }
        return payload.withUnsafeBytes { NotificationSigns.mayBe(in: $0) }
    }

    /// Whether something that cannot be read must be said aloud, as it names itself a notification.
    ///
    /// Other texts may be in braces and be no JSON.
    private func isSerious(_ failure: NotificationError, _ other: Other, _ walker: JSONWalker) -> Bool {
        guard other.value.kind == .string else { return failure.code != .malformedJWS && failure.code != .badPayload }
        return NotificationSigns.stand(
            in: UnsafeRawBufferPointer(start: walker.memory + other.value.text.start, count: other.value.text.count))
    }

    // MARK: Texts

    /// Takes a text that is base64 of JSON or of a JWS, or a JSON array; false if it is neither.
    func takePacked(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(NotificationError) -> Bool {
        guard bytes.count > 20, texts < Envelope.mostTexts, let first = bytes.first(where: { $0 > 0x20 }) else {
            return false
        }
        let inner = try inner()
        switch first {
        case 0x5B:
            guard let second = bytes.drop(while: { $0 <= 0x20 }).dropFirst().first(where: { $0 > 0x20 }),
                second == 0x7B || second == 0x5B || second == 0x22
            else { return false }
            inner.scratch.removeAll()
            inner.scratch.append(bytes)
        case 0x65, 0x57, 0x49, 0x5A:
            inner.scratch.removeAll()
            guard Self.decode(base64: bytes, into: inner.scratch),
                let decoded = inner.scratch.bytes.first,
                decoded == 0x7B || decoded == 0x5B || decoded == 0x22 || decoded == 0x65
            else { return false }
        case 0x5C, 0x30:
            // What PostgreSQL writes of a `bytea`, and MySQL of a `blob`.
            guard bytes[1] | 0x20 == 0x78, bytes.count.isMultiple(of: 2) else { return false }
            inner.scratch.removeAll()
            guard Self.decode(hexadecimal: UnsafeRawBufferPointer(rebasing: bytes[2...]), into: inner.scratch),
                let decoded = inner.scratch.bytes.first, decoded == 0x7B || decoded == 0x22 || decoded == 0x65
            else { return false }
        case 0x55 where Self.isRequest(base64: bytes):
            inner.scratch.removeAll()
            guard Self.decode(base64: bytes, into: inner.scratch) else { return false }
            return try inner.takeTextAround(inner.scratch.bytes, at: offset, receivedAt, visitor)
        default: return false
        }
        let before = visitor.notifications
        do throws(NotificationError) {
            visitor.passesOverForeign += 1
            defer { visitor.passesOverForeign -= 1 }
            try inner.decodeScratch(at: offset, receivedAt, visitor)
        } catch {
            if visitor.wasRefused || visitor.notifications > before
                || NotificationSigns.stand(in: inner.scratch.bytes)
            {
                throw error
            }
        }
        return visitor.notifications > before
    }

    /// Takes an array of bytes that are JSON, as Node writes a `Buffer` and journald what is not all text.
    ///
    /// - Returns: `nil` if the array does not hold such bytes; else the error of reading them, or `nil` in it if there
    ///   is none.
    func takeBytes(
        _ elements: [(value: JSONWalker.Value, place: JSONWalker.Place)], _ memory: UnsafeRawPointer,
        _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) -> NotificationError?? {
        guard let first = elements.first, first.value.kind == .number, texts < Envelope.mostTexts else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements.count)
        for element in elements {
            let text = element.value.text
            guard element.value.kind == .number, text.count <= 3 else { return nil }
            var byte = 0
            for place in text.start..<text.end {
                guard let digit = CivilTime.digit(memory.load(fromByteOffset: place, as: UInt8.self)) else {
                    return nil
                }
                byte = byte * 10 + Int(digit)
            }
            guard byte < 256 else { return nil }
            bytes.append(UInt8(byte))
        }
        guard let start = bytes.first(where: { $0 > 0x20 }), start == 0x7B || start == 0x22 || start == 0x65 else {
            return nil
        }
        do throws(NotificationError) {
            let inner = try inner()
            inner.scratch.removeAll()
            bytes.withUnsafeBytes { inner.scratch.append($0) }
            visitor.passesOverForeign += 1
            defer { visitor.passesOverForeign -= 1 }
            let before = visitor.notifications
            do throws(NotificationError) {
                try inner.decodeScratch(at: first.value.text.start, receivedAt, visitor)
            } catch {
                if visitor.wasRefused || visitor.notifications > before
                    || NotificationSigns.stand(in: inner.scratch.bytes)
                {
                    throw error
                }
            }
            return .some(nil)
        } catch {
            return .some(error)
        }
    }

    /// Appends the bytes that pairs of digits represent; false if they are none.
    private static func decode(hexadecimal text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        for place in stride(from: 0, to: text.count, by: 2) {
            guard let byte = Hexadecimal.byte(text[place], text[place + 1]) else { return false }
            output.append(byte)
        }
        return true
    }

    /// Appends what base64 of either alphabet represents, with padding and line ends or without; false if it is not
    /// base64.
    private static func decode(base64 text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        func isFiller(_ byte: UInt8) -> Bool { byte == 0x3D || byte == 0x0A || byte == 0x0D || byte == 0x20 }
        var end = text.count
        while end > 0, isFiller(text[end - 1]) { end -= 1 }
        let whole = UnsafeRawBufferPointer(rebasing: text[..<end])
        if output.append(atMost: StrictBase64.room(end), { StrictBase64.decodeEither(whole, into: $0) }) { return true }
        // What is broken into lines takes another pass.
        let joined = whole.filter { !isFiller($0) }
        guard joined.count < end else { return false }
        return joined.withUnsafeBytes { joined in
            output.append(atMost: StrictBase64.room(joined.count)) { StrictBase64.decodeEither(joined, into: $0) }
        }
    }

    /// Writes an object whose values a database has wrapped, as plain JSON, and takes that.
    private func takeTyped(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError?? {
        let before = visitor.notifications
        let past = walker.place
        walker.go(to: met.start)
        defer { walker.go(to: past) }
        let inner: NotificationDecoder
        do throws(NotificationError) { inner = try self.inner() } catch { return .some(.some(error)) }
        inner.scratch.removeAll()
        guard try TypedValues.unwrapObject(&walker, into: inner.scratch) else { return nil }
        let explained = visitor.explained.count
        defer { visitor.explained.enclose(from: explained, in: met.start.at..<met.end) }
        do throws(NotificationError) {
            try inner.decodeScratch(at: met.start.at, met.receivedAt, visitor)
        } catch {
            return .some(.some(error))
        }
        return visitor.notifications > before ? .some(nil) : nil
    }
}
