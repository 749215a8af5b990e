import NotificationTranslation
import SimulatedLives

/// The deliveries of a simulated life, read once and settled subscription by subscription.
final class LifeArchive {
    let life: SimulatedLife
    /// One for each delivery, in the order of arrival.
    let entries: [TimelineEntry]

    /// Reads the bodies of a life, with the times of their arrival or without.
    init(_ life: SimulatedLife, tellsReceiveTimes: Bool = true) throws {
        self.life = life
        entries = try life.deliveries.flatMap { delivery in
            try trusting.timelineEntries(
                from: delivery.body,
                receivedAt: tellsReceiveTimes ? EventTime(milliseconds: delivery.receivedAt) : nil)
        }
    }

    /// What came of the entries: an event for each of them, in their order, and the inferred ones.
    struct Settled {
        var told: [UnifiedEvent]
        var inferred: [UnifiedEvent] = []
    }

    /// All entries in the order of arrival, settled once.
    private(set) lazy var whole = settled()

    /// The entries at these places, appended in this order, each subscription by itself and what names no subscription
    /// alone; silence is judged as of the end of the era.
    func settled(_ places: [Int]? = nil, inferring: SilentInference = .all, answers: [Evidence] = []) -> Settled {
        Self.settled(
            (places ?? Array(entries.indices)).map { entries[$0] }, inferring, asOf: life.span.upperBound,
            answers: answers)
    }

    static func settled(
        _ entries: [TimelineEntry], _ inferring: SilentInference, asOf: Instant, answers: [Evidence] = []
    ) -> Settled {
        var places: [String: [Int]] = [:]
        for (place, entry) in entries.enumerated() {
            for key in [entry.evidence.key].compactMap({ $0 }) + entry.evidence.possibleKeys {
                places[key, default: []].append(place)
            }
        }
        let answered = Dictionary(grouping: answers) { $0.key ?? "" }
        var result = Settled(told: entries.map(\.event))
        for (key, places) in places {
            let timeline = SubscriptionTimeline(
                places.map { entries[$0] }, answers: answered[key] ?? [], inferring: inferring,
                asOf: EventTime(milliseconds: asOf))
            let events = timeline.settled()
            let told = events.filter { $0.disposition != .inferred }
            precondition(told.count == places.count, "a timeline lost or made up events")
            for (place, event) in zip(places, told)
            where entries[place].evidence.key != nil || event.disposition == .duplicate {
                result.told[place] = event
            }
            result.inferred += events.filter { $0.disposition == .inferred }
        }
        return result
    }
}
