/// Moves switches of automatic renewal to the period that they are about.
struct RenewalSwitches: SettlingStep {
    private(set) var settlement: Settlement

    /// Moves a V2 switch of renewal from the period charged ahead to the period that was running.
    ///
    /// V2 shows the newest transaction; what V1 reports is about the one that ran at its time.
    mutating func moveToRunningPeriod() {
        for index in settlement.statements.indices where settlement.statements[index].isV2 {
            let statement = settlement.statements[index]
            guard settlement.table.timeline.role(ofPair: statement.pair) == .switches, let signed = statement.ownTime,
                let shown = settlement.history.index(of: statement.transaction)
            else { continue }
            let begin = settlement.history.rows[shown].purchase
            guard begin > signed + settlement.tolerance(statement),
                begin - signed <= settlement.parameters.chargedAhead,
                let last = settlement.history.last(before: begin, otherThan: statement.transaction),
                let end = last.expires,
                abs(end - begin) <= settlement.parameters.contiguous
            else { continue }
            settlement.statements[index].transaction = last.transaction
        }
    }

    /// Moves a V1 switch of renewal to the transaction that began with it and that its own body does not show yet.
    ///
    ///     DID_CHANGE_RENEWAL_STATUS  on at 10:00:03, shows {1}
    ///     INTERACTIVE_RENEWAL        {2} from 10:00:02            →  both are about {2}
    mutating func moveToBegunPeriod() {
        guard settlement.statements.count > 1 else { return }
        for index in settlement.statements.indices where settlement.statements[index].type >= 0 {
            let statement = settlement.statements[index]
            guard settlement.table.shape(ofType: statement.type).transaction == .atTime,
                statement.autoRenewStatus == true,
                let changed = statement.ownTime, statement.says(.subject, FactValue.Subject.certain),
                let shown = settlement.history.index(of: statement.transaction)
            else { continue }
            let begun = settlement.history.near(changed, within: settlement.tolerance(statement)).last {
                let row = settlement.history.rows[$0]
                return $0 > shown && row.purchase - changed <= settlement.parameters.switchedWithPurchase
                    && row.cancellation.map { $0 > changed } ?? true
                    && !settlement.shownRows[statement.rows].contains { $0.transaction == row.transaction }
            }
            guard let begun else { continue }
            let row = settlement.history.rows[begun]
            let isLater = changed - row.purchase > settlement.parameters.switchedWithPurchase
            for fact in [Fact.gap, .productChanged, .previousUpgraded, .changedAt, .offer, .original, .nextProduct] {
                if let unknown = fact.unknown { settlement.statements[index].facts[fact.index] = unknown }
            }
            settlement.statements[index].facts.set(.newTransaction, FactValue.Answer.yes)
            settlement.statements[index].facts.set(.switchedLater, isLater ? FactValue.Answer.yes : .no)
            settlement.move(index, to: row)
        }
    }
}
