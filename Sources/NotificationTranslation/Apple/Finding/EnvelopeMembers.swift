/// The members of an object that may be an envelope: which may hold a notification, and when it was received.
struct EnvelopeMembers {
    /// A value that may hold the notification.
    struct Candidate {
        var rank: BodyCandidate.Rank
        var value: JSONTree

        /// Whether it is a text under a name that is a signed payload's.
        var isSigned: Bool {
            if case .body(let place) = rank { place < Envelope.signedBodies && value.kind == .string } else { false }
        }

        /// The name of the body.
        var name: String {
            if case .body(let place) = rank { "\(Envelope.bodies[place])" } else { "signedPayload" }
        }
    }

    let object: JSONTree
    private(set) var candidates: [Candidate] = []
    /// Values under other names, which may hold a notification.
    private(set) var others: [JSONTree] = []
    /// The parts of a decoded payload that are in it.
    private(set) var parts = PartPlaces()
    private(set) var history: JSONTree?
    private(set) var signedPayload: JSONTree?
    private(set) var times: EnvelopeTimes
    /// What its keys show of shapes that are no notification's.
    let shapes: KnownShapes
    /// Whether it has a type under version 1's or version 2's name.
    private(set) var hasV1Type = false
    private(set) var hasV2Type = false
    private var hasV2Text = false
    private var hasCapitals = false
    /// Whether an object is where a notification has its type, as databases write a text: `{"S":"CANCEL"}`.
    private var hasTypedType = false

    /// Of an object in its surroundings.
    init(_ object: JSONTree, _ around: Surroundings) {
        self.object = object
        times = EnvelopeTimes(around.receivedAt)
        shapes = KnownShapes(object)
        for (key, value) in object.pairs {
            if let known = V1Keys.Root(rawValue: key.slot(in: V1Keys.root)) {
                take(known, value)
            } else {
                take(key, value)
            }
        }
    }

    private mutating func take(_ key: V1Keys.Root, _ value: JSONTree) {
        let isObject = value.kind == .object
        let isScalar = value.kind.isScalar && value.kind != .null
        switch key {
        case .notificationType where isScalar: hasV1Type = !value.range.isBlank
        case .v2Type where isScalar:
            hasV2Type = !value.range.isBlank
            hasV2Text = hasV2Type && value.kind == .string
        case .notificationType, .v2Type: hasTypedType = hasTypedType || isObject
        case .signedPayload where isScalar: signedPayload = value
        case .signedPayload where isObject: candidates.append(Candidate(rank: .signedPayload, value: value))
        case .notificationHistory where value.kind == .array: history = value
        case .v2Data where value.kind == .string: candidates.append(Candidate(rank: .dataText, value: value))
        case .v2Data, .v2Summary, .v2ExternalPurchaseToken, .v2AppData, .v2UnclaimInfo:
            if !value.kind.isScalar { candidates.append(Candidate(rank: .part(key.rawValue), value: value)) }
        default:
            if isObject, key.rawValue >= V1Keys.Root.v2TransactionInfo.rawValue {
                parts.take(key.rawValue, value.walker().place)
            }
        }
    }

    private mutating func take(_ key: JSONTree, _ value: JSONTree) {
        let slot = key.slot(in: Envelope.keys)
        if slot == Envelope.attemptsSlot {
            times.takeAttempts(value)
            others.append(value)
        } else if slot >= Envelope.bodies.count {
            if value.kind == .object { times.take(inside: value) }
            others.append(value)
        } else if slot >= 0 {
            if value.kind == .string || !value.kind.isScalar {
                candidates.append(Candidate(rank: .body(slot), value: value))
            }
        }
        guard slot < 0 else { return }
        let isTime = times.take(key.range, value.kind, value.range.count, value.memory) { EnvelopeTimes.time(value) }
        if isTime { return }
        if key.says("NotificationType"), value.kind != .null,
            value.kind != .string || !value.range.isBlank
        {
            hasCapitals = true
        }
        guard Envelope.mayHoldNotification(value.kind, value.range, value.memory) else { return }
        others.append(value)
        let place = value.kind == .object ? value.walker().place : nil
        if let part = NamedPart(key.range, value.kind, value.range, place, value.memory) {
            parts.named.append(part)
        }
    }

    /// Whether it is a notification in typed values, as far as its names show, and not an envelope of one.
    var isTyped: Bool { hasTypedType && candidates.allSatisfy(\.rank.isPayload) }

    /// Whether it may be a notification itself.
    var mayBeNotification: Bool { hasV1Type || hasV2Type || hasCapitals }

    /// Whether there is anything in it that may hold a notification and is tried only beside a type.
    var hasValuesBesideType: Bool { !others.isEmpty || hasV2Type && candidates.contains { !$0.rank.isPayload } }

    /// Whether it is not a notification itself, so that one may be in it.
    func mayBeAround(_ around: Surroundings) -> Bool {
        !hasV1Type && !hasV2Text && signedPayload == nil && !hasCapitals && around.level < Envelope.deepest
    }
}
