/// How periods began and changed, as the notifications of a settled subscription say it.
struct PeriodReports {
    let settlement: Settlement

    /// What was said of each transaction that a later notification changes.
    func changes() -> [UInt64: PeriodChanges] {
        var changes: [UInt64: PeriodChanges] = [:]
        for found in settlement.history.contradictions where found.before >= 0 && found.after >= 0 {
            let shown = settlement.shownRows[settlement.statements[found.before].rows].first {
                $0.transaction == found.transaction
            }
            switch found.kind {
            case .restored:
                guard let cancelled = shown?.cancellation else { continue }
                let restored = min(
                    settlement.statements[found.after].time, firstShownAgain(found, cancelledAt: cancelled) ?? .max)
                guard cancelled < restored else { continue }
                changes[found.transaction, default: PeriodChanges()].gaps.append(cancelled..<restored)
            case .extended:
                guard let expires = shown?.expires else { continue }
                let isSigned = settlement.statements[found.after].isV2
                changes[found.transaction, default: PeriodChanges()].add(
                    expires, until: isSigned ? written(found.after) : settlement.firstArrival(of: found.after))
            }
        }
        return changes
    }

    /// When a cancellation that was reversed was first missing, after the last body that shows it.
    ///
    /// A body that lacks it is more likely right than outdated if it was certainly written after the cancellation, once a
    /// later one shows that it was reversed; or if the transaction was cancelled again.
    private func firstShownAgain(_ contradiction: RowHistory.Contradiction, cancelledAt cancelled: Int64) -> Int64? {
        let later = settlement.about(contradiction.transaction).filter { other in
            let (statement, arrival) = (settlement.statements[other], settlement.arrival(of: other))
            return arrival > settlement.arrival(of: contradiction.before)
                && (!contradiction.isCertain || statement.isWrittenAfter(cancelled)
                    || arrival > cancelled + settlement.parameters.deliveryHorizon)
                && settlement.shownRows[statement.rows].contains {
                    $0.transaction == contradiction.transaction && $0.cancellation == nil
                }
        }
        return later.map {
            contradiction.isCertain ? settlement.statements[$0].time : settlement.arrival(of: $0)
        }.min()
    }

    /// The end of a period whose renewal failed at first.
    struct FailedEnd {
        var end: Int64
        /// The end of the grace period; a renewal that is dated to `end` was paid for by then.
        var graceUntil: Int64?
        /// When the failure was reported, or the recovery that proves it.
        var time: Int64
    }

    /// The ends of periods whose renewal failed at first, ascending; of one end the latest grace period first.
    func failedEnds() -> [FailedEnd] {
        settlement.order.compactMap { index -> FailedEnd? in
            let (statement, pair) = (settlement.statements[index], settlement.outcomes[index].pair)
            let proves = settlement.states[.paidWithinGrace]?.pairs.contains(pair) ?? false
            guard settlement.isEvent(index), proves else { return nil }
            if SilentTable.current.recovers.contains(pair) {
                return recoveredEnd(statement).map { FailedEnd(end: $0, time: statement.time) }
            }
            let end = statement.isV2 ? settlement.shownRows[statement.rows].first?.expires : statement.ownTime
            return end.map { FailedEnd(end: $0, graceUntil: statement.graceUntil, time: statement.time) }
        }.sorted { ($0.end, $1.graceUntil ?? .min) < ($1.end, $0.graceUntil ?? .min) }
    }

    /// When the renewal failed that a recovery made good; `nil` if its period may begin later than the one before ended.
    private func recoveredEnd(_ recovery: Statement) -> Int64? {
        guard let index = settlement.history.index(of: recovery.transaction) else { return nil }
        let begin = settlement.history.rows[index].purchase
        // A recovery is signed when the charge succeeds. If that is long after the period began, the renewal had failed.
        if let signed = recovery.signature { return signed - begin > settlement.parameters.lateDelivery ? begin : nil }
        let end = index > 0 ? settlement.history.rows[index - 1].expires : nil
        return end.flatMap { abs(begin - $0) <= settlement.parameters.contiguous ? $0 : nil }
    }

    /// From when on a transaction is paid for.
    ///
    /// A renewal may be charged up to a day ahead. One that failed at first is dated to the end of the period before, and
    /// was paid for within the grace period (rule `state-paid-within-grace`).
    func paidSince(_ row: TimelineRow, _ failures: [FailedEnd]) -> Int64 {
        // A period was paid for by the time that a body shows it, and before it was cancelled.
        let ahead = row.purchase - settlement.parameters.chargedAhead..<row.purchase
        var indices = row.shownBy >= 0 && !row.isAnswered ? [row.shownBy] : []
        indices += settlement.about(row.transaction)
        let undated = indices.filter { hasNoWritingTime($0) }
        indices.removeAll { hasNoWritingTime($0) }
        let shown = indices.map { showsPaid($0) } + [row.cancellation, row.earlierCancellation].compactMap(\.self)
        if let firstAhead = shown.filter(ahead.contains).min() { return firstAhead }
        // A recovery that nothing dates is dated by its purchase, unless the failure was reported after that.
        let isRecovery = indices.isEmpty && undated.contains { settlement.role($0) == .begins }
        guard let failure = self.failures(near: row, failures).first, !isRecovery || failure.time > row.purchase else {
            return row.purchase
        }
        // If nothing dates a body that shows it, it was paid for after the failure was reported.
        let first = indices.map { written($0) }.min() ?? failure.graceUntil ?? failure.time + 1
        // A grace period that nobody reports ends after the longest that Apple allows.
        let latestGraceEnd = min(row.purchase + settlement.parameters.longestGrace, row.expires ?? .max)
        let ends = [failure.graceUntil, latestGraceEnd, row.cancellation, row.earlierCancellation].compactMap(\.self)
        return max(row.purchase, ends.reduce(first, min))
    }

    /// The failures at the end of which a transaction begins.
    func failures(near row: TimelineRow, _ failures: [FailedEnd]) -> ArraySlice<FailedEnd> {
        let reach = settlement.parameters.contiguous
        let first = failures.partitioningIndex { $0.end >= row.purchase - reach }
        return failures[first...].prefix { $0.end <= row.purchase + reach }
    }

    /// The periods that were charged ahead and never began, because another plan was bought before.
    ///
    /// - Returns: For the index of each, the index of the transaction that replaced it.
    func overtaken(_ rows: [TimelineRow]) -> [Int: Int] {
        let failures = failedEnds()
        var found: [Int: Int] = [:]
        for index in rows.indices.dropFirst() where rows[index].shownPurchase == nil {
            let (row, before) = (rows[index], rows[index - 1])
            let isNear = row.purchase - before.purchase < settlement.parameters.chargedAhead
            if isNear, before.product != row.product, before.purchase > paidSince(row, failures) {
                found[index] = index - 1
            }
        }
        // Those that are known to be replaced stand before what replaced them.
        for (index, row) in rows.enumerated() where row.shownPurchase != nil && rows.indices.contains(index + 1) {
            found[index] = index + 1
        }
        return found
    }

    /// By when the transactions that a body shows were paid for.
    ///
    /// A retried version 1 body may show facts from after its event; but while renewal is off, nothing is charged.
    private func showsPaid(_ index: Int) -> Int64 {
        let statement = settlement.statements[index]
        return statement.isV2 || statement.autoRenewStatus == false ? written(index) : settlement.arrival(of: index)
    }

    /// Whether nothing says when a notification was written; the date of a purchase does not.
    private func hasNoWritingTime(_ index: Int) -> Bool {
        let statement = settlement.statements[index]
        return !statement.isV2 && statement.receivedAt == nil
            && (!settlement.saysWhen(index) || TimeField.isPurchase(statement.ownField))
    }

    /// By when a notification had been written: when it was signed, when what it reports happened, or when it arrived.
    private func written(_ index: Int) -> Int64 {
        let statement = settlement.statements[index]
        let arrival = settlement.firstArrival(of: index)
        if statement.isV2 { return min(arrival, statement.signature ?? arrival) }
        // A date of purchase may be the end of the period that failed.
        let isDated = settlement.saysWhen(index) && !TimeField.isPurchase(statement.ownField)
        return isDated || statement.timing == .since ? min(arrival, statement.time) : arrival
    }
}
