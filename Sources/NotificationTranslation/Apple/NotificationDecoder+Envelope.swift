/// Objects: an envelope, a page of history, or the notification itself.
extension NotificationDecoder {
    /// A value that may hold the notification, met on the way through an object.
    struct Candidate {
        /// Which is tried first, in the order of the cases.
        enum Rank: Comparable {
            /// An object under `signedPayload`.
            case signedPayload
            /// A name in ``Envelope/bodies``, by its place.
            case body(Int)
            /// A text under `data`.
            case dataText
            /// An object that a decoded V2 payload has, by its slot in ``V1Keys/Root``.
            case part(Int)
        }

        var rank: Rank
        var value: JSONWalker.Value
        var place: JSONWalker.Place

        /// Whether it is a text under a name that is a signed payload's.
        var isSigned: Bool {
            if case .body(let place) = rank { place < Envelope.signedBodies && value.kind == .string } else { false }
        }

        /// Whether it is where a decoded V2 payload has its data.
        var isPayload: Bool {
            switch rank {
            case .dataText, .part: true
            case .signedPayload, .body: false
            }
        }

        /// The key of a decoded V2 payload's data.
        var payloadName: String? {
            switch rank {
            case .dataText, .part(V1Keys.Root.v2Data.rawValue): "data"
            case .part(let slot): V1Keys.root.name(slot).description
            case .signedPayload, .body: nil
            }
        }

        /// The name of the body.
        var name: StaticString {
            if case .body(let place) = rank { Envelope.bodies[place] } else { "signedPayload" }
        }
    }

    /// What the walk through the outermost object met besides its scalars.
    struct Met {
        /// Where the object begins.
        let start: JSONWalker.Place
        /// The index after it.
        var end = 0
        var candidates: [Candidate] = []
        /// Values under unknown names, which may hold a notification.
        var others: [Other] = []
        /// The object among `candidates` and `others` whose grammar has not been checked yet.
        var unchecked: (value: JSONWalker.Value, place: JSONWalker.Place)?
        /// Whether it has a member that is no notification's, as far as this build knows.
        var hasUnknownMember = false
        /// Whether it has the name of a body.
        var passedBody = false
        /// The parts of a decoded payload that are in it.
        var parts = Nested()
        var history: JSONWalker.Place?
        var receivedAt: ReceiveTime?
        /// The rank of the key that the time of receipt was read from.
        var timeRank = Int.max
        /// When something began, which is the time of receipt where nothing else is and no name says when it ended.
        var startedAt: ReceiveTime?
        var namesEnd = false
        /// What its keys show of shapes that are no notification's.
        var shapes = KnownShapes()
        /// Whether an object is where a notification has its type, as databases write a text: `{"S":"CANCEL"}`.
        var hasTypedNotificationType = false

        /// Whether it is a notification in typed values, as far as its names show, and not an envelope of one.
        var isTyped: Bool { hasTypedNotificationType && candidates.allSatisfy(\.isPayload) }

        init(_ start: JSONWalker.Place, _ receivedAt: ReceiveTime?) {
            self.start = start
            self.receivedAt = receivedAt
        }
    }

    /// Takes an object as a record.
    func takeObject(
        _ walker: inout JSONWalker, _ receivedAt: ReceiveTime?, finishes: Bool, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        v1.removeAll()
        var met = Met(walker.place, receivedAt)
        do throws(JSONFault) {
            try walkRoot(&walker, &met)
            if finishes { try walker.finish() }
        } catch {
            // A fault in what was passed comes first.
            try check(&met, &walker)
            throw error
        }
        let past = walker.place
        if !takesUnchecked(met, walker.memory) {
            try check(&met, &walker)
            walker.go(to: past)
        }
        met.end = walker.at
        if met.timeRank == Int.max, !met.namesEnd, let startedAt = met.startedAt { met.receivedAt = startedAt }
        defer { walker.go(to: past) }
        if !met.shapes.isEmpty {
            if met.shapes.isTranslation {
                visitor.translated = visitor.translated ?? .translated(at: met.start.at)
                return nil
            }
            visitor.explained += met.shapes.explained(met.start.at..<met.end)
        }
        if let history = met.history {
            walker.go(to: history)
            return try takeArray(&walker, met.receivedAt, visitor)
        }
        if !v1[.signedPayload].isAbsent { return try takeSigned(met, &walker, visitor) }
        return try takeUnsigned(met, &walker, visitor)
    }

    /// Checks the object that was passed, if there is one.
    @inline(never)
    func check(_ met: inout Met, _ walker: inout JSONWalker) throws(JSONFault) {
        guard let (value, place) = met.unchecked else { return }
        met.unchecked = nil
        walker.go(to: place)
        try walker.skip(value)
    }

    /// Whether the object that was passed is what is taken first, and so checked before anything is handed over.
    private func takesUnchecked(_ met: Met, _ memory: UnsafeRawPointer) -> Bool {
        guard let unchecked = met.unchecked else { return true }
        guard met.history == nil, mayBeAround(memory), v1[.v2Type].isBlank else { return false }
        guard let first = met.candidates.min(by: { $0.rank < $1.rank }) else { return met.others.count == 1 }
        return first.place.at == unchecked.place.at
    }

    /// Takes what is in the object itself or in the values that may hold it.
    private func takeUnsigned(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        if met.isTyped, mayBeAround(walker.memory), let outcome = try searchTyped(met, &walker, visitor) {
            return outcome
        }
        if v1[.v2Type].isBlank, !met.candidates.isEmpty {
            if let outcome = try takeCandidates(met, &walker, visitor) { return outcome }
        }
        if mayBeAround(walker.memory), let outcome = try search(met, &walker, visitor) { return outcome }
        return try takeRowOrOwnFields(met, &walker, visitor)
    }

    /// Takes the signed payload of the object; if that was blanked or redacted, what is beside it.
    @inline(never)
    private func takeSigned(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let text = v1[.signedPayload]
        let isAlone = v1[.v2Type].isBlank && v1[.notificationType].isBlank && met.candidates.isEmpty
        var failure: NotificationError?
        if !text.isBlank, isAlone || SignedPayload.isWhole(plain(text, walker.memory)) {
            let explained = visitor.explained.count
            failure = takeJWS(text, walker.memory, met.receivedAt, visitor)
            visitor.explained.enclose(from: explained, in: isAlone ? met.start.at..<met.end : nil)
            guard !isAlone, failure?.code == .malformedJWS, !visitor.wasRefused else { return failure }
        }
        let before = visitor.notifications
        let lostBefore = visitor.lostSignedText
        visitor.lostSignedText = true
        visitor.passesOverForeign += 1
        defer {
            visitor.lostSignedText = lostBefore
            visitor.passesOverForeign -= 1
        }
        let other = try takeUnsigned(met, &walker, visitor)
        if other != nil || visitor.notifications > before { return other }
        return failure ?? Self.emptyJWS("signedPayload", text)
    }

    /// The error of a signed payload that holds nothing that could be one.
    static func emptyJWS(_ path: String, _ text: JSONText) -> NotificationError {
        NotificationError(
            code: .malformedJWS, path: path, offset: text.start,
            sentence: text.isBlank ? "the signed payload is empty" : "not three parts of base64url")
    }

    private func takeJWS(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) -> NotificationError? {
        do throws(NotificationError) {
            try takeSignedPayload(plain(text, memory), at: text.start, receivedAt, visitor)
            return nil
        } catch {
            return error
        }
    }

    /// Walks the outermost object.
    @inline(never)
    func walkRoot(_ walker: inout JSONWalker, _ met: inout Met) throws(JSONFault) {
        let fields = v1
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
                met.hasUnknownMember = true
                try takeEnvelopeKey(member, &walker, &met)
            } else if member.value.kind.isScalar {
                if member.value.kind != .null {
                    fields.root[0, member.slot] =
                        Self.isReceipt(member.slot)
                        ? member.value.text : try walker.read(member.value)
                }
                if member.slot == V1Keys.Root.v2Data.rawValue, member.value.kind == .string {
                    met.candidates.append(Candidate(rank: .dataText, value: member.value, place: walker.place))
                }
            } else {
                switch member.slot {
                case V1Keys.Root.unifiedReceipt.rawValue:
                    try fields.takeUnifiedReceipt(member.value, &walker, orders)
                case V1Keys.Root.latestReceiptInfo.rawValue, V1Keys.Root.latestExpiredReceiptInfo.rawValue:
                    try fields.takeSingle(member.value, &walker, orders)
                case V1Keys.Root.notificationHistory.rawValue where member.value.kind == .array:
                    met.history = walker.place
                    try walker.skip(member.value)
                case V1Keys.Root.pendingRenewalInfo.rawValue:
                    try fields.takePending(member.value, &walker, orders)
                case V1Keys.Root.signedPayload.rawValue where member.value.kind == .object:
                    met.candidates.append(Candidate(rank: .signedPayload, value: member.value, place: walker.place))
                    try walker.skip(member.value)
                case V1Keys.Root.v2TransactionInfo.rawValue...:
                    if member.value.kind == .object { met.parts.take(member.slot, walker.place) }
                    try walker.skip(member.value)
                case V1Keys.Root.v2Data.rawValue, V1Keys.Root.v2Summary.rawValue,
                    V1Keys.Root.v2ExternalPurchaseToken.rawValue, V1Keys.Root.v2AppData.rawValue,
                    V1Keys.Root.v2UnclaimInfo.rawValue:
                    met.candidates.append(
                        Candidate(rank: .part(member.slot), value: member.value, place: walker.place))
                    try walker.skip(member.value)
                default:
                    var found = try BodyOddities.inPlaceOfScalar(member.value, &walker)
                    if member.slot < V1Keys.Root.signedPayload.rawValue {
                        fields.hasMisplacedValue = true
                        found.remove(.misplaced)
                    }
                    fields.oddities.formUnion(found)
                    if member.value.kind == .object, Self.isType(member.slot) { met.hasTypedNotificationType = true }
                    try walker.skip(member.value)
                }
            }
        }
        fields.closeRows()
    }

    /// The long texts that are never used.
    static func isReceipt(_ slot: Int) -> Bool {
        slot == V1Keys.Root.latestReceipt.rawValue || slot == V1Keys.Root.latestExpiredReceipt.rawValue
    }

    private static func isType(_ slot: Int) -> Bool {
        slot == V1Keys.Root.notificationType.rawValue || slot == V1Keys.Root.v2Type.rawValue
    }

    /// Tries the envelope's values in order of their names; `nil` if none of them holds a notification.
    ///
    /// A signed text that was blanked, redacted or cut short ends the search only if nothing is beside it.
    private func takeCandidates(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError?? {
        let outer = v1[.notificationType].isBlank ? nil : V1Fields(copying: v1)
        let partsBefore = partsAround
        let lostBefore = visitor.lostSignedText
        partsAround = met.parts.isEmpty && met.parts.named.isEmpty ? partsBefore : met.parts
        defer {
            partsAround = partsBefore
            visitor.lostSignedText = lostBefore
        }
        var broken: NotificationError?
        var candidates = met.candidates
        if candidates.count > 1 { candidates.sort { $0.rank < $1.rank } }
        for candidate in candidates where level < Envelope.deepest {
            walker.go(to: candidate.place)
            level += 1
            defer { level -= 1 }
            let before = visitor.notifications
            visitor.passesOverForeign += 1
            defer { visitor.passesOverForeign -= 1 }
            let failure = try take(candidate.value, &walker, met.receivedAt, finishes: false, visitor)
            if visitor.notifications > before { return .some(failure) }
            if let failure, failure.code == .malformedJWS, !visitor.wasRefused {
                broken = broken ?? failure
            } else if failure != nil, outer == nil || visitor.wasRefused {
                return .some(failure)
            }
            if failure != nil || candidate.isSigned { visitor.lostSignedText = true }
            if candidate.isSigned, candidate.value.text.isBlank {
                broken = broken ?? Self.emptyJWS("\(candidate.name)", candidate.value.text)
            }
        }
        if let outer {
            v1.copy(outer)
            return .some(try takeRowOrOwnFields(met, &walker, visitor))
        }
        v1.removeAll()
        try v1.root.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        return broken.map { .some($0) }
    }

    /// Takes the object itself as the notification.
    func takeOwnFields(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        var found = Found(.foreign, walker.memory, self, met.receivedAt)
        if let reason = try reasonNotApples(met, &walker, visitor) {
            let quiet: ExplainedSkip.Quiet = reason == .notApples ? .types : .all
            visitor.explained.append(.init(reason: reason, range: met.start.at..<met.end, quiet: quiet))
            visitor.visit(found)
            return nil
        }
        if !v1[.notificationType].isBlank {
            guard isString(v1[.notificationType], walker.memory) else {
                return NotificationError(
                    code: .badType, path: "notification_type", offset: v1[.notificationType].start,
                    sentence: "not a string")
            }
            v1.completeRoot(walker.memory)
            let reading = try readingOfVersion1(met, &walker)
            do throws(NotificationError) {
                // What has a wrong secret is not rewritten first.
                if reading.casing == nil || !v1[.password].isBlank && !v1[.bid].isBlank {
                    found.authenticity = try authenticityOfV1(walker.memory, visitor)
                }
            } catch {
                return error
            }
            if let casing = reading.casing {
                return try takeReshaped(casing, reading.isDoubtful, met, &walker, visitor)
            }
            if reading.isDoubtful { found.doubts = .version }
            found.finding = .v1
        } else if !v1[.v2Type].isBlank, isString(v1[.v2Type], walker.memory) {
            let reading = try readingOfVersion2(met, &walker)
            if let casing = reading.casing {
                return try takeReshaped(casing, reading.isDoubtful, met, &walker, visitor)
            }
            return try takeDecodedPayload(met, &walker, visitor, reading.isDoubtful ? .version : [])
        } else if v1.oddities.contains(.capitals), reshapings < Self.mostReshapings {
            return try takeReshaped(.camel, false, met, &walker, visitor)
        }
        visitor.visit(found)
        return nil
    }

    func isString(_ text: JSONText, _ memory: UnsafeRawPointer) -> Bool {
        memory.load(fromByteOffset: text.start - 1, as: UInt8.self) == 0x22
    }
}
