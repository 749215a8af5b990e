/// Assigns a CANCEL that reports an upgrade to the transaction that began.
///
/// The CANCEL itself names the one that ended.
struct NewPlans: SettlingStep, ~Copyable {
    private(set) var settlement: Settlement

    mutating func name() {
        for place in settlement.story where settlement.isAboutCancelled(settlement.statements[place]) {
            let first = settlement.outcomes[place].disposition == .duplicate ? settlement.outcomes[place].leader : place
            guard first >= 0, settlement.isAboutCancelled(settlement.statements[first]), settlement.isEvent(first),
                settlement.role(first) == .begins,
                settlement.outcomes[first].decision?.certainty != .ambiguous
            else { continue }
            let successor = settlement.successor(of: settlement.statements[place])
            guard let next = successor.flatMap(settlement.history.index) else {
                settlement.outcomes[place].addedFlags.formUnion(.transactionUncertain)
                continue
            }
            let row = settlement.history.rows[next]
            settlement.move(place, to: row)
            var facts = settlement.outcomes[place].facts
            facts.set(.notified, FactValue.Notified.latest)
            let decision = settlement.cache.decision(type: settlement.statements[place].type, facts: facts)
            guard decision.rule.text.text == settlement.outcomes[place].decision?.rule.text.text else { continue }
            settlement.outcomes[place].facts = facts
            settlement.outcomes[place].decision = decision
        }
    }
}
