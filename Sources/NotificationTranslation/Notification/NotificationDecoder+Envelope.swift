/// Objects: an envelope, a page of history, or the notification itself.
extension NotificationDecoder {
    /// A value that may hold the notification, met on the way through an object.
    struct Candidate {
        var rank: Int
        var value: JSONWalker.Value
        var place: JSONWalker.Place
    }

    /// Takes an object as a record.
    func takeObject(
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
    func walkRoot(
        _ walker: inout JSONWalker, _ candidates: inout [Candidate], _ receivedAt: inout Int64?
    ) throws(JSONFault) -> JSONWalker.Place? {
        let fields = v1
        var history: JSONWalker.Place?
        var timeRank = Int.max
        try fields.root.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        let keys = orders.root
        // Of `data` more is noted than its text; and receipts are not searched for escapes.
        let noted: UInt64 = 1 << UInt64(V1Keys.Root.v2Data.rawValue)
        var object = try walker.enterObject()
        while true {
            _ = fields.root.withRow(0) { row in
                walker.takeTexts(of: &object, known: keys, into: row, besides: noted, leavesEscapes: true)
            }
            guard let member = try walker.step(in: &object, known: keys.table) else { break }
            if member.slot < 0 {
                try takeEnvelopeKey(member, &walker, &candidates, &receivedAt, &timeRank)
            } else if member.value.kind.isScalar {
                if member.value.kind != .null {
                    fields.root[0, member.slot] =
                        Self.isReceipt(member.slot)
                        ? member.value.text : walker.settled(member.value.text)
                }
                if member.slot == V1Keys.Root.v2Data.rawValue, member.value.kind == .string {
                    candidates.append(Candidate(rank: 100, value: member.value, place: walker.place))
                }
            } else {
                switch member.slot {
                case V1Keys.Root.unifiedReceipt.rawValue where member.value.kind == .object:
                    try fields.takeUnifiedReceipt(&walker, orders)
                case V1Keys.Root.latestReceiptInfo.rawValue, V1Keys.Root.latestExpiredReceiptInfo.rawValue:
                    try fields.takeSingle(member.value, &walker, orders)
                case V1Keys.Root.notificationHistory.rawValue where member.value.kind == .array:
                    history = walker.place
                    try walker.skip(member.value)
                case V1Keys.Root.v2Data.rawValue, V1Keys.Root.v2Summary.rawValue,
                    V1Keys.Root.v2ExternalPurchaseToken.rawValue, V1Keys.Root.v2AppData.rawValue,
                    V1Keys.Root.v2UnclaimInfo.rawValue:
                    candidates.append(Candidate(rank: 100 + member.slot, value: member.value, place: walker.place))
                    try walker.skip(member.value)
                default:
                    if member.slot < V1Keys.Root.signedPayload.rawValue { fields.hasMisplacedValue = true }
                    try walker.skip(member.value)
                }
            }
        }
        fields.closeRows()
        return history
    }

    /// The long texts that are never used.
    @inline(__always)
    static func isReceipt(_ slot: Int) -> Bool {
        slot == V1Keys.Root.latestReceipt.rawValue || slot == V1Keys.Root.latestExpiredReceipt.rawValue
    }

    /// Takes a key that belongs to no notification: perhaps an envelope's.
    @inline(never)
    func takeEnvelopeKey(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ candidates: inout [Candidate],
        _ receivedAt: inout Int64?, _ timeRank: inout Int
    ) throws(JSONFault) {
        let slot = Self.slot(ofEnvelopeKey: member.key, walker.memory)
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

    /// The slot of a key in ``Envelope/keys``, however it is written; -1 if it is none of them.
    private static func slot(ofEnvelopeKey key: JSONText, _ memory: UnsafeRawPointer) -> Int {
        guard key.hasEscapes else {
            return Envelope.keys.slot((memory + key.start).assumingMemoryBound(to: UInt8.self), key.count)
        }
        let plain = KeyLog.characters(key, memory)
        return (plain + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { Envelope.keys.slot($0, plain.count) } ?? -1
        }
    }

    /// The time of receipt that a value says: a text, a number, or MongoDB's `{"$date":…}`.
    func receiveTime(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker
    ) throws(JSONFault) -> Int64? {
        if value.kind == .string || value.kind == .number {
            return AppleDate.receiveTime(plain(value.text, walker.memory))
        }
        guard value.kind == .object else {
            try walker.skip(value)
            return nil
        }
        var time: Int64?
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: Self.extendedJSON) {
            if member.slot >= 0 { time = try receiveTime(member.value, &walker) } else { try walker.skip(member.value) }
        }
        return time
    }

    static let extendedJSON = KeyTable(["$date", "$numberLong"])

    /// Tries the envelope's values in order of their names; `nil` if none of them holds a notification.
    func takeCandidates(
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
            v1.copy(outer)
        } else {
            v1.removeAll()
            try v1.root.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        }
        return nil
    }

    /// Takes the object itself as the notification.
    func takeOwnFields(
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

    func isString(_ text: JSONText, _ memory: UnsafeRawPointer) -> Bool {
        memory.load(fromByteOffset: text.start - 1, as: UInt8.self) == 0x22
    }
}
