/// The members of an object that may be an envelope: which may hold a notification, and when it was received.
struct EnvelopeMembers {
    /// A value that may hold the notification.
    struct Candidate {
        var name: String
        var value: JSONTree
        /// Whether it is a text under a name that is a signed payload's.
        var isSigned = false
        /// Whether it is where a decoded V2 payload has its data.
        var isPayload = false
    }

    let object: JSONTree
    /// Values under names of envelopes, in the order in which they are tried.
    private(set) var candidates: [Candidate] = []
    /// Values under other names, which may hold a notification.
    private(set) var others: [JSONTree] = []
    /// The parts of a decoded payload that are in it.
    let parts: [PartPlace]
    private(set) var history: JSONTree?
    private(set) var signedPayload: JSONTree?
    private(set) var times: EnvelopeTimes
    /// What its keys show of shapes that are no notification's.
    let shapes: KnownShapes
    /// Whether it has a type under version 1's or version 2's name.
    let hasV1Type: Bool
    let hasV2Type: Bool
    private let hasV2Text: Bool
    private var hasCapitals = false
    /// Whether an object is where a notification has its type, as databases write a text: `{"S":"CANCEL"}`.
    private let hasTypedType: Bool

    init(_ object: JSONTree, _ around: Surroundings) {
        self.object = object
        times = EnvelopeTimes(around.receivedAt)
        shapes = KnownShapes(object)
        parts = PartPlace.all(in: object, known: V1Keys.root, others: Envelope.mayHoldNotification)
        let types = ["notification_type", "notificationType"].map { (key: StaticString) in object.member(key) }
        let isStated = types.map { $0.map { $0.kind.isScalar && $0.kind != .null && !$0.range.isBlank } ?? false }
        (hasV1Type, hasV2Type) = (isStated[0], isStated[1])
        hasV2Text = hasV2Type && types[1]?.kind == .string
        hasTypedType = types.contains { $0?.kind == .object }
        takeCandidates()
        for (key, value) in object.pairs where key.slot(in: V1Keys.root) < 0 { take(key, value) }
        if around.isWithoutEnvelope {
            candidates.removeAll { !$0.isPayload }
            (others, history) = ([], nil)
        }
    }

    private mutating func takeCandidates() {
        let (history, signed, data) = (object["notificationHistory"], object["signedPayload"], object["data"])
        if history?.kind == .array { self.history = history }
        if let signed, signed.kind == .object { candidates.append(Candidate(name: "signedPayload", value: signed)) }
        if let signed, signed.kind.isScalar, signed.kind != .null { signedPayload = signed }
        for (place, name) in Envelope.bodies.enumerated() {
            guard let value = object.member(name), value.kind == .string || !value.kind.isScalar else { continue }
            let isSigned = place < Envelope.signedBodies && value.kind == .string
            candidates.append(Candidate(name: "\(name)", value: value, isSigned: isSigned))
        }
        if let data, data.kind == .string {
            candidates.append(Candidate(name: "data", value: data, isPayload: true))
        }
        for slot in V1Keys.Root.v2Data.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue {
            let name = V1Keys.root.name(slot)
            guard let value = object[name], !value.kind.isScalar else { continue }
            candidates.append(Candidate(name: name, value: value, isPayload: true))
        }
    }

    private mutating func take(_ key: JSONTree, _ value: JSONTree) {
        let slot = key.slot(in: Envelope.keys)
        if slot >= Envelope.bodies.count {
            if slot == Envelope.attemptsSlot { times.takeAttempts(value) } else { times.take(inside: value) }
            others.append(value)
        }
        guard slot < 0 else { return }
        let isTime = times.take(key.range, value.kind, value.range.count, value.memory) { EnvelopeTimes.time(value) }
        if isTime { return }
        if key.says("NotificationType"), value.kind != .null, value.kind != .string || !value.range.isBlank {
            hasCapitals = true
        }
        if Envelope.mayHoldNotification(value) { others.append(value) }
    }

    /// Whether it is a notification in typed values, as far as its names show, and not an envelope of one.
    var isTyped: Bool { hasTypedType && candidates.allSatisfy(\.isPayload) }

    /// Whether it may be a notification itself.
    var mayBeNotification: Bool { hasV1Type || hasV2Type || hasCapitals }

    /// Whether there is anything in it that may hold a notification and is tried only beside a type.
    var hasValuesBesideType: Bool { !others.isEmpty || hasV2Type && candidates.contains { !$0.isPayload } }

    /// Whether it is not a notification itself, so that one may be in it.
    func mayBeAround(_ around: Surroundings) -> Bool {
        !hasV1Type && !hasV2Text && (signedPayload == nil || around.lostSignedText) && !hasCapitals
            && around.level < Envelope.deepest
    }
}
