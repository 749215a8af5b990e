import NotificationTranslation
import SimulatedLives

/// The backend that the contract describes: it applies events as they arrive and keeps only access.
///
/// Of each subscription it stores until when the customer has access, and when the last `grant` or `withdraw` that it
/// applied had happened; what is older than that changes nothing, save that a `grant` whose time is a lower bound then
/// counts as a `keep`. Where events come in the order of their times, nothing is older: that is the backend which
/// stores them.
struct AccessBackend {
    struct Subscription {
        var until = Int64.min
        var decidedAt = Int64.min
    }

    private(set) var subscriptions: [String: Subscription] = [:]

    /// Applies an event that arrives at an instant; returns the subscription, if the event says anything about its
    /// access.
    @discardableResult
    mutating func receive(_ event: UnifiedEvent, at arrival: Int64) -> String? {
        guard [.event, .inferred, .unmapped].contains(event.disposition),
            let id = event.transaction?.originalTransactionID
        else { return nil }
        let time = event.occurredAt?.milliseconds ?? arrival
        var subscription = subscriptions[id] ?? Subscription()
        var entitlement = event.entitlement
        if time < subscription.decidedAt {
            guard entitlement == .grant, event.flags.contains(.timeLowerBound) else { return nil }
            entitlement = .keep
        }
        switch entitlement {
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
    /// The whole archive converted, its events followed in the order in which they arrived.
    case arrived
    /// The same followed in the order of their times, from when they were told.
    case batch
    /// The same from when they happened.
    case replayed

    func history(of archive: LifeArchive) -> BelievedAccess {
        switch self {
        case .alone: archive.judgedAlone()
        case .received: archive.receivedOneByOne()
        case .arrived: archive.followed(by: \.at)
        case .batch: archive.stored()
        case .replayed: archive.followed(by: \.time)
        }
    }
}

extension LifeArchive {
    fileprivate func judgedAlone() -> BelievedAccess {
        var backend = AccessBackend()
        var history = BelievedAccess()
        var known: Set<String> = []
        for (delivery, entry) in zip(life.deliveries, entries) where known.insert(entry.event.id).inserted {
            guard let id = backend.receive(entry.event, at: delivery.receivedAt) else { continue }
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
                guard let id = backend.receive(event, at: delivery.receivedAt) else { continue }
                history.add(backend, of: id, at: delivery.receivedAt, because: event)
            }
        }
        return history
    }

    /// An event of the converted archive.
    struct Followed {
        var event: UnifiedEvent
        /// When a backend that receives them as they are told gets it, and when it happened.
        var at: Int64
        var time: Int64
        /// Its place in the output; what is deduced follows the last event that it was deduced from.
        var place: Int
    }

    private func converted() -> [Followed] {
        let settled = whole
        var told: [String: (at: Int64, place: Int)] = [:]
        var events: [Followed] = []
        for (place, (delivery, event)) in zip(life.deliveries, settled.told).enumerated() {
            let repeated = event.disposition == .duplicate ? event.companionOf : nil
            for id in Set([event.id, repeated ?? event.id]) {
                told[id] = (min(told[id]?.at ?? .max, delivery.receivedAt), max(told[id]?.place ?? 0, place))
            }
            let time = event.occurredAt?.milliseconds ?? delivery.receivedAt
            events.append(Followed(event: event, at: delivery.receivedAt, time: time, place: place))
        }
        for (place, followed) in events.enumerated() {
            events[place].at = told[followed.event.id]?.at ?? followed.at
        }
        for event in settled.inferred {
            let last = event.derivedFrom.compactMap { told[$0] }.max { $0.at < $1.at }
            let time = event.occurredAt?.milliseconds ?? .min
            events.append(
                Followed(event: event, at: max(last?.at ?? time, time), time: time, place: last?.place ?? 0))
        }
        return events
    }

    fileprivate func followed(by instant: (Followed) -> Int64) -> BelievedAccess {
        var backend = AccessBackend()
        var history = BelievedAccess()
        // What arrives at once applies in the order of the times.
        for next in converted().sorted(by: {
            (instant($0), $0.time, $0.place) < (instant($1), $1.time, $1.place)
        }) {
            guard let id = backend.receive(next.event, at: next.at) else { continue }
            history.add(backend, of: id, at: instant(next), because: next.event)
        }
        return history
    }

    fileprivate func stored() -> BelievedAccess {
        var history = BelievedAccess()
        var known: [String: [Followed]] = [:]
        for step in converted().sorted(by: { ($0.at, $0.place) < ($1.at, $1.place) }) {
            guard let id = step.event.transaction?.originalTransactionID else { continue }
            // Each list stays in the order of time.
            let place = known[id]?.firstIndex { ($0.time, $0.place) > (step.time, step.place) }
            known[id, default: []].insert(step, at: place ?? known[id]?.count ?? 0)
            var backend = AccessBackend()
            for followed in known[id] ?? [] { backend.receive(followed.event, at: followed.at) }
            history.add(backend, of: id, at: step.at, because: step.event)
        }
        return history
    }
}
