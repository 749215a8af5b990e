/// Which transaction a cancellation is about, and what came in its place.
extension V1Rows {
    /// The row that `web_order_line_item_id` names, else the cancelled row nearest to the cancellation, else the
    /// one cancelled last.
    ///
    /// Where none is cancelled, it is the only one that there was, or the single transaction of the old form. Else
    /// it is not known: a list that was cut, or written before the cancellation, does not show which one is meant.
    func chooseCancelled(_ candidates: [DatedRow], _ root: V1Date?, _ reading: inout V1Reading) {
        reading.time = root
        let webOrder = fields[.webOrderLineItemID]
        var best: (row: V1Reading.Row, distance: Int64)?
        var cancelled = 0
        for candidate in candidates {
            var row = row(candidate, &reading)
            let named = !webOrder.isBlank && view.same(fields[row: candidate.index, .webOrderLineItemID], webOrder)
            guard named || row.cancellation != nil else { continue }
            cancelled += 1
            if named { row.cancellation = row.cancellation ?? root }
            let at = row.cancellation?.milliseconds ?? .min
            let distance = named ? .min : root.map { abs(at - $0.milliseconds) } ?? -1 - at / 2
            if best.map({ distance < $0.distance }) ?? true { best = (row, distance) }
        }
        // `.one` also if several rows are cancelled, but a date or an original transaction id says which one is meant.
        reading.rows.refundedRows =
            cancelled == 0
            ? .none
            : cancelled == 1 || root != nil || !subject.originalTransactionID.isBlank
                ? .one : .several
        reading.notified = best?.row ?? uncancelled(candidates, &reading)
        if let best, best.distance != .min, root == nil, cancelled > 1, shape?.subject == .subscription {
            reading.notified = ofSeveral(best.row, candidates, &reading)
        }
        guard let notified = reading.notified else { return }
        reading.time = reading.time ?? notified.cancellation
        findSuccessor(of: notified, candidates, &reading)
    }

    /// What came in the place of the cancelled row.
    private func findSuccessor(of notified: V1Reading.Row, _ candidates: [DatedRow], _ reading: inout V1Reading) {
        guard let at = reading.time?.milliseconds else { return }
        // A list marks what an upgrade cancelled.
        let isUnmarked =
            notified.index < fields.unifiedRows && fields.date(.cancellation, row: notified.index, view).date != nil
        let distance = isUnmarked ? min(delivery.tolerance, table.parameters.replacedWithin) : delivery.tolerance
        reading.rows.isSuperseded = candidates.contains { candidate in
            candidate.index != notified.index && candidate.purchase != .min && abs(candidate.purchase - at) <= distance
                && !view.same(fields[row: candidate.index, .productID], fields[row: notified.index, .productID])
        }
        let next = candidates.last { $0.purchase > notified.purchase?.milliseconds ?? .max }
        // Later, the rules read it as a refund whatever the row says.
        reading.rows.isLongUpgraded =
            at < table.parameters.cancelsAreRefundsFrom
            && next.map { at - $0.purchase > max(chargedAhead, delivery.tolerance) } ?? false
    }

    /// The row of a CANCEL that names none, where one or more others were cancelled so shortly before the last one
    /// that theirs may still be delivered.
    ///
    /// Of refunds within the slack of an attempt, the newest period: its end is what ends access.
    private func ofSeveral(_ last: V1Reading.Row, _ candidates: [DatedRow], _ reading: inout V1Reading) -> V1Reading.Row
    {
        guard let cancelled = last.cancellation?.milliseconds else { return last }
        var upgrades = 0
        var refunds = 0
        var lastRefund = Int64.min
        var counted: Int64?
        // Rows of one date are one purchase, restored on another device.
        for candidate in candidates where candidate.date == nil || candidate.purchase != counted {
            let row = row(candidate, &reading)
            guard let at = row.cancellation?.milliseconds, at >= cancelled - delivery.horizon else { continue }
            counted = candidate.purchase
            if row.isUpgraded {
                upgrades += 1
            } else {
                refunds += 1
                lastRefund = max(lastRefund, at)
            }
        }
        guard refunds > 0 else { return last }
        if cancelled >= table.parameters.cancelsAreRefundsFrom { upgrades = 0 }
        if upgrades > 0 {
            reading.rows.refundedRows = .mixed
        } else if refunds > 1 {
            reading.rows.refundedRows = .several
        }
        if last.isUpgraded, cancelled < table.parameters.cancelsLeadAsRefundsFrom { return last }
        let slack = min(table.parameters.attemptSlack, delivery.horizon)
        return refund(within: lastRefund - slack ... .max, candidates, &reading) ?? last
    }

    /// The newest period that was refunded within a range of time.
    func refund(within times: ClosedRange<Int64>, _ candidates: [DatedRow], _ reading: inout V1Reading) -> V1Reading
        .Row?
    {
        for candidate in candidates {
            let row = row(candidate, &reading)
            if let at = row.cancellation?.milliseconds, times.contains(at), !row.isUpgraded { return row }
        }
        return nil
    }

    private func uncancelled(_ candidates: [DatedRow], _ reading: inout V1Reading) -> V1Reading.Row? {
        guard let candidate = candidates.first else { return nil }
        let newest = row(candidate, &reading)
        guard shape?.subject == .subscription else { return candidates.count == 1 ? newest : nil }
        let isOnlyOne = candidates.count == 1 && !reading.rows.isCut
        return newest.expires != nil && (isOnlyOne || reading.rows.history == .single) ? newest : nil
    }
}
