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

    /// A change to an event that was reported before, or to one that was never reported.
    @nonexhaustive
    public enum Correction: Hashable, Sendable {
        /// The event is now this one; insert it if its id is not there yet.
        case replace(UnifiedEvent)
        /// The event with this id was a deduction that no longer holds, or has another id now.
        case retract(String)
    }

    /// Takes in a notification as a server receives it, one by one and in any order.
    ///
    /// The timeline holds what the server stored of the subscription before: make it of all stored entries, because
    /// counted ids depend on every one, and store the new one beside them. A companion whose event may still arrive
    /// stays a companion without one until Apple would no longer try; ``settleAgainAt`` says when to ask again, with
    /// ``settleAgain(now:)``.
    ///
    /// The timeline assumes that the server last applied corrections when the newest entry was received, so give
    /// ``NotificationNormalizer/timelineEntries(from:receivedAt:)`` that time. A correction may be returned twice;
    /// applying it again changes nothing.
    ///
    /// - Parameters:
    ///   - entry: The new notification.
    ///   - now: When it is received; `nil` assumes that no notification is still on its way.
    /// - Returns: Its event, and the corrections to earlier ones.
    public mutating func receive(_ entry: TimelineEntry, now: EventTime? = nil) -> Update {
        isComplete = now == nil
        let earlier = reportedStates(until: now)
        entries.append(entry)
        let state = settle(now)
        let event = state.results.last?.event ?? entry.event
        return Update(event: event, corrections: Self.corrections(from: earlier, to: state, besides: event))
    }

    /// Settles the notifications again without a new one, because time has passed: see ``settleAgainAt``.
    ///
    /// - Parameter now: What counts as now.
    /// - Returns: What changes in the events that were reported before; a correction may be reported again.
    public mutating func settleAgain(now: EventTime) -> [Correction] {
        isComplete = false
        let earlier = reportedStates(until: now)
        return Self.corrections(from: earlier, to: settle(now), besides: nil)
    }

    private mutating func settle(_ now: EventTime?) -> State {
        asOf = now ?? asOf
        waitsForPartners = now != nil
        let state = state(asOf: asOf?.milliseconds, waiting: waitsForPartners)
        settleAgainAt = state.next == .max ? nil : EventTime(milliseconds: state.next)
        settledAnswerCount = answers.count
        return state
    }

    /// The states that may have been reported to the caller: with the answers of the last call, and with each later answer
    /// added.
    private func reportedStates(until now: EventTime?) -> [State] {
        (settledAnswerCount...answers.count).flatMap { count in
            var earlier = self
            earlier.answers = Array(answers.prefix(count))
            return earlier.statesSince(until: now)
        }
    }

    /// The states of the last call and of each instant since at which something changed.
    private func statesSince(until now: EventTime?) -> [State] {
        guard let now else { return [state(asOf: asOf?.milliseconds, waiting: false)] }
        let last = waitsForPartners ? asOf?.milliseconds : newestReceipt
        var instant = min(last ?? now.milliseconds, now.milliseconds)
        var states = [state(asOf: instant, waiting: true)]
        while let next = states.last?.next, next <= now.milliseconds, next > instant {
            instant = next
            states.append(state(asOf: instant, waiting: true))
        }
        return states
    }

    /// What has to change if any of some states was reported; `event` is reported too.
    private static func corrections(
        from earlier: [State], to state: State, besides event: UnifiedEvent?
    ) -> [Correction] {
        let before = earlier.map { byID($0.events) }
        let after = state.events
        let known = byID(after)
        var corrections: [Correction] = []
        for candidate in after where candidate != event && known[candidate.id] == candidate {
            if before.contains(where: { $0[candidate.id] != candidate }) { corrections.append(.replace(candidate)) }
        }
        for id in Set(before.flatMap(\.keys)).sorted() where known[id] == nil { corrections.append(.retract(id)) }
        return corrections
    }

    /// The events by id; a delivery repeated does not hide the first one.
    private static func byID(_ events: [UnifiedEvent]) -> [String: UnifiedEvent] {
        Dictionary(events.map { ($0.id, $0) }) { one, other in one.disposition == .duplicate ? other : one }
    }
}
