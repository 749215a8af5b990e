/// Finds the notifications that belong to the act of another, such as the INTERACTIVE_RENEWAL beside a CANCEL.
extension ContextJudgement {
    /// Sets the facts of a notification that say whether a partner of the same act is in view.
    func partners(_ index: Int, _ facts: inout Facts) {
        let statement = settlement.statements[index]
        for partner in settlement.table.timeline.partners where partner.of.contains(statement.type) {
            if facts[partner.fact] == FactValue.Answer.yes.rawValue { continue }
            let isThere = settlement.tied(index, by: partner.bond).contains { other in
                let candidate = settlement.statements[other]
                let isPartner =
                    candidate.isV2
                    ? partner.pairs.contains(candidate.pair)
                    : partner.types.contains(candidate.type)
                        && partner.conditions.hold(for: settlement.outcomes[other].facts)
                return isPartner && !isRefundBefore(index, other)
            }
            // A partner may have come before the first notification in view or after the last one, or name no
            // transaction.
            if !isThere,
                isAtBeginning(statement) || settlement.mayStillArrive(statement)
                    || settlement.mayBeAfterView(statement.time, statement)
                    || mayBeUnnamed(index, partner)
            {
                continue
            }
            facts[partner.fact] = (isThere ? FactValue.Answer.yes : .no).rawValue
        }
    }

    /// Whether a notification of one of the types came near enough to be a partner, and one of the two names no
    /// transaction.
    private func mayBeUnnamed(_ index: Int, _ partner: TimelineRules.Partner) -> Bool {
        guard settlement.hasUnnamed else { return false }
        let isUntied = partner.bond == .transaction && settlement.statements[index].transaction == TimelineID.none
        return settlement.near(index, within: settlement.parameters.deliveryHorizon).contains { other in
            let candidate = settlement.statements[other]
            return partner.types.contains(candidate.type)
                && (isUntied || candidate.transaction == TimelineID.none)
        }
    }

    /// Whether nothing is in view from before a notification, so that what belongs to it may have come before.
    ///
    /// A first purchase has nothing before it.
    func isAtBeginning(_ statement: Statement) -> Bool {
        guard let first = settlement.firstDated else { return true }
        guard statement.time - settlement.statements[first].time <= settlement.tolerance(statement) else {
            return false
        }
        return settlement.shape(of: settlement.statements[first])?.transaction != .first
    }

    /// Whether one of two notifications reports a refund, and the other a purchase that followed it.
    private func isRefundBefore(_ one: Int, _ other: Int) -> Bool {
        let isFirst = settlement.isAboutCancelled(settlement.statements[one])
        guard isFirst != settlement.isAboutCancelled(settlement.statements[other]) else { return false }
        guard let refund = settlement.history.index(of: settlement.statements[isFirst ? one : other].transaction),
            let purchase = settlement.history.index(of: settlement.statements[isFirst ? other : one].transaction)
        else { return false }
        return wasRefunded(settlement.history.rows[refund], before: settlement.history.rows[purchase].purchase)
    }
}
