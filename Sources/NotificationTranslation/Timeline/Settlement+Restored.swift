extension Settlement {
    /// Replaces the ids of restored transactions by the id of the original purchase.
    ///
    /// - Returns: Whether there was any.
    mutating func mergeRestored() -> Bool {
        let restored = history.restored(isSubscription: showsSubscription())
        if restored.isEmpty { return false }
        for place in statements.indices {
            if let original = restored[statements[place].transaction] {
                statements[place].transaction = history.rows[original].transaction
            }
            mergeRows(statements[place].rows, restored)
        }
        return true
    }

    /// Gives the rows of a list that show one purchase the same id, and the same end: the earliest cancellation of
    /// them.
    private mutating func mergeRows(_ list: Range<Int>, _ restored: [UInt64: Int]) {
        var merged: Set<UInt64> = []
        for row in list {
            guard let original = restored[shownRows[row].transaction] else { continue }
            shownRows[row].transaction = history.rows[original].transaction
            shownRows[row].transactionText = history.rows[original].transactionText
            shownRows[row].number = history.rows[original].number
            merged.insert(shownRows[row].transaction)
        }
        guard !merged.isEmpty else { return }
        var ends: [UInt64: TimelineRow] = [:]
        for row in list where merged.contains(shownRows[row].transaction) {
            ends[shownRows[row].transaction, default: shownRows[row]].takeEarlierEnd(of: shownRows[row])
        }
        for row in list {
            if let end = ends[shownRows[row].transaction] { shownRows[row].takeEarlierEnd(of: end) }
        }
    }

    /// Moves a V2 switch of renewal from the period charged ahead to the period that was running.
    ///
    /// V2 shows the newest transaction; what V1 reports is about the one that ran at its time.
    mutating func moveSwitchesToRunningPeriod() {
        for place in statements.indices where statements[place].isV2 {
            let statement = statements[place]
            guard table.timeline.role(ofPair: statement.pair) == .switches, let signed = statement.ownTime,
                let shown = history.index(of: statement.transaction)
            else { continue }
            let begin = history.rows[shown].purchase
            guard begin > signed + tolerance(statement), begin - signed <= table.parameters.chargedAhead,
                let last = history.last(before: begin, otherThan: statement.transaction),
                let end = history.rows[last].expires, abs(end - begin) <= table.parameters.contiguous
            else { continue }
            statements[place].transaction = history.rows[last].transaction
        }
    }

    /// Moves a V1 switch of renewal to the transaction that began with it and that its own body does not show yet.
    ///
    ///     DID_CHANGE_RENEWAL_STATUS  on at 10:00:03, shows {1}
    ///     INTERACTIVE_RENEWAL        {2} from 10:00:02            →  both are about {2}
    mutating func moveSwitchesToBegunPeriod() {
        guard statements.count > 1 else { return }
        for place in statements.indices where statements[place].type >= 0 {
            let statement = statements[place]
            guard table.shape(ofType: statement.type).transaction == .atTime, statement.autoRenewStatus == true,
                let changed = statement.ownTime, statement.says(.subject, FactValue.Subject.certain),
                let shown = history.index(of: statement.transaction)
            else { continue }
            let begun = history.near(changed, within: tolerance(statement)).last {
                let row = history.rows[$0]
                return $0 > shown && row.purchase - changed <= table.parameters.switchedWithPurchase
                    && row.cancellation.map { $0 > changed } ?? true
                    && !shownRows[statement.rows].contains { $0.transaction == row.transaction }
            }
            guard let begun else { continue }
            let row = history.rows[begun]
            let isLater = changed - row.purchase > table.parameters.switchedWithPurchase
            for fact in [Fact.gap, .productChanged, .previousUpgraded, .changedAt, .offer, .original, .nextProduct] {
                if let unknown = fact.unknown { statements[place].facts[fact.index] = unknown }
            }
            statements[place].facts.set(.newTransaction, FactValue.Answer.yes)
            statements[place].facts.set(.switchedLater, isLater ? FactValue.Answer.yes : .no)
            statements[place].transaction = row.transaction
            statements[place].product = row.product
            outcomes[place].row = shownRows.count
            outcomes[place].bodyTime = changed
            shownRows.append(row)
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
