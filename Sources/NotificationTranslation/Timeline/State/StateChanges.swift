/// The changes to one subscription or one-time purchase in the order of time, and what is known about the time after
/// each period.
///
/// ``StateTransition`` applies them one by one. A class, as it is large and several hold it; made once, then only read.
final class StateChanges {
    let settlement: Settlement
    let ledger: Ledger
    /// The notifications, followed by Apple's answers.
    ///
    /// `.reported`, `.stated` and `.doubted` hold an index into this array; the other kinds one into ``ledger``.
    let deliveries: [Statement]
    let isSubscription: Bool
    private var parameters: Parameters { settlement.parameters }
    private(set) var changes: [Change] = []
    /// What the notifications say of what followed each period, by its index in the ledger.
    private(set) var aftermaths: [Int: Aftermath] = [:]
    /// When the periods were paid for that were charged before they began, by their indices in the ledger.
    private(set) var chargedAhead: [Int: Int64] = [:]
    /// The periods after which one is missing, as the beginning of the next known one shows (rule `state-period-missing`).
    private(set) var unseenAfter: Set<Int> = []
    /// The periods whose renewal failed and was paid for within grace at a time that nothing reports.
    private(set) var recoveredInGrace: Set<Int> = []
    /// When an unreported refund took place, as a later resubscription or a reported reversal proves.
    private(set) var refundedUnseen: [Int: Range<Int64>] = [:]
    /// The instant before which an unreported reversal of a refund took place, as a later payload shows.
    private(set) var restoredUnseen: [Int: Int64] = [:]
    /// The times of answers, in milliseconds, at which two of them give different statuses.
    let conflictingStatuses: Set<Int64>
    /// The events of version 1 without any date, which may have happened at any time; one of those that would change the same.
    private(set) var undated: [Int] = []
    private var undatedKinds: Set<[Int]> = []
    /// When notifications and answers said whether renewal is on, in the order of time.
    private var renewalSaid: [(at: Int64, isOn: Bool, source: RenewalSource)] = []
    /// By period when an undated body first says that renewal is off; after `collectReports` only where no switch is reported
    /// from the charge of the period until then.
    private var offUnreported: [Int: Int64] = [:]
    /// The earlier dates of renewal switches that version 2 reports, taken from their version 1 duplicates.
    private var switched: [Int: Int64] = [:]
    /// The earliest time of any notification: when it arrived, or when what it reports happened; `.max` without any.
    let firstReport: Int64
    /// When a one-time purchase was made: what is reported of it is later, even without a date.
    private var purchase: Int64?
    /// The earliest time from which the state is known: that of the first dated statement.
    ///
    /// If some statements name their subject with certainty, only those count. For a one-time purchase, the purchase
    /// date counts too.
    private(set) var knownFrom: Int64?

    init(_ settlement: Settlement) {
        self.settlement = settlement
        ledger = Ledger(settlement)
        isSubscription = settlement.showsSubscription()
        deliveries = settlement.deliveries
        firstReport =
            settlement.order.map { min(settlement.statements[$0].time, settlement.arrival(of: $0)) }.min() ?? .max
        var statuses: [Int64: Int64] = [:]
        conflictingStatuses = Set(
            settlement.answers.answers.compactMap { answer in
                guard let status = answer.access.status else { return nil }
                return statuses.updateValue(status, forKey: answer.time) ?? status == status ? nil : answer.time
            })
        collectPeriods()
        collectReports()
        changes.sort { $0.comes(before: $1) }
    }

    /// Something that changes how a subscription stands.
    struct Change {
        enum Kind {
            /// A transaction was refunded or revoked, by its index in the ledger.
            case cancelled(Int)
            case begun(Int)
            /// It was paid for before it began.
            case charged(Int)
            case restored(Int)
            case extended(Int)
            /// A notification says that something happened.
            case reported(Int)
            /// A notification or an answer says how the subscription stood when it was made.
            case stated(Int)
            /// A notification that may be about another subscription reports a change.
            case doubted(Int)
        }

        var time: Int64
        var kind: Kind
        /// What orders changes of one instant: the index in the ledger, or the position of a delivery.
        var position: Int

        /// Whether it comes before what ends by itself at the same instant.
        var comesBeforeEnds: Bool {
            switch kind {
            case .begun, .extended: true
            default: false
            }
        }

        private var sortKey: (Int, Int) {
            switch kind {
            // At one instant: the reversal of a refund, then the beginning of a period, then a refund.
            case .restored: (0, position)
            case .begun, .charged: (1, position)
            case .cancelled: (2, position)
            case .extended: (3, position)
            case .reported: (4, position)
            case .stated: (5, position)
            case .doubted: (6, position)
            }
        }

        func comes(before other: Change) -> Bool { time != other.time ? time < other.time : sortKey < other.sortKey }
    }

    /// What is known of the time after the end of a period.
    struct Aftermath {
        /// The notification that reports a failed renewal, and the end of the grace period.
        var failure: Int?
        var graceUntil: Int64?
        /// When a notification reported that the grace period had ended.
        var graceEndedBy: Int64?
        /// The notification that reports the end of the subscription at the end of the period.
        var ending: Int?
        /// The customer cancelled the subscription (expiration intent 1), as a body from after the end says.
        var isCancelledByCustomer = false
        /// The next period began with a recovery.
        var isRecovered = false
        /// A body or an answer from after the end says that Apple tries to renew it (rule `state-in-retry`).
        var isInRetry = false
    }

    /// What says whether renewal is on.
    private enum RenewalSource {
        case switchReport
        /// Another record that was certainly written then. If it contradicts the last statement, a switch was lost.
        case dated
        /// A record that may have been written earlier, or that switches renewal itself.
        case mayBeOlder
    }

    /// Collects how the periods of the ledger began, changed and ended, and what of that nothing reports.
    private func collectPeriods() {
        let periods = PeriodReports(settlement: settlement)
        let failures = periods.failedEnds()
        // By index: an entry is large, and so is its row.
        for index in ledger.entries.indices {
            func add(_ kind: Change.Kind, at time: Int64) {
                changes.append(Change(time: time, kind: kind, position: index))
            }
            let row = ledger.entries[index].row
            let paid = periods.paidSince(row, failures)
            // What was charged ahead and replaced before it began stands right before what replaced it.
            if row.shownPurchase == nil { add(.begun(index), at: max(row.purchase, paid)) }
            let failure = periods.failures(near: row, failures).first
            let isLate = paid > row.purchase || failure?.graceUntil ?? .min > row.purchase
            if index > 0, isLate, failure?.graceUntil == paid || !isBeginningDated(index) {
                recoveredInGrace.insert(index - 1)
            }
            if isSubscription, paid < row.purchase {
                chargedAhead[index] = paid
                add(.charged(index), at: paid)
            }
            if index > 0, isPeriodMissing(before: index) { unseenAfter.insert(index - 1) }
            if index > 0, let since = unrefundedSince(index - 1, at: row.purchase),
                isReported(index, as: SilentTable.current.returns)
            {
                refundedUnseen[index - 1] = since..<Int64.max
            }
            collectRestored(index)
            for cancelled in ledger.entries[index].cancellations { add(.cancelled(index), at: cancelled) }
            for gap in ledger.entries[index].changes.gaps { add(.restored(index), at: gap.upperBound) }
            for end in ledger.entries[index].changes.earlierEnds { add(.extended(index), at: end.until) }
        }
    }

    /// Whether a period is missing between this one and the previous known one (rule `state-period-missing`).
    private func isPeriodMissing(before index: Int) -> Bool {
        let (before, silent) = (ledger.entries[index - 1].row, SilentTable.current)
        guard let missing = settlement.states[.periodMissing], let end = before.expires else { return false }
        let gap = ledger.entries[index].row.begin - end
        if gap > parameters.contiguous {
            let isCharged = chargedAhead[index] != nil && !isReported(index, as: silent.returns)
            let reason = settlement.table.codes.value(of: .answered, for: ledger.entries[index].details.reason)
            let isRenewal = gap > parameters.retryEnd && reason == FactValue.Answered.renewal.rawValue
            return isCharged || isRenewal || isReported(index, as: missing.pairs)
        }
        // A renewal begins where the period before it ends.
        return -gap > parameters.contiguous && !before.isUpgraded && isReported(index, as: silent.continues)
    }

    /// Whether version 2 says when a period began that was paid for later; version 1 does not.
    private func isBeginningDated(_ index: Int) -> Bool {
        settlement.anyAbout(ledger.entries[index].row.transaction) {
            settlement.statements[$0].isV2 && settlement.isEvent($0) && settlement.role($0) == .begins
        }
    }

    /// From when on a period counts as not refunded: its last reversal, or `.min`.
    ///
    /// `nil` if it was refunded at the instant, has no end, or ends within `chargedAhead` after the instant.
    private func unrefundedSince(_ index: Int, at instant: Int64) -> Int64? {
        let entry = ledger.entries[index]
        guard let end = entry.row.expires, end - instant > parameters.chargedAhead else { return nil }
        let restored = restores(of: entry.row.transaction).filter { $0 <= instant }.max() ?? .min
        let isRefunded =
            entry.row.endedEarly.map { $0 <= instant && $0 > restored } ?? false
            || entry.changes.gaps.contains { $0.contains(instant) }
        return isRefunded ? nil : max(restored, entry.changes.gaps.last?.upperBound ?? .min)
    }

    /// When notifications report that the refund of a transaction was reversed.
    private func restores(of transaction: UInt64) -> [Int64] {
        settlement.about(transaction).filter { settlement.isEvent($0) && settlement.role($0) == .restores }
            .map { settlement.statements[$0].time }
    }

    /// Collects that a refund was reversed, which a later payload or another refund shows and nothing reports.
    private func collectRestored(_ index: Int) {
        let entry = ledger.entries[index]
        guard restores(of: entry.row.transaction).isEmpty else { return }
        restoredUnseen[index] = entry.changes.gaps.last?.upperBound
    }

    /// Collects what notifications and answers say.
    private func collectReports() {
        purchase = isSubscription ? nil : ledger.entries.first?.row.purchase
        switched = switchedAt()
        // In the order of events: what is said at one instant must not depend on the order of the input.
        for index in deliveries.indices.sorted(by: { settlement.position($0) < settlement.position($1) }) {
            let statement = deliveries[index]
            let isDated = max(statement.time, purchase ?? .min) > .min / 8
            guard isDated, !ledger.isCertain || statement.isOfCertainSubject else {
                guard !statement.isAnswer, settlement.outcomes[index].disposition == .event else { continue }
                if !isDated {
                    let status = statement.autoRenewStatus.map { $0 ? 1 : 0 } ?? -1
                    let product = Int(truncatingIfNeeded: statement.nextProduct)
                    if undatedKinds.insert([settlement.outcomes[index].pair, product, status]).inserted {
                        undated.append(index)
                    }
                } else {
                    let kind = Change.Kind.doubted(index)
                    changes.append(Change(time: statement.time, kind: kind, position: settlement.position(index)))
                }
                continue
            }
            collectAftermath(index)
            var known = [knownFrom, statement.time, purchase]
            let position = settlement.position(index)
            if !statement.isAnswer, settlement.outcomes[index].disposition != .duplicate {
                let time = time(ofReport: index)
                known.append(time)
                changes.append(Change(time: time, kind: .reported(index), position: position))
            }
            knownFrom = known.compactMap(\.self).filter { $0 > .min / 8 }.min()
            if let signed = statement.isAnswer ? statement.time : statement.signature {
                let time = max(signed, statement.time)
                changes.append(Change(time: time, kind: .stated(index), position: position))
            }
        }
        renewalSaid.sort { $0.at < $1.at }
        offUnreported = offUnreported.filter { period, seen in
            let said = renewalSaid[renewalSaid.partitioningIndex { $0.at >= charge(of: period) }...]
            return !said.prefix { $0.at <= seen + parameters.lateDelivery }.contains { $0.source == .switchReport }
        }
    }

    /// The instant at which a report is applied.
    func time(ofReport index: Int) -> Int64 {
        let time = max(min(instant(of: index), switched[index] ?? .max), purchase ?? .min)
        // The event is dated by the beginning of its period; its body was written when the period was paid for.
        guard let paid = subject(of: index).flatMap({ chargedAhead[$0] }) else { return time }
        return min(time, max(paid, settlement.arrival(of: index)))
    }

    /// Whether a switch of renewal after an instant was never reported: renewal was `isOn` then, and later records
    /// show the opposite.
    func isSwitchLost(after instant: Int64, in period: Int, isOn: Bool) -> Bool {
        let charge = charge(of: period + 1)
        if isOn, instant < offUnreported[period] ?? .min { return true }
        if instant < charge, let isLost = isContradicted(after: instant, before: charge, in: period, isOn) {
            return isLost
        }
        guard charge < .max else { return false }
        let next = ledger.entries[period + 1].row.purchase
        if isOn, isLapseUnexplained(after: period) { return true }
        if isOn {
            // The next period was charged ahead, and renewal may have been switched off before it began: what is said of
            // that period counts, too.
            let end = self.charge(of: period + 2)
            return chargedAhead[period + 1] != nil && isRenewedAtEnd(period)
                && isContradicted(after: max(instant, charge - 1), before: end, in: period + 1, isOn) ?? false
        }
        guard instant < charge, !unseenAfter.contains(period) else { return false }
        return isReported(period + 1, as: SilentTable.current.continues)
            || next - instant > parameters.chargedAhead && isRenewedAtEnd(period)
    }

    /// Whether a period was not renewed, as the next known one shows, and nothing says why: renewal had been switched off, or
    /// it failed.
    private func isLapseUnexplained(after period: Int) -> Bool {
        let known = aftermaths[period] ?? Aftermath()
        let isExplained = known.failure != nil || known.ending != nil || known.isInRetry || known.graceUntil != nil
        let (row, next) = (ledger.entries[period].row, ledger.entries[period + 1].row)
        guard let end = row.expires, ledger.entries[period].cancellations.isEmpty, !row.isUpgraded else { return false }
        return !isExplained && !unseenAfter.contains(period) && next.begin - end > parameters.contiguous
    }

    /// When a period was charged, or when it began if the time of the charge is not known; `.max` if the ledger does not have
    /// the period.
    private func charge(of period: Int) -> Int64 {
        guard ledger.entries.indices.contains(period) else { return .max }
        return chargedAhead[period] ?? ledger.entries[period].row.purchase
    }

    /// Whether records between two instants, or an end that the customer chose, show that renewal stopped being `isOn`
    /// unreported; `nil` if nothing says anything.
    private func isContradicted(after instant: Int64, before end: Int64, in period: Int, _ isOn: Bool) -> Bool? {
        let later = renewalSaid.partitioningIndex { $0.at > instant }
        guard later < renewalSaid.count, renewalSaid[later].at < end else {
            return isOn && aftermaths[period]?.isCancelledByCustomer == true ? true : nil
        }
        let said = renewalSaid[later]
        let isSwitchedSoon = renewalSaid[later...].prefix { $0.at <= said.at + parameters.lateDelivery }.contains {
            $0.source == .switchReport && $0.isOn == said.isOn
        }
        // Renewal was the opposite before it was switched, unless the switch is a part of the purchase.
        let begin = ledger.entries[period].row.purchase
        if said.isOn == isOn { return said.source == .switchReport && said.at - begin > parameters.lateDelivery }
        return said.source == .dated && !isSwitchedSoon
    }

    /// Whether the next period renewed one (rule `state-renewed-at-end`).
    private func isRenewedAtEnd(_ period: Int) -> Bool {
        guard let renewed = settlement.states[.renewedAtEnd] else { return false }
        return beginsAtEnd(period + 1) && !isReported(period + 1, as: renewed.pairs)
    }

    /// Whether a period begins where the one before it ended: at that one's expiry, or at another instant.
    func beginsAtEnd(_ index: Int, _ end: Int64? = nil) -> Bool {
        guard ledger.entries.indices.contains(index), index > 0, let end = end ?? ledger.entries[index - 1].row.expires
        else { return false }
        return abs(ledger.entries[index].row.purchase - end) <= parameters.contiguous
    }

    /// The time a notification gives for what it reports; a version 1 change of renewal status has a date of its own.
    func instant(of index: Int) -> Int64 {
        let statement = settlement.statements[index]
        return isSwitch(statement) ? statement.ownTime ?? statement.time : statement.time
    }

    private func isSwitch(_ statement: Statement) -> Bool {
        !statement.isV2 && settlement.shape(of: statement)?.time == .statusChange
    }

    /// The values of ``switched``, by the index of the version 2 notification.
    private func switchedAt() -> [Int: Int64] {
        var earliest: [Int: Int64] = [:]
        for index in settlement.order where settlement.outcomes[index].disposition == .duplicate {
            let (statement, leader) = (settlement.statements[index], settlement.outcomes[index].leader)
            guard leader >= 0, settlement.role(leader) == .switches, isSwitch(statement), let own = statement.ownTime
            else { continue }
            earliest[leader] = min(own, earliest[leader] ?? own)
        }
        return earliest
    }

    /// The transaction that a notification is about, by its index in the ledger; where it names none that is known, the
    /// newest that it shows.
    func subject(of index: Int) -> Int? {
        let statement = deliveries[index]
        return ledger.index(of: statement.transaction)
            ?? settlement.shownRows[statement.rows].first.flatMap { ledger.index(of: $0.transaction) }
    }

    /// Collects what a notification or an answer says of the time after the end of its period.
    private func collectAftermath(_ index: Int) {
        guard let subject = subject(of: index) else { return }
        let statement = deliveries[index]
        let isEvent = !statement.isAnswer && settlement.outcomes[index].disposition == .event
        let role = isEvent ? settlement.role(index) : nil
        let told = statement.isAnswer ? statement.time : instant(of: index)
        if role == .restores { collectReversal(of: subject, told) }
        guard let end = ledger.entries[subject].row.expires else { return }
        collectRenewal(index, role, of: subject, at: told, end)
        if role == .begins, subject > 0, SilentTable.current.recovers.contains(settlement.outcomes[index].pair) {
            aftermaths[subject - 1, default: Aftermath()].isRecovered = true
        }
        // A report from before an extension is about the end that was known then.
        if let extended = ledger.entries[subject].changes.earlierEnds.last?.until, statement.time < extended { return }
        aftermaths[subject] = aftermath(aftermaths[subject] ?? Aftermath(), of: subject, until: end, by: index, role)
    }

    /// What is known of the time after a period, with what a notification or an answer about it adds.
    private func aftermath(
        _ known: Aftermath, of subject: Int, until end: Int64, by index: Int, _ role: TimelineRules.Role?
    ) -> Aftermath {
        var aftermath = known
        let statement = deliveries[index]
        if let grace = statement.graceUntil, grace > end {
            aftermath.graceUntil = max(grace, aftermath.graceUntil ?? grace)
        }
        switch role {
        case .fails where isEndOfGrace(index): aftermath.graceEndedBy = aftermath.graceEndedBy ?? instant(of: index)
        case .fails: aftermath.failure = aftermath.failure ?? index
        case .ends where !isRevocation(index) && instant(of: index) <= end + parameters.lateDelivery:
            aftermath.ending = aftermath.ending ?? index
        default: break
        }
        guard statement.time >= end else { return aftermath }
        let next = ledger.entries.indices.contains(subject + 1) ? ledger.entries[subject + 1].row.purchase : .max
        if statement.isInBillingRetry, statement.time < next { aftermath.isInRetry = true }
        if statement.intent == 1, !statement.isInBillingRetry { aftermath.isCancelledByCustomer = true }
        return aftermath
    }

    /// Whether the pair of a notification takes access away and does not end the period, as REVOKE does.
    func isRevocation(_ index: Int) -> Bool {
        let pair = settlement.outcomes[index].pair
        return pair >= 0 && settlement.table.events.pairs[pair].effect == .cancels
    }

    /// Whether it is certain that a transaction began with one of some pairs.
    private func isReported(_ index: Int, as pairs: [Int]) -> Bool {
        ledger.entries[index].shownBy.contains { shown in
            shown < settlement.statements.count && settlement.isEvent(shown) && settlement.role(shown) == .begins
                && settlement.statements[shown].transaction == ledger.entries[index].row.transaction
                && settlement.sureness(of: shown) == .exact && pairs.contains(settlement.outcomes[shown].pair)
        }
    }

    /// Collects what a notification or an answer says of renewal.
    private func collectRenewal(
        _ index: Int, _ role: TimelineRules.Role?, of subject: Int, at told: Int64, _ end: Int64
    ) {
        let statement = deliveries[index]
        let isSwitch = role == .switches || isDuplicateSwitch(index)
        // What ends a period says that renewal is off, and not when it was switched.
        if let isOn = statement.autoRenewStatus, isOn || told < end || isSwitch {
            // A purchase date does not say when the body was written; and what turns renewal off by itself does not prove
            // that the report of a switch was lost (rule `state-renewal-off-by-refund`).
            let offByItself = settlement.states[.renewalOffByRefund]?.pairs ?? []
            let isSideEffect = !isOn && !statement.isAnswer && offByItself.contains(settlement.outcomes[index].pair)
            let isDated =
                !statement.isListed
                && (statement.isV2 || !settlement.isWeak(index) && !TimeField.isPurchase(statement.ownField))
            let source = isDated && !isSideEffect ? RenewalSource.dated : .mayBeOlder
            renewalSaid.append((told, isOn, isSwitch ? .switchReport : source))
            guard !isOn, !isDated, !isSideEffect, !isSwitch,
                statement.isListed ? !isOffByRefund(subject, at: told) : settlement.isWeak(index)
            else { return }
            offUnreported[subject] = min(told, offUnreported[subject] ?? told)
        }
    }

    /// Whether a refund had switched renewal off by an instant (rule `state-renewal-off-by-refund`).
    private func isOffByRefund(_ index: Int, at instant: Int64) -> Bool {
        settlement.states[.renewalOffByRefund] != nil
            && ledger.entries[index].cancellations.contains { $0 <= instant }
    }

    /// Whether a notification reports again, in either version, that renewal was switched.
    private func isDuplicateSwitch(_ index: Int) -> Bool {
        guard !deliveries[index].isAnswer, settlement.outcomes[index].disposition == .duplicate else { return false }
        let leader = settlement.outcomes[index].leader
        return leader >= 0 && settlement.role(leader) == .switches
    }

    /// Collects that a refund was not reported whose reversal was.
    private func collectReversal(of index: Int, _ told: Int64) {
        let isReported = settlement.anyAbout(ledger.entries[index].row.transaction) {
            settlement.isEvent($0) && (settlement.role($0) == .refunds || settlement.role($0) == .ends)
        }
        if ledger.entries[index].cancellations.isEmpty, !isReported { refundedUnseen[index] = .min..<told }
    }

    /// Whether a notification proves that a grace period ran until then (rule `state-grace-ran`).
    private func isEndOfGrace(_ index: Int) -> Bool {
        settlement.states[.graceRan]?.pairs.contains(settlement.outcomes[index].pair) ?? false
    }
}
