/// Reads the body of one notification: one walk over its bytes, which leaves its fields as ranges.
///
/// It is used again and again. Whether the body is where a notification is, and which of several is one, is the
/// business of ``Finder``; ``DirectReader`` comes first where that is plain.
final class NotificationReader {
    let v1 = V1Fields()
    // Run-time exclusivity checks cost 1.5 % of a small record.
    @exclusivity(unchecked) var v2: V2Fields
    /// Characters of a string with escapes.
    let plainText = OutputBuffer(capacity: 1024)
    let parts = PartReader()
    let policy: TrustPolicy
    /// Whether the text of version 2 payloads is kept, to be passed on as a whole.
    let keepsPayload: Bool
    /// Indexes a text inside of another, or a body in a tree.
    private(set) var scanner = JSONScanner()
    /// What holds the text that was read last, where nobody else does.
    var source: JSONTree?

    /// A reader of what the policy accepts.
    init(_ policy: TrustPolicy, keepsPayload: Bool) {
        self.policy = policy
        self.keepsPayload = keepsPayload
        v2 = V2Fields(plainText.memory)
    }

    /// What the object is that was walked last.
    enum Reading {
        case notification(FoundNotification)
        /// Nothing that has a type.
        case nothing
        /// It has a type, and is something else.
        case explained(SkipReason)
        /// A body that has to be rewritten in Apple's shape first; it may be of the other version.
        case reshaped(BodyReshaper.Casing, isDoubtful: Bool)
        case failed(NotificationError, isRefused: Bool)
    }

    /// Walks the object that `walker` is before: scalars go into `v1`.
    func walk(_ walker: inout JSONWalker, _ receivedAt: ReceiveTime?) throws(JSONFault) -> WalkedObject {
        v1.removeAll()
        var met = WalkedObject(memory: walker.memory, start: walker.at, times: EnvelopeTimes(receivedAt))
        do throws(JSONFault) {
            try walkMembers(&walker, &met)
            met.end = walker.at
        } catch {
            // A fault in what was passed comes first.
            try check(&met, &walker)
            throw error
        }
        return met
    }

    /// The same of an object in a tree, with a scanner of its own.
    func walk(_ object: JSONTree, _ receivedAt: ReceiveTime?) throws(JSONFault) -> WalkedObject {
        var walker = scan(object.memory, object.range.start..<object.range.end)
        _ = try walker.root()
        var met = try walk(&walker, receivedAt)
        try check(&met, &walker)
        return met
    }

    /// A walker over a text, until the next one is scanned; `json.unexpected-end` and the like are left to the walk.
    func scan(_ memory: UnsafeRawPointer, _ range: Range<Int>) -> JSONWalker {
        scanner.scan(memory, from: range.lowerBound, to: range.upperBound, stopsAtLineFeed: false)
        return scanner.walker(memory)
    }

    /// Checks the object that was passed, if there is one.
    func check(_ met: inout WalkedObject, _ walker: inout JSONWalker) throws(JSONFault) {
        guard let unchecked = met.unchecked else { return }
        met.unchecked = nil
        walker.go(to: unchecked.place)
        try walker.skip(unchecked.value)
    }

    private func walkMembers(_ walker: inout JSONWalker, _ met: inout WalkedObject) throws(JSONFault) {
        let fields = v1
        let keys = V1Keys.root
        // Of `data` more is noted than its text.
        let noted: UInt64 = 1 << UInt64(V1Keys.Root.v2Data.rawValue)
        var object = try walker.enter()
        try fields.root.addRow { (row) throws(JSONFault) in
            while true {
                walker.takeTexts(of: &object, known: keys, into: row, besides: noted)
                guard let member = try walker.nextMember(of: &object, known: keys) else { break }
                if member.slot < 0 {
                    met.hasUnknownMember = true
                    try takeUnknown(member, &walker, &met)
                } else if member.value.kind.isScalar {
                    if member.value.kind != .null { row[member.slot] = try member.value.read(in: walker.memory) }
                    if member.slot == V1Keys.Root.v2Data.rawValue, member.value.kind == .string {
                        met.candidates.append(
                            BodyCandidate(rank: BodyCandidate.dataText, value: member.value, place: walker.place))
                    }
                } else {
                    switch member.slot {
                    case V1Keys.Root.unifiedReceipt.rawValue:
                        try fields.takeUnifiedReceipt(member.value, &walker)
                    case V1Keys.Root.latestReceiptInfo.rawValue, V1Keys.Root.latestExpiredReceiptInfo.rawValue:
                        try fields.takeSingle(member.value, &walker)
                    case V1Keys.Root.notificationHistory.rawValue where member.value.kind == .array:
                        met.needsSearch = true
                        try walker.skip(member.value)
                    case V1Keys.Root.pendingRenewalInfo.rawValue:
                        try fields.takeRows(member.value, &walker, V1Keys.pending, into: &fields.pending)
                    case V1Keys.Root.signedPayload.rawValue where member.value.kind == .object:
                        met.candidates.append(BodyCandidate(rank: -1, value: member.value, place: walker.place))
                        try walker.skip(member.value)
                    case V1Keys.Root.v2TransactionInfo.rawValue...:
                        if member.value.kind == .object { met.hasParts = true }
                        try walker.skip(member.value)
                    case V1Keys.Root.v2Data.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue:
                        let rank = BodyCandidate.part(member.slot)
                        met.candidates.append(BodyCandidate(rank: rank, value: member.value, place: walker.place))
                        try walker.skip(member.value)
                    default:
                        var found = BodyOddities.inPlaceOfScalar(try walker.tree(of: member.value))
                        if member.slot < V1Keys.Root.signedPayload.rawValue {
                            fields.hasMisplacedValue = true
                            found.remove(.misplaced)
                        }
                        fields.oddities.formUnion(found)
                        // A database may have written the type: `{"S":"CANCEL"}`.
                        if [V1Keys.Root.notificationType, .v2Type].contains(where: { $0.rawValue == member.slot }) {
                            met.needsSearch = true
                        }
                    }
                }
            }
        }
        fields.closeRows()
    }

    /// Takes a member that belongs to no notification: perhaps an envelope's.
    private func takeUnknown(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ met: inout WalkedObject
    ) throws(JSONFault) {
        let (key, value, place) = (member.key, member.value, walker.place)
        let memory = walker.memory
        if KnownShapes.mayBeOf(key, memory) { met.needsSearch = true }
        let slot = Envelope.keys.slot(of: key, memory)
        if slot >= 0, slot < Envelope.bodies.count {
            guard value.kind == .object || value.kind == .string || value.kind == .array else {
                return try walker.skip(value)
            }
            let candidate = BodyCandidate(rank: slot, value: value, place: place)
            met.candidates.append(candidate)
            // The first object with such a name is walked again when it is taken.
            guard value.kind == .object, met.unchecked == nil, walker.pass() else { return try walker.skip(value) }
            return met.unchecked = candidate
        }
        try walker.skip(value)
        let end = walker.at
        func tree() -> JSONTree? { try? JSONTree(memory, place.at..<end) }
        if slot >= 0 {
            met.hasOthers = true
            guard !value.kind.isScalar, let tree = tree() else { return }
            if slot == Envelope.attemptsSlot { met.times.takeAttempts(tree) } else { met.times.take(inside: tree) }
            return
        }
        let isTime = met.times.take(key, value.kind, value.text.count, memory) {
            value.kind.isScalar
                ? EnvelopeTimes.time(value.text, value.kind, memory)
                : tree().flatMap(EnvelopeTimes.time)
        }
        if isTime { return }
        v1.oddities.formUnion(.of(key, value, memory))
        guard Envelope.mayHoldNotification(value.kind, value.text, memory) else { return }
        met.hasOthers = true
        if value.kind == .object || value.kind == .string, key.count >= 7 {
            met.hasNamedParts =
                met.hasNamedParts || PartPlace.kind(TextView(memory: memory).string(key)) != nil
        }
    }

    /// Reads the object walked last as a notification.
    func read(_ met: WalkedObject, _ around: Surroundings) throws(JSONFault) -> Reading {
        if let reason = try reasonNotApples(met, around) { return .explained(reason) }
        if !v1[.notificationType].isBlank {
            guard isString(v1[.notificationType], met.memory) else {
                let error = NotificationError(
                    code: .badType, path: "notification_type", offset: v1[.notificationType].start,
                    sentence: "not a string")
                return .failed(error, isRefused: false)
            }
            return try readVersion1(met, around)
        }
        if !v1[.v2Type].isBlank, isString(v1[.v2Type], met.memory) {
            let shape = try shapeOfVersion2(met, around)
            if let casing = shape.casing { return .reshaped(casing, isDoubtful: shape.isDoubtful) }
            return try readPayload(met, around, shape.isDoubtful ? .version : [])
        }
        if v1.oddities.contains(.capitals), around.reshapings < BodyReshaper.mostReshapings {
            return .reshaped(.camel, isDoubtful: false)
        }
        return .nothing
    }

    private func readVersion1(_ met: WalkedObject, _ around: Surroundings) throws(JSONFault) -> Reading {
        v1.completeRoot(met.memory)
        let shape = try shapeOfVersion1(met, around)
        var found = FoundNotification(kind: .v1, memory: met.memory, holder: self, received: met.times.time)
        found.signedTexts = around.signedTexts
        do throws(NotificationError) {
            // What has a wrong secret is not rewritten first.
            if shape.casing == nil || !v1[.password].isBlank && !v1[.bid].isBlank {
                found.authenticity = try authenticityOfV1(met.memory)
            }
        } catch {
            return .failed(error, isRefused: true)
        }
        if let casing = shape.casing { return .reshaped(casing, isDoubtful: shape.isDoubtful) }
        if shape.isDoubtful { found.doubts = .version }
        return .notification(found)
    }

    /// Judges the body in `v1` by the secret it carries.
    private func authenticityOfV1(_ memory: UnsafeRawPointer) throws(NotificationError) -> Authenticity {
        if policy.checksNothing { return .unverified }
        let view = TextView(memory: memory)
        // A blank or masked secret counts as absent, not as a wrong one. Secrets are hexadecimal digits.
        let given = v1[.password]
        let isMask =
            given.isBlank || view.isMasked(given) && !view.bytes(given).allSatisfy { Hexadecimal.value($0) != nil }
        let password = isMask ? .absent : given
        var bundleID = EventText(v1[.bid], in: memory).string
        for row in v1.unifiedRows..<max(v1.unifiedRows, v1.rows.count) where bundleID == nil {
            bundleID = EventText(v1[row: row, .bid], in: memory).string
        }
        let environment = EventText(v1[.environment], in: memory).string
        do throws(AuthenticityError) {
            return try policy.authenticity(
                ofPassword: password.isAbsent ? nil : plain(password, memory), bundleID: bundleID,
                environment: environment)
        } catch {
            throw NotificationError(error, offset: password.start)
        }
    }

    /// Whether the object walked last has a type and nothing that a notification is made of: no rows, no renewal info,
    /// no parts of a payload.
    ///
    /// A secret beside a bundle identifier is that of a body.
    func hasBareType(_ met: WalkedObject) -> Bool {
        let type = v1[.notificationType].isBlank ? v1[.v2Type] : v1[.notificationType]
        guard !type.isBlank, isString(type, met.memory), v1.rows.count == 0, v1.pending.count == 0, !met.hasParts,
            v1[.password].isBlank || v1[.bid].isBlank, !met.candidates.contains(where: \.isPayload),
            v1.oddities.isDisjoint(with: [.paths, .partsInSnakeCase])
        else { return false }
        let receipts: [V1Keys.Root] = [
            .unifiedReceipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .pendingRenewalInfo,
        ]
        return (receipts + V1Keys.Root.partsOfVersion2).allSatisfy { v1[$0].isBlank }
    }

    func isString(_ text: JSONText, _ memory: UnsafeRawPointer) -> Bool {
        memory.load(fromByteOffset: text.start - 1, as: UInt8.self) == 0x22
    }

    /// The characters of a string, unescaped if need be.
    func plain(_ text: JSONText, _ memory: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        guard text.hasEscapes else { return UnsafeRawBufferPointer(start: memory + text.start, count: text.count) }
        plainText.removeAll()
        JSONEscapes.unescape(memory, from: text.start, to: text.end) { plainText.append($0) }
        return plainText.bytes
    }
}
