/// What the bodies of a subscription show of the choices of a plan for the next period.
extension Redeliveries {
    /// What the bodies of a subscription show that helps to judge choices.
    struct Surroundings {
        /// The notifications that show each transaction as the newest, in the order of events.
        var notifications: [UInt64: [Int]] = [:]
        /// What began, by its purchase.
        var purchases: [TimelineRow] = []
        /// When each transaction began, ends and was cancelled, as the last bodies show it.
        var rows: [UInt64: TimelineRow] = [:]
    }

    func surroundings() -> Surroundings {
        var found = Surroundings()
        for index in settlement.order {
            found.notifications[settlement.newest(index), default: []].append(index)
            for row in settlement.shownRows[settlement.statements[index].rows] {
                var row = row
                if let known = found.rows[row.transaction] {
                    row.expires = [known.expires, row.expires].compactMap(\.self).max()
                    row.cancellation = row.cancellation ?? known.cancellation
                }
                found.rows[row.transaction] = row
            }
        }
        found.purchases = found.rows.values.sorted { ($0.purchase, $0.transaction) < ($1.purchase, $1.transaction) }
        return found
    }

    /// Sets when the choices of a period can have been made, and what is shown of them.
    func setPeriod(of first: Statement, until last: Int64, _ known: Surroundings, _ association: inout Association) {
        guard first.transaction != TimelineID.none, association.deliveries.first?.chain == .plans,
            association.deliveries.allSatisfy({ $0.clock == .received })
        else { return }
        let row = known.rows[first.transaction]
        let later = known.purchases.partitioningIndex { $0.purchase > row?.purchase ?? .max }
        let until = later < known.purchases.count ? known.purchases[later].purchase : .max
        let since = row.map { $0.purchase - settlement.delivery(first).chargedAhead } ?? .min
        if since < until { association.period = since..<until }
        association.initial = first.product
        association.snapshots = snapshots(of: first.transaction, known, after: last)
    }

    /// What dated bodies show to be chosen for the period after a transaction, what those show that were certainly
    /// written after the last choice, and what it was renewed as.
    private func snapshots(of transaction: UInt64, _ known: Surroundings, after last: Int64) -> [Association.Snapshot] {
        var seen: [Association.Snapshot] = []
        var ids: Set<UInt64> = []
        for index in (known.notifications[transaction] ?? []).prefix(Settlement.reach) {
            let statement = settlement.statements[index]
            let isLast = statement.time > last + settlement.delivery(statement).horizon
            guard statement.nextProduct != TimelineID.none, settlement.saysWhen(index) || isLast,
                !TimeField.isPurchase(statement.ownField), ids.insert(statement.id.number).inserted
            else { continue }
            let mayBeAutomatic = statement.autoRenewStatus == false && statement.nextProduct == statement.product
            seen.append(
                Association.Snapshot(at: statement.time, state: statement.nextProduct, mayBeAutomatic: mayBeAutomatic))
        }
        guard let expires = known.rows[transaction]?.expires else { return seen }
        let atBoundary = settlement.parameters.atBoundary
        let from = known.purchases.partitioningIndex { $0.purchase >= expires - atBoundary }
        let next = known.purchases[from...].prefix { $0.purchase <= expires + atBoundary }
        if let next = next.first(where: { $0.transaction != transaction }) {
            seen.append(Association.Snapshot(at: next.purchase, state: next.product))
        }
        return seen
    }
}
