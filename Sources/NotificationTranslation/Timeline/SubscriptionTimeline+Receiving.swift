extension SubscriptionTimeline {
    /// What one more notification changes, to be upserted by the caller.
    public struct Update: Hashable, Sendable {
        /// The event of the new notification, with the others in view.
        ///
        /// The same notification delivered again has the id of the first delivery, which ``UnifiedEvent/companionOf``
        /// names too: do not let it replace that.
        public var event: UnifiedEvent
        /// What the new notification makes of earlier events, and of deduced ones.
        public var corrections: [Correction]
    }

    /// A change to an event that was told before, or that nobody told.
    public enum Correction: Hashable, Sendable {
        /// The event is now this one; insert it if its id is not there yet.
        case replace(UnifiedEvent)
        /// The event with this id was a deduction that no longer holds, or has another id now.
        case retract(String)
    }

    /// Takes in a notification as a server receives it, one by one and in any order.
    ///
    /// The timeline holds what the server stored of the subscription before: make it of the stored entries, newest
    /// ones are enough, and store the new one beside them. A companion whose event may still arrive stays a companion
    /// without one until Apple would no longer try; settle again after three days and what never came is told.
    ///
    /// - Parameters:
    ///   - entry: The new notification.
    ///   - now: When it is received; `nil` takes that no notification is still on its way.
    /// - Returns: Its event, and the corrections to earlier ones.
    public mutating func receive(_ entry: TimelineEntry, now: EventTime? = nil) -> Update {
        asOf = now ?? asOf
        waitsForPartners = now != nil
        let before = Self.byID(settled())
        append(entry)
        let results = settlements()
        let after = results.flatMap { [$0.event] + $0.silent }
        let event = results.last?.event ?? entry.event
        let known = Self.byID(after)
        var corrections: [Correction] = []
        for candidate in after where candidate != event && known[candidate.id] == candidate {
            if before[candidate.id] != candidate { corrections.append(.replace(candidate)) }
        }
        for id in before.keys.sorted() where known[id] == nil { corrections.append(.retract(id)) }
        return Update(event: event, corrections: corrections)
    }

    /// The events by id; a delivery repeated does not hide the first one.
    private static func byID(_ events: [UnifiedEvent]) -> [String: UnifiedEvent] {
        Dictionary(events.map { ($0.id, $0) }) { one, other in one.disposition == .duplicate ? other : one }
    }
}
