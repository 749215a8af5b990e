extension V1Drafting {
    /// Says what the event does to access, as far as the body alone shows.
    ///
    /// It comes last: what was known when the notification was received depends on the time of the event.
    func access(_ event: inout EventDraft, _ reading: inout V1Reading) {
        if event.disposition == .unmapped {
            var state = AccessState()
            state.mapping = .none
            return event.take(state.access(event.effectsOfUnknownType))
        }
        guard event.disposition == .event else { return }
        // Most of an archive: a purchase or renewal of the newest transaction.
        if event.candidates.effects == AccessEffects(.gives), reading.rows.isNotifiedLatest,
            let row = reading.notified, row.cancellation == nil, !row.isUpgraded,
            let expires = row.expires?.milliseconds, expires > receivedAt ?? .min
        {
            event.entitlement = .grant
            event.accessUntil = expires
            return
        }
        event.take(state(&event, &reading).access(event.candidates.effects))
    }

    private func state(_ event: inout EventDraft, _ reading: inout V1Reading) -> AccessState {
        var state = AccessState()
        state.moment = receivedAt ?? reading.time?.milliseconds ?? reading.latestKnown?.milliseconds
        guard reading.facts.says(.subject, FactValue.Subject.certain), let row = reading.notified
        else { return state }
        let moment = state.moment ?? .max
        state.hasOwn = true
        state.ownBegin = row.purchase?.milliseconds
        state.ownEnd = row.expires?.milliseconds
        state.cancelledAt = row.cancellation?.milliseconds ?? reading.time?.milliseconds
        state.isRefundShown = row.cancellation != nil && !row.isUpgraded
        state.isOwnOver = row.cancellation.map { $0.milliseconds <= moment } ?? row.isUpgraded
        state.isOwnUpgraded = row.isUpgraded
        let shape = reading.type.map { table.shape(ofType: $0) }
        let isLate = moment - (reading.time?.milliseconds ?? moment) > table.parameters.lateDelivery
        state.mayBeReplaced = isLate || shape?.transaction == .cancelled
        state.isOneTime = shape.map { $0.subject != .subscription } ?? false && row.expires == nil
        state.isOwnLatest = reading.rows.isNotifiedLatest && !row.isUpgraded
        // With a reason for the expiry, the subscription has expired: nothing newer runs.
        let hasExpired = event.hasRenewal && event.renewalFields.expirationIntent != nil
        state.isEndReported = hasExpired
        // Without pending_renewal_info a grace period may run after the end of the period, and after a failed renewal
        // whatever the reason that is given.
        let mayHaveGrace =
            reading.facts.says(.grace, FactValue.Grace.unknown)
            && event.candidates.effects.contains(AccessEffects(.fails))
        state.isComplete =
            reading.rows.history == .rows && reading.pending != nil || hasExpired && !mayHaveGrace
        if !reading.rows.isNotifiedLatest {
            state.otherEnd = otherEnd(than: row.index, reading.subject.originalTransactionID, moment)
        } else if let previous = reading.previous, let purchase = row.purchase?.milliseconds, purchase > moment {
            // Paid ahead of the period that it begins.
            state.otherEnd = end(of: previous, at: moment)
        }
        if event.hasRenewal, let grace = event.renewalFields.gracePeriodExpiresAt, grace > moment {
            state.graceEnd = grace
        }
        return state
    }

    /// The end of the newest other transaction bought by a moment, if it was running; two never run side by side.
    private func otherEnd(than index: Int, _ subject: JSONText, _ moment: Int64) -> Int64? {
        var newest: (index: Int, purchase: V1Date)?
        for other in 0..<fields.rows.count where other != index && fields.isRow(other, of: subject, view) {
            // What replaced an upgraded period is newer, whatever the dates say.
            guard let purchase = fields.date(.purchase, row: other, view).date,
                view.truth(fields[row: other, .isUpgraded]) != true,
                purchase.milliseconds <= moment || isPaidAhead(other, purchase.milliseconds, moment),
                newest.map({
                    $0.purchase.milliseconds == purchase.milliseconds
                        ? fields.isNewer(other, than: $0.index, view) : $0.purchase.milliseconds < purchase.milliseconds
                }) ?? true, !isSamePeriod(index, other)
            else { continue }
            newest = (other, purchase)
        }
        guard let newest else { return nil }
        let row = V1Reading.Row(
            index: newest.index, purchase: newest.purchase,
            expires: fields.date(.expires, row: newest.index, view).date,
            cancellation: fields.date(.cancellation, row: newest.index, view).date,
            isUpgraded: view.truth(fields[row: newest.index, .isUpgraded]) ?? false)
        return end(of: row, at: max(moment, newest.purchase.milliseconds))
    }

    /// Whether two rows show one period, which was restored under another transaction id.
    private func isSamePeriod(_ one: Int, _ other: Int) -> Bool {
        let dates = [one, other].map { row in
            [V1DateForms.purchase, .expires].map { fields.date($0, row: row, view).date?.milliseconds }
        }
        return dates[0] == dates[1] && view.same(fields[row: one, .productID], fields[row: other, .productID])
    }

    /// Whether a transaction was paid for when the notification was received, though its period begins later.
    private func isPaidAhead(_ row: Int, _ purchase: Int64, _ moment: Int64) -> Bool {
        guard receivedAt != nil, purchase - moment <= table.parameters.chargedAhead else { return false }
        return fields.date(.cancellation, row: row, view).date == nil
    }

    /// The end of a transaction that was running at a moment.
    private func end(of row: V1Reading.Row, at moment: Int64) -> Int64? {
        guard let purchase = row.purchase?.milliseconds, let expires = row.expires?.milliseconds,
            purchase <= moment, expires > moment, !row.isUpgraded,
            row.cancellation.map({ $0.milliseconds > moment }) ?? true
        else { return nil }
        return expires
    }
}
