/// How a subscription stands between two changes.
struct Standing: Equatable {
    /// Apple's numbers of the status.
    enum Status {
        static let (active, expired, retry, grace, revoked): (Int64, Int64, Int64, Int64, Int64) = (1, 2, 3, 4, 5)
    }

    /// The transaction that gives access, by its index in the ledger.
    var current: Int?
    var status: Int64?
    var isEntitled: Bool?
    /// When its period, its grace period or its billing retry ends by itself.
    var timer: Int64?
    /// The end of the period that was known last.
    var expires: Int64?
    var autoRenews: Bool?
    /// When a record last stated `autoRenews`.
    var renewalStatedAt = Int64.min
    /// Whether that statement has no date, or contradicts an earlier one.
    var isRenewalDoubtful = false
    /// Whether a later switch may be missing: none was reported at that time, or only Apple's answers show the period.
    var mayMissSwitch = true
    /// The end of the next period, if it was charged before it began.
    var paidUntil: Int64?
    /// The period that was charged ahead and refunded before it began, by its index in the ledger.
    var refundedAhead: Int?
    /// Whether a report that may be about another subscription would change this state, if it is about this one.
    var isDoubted = false
    /// Whether an unknown period was reported: one that no list, payload or answer shows.
    var hasUnknownPeriod = false
    /// Whether later records show that renewal was switched on or off since, but no notification reports it.
    var isSwitchLost = false
    var nextProduct = EventText.absent
    var graceUntil: Int64?
    var consent: Bool?
    var intent = UInt8.notStated
    /// How sure the status is, and why.
    var certainty = Certainty.unknown
    var flags = FlagSet()
    var lastEvent: Int?

    /// Whether another one is equal, apart from the time at which renewal was stated.
    func isSame(as other: Standing) -> Bool {
        var other = other
        other.renewalStatedAt = renewalStatedAt
        return self == other
    }

    mutating func set(_ status: Int64?, _ certainty: Certainty, _ flags: FlagSet = FlagSet(), timer: Int64? = nil) {
        self.status = status
        self.certainty = certainty
        self.flags = flags
        self.timer = timer
    }

    /// Sets status and access to unknown: the subscription may still be active.
    mutating func leaveOpen() {
        isEntitled = nil
        set(nil, .unknown, .accessEndUnknown)
    }
}

/// Updates a ``Standing``: `apply` for a change, `passTimer` when a period, grace period or billing retry ends.
///
///     active, on  + renewal switched off  →  active, off
///     active, off + end of the period     →  expired (by time)
///
/// Where nothing says what followed the end of a period, the state is unknown, never expired. A refund that has a date is
/// applied by `cancel`, from the ledger; the report of it comes later and adds only what has no date.
struct StateTransition {
    private typealias Status = Standing.Status
    let changes: StateChanges

    private var settlement: Settlement { changes.settlement }
    private var ledger: Ledger { changes.ledger }
    private var parameters: Parameters { settlement.parameters }
    private var isSubscription: Bool { changes.isSubscription }
    /// The notifications, followed by Apple's answers.
    private var deliveries: [Statement] { changes.deliveries }

    /// Applies a change.
    func apply(_ change: StateChanges.Change, to standing: inout Standing) {
        let time = change.time
        switch change.kind {
        case .begun(let index): begin(index, at: time, &standing)
        case .charged(let index): charge(index, at: time, &standing)
        case .cancelled(let index): cancel(index, at: time, &standing)
        case .restored(let index): restore(index, at: time, &standing)
        case .extended(let index): extend(index, at: time, &standing)
        case .reported(let index): applyReport(index, at: time, &standing)
        case .stated(let index): applyStatement(index, at: time, &standing)
        case .doubted(let index): standing.isDoubted = standing.isDoubted || wouldChange(standing, index)
        }
    }

    // MARK: Transactions

    private func begin(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let paid = changes.chargedAhead[index]
        guard !isOvertaken(index, paid, standing) else { return }
        let expires = ledger.entries[index].expires(knownAt: time)
        (standing.current, standing.isEntitled, standing.hasUnknownPeriod) = (index, true, false)
        guard isSubscription else { return standing.set(nil, .exact) }
        let flags = flags(ofBegun: index, at: time, standing)
        if paid == nil { renewAtBeginning(index, at: time, &standing) }
        (standing.paidUntil, standing.expires) = (nil, expires)
        guard expires != nil else { return standing.leaveOpen() }
        standing.set(Status.active, flags.isEmpty ? .exact : .inferred, flags, timer: expires)
        if standing.refundedAhead == index { revoke(index, at: time, &standing) }
    }

    /// Renews at the beginning of a period; renewal stays off if it was switched off after the charge.
    private func renewAtBeginning(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let before = standing
        renew(index, at: time, &standing)
        guard isChargedBeforeSwitch(index, before) else { return }
        (standing.autoRenews, standing.renewalStatedAt) = (before.autoRenews, before.renewalStatedAt)
        standing.isRenewalDoubtful = true
    }

    /// The flags for a beginning that is not certain; empty if it is.
    private func flags(ofBegun index: Int, at time: Int64, _ standing: Standing) -> FlagSet {
        var flags = isUndatedRecovery(index, at: time) ? FlagSet.timeLowerBound : []
        if time == standing.graceUntil, changes.recoveredInGrace.contains(index - 1) {
            flags.formUnion(.statusUnreported)
        }
        if ledger.entries[index].isDeduced { flags.formUnion(.deducedLikely) }
        return flags
    }

    /// Whether a newer transaction is already current, or this one was charged ahead and refunded.
    private func isOvertaken(_ index: Int, _ paid: Int64?, _ standing: Standing) -> Bool {
        if standing.current == index { return standing.status == Status.revoked }
        return standing.current.map { ledger.entries[$0].row.purchase > paid ?? ledger.entries[index].row.purchase }
            ?? false
    }

    /// Whether a transaction is a recovery within grace that nothing dates: its period begins where the one before it
    /// ended.
    private func isUndatedRecovery(_ index: Int, at time: Int64) -> Bool {
        time == ledger.entries[index].row.purchase && changes.aftermaths[index - 1]?.failure != nil
            && changes.beginsAtEnd(index)
    }

    /// Whether renewal was switched off within the day before a period began.
    ///
    /// The period was charged by then, so renewal is still off.
    private func isChargedBeforeSwitch(_ index: Int, _ standing: Standing) -> Bool {
        let begin = ledger.entries[index].row.purchase
        return standing.autoRenews == false && changes.beginsAtEnd(index) && standing.renewalStatedAt < begin
            && standing.renewalStatedAt >= begin - parameters.chargedAhead
    }

    private func charge(_ index: Int, at time: Int64, _ standing: inout Standing) {
        standing.paidUntil = ledger.entries[index].expires(knownAt: time)
        standing.refundedAhead = nil
        renew(index, at: time, &standing)
        guard standing.isEntitled != true, standing.status != Status.revoked, let paid = standing.paidUntil else {
            return
        }
        // Only a running subscription is charged ahead, so a period runs now that no record shows.
        (standing.current, standing.expires, standing.isEntitled) = (index, paid, true)
        standing.set(Status.active, .inferred, .timeRange, timer: paid)
    }

    /// Turns renewal on, as paying for a period does, and resets grace period, consent and expiration intent.
    private func renew(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let row = ledger.entries[index].row
        standing.autoRenews = true
        standing.isDoubted = false
        standing.renewalStatedAt = time
        // Where only Apple's answers show the period, a switch of renewal would not have been reported; nor before the
        // first notification.
        standing.mayMissSwitch =
            row.isAnswered || time < max(parameters.switchesToldSince, changes.firstReport)
        standing.isRenewalDoubtful = false
        standing.nextProduct = row.productText
        standing.graceUntil = nil
        standing.consent = nil
        standing.intent = .notStated
    }

    private func extend(_ index: Int, at time: Int64, _ standing: inout Standing) {
        guard index == standing.current else { return }
        let before = standing.expires
        standing.expires = ledger.entries[index].expires(knownAt: time)
        guard let end = standing.expires, end > time, standing.status != Status.revoked else { return }
        if standing.status == Status.active, before ?? .max > time { return standing.timer = end }
        // It had been lengthened by then, and nothing says when.
        standing.isEntitled = true
        standing.set(Status.active, .inferred, .timeRange, timer: end)
    }

    private func cancel(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let begin = ledger.entries[index].row.purchase
        if index == standing.current, changes.chargedAhead[index] != nil, time < begin {
            // Until this period begins, an earlier one runs that no record shows.
            (standing.paidUntil, standing.refundedAhead) = (nil, index)
            (standing.expires, standing.timer) = (begin, begin)
        } else if index == standing.current {
            revoke(index, at: time, &standing)
        } else if isAhead(index, standing) {
            (standing.paidUntil, standing.refundedAhead) = (nil, index)
        }
    }

    /// Whether a period is paid for and has not begun.
    private func isAhead(_ index: Int, _ standing: Standing) -> Bool {
        changes.chargedAhead[index] != nil && index > standing.current ?? -1
    }

    /// Ends the current period by its refund or revocation.
    private func revoke(_ index: Int, at time: Int64, _ standing: inout Standing) {
        if isEndOpen(standing, at: time) { return }
        let (certainty, flags) = sureness(ofCancelled: index, at: time)
        standing.set(isSubscription ? Status.revoked : nil, certainty, flags)
        standing.isEntitled = certainty == .ambiguous ? nil : false
    }

    /// Reverses a refund: of the current period, or of one charged ahead.
    private func restore(_ index: Int, at time: Int64, _ standing: inout Standing) {
        if isAhead(index, standing), standing.refundedAhead == index {
            (standing.paidUntil, standing.refundedAhead) = (ledger.entries[index].expires(knownAt: time), nil)
        }
        guard index == standing.current, standing.status == Status.revoked || !isSubscription else { return }
        standing.isEntitled = true
        guard isSubscription else { return standing.set(nil, .exact) }
        standing.set(Status.active, .inferred, .timeRange, timer: standing.expires)
    }

    // MARK: Notifications

    private func applyReport(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let (statement, outcome) = (settlement.statements[index], settlement.outcomes[index])
        if outcome.disposition == .event || outcome.disposition == .unmapped,
            !keepsLastEvent(index, at: time, standing)
        {
            standing.lastEvent = index
        }
        if statement.signature == nil, !mayReflectLaterSwitch(index), !isOutdated(index, standing) {
            applyRenewal(index, at: time, &standing)
        }
        guard outcome.disposition == .event else { return }
        let isCurrent = changes.subject(of: index).map { $0 == standing.current } ?? true
        switch settlement.role(index) {
        case .switches where isSubscription: reportSwitch(index, at: time, &standing)
        case .fails where isSubscription && isCurrent: reportFailure(index, at: time, &standing)
        case .ends where isCurrent: reportEnd(index, at: time, &standing)
        case .refunds where isCurrent: reportRefund(index, at: time, &standing)
        case .begins where isSubscription && changes.subject(of: index) == nil:
            reportUnknownPeriod(index, at: time, &standing)
        case .restores:
            if let restored = changes.subject(of: index) ?? standing.current { restore(restored, at: time, &standing) }
        default: return
        }
    }

    /// Applies the report of an unknown period; a renewal begins where the known one ends.
    private func reportUnknownPeriod(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let isOver = standing.expires ?? .max <= time
        let isNearEnd = standing.expires.map { $0 - time <= parameters.chargedAhead } ?? false
        let isRenewal = SilentTable.current.continues.contains(settlement.outcomes[index].pair)
        guard !isRenewal || isNearEnd else { return }
        standing.hasUnknownPeriod = true
        if isOver, standing.status != Status.revoked { standing.leaveOpen() }
    }

    /// Whether the last event happened at the same instant and changed the status, while this one does not.
    ///
    /// A refund also switches renewal off; the refund stays the last event.
    private func keepsLastEvent(_ index: Int, at time: Int64, _ standing: Standing) -> Bool {
        guard let last = standing.lastEvent, changes.time(ofReport: last) == time else { return false }
        return settlement.role(last)?.changesStatus == true && settlement.role(index)?.changesStatus != true
    }

    private func reportSwitch(_ index: Int, at time: Int64, _ standing: inout Standing) {
        if isWeak(index), isOutdated(index, standing) { return }
        let isOn = settlement.statements[index].autoRenewStatus
        standing.autoRenews = isOn ?? standing.autoRenews
        standing.renewalStatedAt = time
        standing.mayMissSwitch = time < parameters.switchesToldSince
        standing.isRenewalDoubtful = isWeak(index)
        if standing.status == Status.expired || standing.status == Status.revoked, settlement.mayBe(index, .begins) {
            // It may be a part of a purchase that nothing shows.
            standing.certainty = standing.certainty.atMost(.ambiguous)
            standing.flags.formUnion(decisionFlags(index))
        }
        guard isOn == false else { return }
        let isInUnknownGrace = !standing.flags.isDisjoint(with: .accessEndUnknown)
        if standing.status == Status.retry || isEndOpen(standing, at: time) && !isInUnknownGrace {
            expireByTime(&standing)
        } else if standing.status == Status.grace, settlement.mayBe(index, .ends),
            settlement.statements[index].graceUntil ?? .min <= time
        {
            standing.set(Status.grace, .ambiguous, decisionFlags(index), timer: standing.timer)
            standing.isEntitled = nil
        }
    }

    private func expireByTime(_ standing: inout Standing) {
        standing.set(Status.expired, .inferred, .statusByTime)
        standing.isEntitled = false
    }

    private func reportFailure(_ index: Int, at time: Int64, _ standing: inout Standing) {
        guard standing.expires ?? .max <= time, standing.status != Status.revoked else { return }
        if let grace = settlement.statements[index].graceUntil, grace > time {
            standing.set(Status.grace, sureness(ofGraceAfter: index, at: time), decisionFlags(index), timer: grace)
            standing.isEntitled = true
        } else if isOfGrace(index) {
            // How long it runs is not known.
            standing.leaveOpen()
        } else {
            setRetry(after: index, &standing)
        }
    }

    /// Whether a notification reports by its pair that a grace period runs.
    private func isOfGrace(_ index: Int) -> Bool {
        let pair = settlement.outcomes[index].pair
        return settlement.statements[index].isV2 && settlement.table.events.pairs[pair].isOfGrace
    }

    private func setRetry(after failure: Int, _ standing: inout Standing) {
        standing.set(Status.retry, sureness(of: failure), decisionFlags(failure), timer: retryEnd(standing))
        standing.isEntitled = standing.certainty == .ambiguous ? nil : false
    }

    private func reportEnd(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let isRevoked = changes.isRevocation(index)
        let end = isRevoked || !isSubscription ? nil : standing.expires
        let isOver = end.map { $0 <= time + settlement.tolerance(settlement.statements[index]) } ?? true
        guard standing.status != Status.revoked, isOver else { return }
        let status = isRevoked ? Status.revoked : Status.expired
        standing.set(isSubscription ? status : nil, sureness(of: index), decisionFlags(index))
        standing.isEntitled = false
    }

    private func reportRefund(_ index: Int, at time: Int64, _ standing: inout Standing) {
        guard standing.status != Status.revoked, !isEndOpen(standing, at: time) else { return }
        var (certainty, flags) = (sureness(of: index), decisionFlags(index))
        if isSettledByLedger(index) {
            // A refund is reported, and no list shows it, the notification's own included.
            guard let entry = changes.subject(of: index).map({ ledger.entries[$0] }), entry.cancellations.isEmpty,
                !entry.row.isUpgraded
            else { return }
            (standing.certainty, standing.isEntitled) = (.ambiguous, nil)
            return standing.flags.formUnion(flags.union(.transactionUncertain))
        }
        if settlement.statements[index].isUndated {
            certainty = certainty.atMost(.inferred)
            flags.formUnion(.timeLowerBound)
        }
        standing.set(isSubscription ? Status.revoked : nil, certainty, flags)
        standing.isEntitled = certainty == .ambiguous ? nil : false
    }

    /// Whether the period has ended and what followed is unknown; a refund of that period does not change this.
    private func isEndOpen(_ standing: Standing, at time: Int64) -> Bool {
        isSubscription && standing.status == nil && standing.expires ?? .max <= time
    }

    /// Whether the ledger decides about a reported refund: it has a cancellation date, which `cancel` applies; or the
    /// notification lists the transaction without a cancellation.
    private func isSettledByLedger(_ index: Int) -> Bool {
        guard let subject = changes.subject(of: index) else { return false }
        let entry = ledger.entries[subject]
        let isShown = settlement.statements[index].hasList && entry.shownBy.contains(index)
        return entry.row.cancellation != nil || isShown
    }

    /// Whether a statement has no date of its own: of a version 1 notification its arrival or what it shows may date it; an
    /// entry in another purchase's list is not dated at all.
    private func isWeak(_ index: Int) -> Bool {
        deliveries[index].isListed || !deliveries[index].isV2 && settlement.isWeak(index)
    }

    /// Whether the body of a version 1 notification was written before the current transaction began.
    private func isOutdated(_ index: Int, _ standing: Standing) -> Bool {
        let statement = settlement.statements[index]
        guard !statement.isV2, statement.hasList, let current = standing.current,
            let newest = settlement.shownRows[statement.rows].compactMap({ ledger.index(of: $0.transaction) }).max()
        else { return false }
        return newest < current
    }

    /// Whether renewal was switched between the writing and the arrival of a notification, which was delivered late or
    /// reports a renewal charged ahead: its body may state either value.
    private func mayReflectLaterSwitch(_ index: Int) -> Bool {
        let time = settlement.statements[index].time
        // What begins a period was written when that was paid for, which may be before it begins.
        let paid = settlement.role(index) == .begins ? changes.subject(of: index) : nil
        let written = min(time, paid.flatMap { changes.chargedAhead[$0] } ?? time)
        let told = settlement.arrival(of: index)
        let hasGap = told - written >= parameters.lateDelivery || told >= written && written < time
        guard hasGap, settlement.role(index) != .switches else { return false }
        return settlement.indices(in: written..<told + 1).contains { other in
            settlement.isEvent(other) && settlement.role(other) == .switches
        }
    }

    /// Whether a notification would change a state: a switch only if it says something else, what ends access always.
    private func wouldChange(_ standing: Standing, _ index: Int) -> Bool {
        switch settlement.role(index) {
        case .switches: settlement.statements[index].autoRenewStatus != standing.autoRenews
        case .refunds, .ends, .fails, .restores: true
        default: false
        }
    }

    /// Whether a notification without any date may have changed a state: it ends access that runs, or gives it again.
    ///
    /// A renewal of the same product does not follow an expiry, and a failed renewal comes with the end of a period.
    func undatedMayHaveChanged(_ standing: Standing, _ index: Int) -> Bool {
        let statement = settlement.statements[index]
        return switch settlement.role(index) {
        case .switches: statement.autoRenewStatus != standing.autoRenews
        case .begins where namesUnknownProduct(statement): true
        case .refunds, .ends: standing.isEntitled == true
        case .restores: standing.status == Status.revoked || !isSubscription
        case .begins where SilentTable.current.recovers.contains(settlement.outcomes[index].pair):
            standing.status == Status.retry || standing.status == Status.grace
        case .begins where !SilentTable.current.continues.contains(settlement.outcomes[index].pair):
            standing.status == Status.expired || standing.status == Status.revoked
        default: false
        }
    }

    /// Whether a body names a product for the next period that no known transaction has.
    private func namesUnknownProduct(_ statement: Statement) -> Bool {
        statement.nextProduct != TimelineID.none
            && !ledger.entries.contains { $0.row.product == statement.nextProduct }
    }

    // MARK: What Apple says of the subscription

    /// Applies the renewal and the status that Apple stated at an instant.
    private func applyStatement(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let statement = deliveries[index]
        applyRenewal(index, at: time, &standing)
        guard isSubscription else { return }
        guard let status = statement.access.status else {
            if isGivenUp(standing, statement) { expireByTime(&standing) }
            return
        }
        // It was signed before anything showed the refund, which has an earlier date.
        let current = standing.current.map { ledger.entries[$0].row }
        if standing.status == Status.revoked, let current, current.cancellation ?? .max <= time,
            time < current.cancellationSeenAt
        {
            return
        }
        apply(status, of: statement, at: time, to: &standing)
        if changes.conflictingStatuses.contains(time) {
            standing.certainty = standing.certainty.atMost(.ambiguous)
            standing.flags.formUnion(.answerContradicts)
        }
    }

    private func apply(_ status: Int64, of statement: Statement, at time: Int64, to standing: inout Standing) {
        switch status {
        case Status.active:
            let end = [standing.expires, statement.access.renewsAt].compactMap(\.self).max()
            guard let end, end > time else {
                // The subscription is active, but the end of its period is not known.
                if end.map({ time - $0 > parameters.contiguous }) ?? true { standing.leaveOpen() }
                return
            }
            standing.set(status, .exact, timer: end)
        case Status.grace:
            guard let grace = statement.graceUntil ?? standing.graceUntil, grace > time else {
                if standing.graceUntil == nil { standing.leaveOpen() }
                return
            }
            standing.set(status, .exact, timer: grace)
        case Status.retry:
            let end = retryEnd(standing)
            guard end ?? .max > time else { return }
            let isRunning = runsDuringRetry(standing, at: time)
            standing.set(status, .exact, timer: isRunning ? standing.expires : end)
            return standing.isEntitled = isRunning
        case Status.expired, Status.revoked: standing.set(status, .exact)
        default: return
        }
        standing.isEntitled = status == Status.active || status == Status.grace
    }

    /// Whether the period that Apple tries to renew has not ended yet (rule `state-retry-before-end`).
    private func runsDuringRetry(_ standing: Standing, at time: Int64) -> Bool {
        guard settlement.states[.retryBeforeEnd] != nil, let end = standing.expires else { return false }
        return 1...parameters.chargedAhead ~= end - time
    }

    /// Whether the answer of a receipt shows that billing retry has ended.
    private func isGivenUp(_ standing: Standing, _ statement: Statement) -> Bool {
        guard let rule = settlement.states[.retryGivenUp], let renews = statement.autoRenewStatus else { return false }
        return statement.isAnswer && standing.autoRenews == renews && standing.status == rule.status
            && rule.autoRenewStatus == (renews ? 1 : 0)
            && rule.isInBillingRetryPeriod == (statement.isInBillingRetry ? 1 : 0)
    }

    /// Takes what a body says of the next renewal.
    private func applyRenewal(_ index: Int, at time: Int64, _ standing: inout Standing) {
        let statement = deliveries[index]
        let isUnchanged = statement.isListed && statement.autoRenewStatus == standing.autoRenews
        if let renews = statement.autoRenewStatus, !isUnchanged,
            !mayPredateLastStatement(index, renews, at: time, standing)
        {
            // It contradicts an earlier switch: its payload is older than that, or the switch back was not reported.
            let isContrary =
                !statement.isAnswer && statement.isV2 && standing.autoRenews == !renews
                && settlement.role(index) == .begins
            standing.autoRenews = renews
            standing.isDoubted = false
            standing.renewalStatedAt = time
            standing.mayMissSwitch = time < parameters.switchesToldSince
            standing.isRenewalDoubtful = isWeak(index) || isContrary
        }
        if !statement.nextProductText.isAbsent { standing.nextProduct = statement.nextProductText }
        if let consent = statement.consent { standing.consent = consent }
        // Renewal info of version 2 is complete: if it has no expiration intent, there is none.
        if statement.intent != .notStated || statement.isV2 && statement.autoRenewStatus != nil {
            standing.intent = statement.intent
        }
        if let grace = statement.graceUntil { standing.graceUntil = grace }
    }

    /// Whether an undated body contradicts a recent statement about renewal, and may have been written before it.
    ///
    /// A body that shows a period was written after that was charged, which turned renewal on.
    private func mayPredateLastStatement(_ index: Int, _ renews: Bool, at time: Int64, _ standing: Standing) -> Bool {
        let statement = deliveries[index]
        guard isWeak(index), statement.isAnswer || settlement.role(index) != .switches, standing.autoRenews == !renews,
            standing.renewalStatedAt > time - parameters.deliveryHorizon
        else { return false }
        let current = standing.current.map { ledger.entries[$0].row }
        return !settlement.shownRows[statement.rows].contains {
            $0.transaction == current?.transaction && standing.renewalStatedAt <= $0.purchase
        }
    }

    // MARK: Time alone

    /// Lets a period, a grace period or a billing retry end by itself.
    func passTimer(at timer: Int64, _ standing: inout Standing) {
        switch standing.status {
        case Status.active: endPeriod(at: timer, &standing)
        case Status.grace:
            standing.isEntitled = false
            standing.autoRenews == false
                ? standing.set(Status.expired, .inferred, .statusByTime)
                : standing.set(Status.retry, .inferred, .statusByTime, timer: retryEnd(standing))
        case Status.retry where standing.isEntitled == true:
            (standing.isEntitled, standing.timer) = (false, retryEnd(standing))
        case Status.retry where standing.current.flatMap({ changes.aftermaths[$0] })?.isRecovered == true:
            // A later record says that it went on until the recovery.
            standing.timer = nil
        case Status.retry, nil:
            // Apple stops retrying, which also switches renewal off.
            standing.autoRenews = false
            expireByTime(&standing)
        default: standing.timer = nil
        }
    }

    private func endPeriod(at end: Int64, _ standing: inout Standing) {
        guard !standing.hasUnknownPeriod else { return standing.leaveOpen() }
        let aftermath = standing.current.flatMap { changes.aftermaths[$0] } ?? StateChanges.Aftermath()
        if let grace = aftermath.graceUntil ?? aftermath.graceEndedBy, grace > end {
            standing.graceUntil = grace
            return standing.set(
                Status.grace, aftermath.failure.map { sureness(ofGraceAfter: $0, at: end) } ?? .inferred,
                aftermath.failure.map(decisionFlags) ?? FlagSet(), timer: grace)
        }
        standing.isEntitled = false
        if aftermath.isCancelledByCustomer { standing.autoRenews = false }
        if let failure = aftermath.failure {
            setRetry(after: failure, &standing)
        } else if let ending = aftermath.ending {
            standing.set(Status.expired, sureness(of: ending), decisionFlags(ending))
        } else if standing.autoRenews == false {
            standing.set(Status.expired, .inferred, .statusByTime)
        } else if let rule = settlement.states[.recoveredInCycle], aftermath.isRecovered,
            let current = standing.current, changes.beginsAtEnd(current + 1, end)
        {
            standing.isEntitled = true
            standing.set(rule.status, .inferred, .statusByTime)
        } else if let rule = settlement.states[.inRetry], aftermath.isRecovered || aftermath.isInRetry {
            standing.set(rule.status, .inferred, .statusByTime, timer: retryEnd(standing))
        } else {
            standing.isEntitled = nil
            // Apple's complete history shows no renewal until the last possible retry, so the subscription expired.
            let isOver = retryEnd(standing).map { $0 <= settlement.answers.completeUntil ?? .min } ?? false
            standing.set(nil, .unknown, .statusUnreported, timer: isOver ? retryEnd(standing) : nil)
        }
    }

    private func retryEnd(_ standing: Standing) -> Int64? { standing.expires.map { $0 + parameters.retryEnd } }

    // MARK: How sure

    /// How sure the status is that a notification reports; `inferred` where it is ambiguous and all its possible pairs
    /// have the same effect on access.
    private func sureness(of index: Int) -> Certainty {
        let outcome = settlement.outcomes[index]
        guard settlement.sureness(of: index) == .ambiguous, outcome.limit != .ambiguous, outcome.pair >= 0 else {
            return settlement.sureness(of: index)
        }
        return outcome.effects(settlement.table.events).isSingle ? .inferred : .ambiguous
    }

    /// How sure it is that a grace period still runs: version 1 did not report a renewal within it before an instant.
    private func sureness(ofGraceAfter failure: Int, at time: Int64) -> Certainty {
        let isTold = settlement.statements[failure].isV2 || time >= parameters.renewalsToldSince
        return isTold ? sureness(of: failure) : sureness(of: failure).atMost(.inferred)
    }

    private func decisionFlags(_ index: Int) -> FlagSet { settlement.outcomes[index].decision?.flags ?? FlagSet() }

    /// How sure it is that a cancelled transaction was refunded, and not replaced or given back since: version 1 reports
    /// no reversal, and version 2 none before an instant.
    private func sureness(ofCancelled index: Int, at time: Int64) -> (Certainty, FlagSet) {
        let transaction = ledger.entries[index].row.transaction
        func isReport(_ other: Int) -> Bool {
            settlement.isEvent(other) && settlement.statements[other].transaction == transaction
                && (settlement.role(other) == .refunds || settlement.isAboutCancelled(settlement.statements[other]))
        }
        // A single notification has no lists of neighbours.
        let report =
            settlement.order.count == 1
            ? settlement.order.first(where: isReport) : settlement.about(transaction).first(where: isReport)
        guard let report else { return (.inferred, FlagSet()) }
        let certainty = sureness(of: report)
        if settlement.statements[report].isV2, time >= parameters.reversalsToldSince { return (certainty, FlagSet()) }
        return (certainty.atMost(.inferred), certainty == .exact ? FlagSet() : decisionFlags(report))
    }
}
