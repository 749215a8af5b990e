/// Assigns a different period to each CANCEL that names none, where its body shows several that it may be about.
///
///     CANCEL   {1} refunded 07:33:14, {3} refunded 07:32:07     received 07:47:11   →  3
///     CANCEL   the same                                         received 07:47:29   →  1
struct SharedRefunds: SettlingStep {
    private(set) var settlement: Settlement

    mutating func assign() {
        let open = settlement.statements.indices.filter { index in
            isShared(index) && settlement.statements[index].receivedAt != nil
        }
        guard !open.isEmpty else { return }
        let named = settlement.statements.filter { isCancel($0) && $0.says(.refundedRows, FactValue.RefundedRows.one) }
        var assigned = Set(named.map { Cancellation(transaction: $0.transaction, at: $0.ownTime) })
        var given: [Int: Int] = [:]
        var first: [UInt64: [(index: Int, repeats: Int)]] = [:]
        for index in open.sorted(by: { isReceived($0, before: $1) }) {
            let statement = settlement.statements[index]
            let before = first[statement.id.number, default: []]
            let delivered = before.indices.filter { isDelivered(before[$0].index, again: index) }
            if let again = delivered.min(by: { before[$0].repeats < before[$1].repeats }) {
                given[index] = given[before[again].index]
                first[statement.id.number]?[again].repeats += 1
                continue
            }
            let possible = possible(statement)
            let own = possible.first { settlement.shownRows[$0].transaction == statement.transaction }
            let free = ([own].compactMap(\.self) + possible).first { !assigned.contains(cancellation($0)) }
            guard let row = free ?? own else { continue }
            assigned.insert(cancellation(row))
            // A CANCEL that found no free row is not compared with later ones.
            if free != nil { first[statement.id.number, default: []].append((index, 0)) }
            given[index] = row
        }
        for (index, row) in given {
            give(row, to: index)
            // If there is one for each, it makes no difference which is whose.
            if possible(settlement.statements[index]).allSatisfy({ assigned.contains(cancellation($0)) }) {
                settlement.statements[index].facts.set(.refundedRows, FactValue.RefundedRows.one)
            }
            settlement.outcomes[index].limit = .inferred
            settlement.decide(index)
        }
    }

    private func isCancel(_ statement: Statement) -> Bool {
        settlement.isAboutCancelled(statement) && settlement.shape(of: statement)?.subject == .subscription
    }

    private func isShared(_ index: Int) -> Bool {
        let statement = settlement.statements[index]
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
        Cancellation(transaction: settlement.shownRows[row].transaction, at: settlement.shownRows[row].cancellation)
    }

    private func isReceived(_ one: Int, before other: Int) -> Bool {
        let (left, right) = (settlement.statements[one], settlement.statements[other])
        return (left.receivedAt ?? .max, left.id.number, one) < (right.receivedAt ?? .max, right.id.number, other)
    }

    /// Whether a notification may be another one, delivered again.
    private func isDelivered(_ first: Int, again index: Int) -> Bool {
        guard let received = settlement.statements[first].receivedAt,
            let again = settlement.statements[index].receivedAt
        else { return true }
        return again - received < Settlement.keptTwice || settlement.parameters.isAttempt(again - received)
    }

    /// The rows that a CANCEL may be about: refunds before periods that an upgrade replaced, the latest cancellation first.
    private func possible(_ statement: Statement) -> [Int] {
        let cancelled = statement.rows.filter { settlement.shownRows[$0].cancellation != nil }
        guard let last = cancelled.compactMap({ settlement.shownRows[$0].cancellation }).max() else { return [] }
        let isMixed = statement.says(.refundedRows, FactValue.RefundedRows.mixed)
        let reach = settlement.delivery(statement).horizon
        // Rows of one date are one purchase, restored on another device.
        var purchases: Set<Int64> = []
        let near = cancelled.filter { index in
            let row = settlement.shownRows[index]
            return (isMixed || !row.isUpgraded) && row.cancellation ?? .min >= last - reach
                && row.cancellation ?? .max <= (statement.receivedAt ?? .max)
                && purchases.insert(row.purchase).inserted
        }
        return near.sorted { one, other in
            let (left, right) = (settlement.shownRows[one], settlement.shownRows[other])
            if left.isUpgraded != right.isUpgraded { return right.isUpgraded }
            return (left.cancellation ?? 0, left.purchase) > (right.cancellation ?? 0, right.purchase)
        }
    }

    /// Lets a CANCEL be about a row.
    private mutating func give(_ index: Int, to statement: Int) {
        let row = settlement.shownRows[index]
        guard settlement.statements[statement].transaction != row.transaction else { return }
        settlement.move(statement, to: row, at: index)
        settlement.statements[statement].ownTime = row.cancellation
        let isNewest = !settlement.shownRows[settlement.statements[statement].rows].contains {
            $0.purchase > row.purchase
        }
        let isOver = (row.expires ?? .max) < (row.cancellation ?? .min) - settlement.parameters.contiguous
        settlement.statements[statement].facts.set(.notified, isNewest ? FactValue.Notified.latest : .older)
        settlement.statements[statement].facts.set(
            .cancelledRow,
            row.isUpgraded ? FactValue.CancelledRow.upgraded : isOver ? .over : .plain)
        let reason = settlement.table.codes.value(of: .revocationReason, forNumber: Int64(row.reason))
        settlement.statements[statement].facts.set(
            .revocationReason, reason.flatMap(FactValue.Reason.init(rawValue:)) ?? .unknown)
    }
}
