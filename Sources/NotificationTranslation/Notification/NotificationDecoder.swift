/// Finds the notification in a record, through whatever envelope it lies in, and leaves its fields as ranges.
///
/// One for each worker, used again and again. A body that lies inside a string (escaped JSON, the payload of a JWS)
/// is written out into memory of this decoder and read by a decoder of its own, the `inner` one.
final class NotificationDecoder {
    /// What a record turned out to be.
    enum Finding {
        /// A version 1 body; see ``Found/v1``.
        case v1
        /// A version 2 payload; see ``Found/v2``.
        case v2
        /// Valid JSON that carries no Apple notification.
        case foreign
    }

    /// A notification that was found.
    ///
    /// Valid only while the call that hands it over runs.
    struct Found {
        var finding: Finding
        /// The memory that the ranges of the body or payload belong to.
        var memory: UnsafeRawPointer
        /// The memory that the ranges of a version 2 transaction and renewal info belong to.
        var transactionMemory: UnsafeRawPointer
        var renewalMemory: UnsafeRawPointer
        /// The decoder whose `v1` or `v2` holds the fields.
        var holder: NotificationDecoder
        /// When the server received it, in milliseconds since 1970, as far as the envelope says.
        var receivedAt: Int64?
        /// How far its sender was checked.
        var authenticity = Authenticity.unverified

        init(_ finding: Finding, _ memory: UnsafeRawPointer, _ holder: NotificationDecoder, _ receivedAt: Int64?) {
            self.finding = finding
            self.memory = memory
            transactionMemory = memory
            renewalMemory = memory
            self.holder = holder
            self.receivedAt = receivedAt
        }
    }

    // A decoder serves one record at a time, and its methods hand these on to each other; see OutputBuffer.
    @exclusivity(unchecked) var v1 = V1Fields()
    @exclusivity(unchecked) var v2 = V2Fields()
    @exclusivity(unchecked) private var scanner = JSONScanner()
    private var partScanner = JSONScanner()
    private let scratch = OutputBuffer(capacity: 1024)
    private let transactionPart = OutputBuffer(capacity: 1024)
    private let renewalPart = OutputBuffer(capacity: 1024)
    let policy: TrustPolicy
    private var level: Int
    private var innerDecoder: NotificationDecoder?

    /// A decoder that hands over what the policy lets through.
    init(_ policy: TrustPolicy, level: Int = 0) {
        self.policy = policy
        self.level = level
    }

    /// The decoder of what lies inside a string of this one's record.
    private func inner() throws(NotificationError) -> NotificationDecoder {
        guard level < Envelope.deepest else {
            throw NotificationError(
                code: .tooManyEnvelopes, path: "", offset: 0, sentence: "envelopes inside envelopes without end")
        }
        if let innerDecoder { return innerDecoder }
        let made = NotificationDecoder(policy, level: level + 1)
        innerDecoder = made
        return made
    }

    /// Where the record scanned last ends: its line feed, or the end given.
    var end: Int { scanner.end }

    /// Looks for the end of the record and everything that needs no grammar.
    ///
    /// Must come before ``decode``.
    @inline(__always)
    func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        scanner.scan(memory, from: start, to: limit, stopsAtLineFeed: stopsAtLineFeed)
    }

    /// Decodes the record scanned last and hands over every notification in it.
    ///
    /// - Parameters:
    ///   - memory: The memory that was scanned.
    ///   - start: Where the record begins.
    ///   - envelope: Steps of a JSON pointer to the body, or `nil` to find it.
    ///   - receivedAt: The time of receipt known from outside.
    ///   - visit: Called with each of them; what it is given is valid only while it runs.
    /// - Throws: Why the record holds none, or one that cannot be read, placed within the record.
    func decode(
        _ memory: UnsafeRawPointer, from start: Int, envelope: [String]?, receivedAt: Int64?,
        _ visit: (Found) -> Void
    ) throws(NotificationError) {
        var failure: NotificationError?
        withoutActuallyEscaping(visit) { visit in
            failure = outcome(memory, start, envelope, receivedAt, FoundVisitor(visit))
        }
        if let failure { throw failure }
    }

    /// Decodes the record scanned last; returns why it failed, placed within the record.
    private func outcome(
        _ memory: UnsafeRawPointer, _ start: Int, _ envelope: [String]?, _ receivedAt: Int64?,
        _ visitor: FoundVisitor
    ) -> NotificationError? {
        var failure: NotificationError?
        do throws(JSONFault) {
            if end - start > 1, memory.loadUnaligned(fromByteOffset: start, as: UInt16.self).littleEndian == 0x7965 {
                failure = takeBareText(memory, start, receivedAt, visitor)
            } else {
                if let fault = scanner.fault { throw fault }
                failure = try decodeText(memory, envelope, receivedAt, visitor)
            }
        } catch {
            return NotificationError(error, in: memory, from: start, to: end)
        }
        guard var failure else { return nil }
        failure.offset = max(0, failure.offset - start)
        return failure
    }

    private func decodeText(
        _ memory: UnsafeRawPointer, _ envelope: [String]?, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        var walker = scanner.walker(memory)
        let root = try walker.root()
        guard let envelope, !envelope.isEmpty else {
            return try take(root, &walker, receivedAt, finishes: true, visitor)
        }
        let place = walker.place
        try walker.skip(root)
        try walker.finish()
        walker.go(to: place)
        return try followPointer(envelope[...], root, &walker, receivedAt, visitor)
    }

    /// Goes down a JSON pointer and takes what it names.
    private func followPointer(
        _ steps: ArraySlice<String>, _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ receivedAt: Int64?,
        _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        guard let step = steps.first else { return try take(value, &walker, receivedAt, finishes: false, visitor) }
        switch value.kind {
        case .object:
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: Envelope.keys) {
                if KeyLog.characters(member.key, walker.memory).elementsEqual(step.utf8) {
                    return try followPointer(steps.dropFirst(), member.value, &walker, receivedAt, visitor)
                }
                try walker.skip(member.value)
            }
        case .array:
            var array = try walker.enterArray()
            var index = 0
            while let element = try walker.nextElement(of: &array) {
                if String(index) == step {
                    return try followPointer(steps.dropFirst(), element, &walker, receivedAt, visitor)
                }
                try walker.skip(element)
                index += 1
            }
        default:
            break
        }
        visitor.visit(Found(.foreign, walker.memory, self, receivedAt))
        return nil
    }

    /// Takes a record that is no JSON but a JWS as it stands.
    private func takeBareText(
        _ memory: UnsafeRawPointer, _ start: Int, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) -> NotificationError? {
        var stop = end
        while stop > start, memory.load(fromByteOffset: stop - 1, as: UInt8.self) <= 0x20 { stop -= 1 }
        do throws(NotificationError) {
            try takeSignedPayload(
                UnsafeRawBufferPointer(start: memory + start, count: stop - start), at: start, receivedAt, visitor)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Kinds of value

    /// Takes a value as a record: an object, a string that holds one, or (history pages) an array of them.
    private func take(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ receivedAt: Int64?, finishes: Bool,
        _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        switch value.kind {
        case .object:
            return try takeObject(&walker, receivedAt, finishes: finishes, visitor)
        case .string:
            if finishes { try walker.finish() }
            return takeString(value.text, walker.memory, receivedAt, visitor)
        case .array where finishes:
            return try takeRootArray(&walker, receivedAt, visitor)
        case .array:
            return try takeArray(&walker, receivedAt, visitor)
        default:
            try walker.skip(value)
            if finishes { try walker.finish() }
            visitor.visit(Found(.foreign, walker.memory, self, receivedAt))
            return nil
        }
    }

    /// Takes an array that stands where a record should: foreign, unless notifications lie in it, which is then said
    /// aloud, as one record is one notification or an envelope of some.
    private func takeRootArray(
        _ walker: inout JSONWalker, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let start = walker.at
        let probe = FoundVisitor { _ in }
        let failure = try takeArray(&walker, receivedAt, probe)
        try walker.finish()
        guard probe.notifications > 0 || failure != nil else {
            visitor.visit(Found(.foreign, walker.memory, self, receivedAt))
            return nil
        }
        return NotificationError(
            code: .notAnObject, path: "", offset: start,
            sentence: "an array of notifications where one record should be")
    }

    /// Takes every element of an array as a record of its own; the first error is what the record fails with.
    private func takeArray(
        _ walker: inout JSONWalker, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        var places: [(JSONWalker.Value, JSONWalker.Place)] = []
        var array = try walker.enterArray()
        while let element = try walker.nextElement(of: &array) {
            places.append((element, walker.place))
            try walker.skip(element)
        }
        let behind = walker.place
        var failure: NotificationError?
        for (element, place) in places {
            walker.go(to: place)
            if let error = try take(element, &walker, receivedAt, finishes: false, visitor), failure == nil {
                failure = error
            }
        }
        walker.go(to: behind)
        return failure
    }

    /// Takes the text of a string as a record: JSON, or a compact JWS.
    private func takeString(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) -> NotificationError? {
        let bytes = plain(text, memory)
        do throws(NotificationError) {
            if SignedPayload.looksLikeOne(bytes) {
                try takeSignedPayload(bytes, at: text.start, receivedAt, visitor)
            } else if let first = bytes.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x22 {
                try takeEscaped(bytes, at: text.start, receivedAt, visitor)
            } else {
                visitor.visit(Found(.foreign, memory, self, receivedAt))
            }
            return nil
        } catch {
            return error
        }
    }

    /// Takes JSON that stood in a string.
    private func takeEscaped(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        let inner = try inner()
        inner.scratch.removeAll()
        inner.scratch.append(bytes)
        try inner.decodeScratch(at: offset, receivedAt, visitor)
    }

    /// Decodes what was written into the scratch memory; errors are placed at `offset` of the record outside.
    private func decodeScratch(
        at offset: Int, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        let length = scratch.count
        scratch.reserve(JSONScanner.slack)
        guard let memory = scratch.bytes.baseAddress else { return }
        scan(memory, from: 0, to: length, stopsAtLineFeed: false)
        if var failure = outcome(memory, 0, nil, receivedAt, visitor) {
            failure.offset = offset
            throw failure
        }
    }

    /// The characters of a string, unescaped if need be.
    func plain(_ text: JSONText, _ memory: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        guard text.hasEscapes else { return UnsafeRawBufferPointer(start: memory + text.start, count: text.count) }
        scratch.removeAll()
        JSONEscapes.unescape(memory, from: text.start, to: text.end) { scratch.append($0) }
        return scratch.bytes
    }

    // MARK: Objects

    /// A value that may hold the notification, met on the way through an object.
    private struct Candidate {
        var rank: Int
        var value: JSONWalker.Value
        var place: JSONWalker.Place
    }

    /// Takes an object as a record.
    private func takeObject(
        _ walker: inout JSONWalker, _ receivedAt: Int64?, finishes: Bool, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        v1.removeAll()
        var candidates: [Candidate] = []
        var receivedAt = receivedAt
        let history = try walkRoot(&walker, &candidates, &receivedAt)
        if finishes { try walker.finish() }
        let behind = walker.place
        defer { walker.go(to: behind) }
        if let history {
            walker.go(to: history)
            return try takeArray(&walker, receivedAt, visitor)
        }
        if !v1[.signedPayload].isBlank {
            let bytes = plain(v1[.signedPayload], walker.memory)
            do throws(NotificationError) {
                try takeSignedPayload(bytes, at: v1[.signedPayload].start, receivedAt, visitor)
                return nil
            } catch {
                return error
            }
        }
        if v1[.v2Type].isBlank, !candidates.isEmpty {
            if let outcome = try takeCandidates(candidates, &walker, receivedAt, visitor) { return outcome }
        }
        return try takeOwnFields(candidates, &walker, receivedAt, visitor)
    }

    /// Walks the outermost object; returns the place of `notificationHistory` if it is there.
    @inline(never)
    private func walkRoot(
        _ walker: inout JSONWalker, _ candidates: inout [Candidate], _ receivedAt: inout Int64?
    ) throws(JSONFault) -> JSONWalker.Place? {
        var history: JSONWalker.Place?
        var timeRank = Int.max
        try v1.root.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        var object = try walker.enterObject()
        while let member = try walker.step(in: &object, known: V1Keys.root) {
            if member.slot < 0 {
                try takeEnvelopeKey(member, &walker, &candidates, &receivedAt, &timeRank)
            } else if member.value.kind.isScalar {
                if member.value.kind != .null {
                    v1.root[0, member.slot] =
                        Self.isReceipt(member.slot)
                        ? member.value.text : walker.settled(member.value.text)
                }
                if member.slot == V1Keys.Root.v2Data.rawValue, member.value.kind == .string {
                    candidates.append(Candidate(rank: 100, value: member.value, place: walker.place))
                }
            } else {
                switch member.slot {
                case V1Keys.Root.unifiedReceipt.rawValue where member.value.kind == .object:
                    try v1.takeUnifiedReceipt(&walker)
                case V1Keys.Root.latestReceiptInfo.rawValue, V1Keys.Root.latestExpiredReceiptInfo.rawValue:
                    try v1.takeSingle(member.value, &walker)
                case V1Keys.Root.notificationHistory.rawValue where member.value.kind == .array:
                    history = walker.place
                    try walker.skip(member.value)
                case V1Keys.Root.v2Data.rawValue, V1Keys.Root.v2Summary.rawValue,
                    V1Keys.Root.v2ExternalPurchaseToken.rawValue, V1Keys.Root.v2AppData.rawValue,
                    V1Keys.Root.v2UnclaimInfo.rawValue:
                    candidates.append(Candidate(rank: 100 + member.slot, value: member.value, place: walker.place))
                    try walker.skip(member.value)
                default:
                    if member.slot < V1Keys.Root.signedPayload.rawValue { v1.hasMisplacedValue = true }
                    try walker.skip(member.value)
                }
            }
        }
        v1.closeRows()
        return history
    }

    /// The long texts that are never used.
    @inline(__always)
    private static func isReceipt(_ slot: Int) -> Bool {
        slot == V1Keys.Root.latestReceipt.rawValue || slot == V1Keys.Root.latestExpiredReceipt.rawValue
    }

    /// Takes a key that belongs to no notification: perhaps an envelope's.
    @inline(never)
    private func takeEnvelopeKey(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ candidates: inout [Candidate],
        _ receivedAt: inout Int64?, _ timeRank: inout Int
    ) throws(JSONFault) {
        let key = (walker.memory + member.key.start).assumingMemoryBound(to: UInt8.self)
        let slot = Envelope.keys.slot(key, member.key.count)
        let place = walker.place
        if slot >= Envelope.bodies.count {
            let rank = slot - Envelope.bodies.count
            if rank < timeRank, let time = try receiveTime(member.value, &walker) {
                timeRank = rank
                receivedAt = time
            } else if !member.value.kind.isScalar {
                walker.go(to: place)
                try walker.skip(member.value)
            }
            return
        }
        if slot >= 0, member.value.kind == .object || member.value.kind == .string || member.value.kind == .array {
            candidates.append(Candidate(rank: slot, value: member.value, place: place))
        }
        try walker.skip(member.value)
    }

    /// The time of receipt that a value says: a text, a number, or MongoDB's `{"$date":…}`.
    private func receiveTime(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker
    ) throws(JSONFault) -> Int64? {
        if value.kind == .string || value.kind == .number {
            return AppleDate.receiveTime(plain(value.text, walker.memory))
        }
        guard value.kind == .object else { return nil }
        var time: Int64?
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: Self.extendedJSON) {
            if member.slot >= 0 { time = try receiveTime(member.value, &walker) } else { try walker.skip(member.value) }
        }
        return time
    }

    private static let extendedJSON = KeyTable(["$date", "$numberLong"])

    /// Tries the envelope's values in order of their names; `nil` if none of them holds a notification.
    private func takeCandidates(
        _ candidates: [Candidate], _ walker: inout JSONWalker, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError?? {
        let outer = v1[.notificationType].isBlank ? nil : V1Fields(copying: v1)
        for candidate in candidates.sorted(by: { $0.rank < $1.rank }) where level < Envelope.deepest {
            walker.go(to: candidate.place)
            level += 1
            defer { level -= 1 }
            let before = visitor.notifications
            visitor.passesOverForeign += 1
            defer { visitor.passesOverForeign -= 1 }
            let failure = try take(candidate.value, &walker, receivedAt, finishes: false, visitor)
            if visitor.notifications > before || failure != nil && (outer == nil || visitor.wasRefused) {
                return .some(failure)
            }
        }
        if let outer {
            v1 = outer
        } else {
            v1.removeAll()
            try v1.root.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        }
        return nil
    }

    /// Takes the object itself as the notification.
    private func takeOwnFields(
        _ candidates: [Candidate], _ walker: inout JSONWalker, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        var found = Found(.foreign, walker.memory, self, receivedAt)
        if !v1[.notificationType].isBlank {
            guard isString(v1[.notificationType], walker.memory) else {
                return NotificationError(
                    code: .badType, path: "notification_type", offset: v1[.notificationType].start,
                    sentence: "not a string")
            }
            found.finding = .v1
            do throws(NotificationError) {
                found.authenticity = try authenticityOfV1(walker.memory, visitor)
            } catch {
                return error
            }
        } else if !v1[.v2Type].isBlank, isString(v1[.v2Type], walker.memory) {
            return try takeDecodedPayload(candidates, &walker, receivedAt, visitor)
        }
        visitor.visit(found)
        return nil
    }

    private func isString(_ text: JSONText, _ memory: UnsafeRawPointer) -> Bool {
        memory.load(fromByteOffset: text.start - 1, as: UInt8.self) == 0x22
    }

    // MARK: Version 2

    /// Takes a compact JWS: the policy judges it as it was received, then its payload is read.
    private func takeSignedPayload(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        visitor.signed = try authenticity(ofSigned: bytes, at: offset, visitor)
        defer { visitor.signed = nil }
        let inner = try inner()
        inner.scratch.removeAll()
        guard let signed = SignedPayload(bytes), Base64URL.decode(signed.payload, into: inner.scratch) else {
            throw NotificationError(
                code: .malformedJWS, path: "signedPayload", offset: offset, sentence: "not three parts of base64url")
        }
        let before = visitor.notifications
        visitor.passesOverForeign += 1
        defer { visitor.passesOverForeign -= 1 }
        try inner.decodeScratch(at: offset, receivedAt, visitor)
        if visitor.notifications == before {
            throw NotificationError(
                code: .badPayload, path: "signedPayload", offset: offset, sentence: "the payload is no notification")
        }
    }

    /// Takes the object walked last, and what stands under `data` or in its place, as a decoded payload.
    private func takeDecodedPayload(
        _ candidates: [Candidate], _ walker: inout JSONWalker, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let memory = walker.memory
        v2.removeAll()
        try v2.root.addRow { (row) throws(JSONFault) in
            for slot in 0..<row.count { row[slot] = v1.root[0, slot] }
        }
        var nested = Nested()
        for candidate in candidates.sorted(by: { $0.rank < $1.rank })
        where candidate.rank >= 100 && candidate.value.kind == .object {
            v2.payload = V1Keys.Root(rawValue: candidate.rank - 100)
            walker.go(to: candidate.place)
            nested = try takeData(&walker)
            break
        }
        try takeNested(nested, &walker)
        var found = Found(.v2, memory, self, receivedAt)
        do throws(NotificationError) {
            if let signed = visitor.signed {
                found.authenticity = signed
            } else {
                found.authenticity = try authenticityOfUnsigned(memory, visitor)
            }
        } catch {
            return error
        }
        if let part = takeSignedPart(v2[.signedTransactionInfo], memory, V2Keys.transaction, transactionPart) {
            found.transactionMemory = part.memory
            v2.transaction = part.table
        }
        if let part = takeSignedPart(v2[.signedRenewalInfo], memory, V2Keys.renewal, renewalPart) {
            found.renewalMemory = part.memory
            v2.renewal = part.table
        }
        visitor.visit(found)
        return nil
    }

    /// Decodes a JWS inside the payload into memory of its own; `nil` if there is none.
    ///
    /// What cannot be read is noted in `v2`, as the notification around it says enough to be an event.
    private func takeSignedPart(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ keys: KeyTable, _ part: OutputBuffer
    ) -> (memory: UnsafeRawPointer, table: TextTable)? {
        guard !text.isBlank else { return nil }
        var table = TextTable(width: keys.count, rows: 1)
        part.removeAll()
        guard let signed = SignedPayload(plain(text, memory)), Base64URL.decode(signed.payload, into: part) else {
            v2.hasUnreadablePart = true
            return nil
        }
        let length = part.count
        part.reserve(JSONScanner.slack)
        guard let decoded = part.bytes.baseAddress else { return nil }
        partScanner.scan(decoded, from: 0, to: length, stopsAtLineFeed: false)
        do throws(JSONFault) {
            if let fault = partScanner.fault { throw fault }
            var walker = partScanner.walker(decoded)
            guard try walker.root().kind == .object else { throw JSONFault(code: .syntax, offset: 0) }
            var misplaced = false
            var empty = true
            try table.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, keys, into: row, &misplaced, &empty)
            }
            try walker.finish()
        } catch {
            v2.hasUnreadablePart = true
            return nil
        }
        return (decoded, table)
    }

    /// The objects of a decoded payload that stand where a JWS stood.
    private struct Nested {
        var transaction: JSONWalker.Place?
        var renewal: JSONWalker.Place?
    }

    private func takeData(_ walker: inout JSONWalker) throws(JSONFault) -> Nested {
        var nested = Nested()
        try v2.data.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: V2Keys.data) {
            switch (V2Keys.Data(rawValue: member.slot), member.value.kind) {
            case (.signedTransactionInfo?, .object), (.transactionInfo?, .object): nested.transaction = walker.place
            case (.signedRenewalInfo?, .object), (.renewalInfo?, .object): nested.renewal = walker.place
            case (let key?, let kind) where kind.isScalar && kind != .null:
                v2.data[0, key.rawValue] = walker.settled(member.value.text)
            default: break
            }
            try walker.skip(member.value)
        }
        return nested
    }

    private func takeNested(_ nested: Nested, _ walker: inout JSONWalker) throws(JSONFault) {
        var misplaced = false
        if let place = nested.transaction {
            walker.go(to: place)
            var empty = true
            try v2.transaction.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, V2Keys.transaction, into: row, &misplaced, &empty)
            }
            if empty { v2.transaction.removeLastRow() }
        }
        if let place = nested.renewal {
            walker.go(to: place)
            var empty = true
            try v2.renewal.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, V2Keys.renewal, into: row, &misplaced, &empty)
            }
            if empty { v2.renewal.removeLastRow() }
        }
    }
}
