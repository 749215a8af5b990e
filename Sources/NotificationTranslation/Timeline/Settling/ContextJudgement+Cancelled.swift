/// What became of a period that was cancelled, with the neighbours in view: it was refunded, or an upgrade replaced it.
extension ContextJudgement {
    /// What became of the period before: its row and the dates decide, then what is known of the cancellation.
    func upgraded(_ previous: TimelineRow, _ row: TimelineRow) -> FactValue.Upgraded {
        guard let period = cancelled(previous) else { return previous.isUpgraded ? .yes : .no }
        let isSame = previous.product == row.product
        let fate = period.fate(at: row.purchase, isSameProduct: isSame, settlement.parameters)
        guard fate == .likely else { return fate }
        if wasRefunded(previous, before: row.purchase) { return .refunded }
        if namesNext(previous, row, period.cancelledAt) { return .yes }
        return .likely
    }

    /// The cancellation that a row shows.
    private func cancelled(_ row: TimelineRow) -> CancelledPeriod? {
        row.cancellation.map {
            CancelledPeriod(
                cancelledAt: $0, isUpgraded: row.isUpgraded, isUnmarked: row.isCancelledUnmarked,
                isIssue: settlement.table.codes.isIssue(Int64(row.reason)))
        }
    }

    /// Whether a transaction that was cancelled right before another one was bought was refunded, and not upgraded
    /// away: by its row, by the era, or because renewal was switched off with it, which an upgrade leaves on.
    func wasRefunded(_ row: TimelineRow, before purchase: Int64) -> Bool {
        guard let period = cancelled(row), !period.isUpgraded, period.cancelledAt <= purchase else { return false }
        if period.isRefund(before: purchase, settlement.parameters) { return true }
        let cancelled = period.cancelledAt
        return settlement.anyAbout(row.transaction) { other in
            let statement = settlement.statements[other]
            return settlement.shape(of: statement)?.time == .cancellation && statement.autoRenewStatus == false
                && statement.ownTime != nil && lastStatus(before: cancelled, otherThan: TimelineID.none) != false
        }
    }

    /// Whether the cancellation itself says that renewal is on and leads to the product bought with it, and nothing
    /// had said so before: a refund does not know what is bought after it, unless it is told after that.
    private func namesNext(_ previous: TimelineRow, _ row: TimelineRow, _ cancelled: Int64) -> Bool {
        guard previous.product != row.product,
            abs(row.purchase - cancelled) <= settlement.parameters.replacedWithin
        else { return false }
        let isNamed = settlement.anyAbout(previous.transaction) { other in
            let statement = settlement.statements[other]
            return settlement.isAboutCancelled(statement) && statement.autoRenewStatus == true
                && statement.nextProduct == row.product
        }
        guard isNamed else { return false }
        let wasChosen = settlement.anyAbout(previous.transaction) { other in
            settlement.statements[other].time < cancelled && settlement.statements[other].nextProduct == row.product
        }
        return !wasChosen
    }

    /// Sets what became of a cancelled period: refunded, replaced by another product, or neither.
    func cancelledRow(_ notification: Int, _ facts: inout Facts) {
        let statement = settlement.statements[notification]
        guard let index = settlement.history.index(of: statement.transaction) else { return }
        let row = settlement.history.rows[index]
        if statement.says(.cancelledRow, FactValue.CancelledRow.upgraded) {
            if let at = statement.ownTime { upgradedRow(index, at, statement, &facts) }
            return
        }
        guard let at = statement.ownTime ?? row.cancellation ?? settlement.answers.replacement(of: row)?.purchase else {
            return
        }
        guard let kind = cancelledKind(notification, row, at) else {
            return rowBesideOthers(notification, row, at, &facts)
        }
        facts.set(.cancelledRow, kind)
        if kind == .upgraded { upgradedRow(index, at, statement, &facts) }
    }

    /// What a cancellation was by its own row, and by a switch of renewal; `nil` where neither says it.
    private func cancelledKind(_ index: Int, _ row: TimelineRow, _ at: Int64) -> FactValue.CancelledRow? {
        let statement = settlement.statements[index]
        if isReversed(row, at, statement) { return .plain }
        if row.fate?.isRefund(near: at, within: settlement.tolerance(statement)) ?? false { return .refundAnswered }
        if row.isUpgraded { return isUpgradeOf(row, statement, at) ? .upgraded : .plain }
        if row.expires ?? .max < at - settlement.parameters.contiguous { return .over }
        return isSwitchedOff(index, at) ? .refunded : nil
    }

    /// Whether a cancellation was reversed since: only refunds are, never upgrades.
    private func isReversed(_ row: TimelineRow, _ at: Int64, _ statement: Statement) -> Bool {
        let isOther =
            row.cancellation.map { abs($0 - at) > settlement.tolerance(statement) && !row.isUpgraded }
            ?? row.wasCancelledBefore(at)
        return isOther && row.expires.map { $0 >= at } ?? false
    }

    /// What is known of the cancellation of a row that is marked as upgraded.
    private func upgradedRow(_ index: Int, _ at: Int64, _ statement: Statement, _ facts: inout Facts) {
        if isLongUpgraded(index, at, statement) {
            facts.set(.cancelledRow, FactValue.CancelledRow.plain)
        } else if settlement.isUpgradeAnswered(index, at: at) {
            facts.set(.answered, FactValue.Answered.upgraded)
        }
    }

    /// What the purchases near to a cancellation say of it.
    private func rowBesideOthers(_ index: Int, _ row: TimelineRow, _ at: Int64, _ facts: inout Facts) {
        let statement = settlement.statements[index]
        let others = settlement.history.near(at, within: settlement.parameters.contiguous).map {
            settlement.history.rows[$0]
        }.filter { $0.transaction != row.transaction && $0.product != row.product }
        let mayReplace = others.contains { other in
            let isNear =
                !row.isCancelledUnmarked || abs(other.purchase - at) <= settlement.parameters.replacedWithin
            return isNear && settlement.history.follows(other, row, cancelledAt: at)
                && !wasRefunded(row, before: other.purchase)
        }
        if mayReplace {
            facts.set(.cancelledRow, FactValue.CancelledRow.superseded)
        } else if !others.isEmpty {
            facts.set(.cancelledRow, FactValue.CancelledRow.plain)
        } else if statement.says(.cancelledRow, FactValue.CancelledRow.unknown), statement.autoRenewStatus == false,
            !facts.says(.partnerRenewal, FactValue.Answer.yes),
            lastStatus(before: at, otherThan: TimelineID.none) != nil
        {
            facts.set(.cancelledRow, FactValue.CancelledRow.refunded)
            settlement.outcomes[index].limit = .inferred
        }
    }

    /// Whether renewal was switched off in the second of a cancellation.
    private func isSwitchedOff(_ index: Int, _ at: Int64) -> Bool {
        settlement.othersAbout(index).contains { other in
            let statement = settlement.statements[other]
            guard settlement.shape(of: statement)?.time == .statusChange, statement.autoRenewStatus == false else {
                return false
            }
            return statement.ownTime.map { abs($0 - at) <= settlement.parameters.atBoundary } ?? false
        }
    }

    /// Whether a cancellation is the one by which a transaction was upgraded; one of another date was taken back, and
    /// the upgrade came after that.
    private func isUpgradeOf(_ row: TimelineRow, _ statement: Statement, _ at: Int64) -> Bool {
        guard let cancelled = row.cancellation else { return true }
        let own = settlement.shownRows[statement.rows].first { $0.transaction == row.transaction }
        // Its own list would mark the upgrade.
        let isUnmarked = statement.hasList && own?.isUpgraded == false && own?.cancellation != nil
        let tolerance = isUnmarked ? settlement.parameters.cancelledAgain : settlement.tolerance(statement)
        return abs(cancelled - at) <= tolerance
    }

    /// Whether another plan had replaced a transaction long before an instant, by more than a renewal is charged ahead:
    /// what is cancelled then is refunded.
    private func isLongUpgraded(_ index: Int, _ at: Int64, _ statement: Statement) -> Bool {
        guard let next = settlement.history.rows[(index + 1)...].first,
            next.product != settlement.history.rows[index].product
        else { return false }
        let delivery = settlement.delivery(statement)
        return at < settlement.parameters.cancelsAreRefundsFrom
            && at > next.purchase + max(delivery.chargedAhead, delivery.tolerance)
    }

    /// Sets whether a refund came with a change of status, where the body shows no list.
    func refundNear(_ statement: Statement, _ facts: inout Facts) {
        guard statement.says(.refundNear, FactValue.Answer.unknown), let changed = statement.ownTime else { return }
        let isNear = settlement.history.hasRefund(near: changed, within: settlement.tolerance(statement))
        if !isNear, isAtBeginning(statement) { return }
        facts.set(.refundNear, isNear ? FactValue.Answer.yes : .no)
    }
}
