/// The states of one subscription, or one-time purchase, one after another.
///
/// What happened, and what time alone brings, are put in order as ``Turn``s; ``Standing`` holds how it stands, and one
/// function takes it over each turn:
///
///     period {1} begins · renewal switched off · {1} ends        · {2} begins
///     active, on        · active, off          · expired (time)  · active, on
///
/// Later records count too, each at the time of what it shows. Where nothing says what followed the end of a period,
/// the state is unknown, never expired.
struct StateHistory {
    private let settlement: Settlement
    /// The notifications, and behind them Apple's answers; `place` is a place among them.
    private let deliveries: [Statement]
    let ledger: Ledger
    private let parameters: Parameters
    private let happened: StateTurns
    private let isSubscription: Bool
    /// How far time has passed.
    private var now = Int64.min
    /// How it stood from each instant on at which that changed.
    private var moments: [(since: Int64, standing: Standing)] = []
    /// The next instant at which the state may change, by time alone or by a later record; `nil` if there is none.
    private(set) var nextTurn: Int64?

    /// Goes through what was settled, up to an instant.
    init(_ settlement: Settlement, until: Int64) {
        self.settlement = settlement
        deliveries = settlement.deliveries
        parameters = settlement.parameters
        ledger = Ledger(settlement)
        isSubscription = settlement.showsSubscription()
        happened = StateTurns(settlement, ledger, isSubscription: isSubscription)
        var standing = Standing()
        for turn in happened.turns where turn.time <= until {
            passTime(to: turn.time, isBegin: turn.isBegin, &standing)
            take(turn, &standing)
            now = turn.time
            note(standing, at: now)
        }
        passTime(to: until, isBegin: false, &standing)
        nextTurn = [standing.timer, happened.turns.first { $0.time > until }?.time].compactMap(\.self).min()
    }

    // MARK: How it stands

    /// How a subscription stands between two turns.
    private struct Standing: Equatable {
        /// The transaction that gives access, by its place in the ledger.
        var current: Int?
        var status: Int64?
        var isEntitled: Bool?
        /// When its period, its grace period or its billing retry ends by itself.
        var timer: Int64?
        /// The end of the period that was known last.
        var expires: Int64?
        var autoRenews: Bool?
        /// When that was said last.
        var renewsSince = Int64.min
        /// Whether nothing dates that.
        var isRenewalWeak = false
        /// Whether a switch since would not have been reported.
        var isRenewalUntold = true
        /// When the store last stated the status.
        var statedSince = Int64.min
        /// The end of the next period, if it was charged before it began.
        var paidUntil: Int64?
        /// The period that was charged ahead and refunded before it began, by its index in the ledger.
        var paidBack: Int?
        /// Whether a later body shows that renewal was switched off, but no notification reports it.
        var isSwitchLost = false
        var nextProduct = EventText.absent
        var graceUntil: Int64?
        var consent: Bool?
        var intent = UInt8.notStated
        /// How sure the status is, and why.
        var certainty = Certainty.unknown
        var flags = FlagSet()
        var lastEvent: Int?

        /// Whether a state of it says the same.
        func isSame(as other: Standing) -> Bool {
            var other = other
            (other.renewsSince, other.statedSince) = (renewsSince, statedSince)
            return self == other
        }

        mutating func set(_ status: Int64?, _ certainty: Certainty, _ flags: FlagSet = FlagSet(), timer: Int64? = nil) {
            self.status = status
            self.certainty = certainty
            self.flags = flags
            self.timer = timer
        }
    }

    private enum Status {
        static let (active, expired, retry, grace, revoked): (Int64, Int64, Int64, Int64, Int64) = (1, 2, 3, 4, 5)
    }

    private mutating func take(_ turn: StateTurns.Turn, _ standing: inout Standing) {
        switch turn.kind {
        case .begun(let place): begin(place, at: turn.time, &standing)
        case .charged(let place):
            standing.paidUntil = ledger.entries[place].expires(knownAt: turn.time)
            standing.paidBack = nil
            renew(place, at: turn.time, &standing)
        case .cancelled(let place):
            if place == standing.current { return cancel(place, at: turn.time, &standing) }
            if isAhead(place, standing) { (standing.paidUntil, standing.paidBack) = (nil, place) }
        case .restored(let place): restore(place, at: turn.time, &standing)
        case .extended(let place):
            guard place == standing.current else { return }
            standing.expires = ledger.entries[place].expires(knownAt: turn.time)
            if standing.status == Status.active { standing.timer = standing.expires }
        case .reported(let place): report(place, at: turn.time, &standing)
        case .stated(let place): state(place, at: turn.time, &standing)
        }
    }

    private func begin(_ place: Int, at time: Int64, _ standing: inout Standing) {
        // What was charged ahead may be taken back before it begins.
        if let current = standing.current, ledger.entries[current].row.purchase > ledger.entries[place].row.purchase {
            return
        }
        let entry = ledger.entries[place]
        if let paid = happened.chargedAhead[place] {
            // Another plan was bought since it was charged.
            if let current = standing.current, ledger.entries[current].row.purchase > paid { return }
            // After that, the store said that access is over.
            if standing.isEntitled == false, standing.statedSince > paid {
                (standing.current, standing.expires) = (place, entry.expires(knownAt: time))
                (standing.paidUntil, standing.paidBack) = (nil, nil)
                return
            }
        }
        standing.current = place
        standing.isEntitled = true
        guard isSubscription else { return standing.set(nil, .exact) }
        if happened.chargedAhead[place] == nil { renew(place, at: time, &standing) }
        standing.paidUntil = nil
        standing.expires = entry.expires(knownAt: time)
        guard standing.expires != nil else {
            standing.isEntitled = nil
            return standing.set(nil, .unknown, .accessEndUnknown)
        }
        // A recovery within grace that nothing dates: its period begins where the one before it ended.
        let isUndated =
            time == entry.row.purchase && happened.sequels[place - 1]?.failure != nil
            && ledger.entries[place - 1].row.expires.map { abs(time - $0) <= parameters.contiguous } ?? false
        entry.isDeduced || isUndated
            ? standing.set(
                Status.active, .inferred,
                (isUndated ? FlagSet.timeLowerBound : []).union(entry.isDeduced ? .deducedLikely : []),
                timer: standing.expires)
            : standing.set(Status.active, .exact, timer: standing.expires)
        if standing.paidBack == place { cancel(place, at: time, &standing) }
    }

    /// Turns renewal on, as paying for a period does, and resets grace period, consent and expiration intent.
    private func renew(_ place: Int, at time: Int64, _ standing: inout Standing) {
        let row = ledger.entries[place].row
        standing.autoRenews = true
        standing.renewsSince = time
        // Where only Apple's answers show the period, a switch of renewal would not have been reported.
        standing.isRenewalUntold = time < parameters.switchesToldSince || row.isAnswered
        standing.isRenewalWeak = false
        standing.nextProduct = row.productText
        standing.graceUntil = nil
        standing.consent = nil
        standing.intent = .notStated
    }

    /// Whether a period is paid for and has not begun.
    private func isAhead(_ place: Int, _ standing: Standing) -> Bool {
        happened.chargedAhead[place] != nil && place > standing.current ?? -1
    }

    private func cancel(_ place: Int, at time: Int64, _ standing: inout Standing) {
        if isEndOpen(standing, at: time) { return }
        let (certainty, flags) = sureness(ofCancelled: place, at: time)
        standing.set(isSubscription ? Status.revoked : nil, certainty, flags)
        standing.isEntitled = certainty == .ambiguous ? nil : false
    }

    /// Gives back what was refunded: the period, or what followed it.
    private func restore(_ place: Int, at time: Int64, _ standing: inout Standing) {
        if isAhead(place, standing), standing.paidBack == place {
            (standing.paidUntil, standing.paidBack) = (ledger.entries[place].expires(knownAt: time), nil)
        }
        guard place == standing.current else { return }
        guard standing.status == Status.revoked || !isSubscription else { return }
        standing.isEntitled = true
        guard isSubscription else { return standing.set(nil, .exact) }
        standing.set(Status.active, .inferred, .timeRange, timer: standing.expires)
    }

    private func report(_ place: Int, at time: Int64, _ standing: inout Standing) {
        let statement = settlement.statements[place]
        let outcome = settlement.outcomes[place]
        if outcome.disposition == .event || outcome.disposition == .unmapped { standing.lastEvent = place }
        if !statement.isV2, !isOverruled(place), !isOutdated(place, standing) {
            takeRenewal(place, at: time, &standing)
        }
        guard outcome.disposition == .event else { return }
        let isCurrent = happened.subject(of: place).map { $0 == standing.current } ?? true
        switch settlement.role(place) {
        case .switches where isSubscription && !(isWeak(place) && isOutdated(place, standing)):
            let isOff = statement.autoRenewStatus == false
            standing.autoRenews = statement.autoRenewStatus ?? standing.autoRenews
            standing.renewsSince = time
            standing.isRenewalUntold = time < parameters.switchesToldSince
            standing.isRenewalWeak = isWeak(place)
            if isOff, standing.status == Status.retry || standing.status == nil && standing.expires ?? .max <= time {
                standing.set(Status.expired, .inferred, .statusByTime)
                standing.isEntitled = false
            }
        case .fails where isSubscription && isCurrent && standing.expires ?? .max <= time:
            guard standing.status != Status.revoked else { return }
            if let grace = statement.graceUntil, grace > time {
                standing.set(
                    Status.grace, sureness(ofGraceAfter: place, at: time), decisionFlags(place), timer: grace)
                standing.isEntitled = true
            } else {
                standing.set(Status.retry, sureness(of: place), decisionFlags(place), timer: retryEnd(standing))
                standing.isEntitled = standing.certainty == .ambiguous ? nil : false
            }
        case .ends where isCurrent && standing.status != Status.revoked && isOver(place, standing, by: time):
            let isRevoked = settlement.table.events.pairs[outcome.pair].type == "REVOKE"
            standing.set(isRevoked ? Status.revoked : Status.expired, sureness(of: place), decisionFlags(place))
            standing.isEntitled = false
        case .refunds
        where isCurrent && standing.status != Status.revoked && !isDenied(place) && !isEndOpen(standing, at: time):
            let isUndated = settlement.isUndated(statement)
            let certainty = isUndated ? sureness(of: place).atMost(.inferred) : sureness(of: place)
            let flags = isUndated ? decisionFlags(place).union(.timeLowerBound) : decisionFlags(place)
            standing.set(isSubscription ? Status.revoked : nil, certainty, flags)
            standing.isEntitled = certainty == .ambiguous ? nil : false
        case .restores:
            if let restored = happened.subject(of: place) ?? standing.current { restore(restored, at: time, &standing) }
        default: return
        }
    }

    /// Whether it is not known what followed the end of the period, so that its refund leaves that open.
    private func isEndOpen(_ standing: Standing, at time: Int64) -> Bool {
        isSubscription && standing.status == nil && standing.expires ?? .max <= time
    }

    /// Whether the ledger knows better than a notification of a refund: its transaction was cancelled at another time, or
    /// its body shows the transaction and no cancellation.
    private func isDenied(_ place: Int) -> Bool {
        guard let subject = happened.subject(of: place) else { return false }
        let entry = ledger.entries[subject]
        let isShown = settlement.statements[place].hasList && entry.shownBy.contains(place)
        return entry.row.cancellation != nil || isShown
    }

    /// Whether the period that ended with what a notification reports is over.
    private func isOver(_ place: Int, _ standing: Standing, by time: Int64) -> Bool {
        guard isSubscription, settlement.table.events.pairs[settlement.outcomes[place].pair].type != "REVOKE" else {
            return true
        }
        return standing.expires.map { $0 <= time + settlement.tolerance(settlement.statements[place]) } ?? true
    }

    /// Whether the body of a version 1 notification was written before the current transaction began.
    private func isOutdated(_ place: Int, _ standing: Standing) -> Bool {
        let statement = settlement.statements[place]
        guard !statement.isV2, statement.hasList, let current = standing.current,
            let newest = settlement.shownRows[statement.rows].compactMap({ ledger.index(of: $0.transaction) }).max()
        else { return false }
        return newest < current
    }

    /// Takes what Apple says of the subscription as of a signature.
    private func state(_ place: Int, at time: Int64, _ standing: inout Standing) {
        let statement = deliveries[place]
        takeRenewal(place, at: time, &standing)
        guard isSubscription, let status = statement.access.status else { return }
        switch status {
        case Status.active:
            let end = [standing.expires, statement.access.renewsAt].compactMap(\.self).max()
            guard let end, end > time else {
                // The subscription is active, but the end of its period is not known.
                guard end.map({ time - $0 > parameters.contiguous }) ?? true else { return }
                standing.isEntitled = nil
                return standing.set(nil, .unknown, .accessEndUnknown)
            }
            standing.set(status, .exact, timer: end)
        case Status.grace:
            guard let grace = statement.graceUntil ?? standing.graceUntil, grace > time else {
                guard standing.graceUntil == nil else { return }
                standing.isEntitled = nil
                return standing.set(nil, .unknown, .accessEndUnknown)
            }
            standing.set(status, .exact, timer: grace)
        case Status.retry:
            let end = retryEnd(standing)
            guard end ?? .max > time else { return }
            standing.set(status, .exact, timer: end)
        case Status.expired, Status.revoked: standing.set(status, .exact)
        default: return
        }
        standing.isEntitled = status == Status.active || status == Status.grace
        standing.statedSince = time
    }

    /// Whether nothing dates a version 1 notification but its arrival, or what it shows.
    private func isWeak(_ place: Int) -> Bool { !deliveries[place].isV2 && settlement.isWeak(place) }

    /// Whether a body that nothing dates may have been written before a switch that is dated and says otherwise.
    private func isOldNews(_ place: Int, _ renews: Bool, at time: Int64, _ standing: Standing) -> Bool {
        isWeak(place) && settlement.role(place) != .switches && standing.autoRenews == !renews
            && standing.renewsSince > time - parameters.deliveryHorizon
    }

    private func takeRenewal(_ place: Int, at time: Int64, _ standing: inout Standing) {
        let statement = deliveries[place]
        if let renews = statement.autoRenewStatus, !isOldNews(place, renews, at: time, standing) {
            // It contradicts an earlier switch: its payload is older than that, or the switch back was not reported.
            let isContrary =
                !statement.isAnswer && statement.isV2 && standing.autoRenews == !renews
                && settlement.role(place) == .begins
            standing.autoRenews = renews
            standing.renewsSince = time
            standing.isRenewalUntold = time < parameters.switchesToldSince
            standing.isRenewalWeak = isWeak(place) || isContrary
        }
        if !statement.nextProductText.isAbsent { standing.nextProduct = statement.nextProductText }
        if let consent = statement.consent { standing.consent = consent }
        if statement.intent != .notStated { standing.intent = statement.intent }
        if let grace = statement.graceUntil { standing.graceUntil = grace }
    }

    /// Whether renewal was switched between the time of a notification and its late arrival, so that nobody knows of
    /// which of them its body speaks.
    private func isOverruled(_ place: Int) -> Bool {
        let statement = settlement.statements[place]
        let told = settlement.arrival(of: place)
        guard told - statement.order >= parameters.lateDelivery, settlement.role(place) != .switches else {
            return false
        }
        return settlement.story.contains { other in
            settlement.isEvent(other) && settlement.role(other) == .switches
                && (statement.order...told).contains(settlement.statements[other].order)
        }
    }

    // MARK: Time alone

    /// Lets time pass: a period, a grace period or a billing retry ends.
    private mutating func passTime(to time: Int64, isBegin: Bool, _ standing: inout Standing) {
        while let timer = standing.timer, timer < time || timer == time && !isBegin {
            switch standing.status {
            case Status.active: endPeriod(at: timer, &standing)
            case Status.grace:
                standing.isEntitled = false
                standing.autoRenews == false
                    ? standing.set(Status.expired, .inferred, .statusByTime)
                    : standing.set(Status.retry, .inferred, .statusByTime, timer: retryEnd(standing))
            case Status.retry, nil:
                // The store gives up, and switches renewal off.
                standing.isEntitled = false
                standing.autoRenews = false
                standing.set(Status.expired, .inferred, .statusByTime)
            default: standing.timer = nil
            }
            // A failure or a grace period may be reported after its end.
            now = max(now, timer)
            note(standing, at: now)
        }
    }

    private func endPeriod(at end: Int64, _ standing: inout Standing) {
        let sequel = standing.current.flatMap { happened.sequels[$0] } ?? StateTurns.Sequel()
        if let grace = sequel.graceUntil, grace > end {
            standing.graceUntil = grace
            return standing.set(
                Status.grace, sequel.failure.map { sureness(ofGraceAfter: $0, at: end) } ?? .inferred,
                sequel.failure.map(decisionFlags) ?? FlagSet(), timer: grace)
        }
        standing.isEntitled = false
        if sequel.isGivenUp { standing.autoRenews = false }
        if let failure = sequel.failure {
            standing.set(Status.retry, sureness(of: failure), decisionFlags(failure), timer: retryEnd(standing))
            if standing.certainty == .ambiguous { standing.isEntitled = nil }
        } else if let ending = sequel.ending {
            standing.set(Status.expired, sureness(of: ending), decisionFlags(ending))
        } else if standing.autoRenews == false {
            standing.set(Status.expired, .inferred, .statusByTime)
        } else if sequel.isRecovered {
            standing.set(Status.retry, .inferred, .statusByTime, timer: retryEnd(standing))
        } else {
            standing.isEntitled = nil
            // A history that is complete shows nothing newer, long after Apple had given up.
            let isOver = retryEnd(standing).map { $0 <= settlement.answers.completeUntil ?? .min } ?? false
            standing.set(nil, .unknown, .statusUnreported, timer: isOver ? retryEnd(standing) : nil)
        }
    }

    private func retryEnd(_ standing: Standing) -> Int64? { standing.expires.map { $0 + parameters.retryEnd } }

    // MARK: How sure

    private func sureness(of place: Int) -> Certainty { settlement.sureness(of: place) }

    /// How sure it is that a grace period still runs: version 1 did not report a renewal within it before an instant.
    private func sureness(ofGraceAfter failure: Int, at time: Int64) -> Certainty {
        let isTold = settlement.statements[failure].isV2 || time >= parameters.renewalsToldSince
        return isTold ? sureness(of: failure) : sureness(of: failure).atMost(.inferred)
    }

    private func decisionFlags(_ place: Int) -> FlagSet { settlement.outcomes[place].decision?.flags ?? FlagSet() }

    /// How sure it is that a cancelled transaction was refunded, and not replaced or given back since: version 1 reports
    /// no reversal, and version 2 none before an instant.
    private func sureness(ofCancelled place: Int, at time: Int64) -> (Certainty, FlagSet) {
        let transaction = ledger.entries[place].row.transaction
        let reports = settlement.story.filter { other in
            settlement.isEvent(other) && settlement.statements[other].transaction == transaction
                && (settlement.role(other) == .refunds || settlement.isAboutCancelled(settlement.statements[other]))
        }
        guard let report = reports.first else { return (.inferred, FlagSet()) }
        let certainty = sureness(of: report)
        if settlement.statements[report].isV2, time >= parameters.reversalsToldSince { return (certainty, FlagSet()) }
        return (certainty.atMost(.inferred), certainty == .exact ? FlagSet() : decisionFlags(report))
    }

    // MARK: The states

    private mutating func note(_ standing: Standing, at time: Int64) {
        guard standing.lastEvent != nil || standing.current != nil, let knownFrom = happened.knownFrom else { return }
        let standing = doubted(standing, at: time)
        let since = max(time, knownFrom)
        if let last = moments.last {
            if last.standing.isSame(as: standing) { return }
            // Several turns of one instant, or of the time before anything is claimed.
            if last.since == since { moments.removeLast() }
            if let before = moments.last, before.standing.isSame(as: standing) { return }
        }
        moments.append((since, standing))
    }

    /// Lowers the certainty of what later records contradict.
    private func doubted(_ standing: Standing, at time: Int64) -> Standing {
        var standing = standing
        guard let current = standing.current else { return standing }
        let sequel = happened.sequels[current]
        // The customer switched renewal off, and the notification of that is lost.
        standing.isSwitchLost =
            standing.autoRenews == true && sequel?.isGivenUp == true && sequel?.lastOff ?? .min <= time
        if happened.unseenAfter.contains(current),
            standing.status == Status.expired || standing.status == Status.revoked
        {
            standing.certainty = standing.certainty.atMost(.ambiguous)
            standing.flags.formUnion(.statusUnreported)
        }
        return standing
    }

    /// One state after another; each lasts until the next.
    var states: [SubscriptionState] {
        let named = named
        return moments.indices.map { state($0, of: named) }
    }

    /// The place of the moment that an instant lies in; `nil` before anything is known.
    private func moment(at instant: Int64) -> Int? {
        let place = moments.firstPlace { $0.since > instant } - 1
        return moments.indices.contains(place) ? place : nil
    }

    /// The state at an instant; `nil` before anything is known.
    func state(at instant: Int64) -> SubscriptionState? {
        guard let place = moment(at: instant) else { return nil }
        var state = state(place, of: named)
        state.at = EventTime(milliseconds: instant)
        return state
    }

    /// The status after what a notification of version 1 reports had happened; `nil` where that is not known.
    func status(afterReportOf place: Int) -> Int64? {
        guard !settlement.statements[place].isV2 else { return nil }
        return moment(at: happened.instant(of: place)).flatMap { place in
            moments[place].standing.certainty == .ambiguous ? nil : moments[place].standing.status
        }
    }

    /// Whose states they are.
    private var named: SubscriptionState {
        let named = deliveries.first { !$0.originalTransactionID.isAbsent }
        var state = SubscriptionState(
            originalTransactionID: named?.originalTransactionID.string ?? "",
            validFrom: EventTime(milliseconds: happened.knownFrom ?? 0))
        (state.bundleID, state.environment) = (settlement.app.bundleID, settlement.app.environment)
        state.appAppleID = ledger.appAppleID.string
        state.knownFrom = happened.knownFrom.map(EventTime.init)
        return state
    }

    private func state(_ place: Int, of named: SubscriptionState) -> SubscriptionState {
        var state = state(moments[place].standing, from: moments[place].since, of: named)
        if place + 1 < moments.count { state.validTo = EventTime(milliseconds: moments[place + 1].since) }
        return state
    }

    private func state(
        _ standing: Standing, from time: Int64, of named: SubscriptionState
    ) -> SubscriptionState {
        var state = named
        state.validFrom = EventTime(milliseconds: time)
        state.status = standing.status.map(UnifiedEvent.SubscriptionStatus.init)
        state.isEntitled = standing.isEntitled
        state.certainty = standing.certainty
        var flags = standing.flags
        if let current = standing.current {
            takeTransaction(ledger.entries[current], at: time, standing, &state)
        } else {
            state.certainty = .unknown
            flags.formUnion(.transactionUncertain)
        }
        if isSubscription {
            state.renewal.autoRenewStatus = standing.autoRenews.map { $0 ? .on : .off }
            state.renewal.autoRenewProductID = standing.nextProduct.string
            state.renewal.gracePeriodExpiresAt = standing.graceUntil.map(EventTime.init)
            state.renewal.priceIncreaseStatus = standing.consent.map { $0 ? .agreed : .pending }
            state.renewal.expirationIntent =
                standing.intent == .notStated ? nil : .init(rawValue: Int64(standing.intent))
        }
        if isSubscription, standing.isRenewalUntold || standing.isSwitchLost {
            state.certainty = state.certainty.atMost(.ambiguous)
            flags.formUnion(.autoRenewStateUnknown)
        }
        if isSubscription, standing.isRenewalWeak {
            state.certainty = state.certainty.atMost(.inferred)
            flags.formUnion(.timeLowerBound)
        }
        if !ledger.isCertain {
            state.certainty = state.certainty.atMost(.ambiguous)
            flags.formUnion(.subjectUncertain)
        }
        if flags.isEmpty, state.certainty == .inferred { flags = .statusInferred }
        state.flags = state.certainty == .exact ? [] : flags.names
        if let last = standing.lastEvent {
            state.lastEventID = settlement.id(of: last).string
            state.lastReportedAt = EventTime(milliseconds: settlement.firstArrival(of: last))
        }
        return state
    }

    private func takeTransaction(
        _ entry: Ledger.Entry, at time: Int64, _ standing: Standing, _ state: inout SubscriptionState
    ) {
        state.transaction = entry.transaction(state.originalTransactionID)
        state.transaction.expiresAt = standing.expires.map(EventTime.init)
        if state.isEntitled == true {
            state.accessUntil =
                standing.status == Status.grace
                ? standing.timer.map(EventTime.init)
                : [standing.timer ?? standing.expires, standing.paidUntil].compactMap(\.self).max().map(EventTime.init)
        }
    }
}
