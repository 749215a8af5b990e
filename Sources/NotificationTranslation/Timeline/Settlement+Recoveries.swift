/// Finds which period a recovery began, and when.
///
/// A period that is recovered within grace counts from the end of the one that failed, weeks before the recovery:
///
///     {7} to 8 May, fails          grace until 14 May
///     DID_RECOVER                  received 14 May 08:00         {8} from 8 May, dated 14 May 08:00
///     DID_RECOVER again            received 15 May 14:00         {8}, though its body shows {9} from 15 May
///
/// So it is the first period of the plan that failed from the end of the failed one on, and not the newest.
extension Settlement {
    /// A renewal that failed, as some notification shows it.
    private struct Failure {
        var end: Int64
        var products: [UInt64]
        var graceUntil: Int64?
    }

    /// Gives recoveries the transaction that began where the renewal had failed, which their bodies show.
    mutating func nameRecoveries() {
        guard statements.count > 1, statements.contains(where: isRecovery) else { return }
        let failures = failures()
        for place in statements.indices where isRecovery(statements[place]) {
            let statement = statements[place]
            guard statement.hasList, statement.says(.subject, FactValue.Subject.certain) else { continue }
            let begun = failures.compactMap { failure in
                recovered(failure, statement).map { (row: $0, failure: failure) }
            }
            func isOwn(_ row: Int) -> Bool { shownRows[row].transaction == statement.transaction }
            if let last = begun.last, !begun.contains(where: { isOwn($0.row) }) {
                give(place, last.row, last.failure)
                if begun.contains(where: { $0.row != last.row }) { outcomes[place].limit = .inferred }
            } else if !begun.isEmpty, begun.allSatisfy({ isOwn($0.row) }) {
                setOwn(place)
            } else if let earlier = recoveredBeforeRenewal(place) {
                let row = shownRows[earlier]
                give(place, earlier, Failure(end: row.purchase, products: [row.product]))
                outcomes[place].limit = .inferred
            }
        }
    }

    /// The row before the one that a recovery names, where the failure is not in view, another notification reports
    /// that the named one began otherwise, and none that this one did.
    private func recoveredBeforeRenewal(_ place: Int) -> Int? {
        let statement = statements[place]
        guard statement.says(.beginning, FactValue.Beginning.earlier) else { return nil }
        func isRenewed(_ transaction: UInt64) -> Bool {
            statements.indices.contains { other in
                statements[other].transaction == transaction && !isRecovery(statements[other])
                    && outcomes[other].pair != outcomes[place].pair && outcomes[other].pair >= 0
                    && table.timeline.role(ofPair: outcomes[other].pair) == .begins
            }
        }
        let own = statement.rows.first { shownRows[$0].transaction == statement.transaction }
        let earlier = own.flatMap { own in
            statement.rows.filter { shownRows[$0].purchase < shownRows[own].purchase }
                .max { shownRows[$0].purchase < shownRows[$1].purchase }
        }
        guard let earlier, isRenewed(statement.transaction), !isRenewed(shownRows[earlier].transaction) else {
            return nil
        }
        return earlier
    }

    func isRecovery(_ statement: Statement) -> Bool {
        table.timeline.recovers.contains(statement.type)
    }

    /// The renewals that failed, in the order of time.
    private func failures() -> [Failure] {
        let found: [Failure] = statements.indices.compactMap { place in
            let statement = statements[place]
            guard role(place) == .fails || statement.isInBillingRetry else { return nil }
            let shown = shownRows[statement.rows]
            let row = shown.first { $0.transaction == statement.transaction } ?? shown.first
            guard let end = row?.expires ?? statement.ownTime else { return nil }
            let products = [row?.product ?? statement.product, statement.nextProduct]
            return Failure(end: end, products: products, graceUntil: statement.graceUntil)
        }
        return found.sorted { ($0.end, $0.graceUntil ?? .min) < ($1.end, $1.graceUntil ?? .min) }
    }

    /// The row of a body that recovered a failed renewal, if the notification may report that.
    private func recovered(_ failure: Failure, _ statement: Statement) -> Int? {
        let since = failure.end - table.parameters.contiguous
        let found = statement.rows.filter { place in
            let row = shownRows[place]
            return row.purchase >= since && row.expires ?? .max > failure.end
                && (failure.products.contains(row.product)
                    || abs(row.purchase - failure.end) <= table.parameters.atBoundary)
        }.min { shownRows[$0].purchase < shownRows[$1].purchase }
        guard let found else { return nil }
        let purchase = shownRows[found].purchase
        guard purchase - failure.end < table.parameters.retryEnd else { return nil }
        guard let received = statement.receivedAt else { return found }
        let isInGrace = purchase - failure.end <= table.parameters.contiguous
        let latest = isInGrace ? max(failure.graceUntil ?? purchase, purchase) : purchase
        let late = statement.isSandbox ? table.parameters.lateDelivery : table.parameters.deliveryHorizon
        return purchase <= received + tolerance(statement) && received - latest <= late ? found : nil
    }

    private mutating func give(_ place: Int, _ index: Int, _ failure: Failure) {
        let row = shownRows[index]
        outcomes[place].row = index
        outcomes[place].bodyTime = statements[place].ownTime
        statements[place].transaction = row.transaction
        statements[place].product = row.product
        statements[place].ownTime = row.purchase
        statements[place].ownField = TimeField.purchase
        let isSame = failure.products.first == row.product
        statements[place].facts.set(.gap, table.parameters.gap(row.purchase - failure.end))
        statements[place].facts.set(.productChanged, isSame ? FactValue.Answer.no : .yes)
        statements[place].facts.set(.previousUpgraded, FactValue.Upgraded.no)
        statements[place].facts.set(.rowKind, FactValue.RowKind.subscription)
        setOwn(place)
    }

    /// Decides again about a recovery that is certainly of the transaction that it names.
    private mutating func setOwn(_ place: Int) {
        statements[place].facts.set(.beginning, FactValue.Beginning.own)
        let decision = cache.decision(type: statements[place].type, facts: statements[place].facts)
        statements[place].timing = decision.timing
        outcomes[place].facts = statements[place].facts
        outcomes[place].take(decision)
    }

    /// Dates recoveries within grace by the earliest of what the neighbours say: when the transaction was shown first,
    /// and when the grace period ended.
    mutating func dateRecoveries() {
        let places = statements.indices.filter { place in
            let type = statements[place].type
            return type >= 0 && table.types[type].since != nil && statements[place].ownTime != nil
        }
        guard !places.isEmpty else { return }
        var shown: [UInt64: Int64] = [:]
        for statement in statements {
            guard let arrival = statement.receivedAt ?? statement.signature else { continue }
            for transaction in shownRows[statement.rows].map(\.transaction) + [statement.transaction] {
                shown[transaction] = min(arrival, shown[transaction] ?? .max)
            }
        }
        let failures = failures()
        for place in places where statements[place].transaction != TimelineID.none {
            let statement = statements[place]
            guard let own = statement.ownTime, let arrival = shown[statement.transaction] else { continue }
            let grace = failures.first { failure in
                abs(failure.end - own) <= table.parameters.contiguous && failure.graceUntil ?? .min > failure.end
            }?.graceUntil
            statements[place].recovered = (arrival, TimeField.receivedAt)
            if let grace, grace < arrival { statements[place].recovered = (grace, TimeField.grace) }
        }
    }
}
