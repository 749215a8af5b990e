extension Deduction {
    /// Looks at every transaction: how it began, how it ended, and whether it was taken back.
    mutating func lookAtTransactions() {
        for index in rows.indices {
            lookAtBeginning(index)
            lookAtCancellation(index)
            lookAtEnd(index)
        }
    }

    private mutating func lookAtBeginning(_ index: Int) {
        let row = rows[index]
        guard row.expires != nil else { return }
        var facts = facts(.begun)
        facts.set(.told, isBeginningTold(row))
        facts.set(.inView, row.purchase >= beginning - parameters.contiguous)
        facts.set(
            .renewals, row.purchase >= parameters.renewalsToldSince ? SilentValue.Telling.told : .silent)
        facts.set(.redeems, row.isRedeemed)
        var evidence = [row.shownBy]
        if index == 0 {
            let isOriginal = row.transaction == TimelineID.of(settlement.statements[0].originalTransactionID)
            guard isOriginal else { return }
            facts.set(.follows, SilentValue.Follows.first)
        } else {
            let previous = rows[index - 1]
            guard let end = settled.end(of: previous, next: row) else { return }
            facts.set(.follows, follows(row, previous, end))
            facts.set(.ended, ended(previous))
            end.set(&facts)
            // Nothing is recovered once the end was reported.
            if isEndTold(previous, end) { facts.set(.retryOver, true) }
            evidence.append(end.failure ?? -1)
        }
        // A period that was refunded before it began was charged ahead.
        let refunded = row.isUpgraded ? nil : row.cancellation.map { $0 - 1 }
        conclude(facts, row, from: evidence, at: [.purchase: min(row.begin, refunded ?? .max)])
    }

    /// Whether a notification reports that a transaction began, or may: it names no transaction, does not show this one, and
    /// came at the right time.
    private func isBeginningTold(_ row: TimelineRow) -> Bool {
        let isTold = settled.events(about: row.transaction) { settlement.table.timeline.role(ofPair: $0) == .begins }
        guard !isTold, settlement.hasUnnamed else { return isTold }
        let delivery = settlement.delivery(settlement.statements[0])
        let time = row.begin - delivery.chargedAhead..<row.begin + delivery.horizon
        return settlement.indices(in: time).contains { index in
            let statement = settlement.statements[index]
            guard statement.transaction == TimelineID.none, settlement.isEvent(index) else { return false }
            return (settlement.role(index) == .begins || settlement.mayBe(index, .begins))
                && !settlement.shownRows[statement.rows].contains { $0.transaction == row.transaction }
        }
    }

    /// When the first notification in view reports something.
    private var beginning: Int64 { settlement.beginning ?? .max / 2 }

    /// How a transaction follows the one before it.
    private func follows(_ row: TimelineRow, _ previous: TimelineRow, _ end: PeriodEnd) -> SilentValue.Follows {
        if isAtBoundary(row, previous) { return .boundary }
        let last = previous.isUpgraded ? end.expires : previous.end ?? end.expires
        switch parameters.gap(row.begin - last) {
        case .contiguous: return .near
        case .overlap: return .overlap
        default:
            let isShown = settlement.history.isComplete(from: previous.purchase, to: row.purchase)
            return isShown ? .lapse : .unseen
        }
    }

    /// Whether a transaction begins where another one ended, as a renewal does.
    func isAtBoundary(_ row: TimelineRow, _ previous: TimelineRow) -> Bool {
        previous.expires.map { abs(row.begin - $0) <= parameters.atBoundary } ?? false
    }

    /// How a period ended; a refund that was taken back since may have ended it.
    private func ended(_ row: TimelineRow) -> SilentValue.Ended {
        if row.isUpgraded { return .upgraded }
        guard row.end == row.expires, let expires = row.expires else { return .refunded }
        let found = settlement.history.contradictions.filter {
            $0.kind == .restored && $0.transaction == row.transaction && $0.cancelled ?? .min <= expires
        }
        // Only a body from before the end shows that the period was running again then.
        let isShown = found.allSatisfy {
            settlement.statements[$0.after].time <= expires && ($0.isCertain || !isProvenOnly)
        }
        return isShown && (!found.isEmpty || !row.wasCancelledBefore(expires)) ? .expired : .refunded
    }

    private mutating func lookAtCancellation(_ index: Int) {
        let row = rows[index]
        guard let cancelled = row.cancellation, !row.isUpgraded else { return }
        var facts = facts(.cancelled)
        facts.set(.told, isCancellationTold(row, cancelled))
        facts.set(.seenLater, isDelivered(cancelled, row))
        let isReplaced = settlement.history.near(cancelled, within: parameters.contiguous).contains {
            let other = settlement.history.rows[$0]
            return other.transaction != row.transaction && other.product != row.product
        }
        facts.set(.replaced, isReplaced && row.fate == nil)
        let hasList = row.cancellationFirstShownBy >= 0 && settlement.statements[row.cancellationFirstShownBy].hasList
        facts.set(.complete, hasList || row.fate != nil)
        conclude(facts, row, from: [row.cancellationFirstShownBy], at: [.cancellation: cancelled])
    }

    /// Whether a notification reports a cancellation, whatever it was taken for.
    private func isCancellationTold(_ row: TimelineRow, _ cancelled: Int64) -> Bool {
        let isToldByPair = settled.events(about: row.transaction) {
            let role = settlement.table.timeline.role(ofPair: $0)
            return role == .refunds || role == .ends
        }
        if isToldByPair || settled.notifications(about: row.transaction).contains(where: tellsCancellation) {
            return true
        }
        if settlement.guestCancellations.contains(where: { abs($0 - cancelled) <= parameters.sameTimeSandbox }) {
            return true
        }
        // One that names no transaction that was cancelled may mean this one, until the store would try no longer.
        let start = cancelled - parameters.sameTimeProduction
        return settlement.order[settled.position(from: start)...].prefix {
            settlement.statements[$0].time <= cancelled + parameters.deliveryHorizon
        }.contains { notification in
            guard tellsCancellation(notification) else { return false }
            let named = index(of: settlement.statements[notification].transaction)
            return named.map { rows[$0].cancellation == nil } ?? true
        }
    }

    private func tellsCancellation(_ index: Int) -> Bool {
        let type = settlement.statements[index].type
        return type >= 0 && settlement.table.types[type].time == .cancellation
    }

    private mutating func lookAtEnd(_ index: Int) {
        let row = rows[index]
        let next = index + 1 < rows.count ? rows[index + 1] : nil
        guard let expires = row.expires, clock.hasReached(expires), let end = settled.end(of: row, next: next) else {
            return
        }
        if let next, next.purchase < expires || isAtBoundary(next, row) { return }
        var facts = facts(.periodEnd)
        facts.set(.told, isEndTold(row, end))
        // Members get no notifications in the sandbox, so that a REVOKE may have come before the end.
        facts.set(.family, isFamily && settlement.statements[row.shownBy].isSandbox)
        facts.set(.inView, expires >= beginning - parameters.contiguous)
        facts.set(.continued, settled.isContinued(row, end, next: next))
        facts.set(.next, next != nil ? SilentValue.Next.returned : .none)
        facts.set(.follows, next.map { follows($0, row, end) } ?? .lapse)
        // Without a successor, only a complete history of Apple's can show that there is none.
        facts.set(
            .complete,
            next.map { settlement.history.isComplete(from: row.purchase, to: $0.purchase) }
                ?? settlement.answers.completeUntil.map { $0 - expires >= parameters.retryEnd } ?? false)
        facts.set(.seenLater, next != nil || isDelivered(expires, row))
        facts.set(.ended, mayBeRefunded(row) ? .refunded : ended(row))
        facts.set(.renewals, expires >= parameters.renewalsToldSince ? SilentValue.Telling.told : .silent)
        facts.set(.failures, expires >= parameters.failuresToldSince ? SilentValue.Telling.told : .silent)
        end.set(&facts)
        let evidence = [row.shownBy, next?.shownBy ?? -1] + end.notifications + lookAtReason(row, end, &facts)
        // An answer of Apple's that says that it is tried again, or in grace, is about the time until then.
        let runs = settlement.answers.ranOn(row.transaction, from: expires, until: end.until) ?? .min
        let retryEnd = expires + parameters.retryEnd
        let times: Instants = [
            .expiry: expires > runs ? expires : nil, .retryEnd: retryEnd > runs ? retryEnd : nil,
            .switchOff: end.switchedOff.map { settlement.statements[$0].time },
            .grace: end.graceEnd.flatMap { $0 < end.until ? $0 : nil },
        ]
        conclude(facts, row, from: evidence, at: times)
    }

    /// Looks at why a period ended; returns the notifications that say it.
    private func lookAtReason(_ row: TimelineRow, _ end: PeriodEnd, _ facts: inout SilentFacts) -> [Int] {
        let notification = settled.intent(of: row, end)
        if let notification {
            facts.set(.intent, SilentValue.Intent(rawValue: Int(settlement.statements[notification].intent)) ?? .other)
        } else if let intent = settlement.answers.intent(of: row.transaction, from: end.expires, until: end.until) {
            facts.set(.intent, intent)
        }
        let isMaybeOn = end.failure == nil && (end.status == .on || end.status == .unknown)
        let openConsent = isMaybeOn ? openConsent(row, end) : nil
        facts.set(.consentOpen, openConsent != nil)
        return [notification, openConsent].compactMap(\.self)
    }

    /// Whether what was sent at an instant has been received by now, or never will be.
    private func isDelivered(_ instant: Int64, _ row: TimelineRow) -> Bool {
        clock.isLater(than: instant, by: settlement.delivery(settlement.statements[row.shownBy]).horizon)
    }

    /// Whether a cancellation that names no transaction came within a period, and no later body shows the period
    /// without one.
    private func mayBeRefunded(_ row: TimelineRow) -> Bool {
        guard let expires = row.expires, row.end == expires else { return false }
        let shown = row.endShownBy < 0 ? .min : settlement.statements[row.endShownBy].time
        return unnamedCancellations.contains { index in
            let time = settlement.statements[index].time
            return time >= row.purchase && time <= expires && time >= shown
        }
    }

    /// Whether a notification says that a period ended.
    private func isEndTold(_ row: TimelineRow, _ end: PeriodEnd) -> Bool {
        let isAbout = settled.events(about: row.transaction) { settlement.table.timeline.role(ofPair: $0) == .ends }
        let start = end.expires - settlement.tolerance(settlement.statements[row.shownBy])
        return isAbout || settled.first(.ends, from: start, to: end.until - 1) { _ in true } != nil
    }
}
