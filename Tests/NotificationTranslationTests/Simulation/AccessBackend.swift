import NotificationTranslation
import SimulatedLives

/// The backend that the README describes: it follows events in the order of their arrival and knows nothing else.
///
/// Of each subscription it stores until when the customer has access, and when the last `grant` or `withdraw` that it
/// applied had happened; what is older than that changes nothing.
struct AccessBackend {
    struct Subscription {
        var until = Int64.min
        var decidedAt = Int64.min
    }

    private(set) var subscriptions: [String: Subscription] = [:]

    /// Returns the subscription, if the event says anything about its access.
    @discardableResult
    mutating func receive(_ event: UnifiedEvent) -> String? {
        guard event.disposition == .event || event.disposition == .inferred,
            let id = event.transaction?.originalTransactionID, let time = event.occurredAt?.milliseconds
        else { return nil }
        var subscription = subscriptions[id] ?? Subscription()
        guard time >= subscription.decidedAt else { return nil }
        switch event.entitlement {
        case .grant: subscription = Subscription(until: event.accessUntil?.milliseconds ?? .max, decidedAt: time)
        case .keep: subscription.until = max(subscription.until, event.accessUntil?.milliseconds ?? .min)
        case .withdraw: subscription = Subscription(until: .min, decidedAt: time)
        case .unaffected, .undecided: return nil
        }
        subscriptions[id] = subscription
        return id
    }
}

/// What the backend believes of each subscription, and since when.
struct BelievedAccess {
    struct Step {
        let at: Int64
        let until: Int64
        /// The event that made it believe so, in short.
        let cause: String
    }

    private(set) var steps: [String: [Step]] = [:]

    mutating func add(_ backend: AccessBackend, of id: String, at instant: Int64, because event: UnifiedEvent) {
        guard let until = backend.subscriptions[id]?.until else { return }
        let isOpen = event.entitlement == .keep && event.accessUntil == nil
        let says = "\(event.entitlement)\(isOpen ? " until nobody says" : "")"
        let cause = "\(event.disposition) \(event.v2) \(says) of \(event.source.type ?? "?")"
        steps[id, default: []].append(Step(at: instant, until: until, cause: cause))
    }
}

/// The ways in which a backend comes by its events.
enum AccessMode: String, CaseIterable {
    /// Every notification judged by itself as it arrives.
    case alone
    /// Every notification judged as it arrives with all before it in view, corrections applied.
    case received
    /// The whole archive converted, its events followed in the order of their times.
    case batch

    func history(of archive: LifeArchive) -> BelievedAccess {
        switch self {
        case .alone: archive.judgedAlone()
        case .received: archive.receivedOneByOne()
        case .batch: archive.followed()
        }
    }
}

extension LifeArchive {
    fileprivate func judgedAlone() -> BelievedAccess {
        var backend = AccessBackend()
        var history = BelievedAccess()
        var known: Set<String> = []
        for (delivery, entry) in zip(life.deliveries, entries) where known.insert(entry.event.id).inserted {
            guard let id = backend.receive(entry.event) else { continue }
            history.add(backend, of: id, at: delivery.receivedAt, because: entry.event)
        }
        return history
    }

    fileprivate func receivedOneByOne() -> BelievedAccess {
        var backend = AccessBackend()
        var history = BelievedAccess()
        var timelines: [String: SubscriptionTimeline] = [:]
        for (delivery, entry) in zip(life.deliveries, entries) {
            guard let key = entry.evidence.key else { continue }
            var timeline = timelines[key] ?? SubscriptionTimeline(inferring: .all)
            let update = timeline.receive(entry, now: EventTime(milliseconds: delivery.receivedAt))
            timelines[key] = timeline
            let corrected = update.corrections.compactMap { correction -> UnifiedEvent? in
                if case .replace(let event) = correction { event } else { nil }
            }
            let time = { (event: UnifiedEvent) in event.occurredAt?.milliseconds ?? .min }
            let news = update.event.companionOf == update.event.id ? [] : [update.event]
            for event in (corrected + news).sorted(by: { time($0) < time($1) }) {
                guard let id = backend.receive(event) else { continue }
                history.add(backend, of: id, at: delivery.receivedAt, because: event)
            }
        }
        return history
    }

    fileprivate func followed() -> BelievedAccess {
        let settled = settled()
        var told: [String: Int64] = [:]
        for (delivery, event) in zip(life.deliveries, settled.told) {
            let repeated = event.disposition == .duplicate ? event.companionOf : nil
            for id in Set([event.id, repeated ?? event.id]) {
                told[id] = min(told[id] ?? .max, delivery.receivedAt)
            }
        }
        let time = { (event: UnifiedEvent) in event.occurredAt?.milliseconds ?? .min }
        let events = (settled.told + settled.inferred).filter {
            $0.disposition == .event || $0.disposition == .inferred
        }
        .sorted { (time($0), $0.disposition.rawValue) < (time($1), $1.disposition.rawValue) }
        let steps = events.indices.map { place -> (at: Int64, place: Int) in
            let event = events[place]
            guard event.disposition == .inferred else { return (told[event.id] ?? .min, place) }
            return (max(event.derivedFrom.compactMap { told[$0] }.max() ?? .min, time(event)), place)
        }.sorted { ($0.at, $0.place) < ($1.at, $1.place) }
        var history = BelievedAccess()
        var known: [String: [Int]] = [:]
        for step in steps {
            guard let id = events[step.place].transaction?.originalTransactionID else { continue }
            known[id, default: []].append(step.place)
            var backend = AccessBackend()
            for place in known[id, default: []].sorted() { backend.receive(events[place]) }
            history.add(backend, of: id, at: step.at, because: events[step.place])
        }
        return history
    }
}
