extension Deduction {
    /// Looks at what notifications say of what was to come: grace periods, questions and offers.
    mutating func lookAtNotifications() {
        var waiting = WaitingOffers()
        for index in settlement.order {
            switch settled.role(index) {
            case .fails: lookAtGrace(index)
            case .asks: lookAtConsent(index)
            default: break
            }
            lookAtOffer(index, &waiting)
        }
        for index in rows.indices.dropFirst() { lookAtOffer(ofRow: index) }
    }

    /// Looks at what later receipts show otherwise.
    ///
    /// Two of a kind follow each other: if bodies without a time leave both the same range, the second begins later.
    mutating func lookAtContradictions() {
        struct Kind: Hashable {
            var transaction: UInt64
            var isRestored: Bool
        }
        var last: [Kind: Int64] = [:]
        for found in settlement.history.contradictions {
            guard let index = index(of: found.transaction), found.before >= 0 else { continue }
            let kind = Kind(transaction: found.transaction, isRestored: found.kind == .restored)
            let since = max(toldFrom(found.before), last[kind].map { $0 + 1 } ?? .min)
            last[kind] = since
            var facts = facts(found.kind == .restored ? .restored : .extended)
            facts.set(.seenLater, found.isCertain)
            conclude(facts, rows[index], from: [found.before, found.after], at: [.range: since])
        }
    }

    /// The earliest instant at which a notification may have been sent: without a time of its own, at most the time of
    /// Apple's retries before it was received.
    private func toldFrom(_ index: Int) -> Int64 {
        let statement = settlement.statements[index]
        let known = min(statement.time, statement.latestKnown ?? statement.time)
        guard let received = statement.receivedAt, statement.ownTime == nil || statement.isTimeless else {
            return known
        }
        return max(known, received - parameters.deliveryHorizon)
    }

    private mutating func lookAtGrace(_ notification: Int) {
        let statement = settlement.statements[notification]
        guard let grace = statement.graceUntil, clock.hasReached(grace),
            let index = index(of: statement.transaction), let expires = rows[index].expires, grace > expires
        else { return }
        let row = rows[index]
        var facts = facts(.graceEnd)
        var evidence = [notification]
        let next = rows[max(index + 1, rows.partitioningIndex { $0.purchase >= expires - parameters.contiguous })...]
            .first
        if next.map({ $0.purchase <= grace }) ?? false {
            facts.set(.recovered, SilentValue.Recovered.inGrace)
        } else {
            facts.set(.recovered, next == nil ? SilentValue.Recovered.no : .afterGrace)
        }
        if let next { evidence.append(next.shownBy) }
        let end = settled.end(of: row, next: next)
        facts.set(.gaveUp, end?.gaveUp ?? .no)
        let later = settlement.order[settled.position(from: grace + 1)...]
        // What version 2 reports too shows its list all the same.
        let shown = later.first {
            settlement.newest($0) == row.transaction && settlement.statements[$0].hasList
                && settled.writtenFrom($0) > grace
        }
        let after = shown ?? later.first
        let isListed = next.map { settlement.history.isComplete(from: row.purchase, to: $0.purchase) } ?? false
        facts.set(.complete, shown != nil || isListed)
        facts.set(.seenLater, after != nil || clock.isLater(than: grace, by: parameters.deliveryHorizon))
        if next == nil, let after { evidence.append(after) }
        conclude(facts, row, from: evidence, at: [.grace: grace])
    }

    private mutating func lookAtConsent(_ notification: Int) {
        let statement = settlement.statements[notification]
        guard let index = index(of: statement.transaction) else { return }
        let row = rows[index]
        var facts = facts(.consent)
        var evidence = [notification]
        let questions = settled.notifications(about: statement.transaction).filter { settled.role($0) == .asks }
        let agreed = agreed(after: notification, questions)
        let next = index + 1 < rows.count ? rows[index + 1] : nil
        if let agreed {
            facts.set(.answer, SilentValue.Answer.agreed)
            evidence.append(agreed)
        } else if let next, notification == questions.last, isAtBoundary(next, row), row.end == row.expires,
            let notification = renewedAgreed(next, isSame: next.product == row.product)
        {
            let isAgreed = settlement.statements[notification].consent == true && next.product == row.product
            facts.set(.answer, isAgreed ? SilentValue.Answer.agreed : .renewed)
            evidence.append(notification)
        } else {
            facts.set(.answer, SilentValue.Answer.none)
        }
        let since = openUntil(evidence[1...].first, notification)
        conclude(facts, row, from: evidence, at: [.range: since])
    }

    /// The last instant at which the customer had not yet answered: when the question was reported, or when a later
    /// body, written before the answer, still shows it open.
    private func openUntil(_ answer: Int?, _ question: Int) -> Int64 {
        let (statement, end) = (settlement.statements[question], answer.map { settlement.statements[$0].time } ?? .max)
        guard statement.time <= end else { return toldFrom(question) }
        return settled.notifications(about: statement.transaction).reduce(statement.time) { since, other in
            let later = settlement.statements[other]
            let isOpen = later.consent == false && settlement.saysWhen(other) && later.time < end
            return isOpen ? max(since, later.time) : since
        }
    }

    /// The notification that shows that the customer agreed, after a question and before the next one.
    func agreed(after index: Int, _ questions: [Int]) -> Int? {
        let transaction = settlement.statements[index].transaction
        let end =
            questions.first { settlement.positions[$0] > settlement.positions[index] }.map { settlement.positions[$0] }
            ?? .max
        return settled.notifications(about: transaction).first { other in
            settlement.statements[other].consent == true && settlement.newest(other) == transaction
                && settlement.positions[other] > settlement.positions[index] && settlement.positions[other] < end
        }
    }

    /// The notification by which the customer had not agreed to a higher price when a period ended.
    func openConsent(_ row: TimelineRow, _ end: PeriodEnd) -> Int? {
        let last = settled.showing(row).last { index in
            let statement = settlement.statements[index]
            return statement.time <= end.expires && (settled.role(index) == .asks || statement.consent != nil)
        }
        guard let last, settlement.statements[last].consent != true else { return nil }
        let questions = settled.notifications(about: row.transaction).filter { settled.role($0) == .asks }
        return questions.last.flatMap { agreed(after: $0, questions) } == nil ? last : nil
    }

    /// The notification that shows what a renewal after the question says of the answer; `nil` where the question is
    /// still open then, or another plan was renewed without an answer.
    private func renewedAgreed(_ next: TimelineRow, isSame: Bool) -> Int? {
        // A second question means that the first was answered; what follows is about the second.
        let notifications = settled.notifications(about: next.transaction).prefix { settlement.role($0) != .asks }
        let answer = notifications.first { settlement.statements[$0].consent != nil }
        guard let answer else { return isSame ? next.shownBy : nil }
        return settlement.statements[answer].consent == true ? answer : nil
    }

    /// An offer for the next period of the running product.
    private mutating func lookAtOffer(_ notification: Int, _ waiting: inout WaitingOffers) {
        let statement = settlement.statements[notification]
        guard let index = index(of: settlement.newest(notification)) ?? running(at: statement.time) else { return }
        let isForRunning = rows[index].product == statement.nextProduct
        let offer = isForRunning ? statement.nextOffer : TimelineID.none
        let isDated = settled.isDated(notification) && statement.autoRenewStatus != nil
        let before = waiting.note(offer, of: rows[index].transaction, at: isDated ? statement.time : nil)
        guard offer != TimelineID.none, !statement.isV2 else { return }
        var facts = facts(.offer)
        if let before {
            // Another offer than the one that a body showed before was redeemed since.
            guard isDated, before.offer != offer else { return }
            conclude(facts, rows[index], from: [notification], at: [.range: before.at])
        } else {
            facts.set(.told, isOfferTold(rows[index]))
            let since = lastWithoutOffer(rows[index], before: statement.time)
            conclude(facts, rows[index], from: [notification], at: [.range: since])
        }
    }

    /// The offer that waits for the next period, by transaction, as bodies with a time of their own show it.
    private struct WaitingOffers {
        private var last: [UInt64: (offer: UInt64, at: Int64)] = [:]

        /// Notes what a body shows, and returns what was known before, once an offer was; without a time, only a first
        /// offer is noted.
        mutating func note(_ offer: UInt64, of transaction: UInt64, at time: Int64?) -> (offer: UInt64, at: Int64)? {
            let before = last[transaction]
            if let time, before != nil || offer != TimelineID.none { last[transaction] = (offer, time) }
            if time == nil, before == nil, offer != TimelineID.none { last[transaction] = (offer, .max) }
            return before
        }
    }

    /// An offer on a renewal of the same product.
    private mutating func lookAtOffer(ofRow index: Int) {
        let row = rows[index]
        let previous = rows[index - 1]
        guard row.isRedeemed, row.product == previous.product, isAtBoundary(row, previous),
            previous.end == previous.expires
        else { return }
        var facts = facts(.offer)
        facts.set(.told, isOfferTold(previous))
        let since = lastWithoutOffer(previous, before: row.purchase)
        conclude(facts, previous, from: [row.shownBy], at: [.range: since])
    }

    /// Whether the offer was reported as such, or deduced before.
    private func isOfferTold(_ row: TimelineRow) -> Bool {
        let timeline = settlement.table.timeline
        return settled.events(about: row.transaction) { timeline.role(ofPair: $0) == .offers }
            || deduced(about: row.transaction) { other in
                table.rules[other.rule].time == .range
                    && table.rules[other.rule].pair.map { timeline.role(ofPair: $0) == .offers } ?? false
            }
    }

    /// The transaction that runs at an instant.
    private func running(at instant: Int64) -> Int? {
        let index = rows.partitioningIndex { $0.purchase > instant }
        return index == 0 ? nil : index - 1
    }

    /// The last instant at which the period is known to have had no offer.
    private func lastWithoutOffer(_ row: TimelineRow, before end: Int64) -> Int64 {
        var since = row.purchase
        for index in settlement.order[settled.position(from: row.purchase)...] {
            let statement = settlement.statements[index]
            if statement.time >= end { break }
            if statement.nextOffer == TimelineID.none, statement.autoRenewStatus != nil { since = statement.time }
        }
        return since
    }
}
