import NotificationTranslation

/// A normalizer that checks no signature and no secret.
let trusting = NotificationNormalizer(policy: .trustingTheSource)

extension SubscriptionTimeline {
    /// A timeline of entries in this order, and of answers.
    init(
        _ entries: some Sequence<TimelineEntry>, answers: [Evidence] = [], inferring inference: SilentInference = .off,
        asOf: EventTime? = nil
    ) {
        self.init(inferring: inference, asOf: asOf)
        for entry in entries { append(entry) }
        for answer in answers { append(answer: answer) }
    }

    /// A timeline of records in this order, and of answers, each as a text.
    init(
        of records: [String], answers: [String] = [], inferring inference: SilentInference = .off,
        asOf: EventTime? = nil
    ) throws {
        self.init(
            try records.flatMap { try trusting.timelineEntries(from: $0.utf8) },
            answers: try answers.flatMap { try trusting.answers(from: $0.utf8) }, inferring: inference, asOf: asOf)
    }
}

extension [UnifiedEvent] {
    /// The events by id; a delivery repeated does not hide the first one.
    var byID: [String: UnifiedEvent] {
        [String: UnifiedEvent](map { ($0.id, $0) }) { one, other in one.disposition == .duplicate ? other : one }
    }
}

extension [String: UnifiedEvent] {
    /// Applies corrections.
    mutating func apply(_ corrections: [SubscriptionTimeline.Correction]) {
        for correction in corrections {
            switch correction {
            case .replace(let event): self[event.id] = event
            case .retract(let id): self[id] = nil
            }
        }
    }
}
