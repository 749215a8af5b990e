extension Deduction {
    /// Looks at every transaction: how it began, how it ended, and whether it was taken back.
    mutating func lookAtTransactions() {
        for place in rows.indices {
            lookAtBeginning(place)
            lookAtCancellation(place)
            lookAtEnd(place)
        }
    }

    private mutating func lookAtBeginning(_ place: Int) {
        let row = rows[place]
        guard row.expires != nil else { return }
        var facts = facts(.begun)
        facts.set(.told, events(about: row.transaction) { settlement.table.timeline.role(ofPair: $0) == .begins })
        let beginning = settlement.statements[settlement.story[0]].order
        facts.set(.inView, row.purchase >= beginning - parameters.contiguous)
        facts.set(
            .renewals, row.purchase >= parameters.renewalsToldSince ? SilentValue.Renewals.told : .silent)
        if place == 0 {
            let isOriginal = row.transaction == TimelineID.of(settlement.statements[0].originalTransactionID)
            guard isOriginal else { return }
            facts.set(.follows, SilentValue.Follows.first)
        } else {
            let previous = rows[place - 1]
            guard let end = previous.isUpgraded ? previous.expires : previous.end else { return }
            let isShown = settlement.history.isComplete(from: previous.purchase, to: row.purchase)
            switch parameters.gap(row.purchase - end) {
            case .contiguous: facts.set(.follows, SilentValue.Follows.contiguous)
            case .overlap: facts.set(.follows, SilentValue.Follows.overlap)
            default: facts.set(.follows, isShown ? SilentValue.Follows.lapse : .unseen)
            }
            aboutFailure(previous, next: row, &facts)
        }
        conclude(facts, row, from: [row.shownBy]) { $0 == .purchase ? row.purchase : nil }
    }

    private mutating func lookAtCancellation(_ place: Int) {
        let row = rows[place]
        guard let cancelled = row.cancellation, !row.isUpgraded else { return }
        var facts = facts(.cancelled)
        facts.set(
            .told,
            events(about: row.transaction) {
                let role = settlement.table.timeline.role(ofPair: $0)
                return role == .refunds || role == .ends
            })
        facts.set(
            .replaced,
            settlement.history.near(cancelled, within: parameters.contiguous).contains {
                rows[$0].transaction != row.transaction && rows[$0].product != row.product
            })
        conclude(facts, row, from: [row.cancelledBy]) { $0 == .cancellation ? cancelled : nil }
    }

    private mutating func lookAtEnd(_ place: Int) {
        let row = rows[place]
        guard let expires = row.expires, expires <= asOf else { return }
        let next = place + 1 < rows.count ? rows[place + 1] : nil
        if let next, next.purchase - expires <= parameters.contiguous { return }
        var facts = facts(.periodEnd)
        let isTold = first(.ends, from: expires - parameters.sameTimeProduction, to: (next?.purchase ?? .max) - 1) {
            _ in true
        }
        facts.set(.told, isTold != nil)
        facts.set(.next, next != nil ? SilentValue.Next.returned : .none)
        facts.set(
            .complete,
            next.map { settlement.history.isComplete(from: row.purchase, to: $0.purchase) } ?? false)
        facts.set(.ended, row.isUpgraded ? SilentValue.Ended.upgraded : row.end == expires ? .expired : .refunded)
        aboutFailure(row, next: next, &facts)
        var evidence = [row.shownBy, next?.shownBy ?? -1]
        let status = lastStatus(from: row.purchase, to: expires)
        let isOn = status.map { settlement.statements[$0].autoRenewStatus == 1 }
        facts.set(.status, isOn.map { $0 ? .on : .off } ?? SilentValue.Status.unknown)
        if let status { evidence.append(status) }
        if isOn ?? true, let later = offAfter(row, next: next) {
            facts.set(.status, SilentValue.Status.offAfter)
            evidence.append(later)
        }
        if let teller = intent(of: row, next: next) {
            facts.set(.intent, SilentValue.Intent(rawValue: Int(settlement.statements[teller].intent)) ?? .other)
            evidence.append(teller)
        }
        let retryEnd = expires + parameters.retryEnd
        conclude(facts, row, from: evidence) { time in
            switch time {
            case .expiry: expires
            case .retryEnd: retryEnd
            default: nil
            }
        }
    }

    /// Whether the renewal at the end of a period failed, and what came of that.
    private func aboutFailure(_ row: TimelineRow, next: TimelineRow?, _ facts: inout SilentTable.Facts) {
        guard let expires = row.expires else { return }
        let until = next?.purchase ?? .max
        let failure = failures.first { place in
            let statement = settlement.statements[place]
            return statement.transaction == row.transaction
                || abs((statement.ownTime ?? .min / 2) - expires) <= parameters.contiguous
        }
        facts.set(.failure, failure != nil)
        let gaveUp = first(.switches, from: expires, to: until) { $0.autoRenewStatus == 0 }
        facts.set(.gaveUp, gaveUp != nil)
        let over = expires + parameters.retryEnd + (next == nil ? parameters.deliveryHorizon : 0)
        facts.set(.retryOver, min(until, asOf) >= over)
    }

    /// The notification that states the auto-renew status last within a stretch of time.
    private func lastStatus(from start: Int64, to end: Int64) -> Int? {
        var at = place(from: end + 1)
        while at > 0 {
            at -= 1
            let statement = settlement.statements[settlement.story[at]]
            if statement.order < start - parameters.sameTimeProduction { return nil }
            if statement.autoRenewStatus <= 1 { return settlement.story[at] }
        }
        return nil
    }

    /// A notification about the period that says renewal is off, from after its end.
    private func offAfter(_ row: TimelineRow, next: TimelineRow?) -> Int? {
        guard let expires = row.expires else { return nil }
        let until = next?.purchase ?? .max
        return told(of: row.transaction).first { place in
            let statement = settlement.statements[place]
            return statement.autoRenewStatus == 0 && statement.order > expires && statement.order < until
        }
    }

    /// A notification that says why the period ended.
    private func intent(of row: TimelineRow, next: TimelineRow?) -> Int? {
        guard let expires = row.expires else { return nil }
        return settlement.story[place(from: expires)...].first { place in
            let statement = settlement.statements[place]
            return 1...5 ~= statement.intent || statement.order >= next?.purchase ?? .max
        }.flatMap { settlement.statements[$0].order < next?.purchase ?? .max ? $0 : nil }
    }
}
