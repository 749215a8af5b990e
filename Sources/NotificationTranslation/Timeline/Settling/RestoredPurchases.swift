/// Replaces the ids of restored transactions by the id of the original purchase.
struct RestoredPurchases: SettlingStep {
    private(set) var settlement: Settlement

    /// Replaces them; false if there is none.
    mutating func merge() -> Bool {
        let restored = settlement.history.restored(isSubscription: settlement.showsSubscription())
        if restored.isEmpty { return false }
        for index in settlement.statements.indices {
            if let original = restored[settlement.statements[index].transaction] {
                settlement.statements[index].transaction = settlement.history.rows[original].transaction
            }
            mergeRows(settlement.statements[index].rows, restored)
        }
        for answer in settlement.answers.answers { mergeRows(answer.rows, restored) }
        settlement.answers.merge(restored.mapValues { settlement.history.rows[$0].transaction })
        return true
    }

    /// Gives the rows of a list that show one purchase the same id, and the same end: the earliest cancellation of
    /// them.
    private mutating func mergeRows(_ list: Range<Int>, _ restored: [UInt64: Int]) {
        var merged: Set<UInt64> = []
        for row in list {
            guard let original = restored[settlement.shownRows[row].transaction] else { continue }
            let first = settlement.history.rows[original]
            settlement.shownRows[row].transaction = first.transaction
            settlement.shownRows[row].transactionText = first.transactionText
            settlement.shownRows[row].number = first.number
            settlement.shownRows[row].purchase = first.purchase
            merged.insert(settlement.shownRows[row].transaction)
        }
        guard !merged.isEmpty else { return }
        var ends: [UInt64: TimelineRow] = [:]
        for row in list where merged.contains(settlement.shownRows[row].transaction) {
            ends[settlement.shownRows[row].transaction, default: settlement.shownRows[row]].takeEarlierEnd(
                of: settlement.shownRows[row])
        }
        for row in list {
            if let end = ends[settlement.shownRows[row].transaction] {
                settlement.shownRows[row].takeEarlierEnd(of: end)
            }
        }
    }

}

extension TimelineRow {
    fileprivate mutating func takeEarlierEnd(of other: TimelineRow) {
        if let cancelled = other.cancellation, cancelled < cancellation ?? .max {
            cancellation = cancelled
            reason = other.reason
        }
        if other.isUpgraded { isUpgraded = true }
    }
}
