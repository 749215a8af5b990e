extension Settlement {
    /// Lets all notifications call a purchase by one transaction id, where restoring it gave it more.
    ///
    /// - Returns: Whether there was any.
    func nameRestored() -> Bool {
        let restored = history.restored()
        if restored.isEmpty { return false }
        for place in statements.indices {
            if let original = restored[statements[place].transaction] {
                statements[place].transaction = history.rows[original].transaction
            }
            for row in statements[place].rows {
                guard let original = restored[shownRows[row].transaction] else { continue }
                rename(row, to: history.rows[original], in: statements[place].rows)
            }
        }
        return true
    }

    /// Gives a row that a list shows the id of the purchase that it is, and both rows of that what either says of its end.
    private func rename(_ row: Int, to original: TimelineRow, in list: Range<Int>) {
        shownRows[row].transaction = original.transaction
        shownRows[row].transactionText = original.transactionText
        shownRows[row].number = original.number
        for other in list where other != row && shownRows[other].transaction == original.transaction {
            shownRows[row].takeEnd(of: shownRows[other])
            shownRows[other].takeEnd(of: shownRows[row])
        }
    }
}

extension TimelineRow {
    fileprivate mutating func takeEnd(of other: TimelineRow) {
        if cancellation == nil {
            cancellation = other.cancellation
            reason = other.reason
        }
        if other.isUpgraded { isUpgraded = true }
    }
}
