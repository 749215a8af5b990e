extension ContextJudgement {
    /// What answers say of the transaction of a notification, where its body does not: who owns it, its offer, where in
    /// its period a change of status was made, and whether the customer bought it.
    func answered(_ statement: Statement, _ facts: inout Facts) {
        guard let details = settlement.answers.details[statement.transaction],
            let index = settlement.history.index(of: statement.transaction)
        else { return }
        let (row, shape) = (settlement.history.rows[index], settlement.table.shape(ofType: statement.type))
        func set<Value: FactValue.Value>(_ fact: Fact, ifUnknown value: Value?) {
            guard let value, facts[fact.index] == fact.unknown else { return }
            facts.set(fact, value)
        }
        if shape.transaction != .cancelled,
            let reason = settlement.table.codes.value(of: .answered, for: details.reason)
        {
            facts[Fact.answered.index] = reason
            // What the customer did was not the beginning of a period that the store renewed.
            if reason == FactValue.Answered.renewal.rawValue, settlement.table.timeline.byHand.contains(statement.type)
            {
                set(.newTransaction, ifUnknown: FactValue.Answer.no)
            }
        }
        let ownership = settlement.table.codes.value(of: .ownership, for: details.shown.ownership)
        set(.ownership, ifUnknown: ownership.flatMap(FactValue.Ownership.init(rawValue:)))
        set(.rowKind, ifUnknown: row.expires == nil ? FactValue.RowKind.oneTime : .subscription)
        let offer = settlement.table.codes.value(of: .offer, forNumber: Int64(row.offerType))
        set(.offer, ifUnknown: offer.flatMap(FactValue.Offer.init(rawValue:)))
        let isOriginal = row.transaction == TimelineID.of(statement.originalTransactionID)
        set(.original, ifUnknown: isOriginal ? FactValue.Answer.yes : .no)
        guard let changed = statement.ownTime, shape.time == .statusChange else { return }
        let isNew = abs(changed - row.purchase) <= settlement.tolerance(statement)
        set(.newTransaction, ifUnknown: isNew ? FactValue.Answer.yes : .no)
        set(.changedAt, ifUnknown: row.expires.map { settlement.parameters.changedAt(changed - $0) })
    }
}
