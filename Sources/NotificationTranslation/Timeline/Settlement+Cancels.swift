/// Assigns a different period to each CANCEL that names none, where its body shows several that it may be about.
///
///     CANCEL   {1} refunded 07:33:14, {3} refunded 07:32:07     received 07:47:11   →  3
///     CANCEL   the same                                         received 07:47:29   →  1
extension Settlement {
    mutating func shareCancellations() {
        let open = statements.indices.filter { place in
            isShared(place) && statements[place].receivedAt != nil
        }
        guard !open.isEmpty else { return }
        let named = statements.filter { isCancel($0) && $0.says(.refundedRows, FactValue.RefundedRows.one) }
        var told = Set(named.map { Cancellation(transaction: $0.transaction, at: $0.ownTime) })
        var given: [Int: Int] = [:]
        var first: [UInt64: [(place: Int, repeats: Int)]] = [:]
        for place in open.sorted(by: { isReceived($0, before: $1) }) {
            let statement = statements[place]
            let before = first[statement.id.number, default: []]
            let delivered = before.indices.filter { isDelivered(before[$0].place, again: place) }
            if let again = delivered.min(by: { before[$0].repeats < before[$1].repeats }) {
                given[place] = given[before[again].place]
                first[statement.id.number]?[again].repeats += 1
                continue
            }
            let possible = possible(statement)
            let own = possible.first { shownRows[$0].transaction == statement.transaction }
            let free = ([own].compactMap(\.self) + possible).first { !told.contains(cancellation($0)) }
            guard let row = free ?? own else { continue }
            told.insert(cancellation(row))
            // Beyond one for each row, no other one is looked for.
            if free != nil { first[statement.id.number, default: []].append((place, 0)) }
            given[place] = row
        }
        for (place, row) in given {
            give(row, to: place)
            // If there is one for each, it makes no difference which is whose.
            if possible(statements[place]).allSatisfy({ told.contains(cancellation($0)) }) {
                statements[place].facts.set(.refundedRows, FactValue.RefundedRows.one)
            }
            outcomes[place].limit = .inferred
            let statement = statements[place]
            outcomes[place].facts = statement.facts
            outcomes[place].take(cache.decision(type: statement.type, facts: statement.facts))
        }
    }

    private func isCancel(_ statement: Statement) -> Bool {
        isAboutCancelled(statement) && shape(of: statement)?.subject == .subscription
    }

    private func isShared(_ place: Int) -> Bool {
        let statement = statements[place]
        return isCancel(statement)
            && (statement.says(.refundedRows, FactValue.RefundedRows.several)
                || statement.says(.refundedRows, FactValue.RefundedRows.mixed))
    }

    /// One cancellation of a transaction; it can be taken back, and cancelled again later.
    private struct Cancellation: Hashable {
        var transaction: UInt64
        var at: Int64?
    }

    private func cancellation(_ row: Int) -> Cancellation {
        Cancellation(transaction: shownRows[row].transaction, at: shownRows[row].cancellation)
    }

    private func isReceived(_ one: Int, before other: Int) -> Bool {
        let (left, right) = (statements[one], statements[other])
        return (left.receivedAt ?? .max, left.id.number, one) < (right.receivedAt ?? .max, right.id.number, other)
    }

    /// Whether a notification may be another one, delivered again.
    private func isDelivered(_ first: Int, again place: Int) -> Bool {
        guard let received = statements[first].receivedAt, let again = statements[place].receivedAt else { return true }
        return again - received < Self.keptTwice || table.parameters.isAttempt(again - received)
    }

    /// The rows that a CANCEL may be about, the refunds first and of these the last one; among periods that an upgrade
    /// replaced too.
    private func possible(_ statement: Statement) -> [Int] {
        let cancelled = statement.rows.filter { shownRows[$0].cancellation != nil }
        guard let last = cancelled.compactMap({ shownRows[$0].cancellation }).max() else { return [] }
        let isMixed = statement.says(.refundedRows, FactValue.RefundedRows.mixed)
        let reach = statement.isSandbox ? tolerance(statement) : table.parameters.deliveryHorizon
        // Rows of one date are one purchase, restored on another device.
        var purchases: Set<Int64> = []
        let near = cancelled.filter { place in
            let row = shownRows[place]
            return (isMixed || !row.isUpgraded) && row.cancellation ?? .min >= last - reach
                && row.cancellation ?? .max <= (statement.receivedAt ?? .max)
                && purchases.insert(row.purchase).inserted
        }
        return near.sorted { one, other in
            let (left, right) = (shownRows[one], shownRows[other])
            if left.isUpgraded != right.isUpgraded { return right.isUpgraded }
            return (left.cancellation ?? 0, left.purchase) > (right.cancellation ?? 0, right.purchase)
        }
    }

    /// Lets a CANCEL be about a row.
    private mutating func give(_ place: Int, to statement: Int) {
        let row = shownRows[place]
        guard statements[statement].transaction != row.transaction else { return }
        outcomes[statement].row = place
        outcomes[statement].bodyTime = statements[statement].ownTime
        statements[statement].transaction = row.transaction
        statements[statement].product = row.product
        statements[statement].ownTime = row.cancellation
        let isNewest = !shownRows[statements[statement].rows].contains { $0.purchase > row.purchase }
        let isOver = (row.expires ?? .max) < (row.cancellation ?? .min) - table.parameters.contiguous
        statements[statement].facts.set(.notified, isNewest ? FactValue.Notified.latest : .older)
        statements[statement].facts.set(
            .cancelledRow,
            row.isUpgraded ? FactValue.CancelledRow.upgraded : isOver ? .over : .plain)
        let reason = table.codes.value(of: .revocationReason, forNumber: Int64(row.reason))
        statements[statement].facts.set(
            .revocationReason, reason.flatMap(FactValue.Reason.init(number:)) ?? .unknown)
    }

    // MARK: What alone reports an upgrade

    /// Lets a CANCEL that is the event of an upgrade be about the transaction that began; it names the one that ended.
    mutating func nameNewPlans() {
        for place in story where isAboutCancelled(statements[place]) {
            let first = outcomes[place].disposition == .duplicate ? outcomes[place].leader : place
            guard first >= 0, isAboutCancelled(statements[first]), isEvent(first), role(first) == .begins,
                outcomes[first].decision?.certainty != .ambiguous
            else { continue }
            guard let next = replacement(of: statements[place]) else {
                outcomes[place].addedFlags.formUnion(.transactionUncertain)
                continue
            }
            let row = history.rows[next]
            outcomes[place].row = shownRows.count
            outcomes[place].bodyTime = statements[place].ownTime
            shownRows.append(row)
            statements[place].transaction = row.transaction
            statements[place].product = row.product
            var facts = outcomes[place].facts
            facts.set(.notified, FactValue.Notified.latest)
            let decision = cache.decision(type: statements[place].type, facts: facts)
            guard decision.rule.id == outcomes[place].decision?.rule.id else { continue }
            outcomes[place].facts = facts
            outcomes[place].decision = decision
        }
    }

    /// The place in the history of the transaction that replaced the one a cancellation is about.
    private func replacement(of statement: Statement) -> Int? {
        guard let place = history.index(of: statement.transaction) else { return nil }
        let row = history.rows[place]
        if row.isUpgraded { return successor(of: statement).flatMap { history.index(of: $0) } }
        guard let cancelled = statement.ownTime ?? row.cancellation else { return nil }
        return history.near(cancelled, within: table.parameters.contiguous).first {
            let other = history.rows[$0]
            return other.transaction != row.transaction && other.product != row.product
                && history.follows(other, row, cancelledAt: cancelled)
        }
    }
}
