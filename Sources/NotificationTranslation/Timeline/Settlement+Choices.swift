/// Judges the choices of a plan for the next period together, transaction by transaction.
extension Settlement {
    /// What became of one choice.
    struct ChoiceVerdict {
        /// The place of the delivery that it repeats; `nil` for a choice of its own.
        var first: Int?
        /// Whether nothing else explains it.
        var isCertain: Bool
    }

    /// What the bodies of a subscription show that helps to judge choices.
    private struct Surroundings {
        /// The notifications that show each transaction as the newest, in the order of the story.
        var tellers: [UInt64: [Int]] = [:]
        /// What began, by its purchase.
        var purchases: [TimelineRow] = []
        /// When each transaction began, ends and was cancelled, as the last bodies show it.
        var rows: [UInt64: TimelineRow] = [:]
        /// Whether notifications were received long after they happened, again and again.
        var isOftenLate = false
    }

    /// What became of each choice that V1 alone tells, where some text came more than once.
    func judgeChoices() -> [Int: ChoiceVerdict] {
        var groups: [UInt64: [Int]] = [:]
        for place in story where role(place) == .plans && statements[place].transaction != TimelineID.none {
            groups[statements[place].transaction, default: []].append(place)
        }
        var verdicts: [Int: ChoiceVerdict] = [:]
        var known: Surroundings?
        for (transaction, group) in groups where group.count > 1 {
            let ids = Set(group.map { statements[$0].id.number })
            guard ids.count < group.count, group.allSatisfy(mayBeOrdered) else { continue }
            let surroundings = known ?? surroundings()
            known = surroundings
            judge(group, of: transaction, surroundings, &verdicts)
        }
        return verdicts
    }

    private func surroundings() -> Surroundings {
        var found = Surroundings()
        for place in story {
            found.tellers[newest(place), default: []].append(place)
            for row in shownRows[statements[place].rows] {
                var row = row
                if let known = found.rows[row.transaction] {
                    row.expires = [known.expires, row.expires].compactMap(\.self).max()
                    row.cancellation = row.cancellation ?? known.cancellation
                }
                found.rows[row.transaction] = row
            }
        }
        let delays = story.compactMap { place -> Int64? in
            let statement = statements[place]
            guard !statement.isV2, saysWhen(place), let own = statement.ownTime else { return nil }
            return statement.receivedAt.map { $0 - own }
        }
        let late = delays.count { $0 > table.parameters.lateDelivery }
        found.isOftenLate = late > 1 && late * 10 >= delays.count
        found.purchases = found.rows.values.sorted { ($0.purchase, $0.transaction) < ($1.purchase, $1.transaction) }
        return found
    }

    /// Whether a choice is one that V1 tells, with the time of its reception and no other.
    private func mayBeOrdered(_ place: Int) -> Bool {
        let statement = statements[place]
        return !statement.isV2 && statement.receivedAt != nil && isWeak(place) && statement.receipt == nil
            && statement.nextProduct != TimelineID.none
    }

    private func judge(
        _ group: [Int], of transaction: UInt64, _ known: Surroundings, _ verdicts: inout [Int: ChoiceVerdict]
    ) {
        let deliveries = group.map { place in
            let statement = statements[place]
            let consent: UInt64 = statement.consent.map { $0 ? 3 : 5 } ?? 0
            return ChoiceOrder.Delivery(
                text: statement.id.number ^ statement.nextOffer &* 31 ^ consent << 60, plan: statement.nextProduct,
                offer: statement.nextOffer, received: statement.receivedAt ?? statement.order)
        }
        let received = deliveries.map(\.received)
        guard received == received.sorted() else { return }
        // What two logs kept of one reception is judged once.
        var kept: [Int] = []
        var copies: [(place: Int, of: Int)] = []
        for (place, delivery) in deliveries.enumerated() {
            let near = kept.reversed().prefix { delivery.received - received[$0] < Self.keptTwice }
            let original = near.first { deliveries[$0].text == delivery.text }
            if let original { copies.append((place, original)) } else { kept.append(place) }
        }
        let first = statements[group[0]]
        let row = known.rows[transaction]
        let later = known.purchases.firstPlace { $0.purchase > row?.purchase ?? .max }
        let until = later < known.purchases.count ? known.purchases[later].purchase : .max
        let ahead = first.isSandbox ? 0 : table.parameters.chargedAhead
        let since = row.map { $0.purchase - ahead } ?? .min
        guard since < until else { return }
        var order = ChoiceOrder(
            kept.map { deliveries[$0] }, sights: sights(of: transaction, known, after: received.last ?? .max),
            initial: first.product,
            during: since..<until, table.parameters, isSandbox: first.isSandbox,
            isOftenTriedAgain: known.isOftenLate)
        guard let found = order.verdicts() else { return }
        for (place, verdict) in zip(kept, found) {
            let isCertain =
                verdict.isClear && (verdict.first != nil || isDistinct(place, deliveries, isSandbox: first.isSandbox))
            let original = verdict.first.map { group[kept[$0]] }
            verdicts[group[place]] = ChoiceVerdict(first: original, isCertain: isCertain)
        }
        for copy in copies {
            let original = verdicts[group[copy.of]]
            verdicts[group[copy.place]] = ChoiceVerdict(
                first: original?.first ?? group[copy.of], isCertain: original?.isCertain ?? true)
        }
    }

    /// Whether a choice is certainly none of those before it, because Apple's deliveries of these are over.
    private func isDistinct(_ place: Int, _ deliveries: [ChoiceOrder.Delivery], isSandbox: Bool) -> Bool {
        let horizon = isSandbox ? table.parameters.sameTimeSandbox : table.parameters.deliveryHorizon
        return deliveries[..<place].allSatisfy {
            $0.text != deliveries[place].text || deliveries[place].received - $0.received > horizon
        }
    }

    /// What dated bodies show to be chosen for the period after a transaction, what those show that were certainly
    /// written after the last choice, and what it was renewed as.
    private func sights(of transaction: UInt64, _ known: Surroundings, after last: Int64) -> [ChoiceOrder.Sight] {
        var seen: [ChoiceOrder.Sight] = []
        var ids: Set<UInt64> = []
        for place in (known.tellers[transaction] ?? []).prefix(Self.reach) {
            let statement = statements[place]
            let isLast = statement.order > last + table.parameters.deliveryHorizon
            guard statement.nextProduct != TimelineID.none, saysWhen(place) || isLast,
                !TimeField.isPurchase(statement.ownField), ids.insert(statement.id.number).inserted
            else { continue }
            let mayBeAutomatic = statement.autoRenewStatus == false && statement.nextProduct == statement.product
            seen.append(
                ChoiceOrder.Sight(at: statement.order, plan: statement.nextProduct, mayBeAutomatic: mayBeAutomatic))
        }
        guard let expires = known.rows[transaction]?.expires else { return seen }
        let atBoundary = table.parameters.atBoundary
        let from = known.purchases.firstPlace { $0.purchase >= expires - atBoundary }
        let next = known.purchases[from...].prefix { $0.purchase <= expires + atBoundary }
        if let next = next.first(where: { $0.transaction != transaction }) {
            seen.append(ChoiceOrder.Sight(at: next.purchase, plan: next.product))
        }
        return seen
    }
}
