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

    /// Lets V2 tell a switch of renewal of the period that was running, where it shows the one that was charged ahead.
    ///
    /// V2 shows the newest transaction; what V1 tells is about the one that ran at its time.
    func nameRunning() {
        for place in statements.indices where statements[place].isV2 {
            let statement = statements[place]
            guard table.timeline.role(ofPair: statement.pair) == .switches, let signed = statement.ownTime,
                let shown = history.index(of: statement.transaction)
            else { continue }
            let begin = history.rows[shown].purchase
            guard begin > signed + tolerance(statement),
                let last = history.last(before: begin, otherThan: statement.transaction),
                let end = history.rows[last].expires, abs(end - begin) <= table.parameters.contiguous
            else { continue }
            statements[place].transaction = history.rows[last].transaction
        }
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
