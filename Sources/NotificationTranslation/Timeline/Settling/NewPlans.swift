/// Assigns a CANCEL that reports an upgrade to the transaction that began.
///
/// The CANCEL itself names the one that ended.
struct NewPlans: SettlingStep, ~Copyable {
    private(set) var settlement: Settlement

    mutating func name() {
        for index in settlement.order where settlement.isAboutCancelled(settlement.statements[index]) {
            let first = settlement.outcomes[index].disposition == .duplicate ? settlement.outcomes[index].leader : index
            guard first >= 0, settlement.isAboutCancelled(settlement.statements[first]), settlement.isEvent(first),
                settlement.role(first) == .begins,
                settlement.outcomes[first].decision?.certainty != .ambiguous
            else { continue }
            let successor = settlement.successor(of: settlement.statements[index])
            guard let next = successor.flatMap(settlement.history.index) else {
                settlement.outcomes[index].addedFlags.formUnion(.transactionUncertain)
                continue
            }
            let row = settlement.history.rows[next]
            settlement.move(index, to: row)
            var facts = settlement.outcomes[index].facts
            facts.set(.notified, FactValue.Notified.latest)
            let decision = settlement.cache.decision(type: settlement.statements[index].type, facts: facts)
            guard decision.rule.text.text == settlement.outcomes[index].decision?.rule.text.text else { continue }
            settlement.outcomes[index].facts = facts
            settlement.outcomes[index].decision = decision
        }
    }
}
