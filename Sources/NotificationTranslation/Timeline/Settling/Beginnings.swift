/// Finds the one notification that carries the beginning of a transaction, which happens once.
struct Beginnings: SettlingStep {
    private(set) var settlement: Settlement

    /// If several V1 notifications report the beginning of one transaction, the best supported stays the event and the
    /// others become companions.
    ///
    ///     DID_RECOVER  {7}, exact         the event, no longer exact, because the other says something else for certain
    ///     RENEWAL      {7}, inferred      companion
    ///     DID_RENEW    {7}, exact         companion
    ///
    /// What version 2 reports too is joined to that later.
    mutating func find() {
        for index in settlement.order where isBeginning(index) {
            var rivals = Array(settlement.laterAbout(index).filter(isBeginning))
            guard !rivals.isEmpty else { continue }
            rivals.append(index)
            let leader = rivals.min { isBetterSupported($0, than: $1) } ?? index
            let isDisputed = rivals.contains {
                settlement.outcomes[$0].pair != settlement.outcomes[leader].pair
                    && settlement.outcomes[$0].decision?.certainty == .exact
            }
            for rival in rivals where rival != leader { set(.other, rival) }
            if isDisputed { set(.disputed, leader) }
        }
    }

    private mutating func set(_ beginning: FactValue.Beginning, _ index: Int) {
        var facts = settlement.outcomes[index].facts
        facts.set(.beginning, beginning)
        settlement.decide(index, facts)
    }

    /// Whether a V1 notification is the event of the beginning of the transaction that it certainly names.
    private func isBeginning(_ index: Int) -> Bool {
        let statement = settlement.statements[index]
        return settlement.isEvent(index) && statement.type >= 0 && settlement.role(index) == .begins
            && statement.transaction != TimelineID.none && statement.says(.subject, FactValue.Subject.certain)
            && !settlement.isAboutCancelled(statement)
    }

    /// Whether one is more certain than another; if they are equal, the order of the types in the table decides.
    private func isBetterSupported(_ one: Int, than other: Int) -> Bool {
        let (left, right) = (
            settlement.outcomes[one].decision?.certainty, settlement.outcomes[other].decision?.certainty
        )
        if let left, let right, left != right { return left.atMost(right) == right }
        let (type, otherType) = (settlement.statements[one].type, settlement.statements[other].type)
        return type != otherType ? type < otherType : settlement.positions[one] < settlement.positions[other]
    }
}
