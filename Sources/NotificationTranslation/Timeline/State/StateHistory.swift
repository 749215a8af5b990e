/// The states of one subscription, or one-time purchase, one after another.
///
/// ``StateChanges`` puts in order what changes; ``Standing`` holds how it stands, and ``StateTransition`` takes it over
/// each change, and over what time alone brings:
///
///     period {1} begins · renewal switched off · {1} ends        · {2} begins
///     active, on        · active, off          · expired (time)  · active, on
///
/// Later records count too, each at the time of what it shows. Where nothing says what followed the end of a period,
/// the state is unknown, never expired.
struct StateHistory {
    private let changes: StateChanges
    /// How far time has passed.
    private var now = Int64.min
    /// How it stood from each instant on at which that changed.
    private var moments: [(since: Int64, standing: Standing)] = []
    /// The next instant at which the state may change, by time alone or by a later record; `nil` if there is none.
    private(set) var nextChange: Int64?

    /// Goes through what was settled, up to an instant.
    init(_ settlement: Settlement, until: Int64) {
        changes = StateChanges(settlement)
        let transition = StateTransition(changes: changes)
        var standing = Standing()
        for change in changes.changes where change.time <= until {
            passTime(to: change.time, beforeEnds: change.comesBeforeEnds, transition, &standing)
            transition.apply(change, to: &standing)
            now = change.time
            note(standing, at: now)
        }
        passTime(to: until, beforeEnds: false, transition, &standing)
        nextChange = [standing.timer, changes.changes.first { $0.time > until }?.time].compactMap(\.self).min()
    }

    /// Lets time pass: a period, a grace period or a billing retry ends.
    private mutating func passTime(
        to time: Int64, beforeEnds: Bool, _ transition: StateTransition, _ standing: inout Standing
    ) {
        while let timer = standing.timer, timer < time || timer == time && !beforeEnds {
            transition.passTimer(at: timer, &standing)
            // A failure or a grace period may be reported after its end.
            now = max(now, timer)
            note(standing, at: now)
        }
    }

    private var settlement: Settlement { changes.settlement }
    var ledger: Ledger { changes.ledger }
    private var isSubscription: Bool { changes.isSubscription }

    // MARK: The states

    private mutating func note(_ standing: Standing, at time: Int64) {
        guard standing.lastEvent != nil || standing.current != nil, let knownFrom = changes.knownFrom else { return }
        let standing = doubted(standing, at: time)
        let since = max(time, knownFrom)
        if let last = moments.last {
            if last.standing.isSame(as: standing) { return }
            // Of several changes at one instant, or before `knownFrom`, only the last one counts.
            if last.since == since { moments.removeLast() }
            if let before = moments.last, before.standing.isSame(as: standing) { return }
        }
        moments.append((since, standing))
    }

    /// Lowers the certainty of what later records contradict.
    private func doubted(_ standing: Standing, at time: Int64) -> Standing {
        var standing = standing
        guard let current = standing.current else { return standing }
        standing.isSwitchLost =
            standing.autoRenews.map { changes.isSwitchLost(after: time, in: current, isOn: $0) } ?? false
        if changes.recoveredInGrace.contains(current), standing.status == Standing.Status.grace {
            standing.certainty = standing.certainty.atMost(.inferred)
            standing.flags.formUnion(.statusUnreported)
        }
        if changes.unseenAfter.contains(current), isUnseen(standing, current) {
            standing.certainty = standing.certainty.atMost(.ambiguous)
            standing.flags.formUnion(.statusUnreported)
        }
        // Another plan replaced it; nothing says when.
        let row = ledger.entries[current].row
        if row.isUpgraded, row.cancellation == nil, !ledger.entries.indices.contains(current + 1) {
            standing.certainty = standing.certainty.atMost(.ambiguous)
            standing.flags.formUnion(.transactionUncertain)
        }
        let transition = StateTransition(changes: changes)
        if changes.undated.contains(where: { transition.undatedMayHaveChanged(standing, $0) }) {
            standing.certainty = standing.certainty.atMost(.ambiguous)
            standing.flags.formUnion(.timeLowerBound)
        }
        // A refund, or its reversal, that nobody reported came some time before the record that shows it.
        let (isRefunded, isRestored) = (changes.refundedUnseen[current], changes.restoredUnseen[current])
        if standing.isEntitled == true && isRefunded?.contains(time) == true
            || standing.status == Standing.Status.revoked && time < isRestored ?? .min
        {
            standing.certainty = standing.certainty.atMost(.inferred)
            standing.flags.formUnion(.statusUnreported)
        }
        return standing
    }

    /// Whether a period that nothing shows leaves a state open: one that ended, or whose plan may have been replaced.
    private func isUnseen(_ standing: Standing, _ current: Int) -> Bool {
        guard let status = standing.status else { return false }
        guard status == Standing.Status.active else { return !mayFollow(standing, current) }
        return changes.aftermaths[current]?.isRecovered != true
            && ledger.entries[current + 1].row.product != ledger.entries[current].row.product
    }

    /// Whether the next period may follow a failure at once: a recovery does, and what begins within grace.
    private func mayFollow(_ standing: Standing, _ current: Int) -> Bool {
        let isInRetry = standing.status == Standing.Status.retry
        guard isInRetry || standing.status == Standing.Status.grace, current + 1 < ledger.entries.count else {
            return false
        }
        return changes.aftermaths[current]?.isRecovered == true
            || !isInRetry && ledger.entries[current + 1].row.purchase <= standing.timer ?? .min
    }

    /// One state after another; each lasts until the next, and no two that follow each other are the same.
    var states: [SubscriptionState] {
        let template = template
        var states: [SubscriptionState] = []
        for index in moments.indices {
            let state = state(index, of: template)
            if let last = states.last, state.isSame(as: last) {
                states[states.count - 1].validTo = state.validTo
            } else {
                states.append(state)
            }
        }
        return states
    }

    /// The index of the moment that an instant lies in; `nil` before anything is known.
    private func moment(at instant: Int64) -> Int? {
        let index = moments.partitioningIndex { $0.since > instant } - 1
        return moments.indices.contains(index) ? index : nil
    }

    /// The state at an instant; `nil` before anything is known.
    func state(at instant: Int64) -> SubscriptionState? {
        guard var index = moment(at: instant) else { return nil }
        let template = template
        var state = state(index, of: template)
        while index > 0, case let before = self.state(index - 1, of: template), before.isSame(as: state) {
            state.validFrom = before.validFrom
            index -= 1
        }
        state.at = EventTime(milliseconds: instant)
        return state
    }

    /// The state of a subscription that no record dates: nothing is known but its ids; `nil` for any other.
    var undatedState: SubscriptionState? {
        guard changes.knownFrom == nil else { return nil }
        var state = template
        (state.certainty, state.flags) = (.unknown, FlagSet.timeLowerBound.names)
        return state
    }

    /// How it stood after what a notification of version 1 reports; `nil` for one of version 2, and before anything is
    /// known.
    func standing(afterReportOf index: Int) -> Standing? {
        guard !settlement.statements[index].isV2 else { return nil }
        // Of a period that was charged ahead, its beginning counts.
        let begun = settlement.role(index) == .begins ? changes.subject(of: index) : nil
        let begin = begun.map { ledger.entries[$0].row.purchase } ?? .min
        return moment(at: max(changes.time(ofReport: index), begin)).map { moments[$0].standing }
    }

    /// A state with only the ids, the app and `knownFrom` filled in.
    private var template: SubscriptionState {
        let named = settlement.deliveries.first { !$0.originalTransactionID.isAbsent }
        var state = SubscriptionState(
            originalTransactionID: named?.originalTransactionID.string ?? "",
            validFrom: EventTime(milliseconds: changes.knownFrom ?? 0))
        (state.bundleID, state.environment) = (settlement.app.bundleID, settlement.app.environment)
        state.appAppleID = ledger.appAppleID.string
        state.knownFrom = changes.knownFrom.map(EventTime.init)
        return state
    }

    private func state(_ index: Int, of template: SubscriptionState) -> SubscriptionState {
        var state = state(moments[index].standing, from: moments[index].since, of: template)
        if index + 1 < moments.count { state.validTo = EventTime(milliseconds: moments[index + 1].since) }
        return state
    }

    private func state(_ standing: Standing, from time: Int64, of template: SubscriptionState) -> SubscriptionState {
        var state = template
        state.validFrom = EventTime(milliseconds: time)
        state.status = standing.status.map(UnifiedEvent.SubscriptionStatus.init)
        state.isEntitled = standing.isEntitled
        if let current = standing.current { takeTransaction(ledger.entries[current], at: time, standing, &state) }
        if isSubscription {
            state.renewal.autoRenewStatus = standing.autoRenews.map { $0 ? .on : .off }
            state.renewal.autoRenewProductID = standing.nextProduct.string
            state.renewal.gracePeriodExpiresAt = standing.graceUntil.map(EventTime.init)
            state.renewal.priceIncreaseStatus = standing.consent.map { $0 ? .agreed : .pending }
            state.renewal.expirationIntent =
                standing.intent == .notStated ? nil : .init(rawValue: Int64(standing.intent))
        }
        let (certainty, flags) = sureness(of: standing, at: time)
        (state.certainty, state.flags) = (certainty, certainty == .exact ? [] : flags.names)
        if let last = standing.lastEvent {
            state.lastEventID = settlement.id(of: last).string
            state.lastReportedAt = EventTime(milliseconds: settlement.firstArrival(of: last))
        }
        return state
    }

    /// How sure status, product and automatic renewal are together, and why.
    private func sureness(of standing: Standing, at time: Int64) -> (Certainty, FlagSet) {
        var (certainty, flags) = (standing.certainty, standing.flags)
        func lower(to limit: Certainty, _ reason: FlagSet) {
            certainty = certainty.atMost(limit)
            flags.formUnion(reason)
        }
        if standing.current == nil { lower(to: .unknown, .transactionUncertain) }
        // The known period is over: a later one runs, or this one was extended.
        if standing.status == Standing.Status.active, standing.expires ?? .max <= time {
            lower(to: .ambiguous, .transactionUncertain)
        }
        // It was charged ahead, and nothing shows the period that runs until it begins.
        let begin = standing.current.map { ledger.entries[$0].row.purchase }
        if begin ?? .min > time { lower(to: .inferred, .transactionUncertain) }
        if isSubscription, standing.mayMissSwitch || standing.isSwitchLost {
            lower(to: .ambiguous, .autoRenewStateUnknown)
        }
        if let current = standing.current, ledger.entries[current].isContradicted {
            lower(to: .inferred, .answerContradicts)
        }
        if isSubscription, standing.isRenewalDoubtful { lower(to: .inferred, .timeLowerBound) }
        if !ledger.isCertain || standing.isDoubted { lower(to: .ambiguous, .subjectUncertain) }
        if standing.hasUnknownPeriod { lower(to: .ambiguous, .transactionUncertain) }
        if flags.isEmpty, certainty == .inferred { flags = .statusInferred }
        return (certainty, flags)
    }

    private func takeTransaction(
        _ entry: Ledger.Entry, at time: Int64, _ standing: Standing, _ state: inout SubscriptionState
    ) {
        state.transaction = entry.transaction(state.originalTransactionID)
        state.transaction.expiresAt = standing.expires.map(EventTime.init)
        if state.isEntitled == true {
            state.accessUntil =
                standing.status == Standing.Status.grace
                ? standing.timer.map(EventTime.init)
                : [standing.timer ?? standing.expires, standing.paidUntil].compactMap(\.self).max().map(EventTime.init)
        }
    }
}
