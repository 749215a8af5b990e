/// What rests on Apple's answers: what a subscription is with them and would be without.
struct AnswerEffect {
    let settlement: Settlement
    let baseline: Settlement

    /// Flags the outcomes that Apple's answers changed, and takes the numbers of the ids from the baseline.
    static func flagged(_ settlement: Settlement, without baseline: Settlement) -> Settlement {
        var flagged = settlement
        let effect = Self(settlement: settlement, baseline: baseline)
        let (access, accessBefore) = (SettledAccess(settlement), SettledAccess(baseline))
        for index in settlement.statements.indices {
            // The canonical text is that of the body, whatever an answer says.
            flagged.outcomes[index].number = baseline.outcomes[index].number
            let (mine, before) = (settlement.outcomes[index], baseline.outcomes[index])
            let isSame =
                mine.disposition == before.disposition && mine.pair == before.pair && mine.leader == before.leader
                && mine.row == before.row && mine.limit == before.limit
                && mine.decision?.rule.id == before.decision?.rule.id
                && mine.decision?.candidates == before.decision?.candidates
                && mine.decision?.certainty == before.decision?.certainty
                && access.access(index) == accessBefore.access(index) && settlement.completion(index) == nil
            if !isSame { flagged.outcomes[index].addedFlags.formUnion(.settledByAnswer) }
            if effect.isContradicted(index) { flagged.outcomes[index].addedFlags.formUnion(.answerContradicts) }
        }
        return flagged
    }

    /// Whether an answer shows the transaction of a notification otherwise than its body.
    private func isContradicted(_ index: Int) -> Bool {
        let statement = settlement.statements[index]
        guard let row = settlement.answers.shown[statement.transaction],
            let own = settlement.shownRows[statement.rows].first(where: { $0.transaction == statement.transaction })
        else { return false }
        if own.contradicts(row, settlement.parameters) { return true }
        guard let cancelled = own.cancellation, let refunded = row.cancellation else { return false }
        return refunded < cancelled - settlement.parameters.cancelledAgain
    }

    /// What answers say of what was said of a V1 notification without them: that its transaction was refunded or
    /// replaced, was bought or renewed; `nil` where none says that.
    func comparison(_ notification: Int) -> AgreementTally.Result? {
        let (statement, said) = (settlement.statements[notification], baseline.outcomes[notification])
        guard said.disposition == .event || said.disposition == .companion,
            let details = settlement.answers.details[statement.transaction],
            let index = settlement.history.index(of: statement.transaction)
        else { return nil }
        guard let isTrue = truth(notification, index, details) else { return nil }
        if isTrue(said.disposition == .event ? said.pair : -1) { return .same }
        let isListed = said.decision?.candidates.contains { candidate in
            if case .pair(let pair) = candidate { isTrue(pair) } else { isTrue(-1) }
        }
        return isListed ?? false ? .candidate : .contradicted
    }

    /// Which pairs are true of a notification by what answers say of its transaction; -1 stands for a companion.
    private func truth(_ notification: Int, _ index: Int, _ details: RowDetails) -> ((Int) -> Bool)? {
        let (statement, row) = (settlement.statements[notification], settlement.history.rows[index])
        let table = settlement.table
        if settlement.isAboutCancelled(statement) {
            guard let at = statement.ownTime ?? row.cancellation else { return nil }
            let isUpgrade = settlement.isUpgradeAnswered(index, at: at)
            let isRefund = row.fate?.isRefund(near: at, within: settlement.tolerance(statement)) ?? false
            guard isUpgrade || isRefund else { return nil }
            return { (table.timeline.role(ofPair: $0) == .refunds) != isUpgrade }
        }
        guard baseline.role(notification) == .begins, let reason = table.codes.value(of: .answered, for: details.reason)
        else { return nil }
        let isRenewal = reason == FactValue.Answered.renewal.rawValue
        return { $0 >= 0 && (table.events.pairs[$0].type == "DID_RENEW") == isRenewal }
    }
}
