/// Lets a CANCEL that is the event of an upgrade be about the transaction that began; it names the one that ended.
struct NewPlans: SettlingStep, ~Copyable {
    private(set) var settlement: Settlement

    mutating func name() {
        for place in settlement.story where settlement.isAboutCancelled(settlement.statements[place]) {
            let first = settlement.outcomes[place].disposition == .duplicate ? settlement.outcomes[place].leader : place
            guard first >= 0, settlement.isAboutCancelled(settlement.statements[first]), settlement.isEvent(first),
                settlement.role(first) == .begins,
                settlement.outcomes[first].decision?.certainty != .ambiguous
            else { continue }
            guard let next = replacement(of: settlement.statements[place]) else {
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

    /// The place in the history of the transaction that replaced the one a cancellation is about.
    private func replacement(of statement: Statement) -> Int? {
        guard let place = settlement.history.index(of: statement.transaction) else { return nil }
        let row = settlement.history.rows[place]
        guard row.isUpgraded else { return nil }
        return settlement.successor(of: statement).flatMap { settlement.history.index(of: $0) }
    }
}
