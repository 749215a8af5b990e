/// What the events of a settled subscription say about access, with all the others in view.
struct SettledAccess {
    let settlement: Settlement
    private let accessHistory: AccessHistory
    /// When a period that no body shows was first reported; from then on an answer that lacks it is not complete.
    private let unknownSince: Int64

    init(_ settlement: Settlement, _ accessHistory: AccessHistory? = nil) {
        self.settlement = settlement
        // Of a notification that is alone, its body says all, unless it was promoted.
        self.accessHistory =
            accessHistory ?? settlement.accessHistory
            ?? (settlement.outcomes.contains(where: \.isPromoted)
                ? AccessHistory(settlement) : AccessHistory(AccessHistory.Reports()))
        unknownSince =
            settlement.answers.completeUntil == nil
            ? .max
            : settlement.order.first { index in
                settlement.isEvent(index) && settlement.role(index) == .begins
                    && settlement.history.index(of: settlement.statements[index].transaction) == nil
            }.map { settlement.statements[$0].time } ?? .max
    }

    /// What an event says about access with all others in view; `nil` where its own word stays.
    func access(_ index: Int) -> Access? {
        let outcome = settlement.outcomes[index]
        switch outcome.disposition {
        case .companion, .duplicate: return .unaffected
        case .event, .inferred, .unmapped: break
        }
        guard !settlement.isAlone || outcome.isPromoted, settlement.statements[index].isV2 || outcome.pair >= 0 else {
            return nil
        }
        if !settlement.statements[index].isV2, !settlement.statements[index].says(.subject, FactValue.Subject.certain) {
            return nil
        }
        // No body shows the plan of the upgrade.
        if settlement.isAboutCancelled(settlement.statements[index]),
            !outcome.addedFlags.isDisjoint(with: .transactionUncertain)
        {
            return Access(entitlement: .undecided, flag: .accessEndUnknown)
        }
        guard outcome.pair < 0 else {
            let effects = outcome.effects(settlement.table.events)
            let answer = state(index, effects).access(effects)
            // V2 that is the first to report a refund is what takes the access away.
            return answer.isOver && isFirstReportOfRefund(index) ? .withdraw : answer
        }
        let row = settlement.row(settlement.statements[index])
        // Without a row of the table and without a status, settling adds nothing.
        guard row != nil || settlement.statements[index].access.status != nil else { return nil }
        let effects = AccessEffects(row?.effect ?? .open)
        var state = state(index, effects)
        state.mapping = row == nil ? .none : .typeOnly
        return state.access(effects)
    }

    /// Whether a version 2 notification is the first to report the refund of a period that would still run.
    private func isFirstReportOfRefund(_ index: Int) -> Bool {
        let (statement, told) = (settlement.statements[index], settlement.firstArrival(of: index))
        guard statement.isV2, settlement.shownCancellation(index) != nil,
            let end = settlement.shownRows[statement.rows].first?.expires, end > told
        else { return false }
        return !settlement.anyAbout(statement.transaction) { other in
            let isCancelled = settlement.shownRows[settlement.statements[other].rows].contains {
                $0.transaction == statement.transaction && $0.cancellation != nil
            }
            // One that may be a part of an upgrade leaves the access open.
            let isOpen =
                settlement.isEvent(other) && !settlement.outcomes[other].effects(settlement.table.events).isSingle
            return other != index && settlement.firstArrival(of: other) <= told && !isOpen
                && (isCancelled || settlement.isAboutCancelled(settlement.statements[other]))
        }
    }

    private func state(_ index: Int, _ effects: AccessEffects) -> AccessState {
        let statement = settlement.statements[index]
        let told = settlement.firstArrival(of: index)
        // If the receiving server's clock is slow, the arrival is a little before the event, whose own time counts then.
        let act = statement.ownTime.flatMap { time in
            0...settlement.tolerance(statement) ~= time - told ? time : nil
        }
        let moment = act ?? told
        var state = AccessState()
        state.moment = moment
        let shown = settlement.shownRows[statement.rows].first { $0.transaction == statement.transaction }
        if let row = shown ?? settlement.history.index(of: statement.transaction).map({ settlement.history.rows[$0] }) {
            take(row, isShown: shown != nil, statement, &state)
        }
        if let shown, !statement.isV2 { state.isRefundShown = shown.cancellation != nil && !shown.isUpgraded }
        state.isEndReported =
            statement.intent != .notStated || accessHistory.hasEnding(from: state.ownEnd ?? .max, to: moment)
        state.mayBeReplaced =
            settlement.isAboutCancelled(statement) && settlement.mayBeAfterView(statement.time, statement)
        state.isComplete = statement.showsAllAccess(effects) || isAnswered(index, at: moment)
        // A purchase without a time and without a transaction may have been made after the end of all known periods.
        let isAfterAll =
            statement.transaction == TimelineID.none && statement.isUndated
            && settlement.role(index) == .begins
        if !isAfterAll { state.otherEnd = accessHistory.runningEnd(at: moment, otherThan: statement.transaction) }
        state.take(accessHistory.grace(at: moment))
        guard let signed = statement.signature else { return state }
        // What ended its transaction since outranks its status.
        let isOwnOverSince = state.isOwnOver && shown?.cancellation == nil
        let isOfGrace = statement.access.status == nil && settlement.row(statement)?.isOfGrace == true
        let stated = isOfGrace ? .runs : EventTable.current.access.status(statement.access.status)
        // A status signed before the transaction's period began is that of the period before, which is over.
        let isOfEarlier =
            shown?.cancellation != nil && signed < state.ownBegin ?? .min && moment >= state.ownBegin ?? .max
        // Version 1 reported it before; the status is that of a later time.
        let isOfLater = signed - moment > settlement.parameters.lateDelivery
        let own =
            isOwnOverSince || isOfEarlier || isOfLater
            ? nil : stated.map { (status: $0, renewsAt: statement.access.renewsAt) }
        let latest = accessHistory.status(after: signed, by: moment, own: own)
        state.status = latest?.status
        if own != nil || latest != nil { state.isComplete = true }
        if state.status == .runs, state.otherEnd == nil, let end = latest?.renewsAt, end > moment, end != state.ownEnd {
            state.otherEnd = end
        }
        return state
    }

    /// Whether a complete history shows every period that ran at a moment, and no renewal was failing then, so that no
    /// grace period ran.
    private func isAnswered(_ index: Int, at moment: Int64) -> Bool {
        guard let until = settlement.answers.completeUntil, until >= moment, moment < unknownSince else { return false }
        let first = settlement.order.partitioningIndex {
            settlement.statements[$0].time >= moment - settlement.parameters.longestGrace
        }
        return !settlement.order[first...].prefix { settlement.statements[$0].time <= moment }.contains {
            settlement.role($0) == .fails
        }
    }

    /// Fills in what was known of the event's own transaction at that moment; refunds up to `restored` count as reversed.
    private func take(
        _ row: TimelineRow, isShown: Bool, _ statement: Statement, restored: Int64? = nil,
        _ state: inout AccessState
    ) {
        let moment = state.moment ?? .max
        state.hasOwn = true
        state.ownBegin = row.purchase
        state.ownEnd = isShown ? row.expires : accessHistory.end(of: row.transaction, knownAt: moment) ?? row.expires
        state.cancelledAt = row.cancellation ?? (statement.isTimeless ? nil : statement.ownTime)
        // An answer that marks an upgrade does not date it; the other plan began then.
        let upgraded =
            isShown
            ? row.cancellation
            : settlement.history.upgradedAfterRefund(row) ?? row.cancellation
                ?? settlement.answers.replacement(of: row)?.purchase
        let isUpgraded = row.isUpgraded && upgraded ?? .min <= moment
        state.isOwnUpgraded = isUpgraded
        state.isRefundedInPart = row.isInPart
        // A purchase without an end is in no period of the history of access.
        let known = row.expires == nil ? settlement.history.index(of: row.transaction) : nil
        let refunded = known.flatMap { settlement.history.rows[$0].endedEarly }
        let isRefundedSince = refunded.map { $0 <= moment && $0 > restored ?? statement.signature ?? .min } ?? false
        // If it was signed after the date of a refund, but before any body showed the refund, it does not prove a reversal.
        let last = settlement.history.index(of: row.transaction).map { settlement.history.rows[$0] }
        let signed = statement.signature.flatMap { signed in
            last.map { $0.cancellation ?? .max <= signed && signed < $0.cancellationSeenAt } ?? false ? nil : signed
        }
        state.isOwnOver =
            isUpgraded || isRefundedSince || row.endedEarly.map { $0 <= moment && $0 > restored ?? .min } ?? false
            || accessHistory.isOver(row.transaction, at: moment, unlessShownAt: restored.map { $0 + 1 } ?? signed)
        state.isRefundProven = settlement.isRefundProven(row.transaction, statement, by: moment)
        if state.isRefundProven { state.isOwnOver = true }
        state.isOwnLatest =
            !isUpgraded
            && !accessHistory.hasLater(than: row.purchase, of: row.transaction, at: moment)
        state.isOneTime = row.expires == nil && !accessHistory.isSubscription
    }

    /// What a deduced event says about access, judged at its own time: what came later does not change it.
    ///
    /// - Parameters:
    ///   - event: The event, but for its access.
    ///   - pairs: The pairs it may represent.
    ///   - notifications: The notifications it was deduced from; all of them are needed to show it.
    /// - Returns: What it says.
    func access(of event: SilentEvent, _ pairs: [Int], shownBy notifications: [Int]) -> Access {
        var effects = AccessEffects(rawValue: 0)
        for pair in pairs { effects.insert(AccessEffects(settlement.table.events.pairs[pair].effect)) }
        if event.gap >= 0 { effects.insert(AccessEffects(.none)) }
        var state = AccessState()
        state.moment = event.time
        let row = event.transaction.row
        let isRestored = effects == AccessEffects(.restores)
        take(
            row, isShown: false, settlement.statements[event.after], restored: isRestored ? event.time : nil, &state
        )
        // An extension is known to those that show it.
        let shown = notifications.map(settlement.firstArrival).reduce(event.time, max)
        state.ownEnd = accessHistory.end(of: row.transaction, knownAt: shown) ?? row.expires
        state.cancelledAt = row.cancellation ?? event.time
        state.isComplete = notifications.contains { settlement.statements[$0].showsAllAccess(effects) }
        state.otherEnd = accessHistory.runningEnd(at: event.time, otherThan: row.transaction)
        state.take(accessHistory.grace(at: event.time))
        return state.access(effects)
    }
}
