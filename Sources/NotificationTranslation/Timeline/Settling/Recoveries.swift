/// Finds which period a recovery began, and when.
///
/// A period that is recovered within grace counts from the end of the one that failed, days or weeks before the recovery:
///
///     {7} to 8 May, fails          grace until 14 May
///     DID_RECOVER                  received 14 May 08:00         {8} from 8 May, dated 14 May 08:00
///     DID_RECOVER again            received 15 May 14:00         {8}, though its body shows {9} from 15 May
///
/// So it is the first period of the failed plan that begins at or after the end of the failed one, and not the newest.
struct Recoveries: SettlingStep {
    private(set) var settlement: Settlement

    /// A renewal that failed, as some notification shows it.
    private struct Failure {
        var end: Int64
        var products: [UInt64]
        var graceUntil: Int64?
    }

    mutating func name() {
        guard settlement.statements.count > 1, settlement.statements.contains(where: settlement.isRecovery) else {
            return
        }
        let failures = failures()
        let recoveries = settlement.statements.indices.filter { settlement.isRecovery(settlement.statements[$0]) }
        let named = Set(recoveries.map { settlement.statements[$0].transaction })
        for index in recoveries {
            let statement = settlement.statements[index]
            guard statement.hasList, statement.says(.subject, FactValue.Subject.certain) else { continue }
            let purchases = settlement.shownRows[statement.rows].map(\.purchase)
            let first = (purchases.min() ?? .max) - settlement.parameters.retryEnd
            let last = (purchases.max() ?? .min / 2) + settlement.parameters.contiguous
            let near = failures[failures.partitioningIndex { $0.end > first }...].prefix { $0.end <= last }
            let begun = near.compactMap { failure in recovered(failure, statement).map { (row: $0, failure: failure) } }
            func isOwn(_ row: Int) -> Bool { settlement.shownRows[row].transaction == statement.transaction }
            if let last = begun.last, !begun.contains(where: { isOwn($0.row) }) {
                // Without a time of arrival it may be a redelivery of the recovery that already names this period.
                let isUndated = statement.receivedAt == nil
                let isReported = isUndated && named.contains(settlement.shownRows[last.row].transaction)
                if !isReported { give(index, last.row, last.failure) }
                if isUndated || begun.contains(where: { $0.row != last.row }) {
                    settlement.outcomes[index].limit = .inferred
                }
            } else if !begun.isEmpty, begun.allSatisfy({ isOwn($0.row) }) {
                setOwn(index)
            }
        }
    }

    /// The renewals that failed, in the order of time.
    private func failures() -> [Failure] {
        let found: [Failure] = settlement.statements.indices.compactMap { index in
            let statement = settlement.statements[index]
            guard settlement.role(index) == .fails || statement.isInBillingRetry else { return nil }
            let shown = settlement.shownRows[statement.rows]
            let row = shown.first { $0.transaction == statement.transaction } ?? shown.first
            guard let end = row?.expires ?? statement.ownTime else { return nil }
            let products = [row?.product ?? statement.product, statement.nextProduct]
            return Failure(end: end, products: products, graceUntil: statement.graceUntil)
        }
        return found.sorted { ($0.end, $0.graceUntil ?? .min) < ($1.end, $1.graceUntil ?? .min) }
    }

    /// The row of a body that recovered a failed renewal, if the notification may report that.
    private func recovered(_ failure: Failure, _ statement: Statement) -> Int? {
        let since = failure.end - settlement.parameters.contiguous
        let found = statement.rows.filter { index in
            let row = settlement.shownRows[index]
            return row.purchase >= since && row.expires ?? .max > failure.end
                && (failure.products.contains(row.product)
                    || abs(row.purchase - failure.end) <= settlement.parameters.atBoundary)
        }.min { settlement.shownRows[$0].purchase < settlement.shownRows[$1].purchase }
        guard let found else { return nil }
        let purchase = settlement.shownRows[found].purchase
        guard purchase - failure.end < settlement.parameters.retryEnd else { return nil }
        guard let received = statement.receivedAt else { return found }
        let isInGrace = purchase - failure.end <= settlement.parameters.contiguous
        let latest = isInGrace ? max(failure.graceUntil ?? purchase, purchase) : purchase
        let delivery = settlement.delivery(statement)
        return purchase <= received + delivery.tolerance && received - latest <= delivery.horizon ? found : nil
    }

    private mutating func give(_ notification: Int, _ index: Int, _ failure: Failure) {
        let row = settlement.shownRows[index]
        settlement.move(notification, to: row, at: index)
        settlement.statements[notification].ownTime = row.purchase
        settlement.statements[notification].ownField = TimeField.purchase
        let isSame = failure.products.first == row.product
        settlement.statements[notification].facts.set(.gap, settlement.parameters.gap(row.purchase - failure.end))
        settlement.statements[notification].facts.set(.productChanged, isSame ? FactValue.Answer.no : .yes)
        settlement.statements[notification].facts.set(.previousUpgraded, FactValue.Upgraded.no)
        settlement.statements[notification].facts.set(.rowKind, FactValue.RowKind.subscription)
        setOwn(notification)
    }

    /// Decides again about a recovery that is certainly of the transaction that it names.
    private mutating func setOwn(_ index: Int) {
        settlement.statements[index].facts.set(.beginning, FactValue.Beginning.own)
        settlement.decide(index)
        settlement.statements[index].timing = settlement.outcomes[index].decision?.timing ?? .own
    }

    /// Dates recoveries within grace by the earliest of what the neighbours say: when the transaction was shown first,
    /// and when the grace period ended.
    mutating func date() {
        let indices = settlement.statements.indices.filter { index in
            let type = settlement.statements[index].type
            return type >= 0 && settlement.table.types[type].since != nil && settlement.statements[index].ownTime != nil
        }
        guard !indices.isEmpty else { return }
        var shown: [UInt64: Int64] = [:]
        for statement in settlement.statements {
            guard let arrival = statement.receivedAt ?? statement.signature else { continue }
            for transaction in settlement.shownRows[statement.rows].map(\.transaction) + [statement.transaction] {
                shown[transaction] = min(arrival, shown[transaction] ?? .max)
            }
        }
        let failures = failures()
        for index in indices where settlement.statements[index].transaction != TimelineID.none {
            let statement = settlement.statements[index]
            guard let own = statement.ownTime, let arrival = shown[statement.transaction] else { continue }
            let grace = failures.first { failure in
                abs(failure.end - own) <= settlement.parameters.contiguous
                    && failure.graceUntil ?? .min > failure.end
            }?.graceUntil
            settlement.statements[index].recovered = (arrival, TimeField.receivedAt)
            if let grace, grace < arrival { settlement.statements[index].recovered = (grace, TimeField.grace) }
        }
    }
}
