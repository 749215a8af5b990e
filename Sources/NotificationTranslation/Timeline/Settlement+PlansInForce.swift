/// Which plan was in force when a choice was told again: what follows and what came before show it.
extension Settlement {
    /// Whether the contrary of a repeated text was received soon after it, and the period renewed as the text says
    /// though nothing chose that again: the contrary came late, from between the two.
    ///
    ///     yearly, yearly again, monthly, renewed as yearly     monthly was chosen between the two, and came late
    func isTakenBackLate(_ place: Int) -> Bool {
        let statement = statements[place]
        guard let received = statement.receivedAt, !statement.isSandbox, role(place) == .plans else { return false }
        for other in story[(rank[place] + 1)...].prefix(Self.reach) {
            let later = statements[other]
            guard later.order <= received + table.parameters.deliveryHorizon else { return false }
            guard role(other) == .plans, !later.isV2, later.transaction == statement.transaction else { continue }
            guard isContrary(later, statement) else { return false }
            return isPlanInForce(other, rather: statement.nextProduct) == false
        }
        return false
    }

    /// Whether the product that a repeated text names for the next period was in force once it was received, rather
    /// than the one that was named in between; `nil` if nothing shows that.
    ///
    /// What the next renewal, or the next notification with a time of its own about this period, names was in force.
    /// A new choice shows what was in force before it, because nobody chooses what is chosen already.
    ///
    ///     yearly, monthly, yearly again, renewed as monthly    the second yearly was delivered again
    ///     yearly, monthly, yearly again, renewed as yearly     the second yearly is a choice of its own
    func isPlanInForce(_ place: Int, rather contrary: UInt64) -> Bool? {
        let plan = statements[place].nextProduct
        var looked = 0
        for other in story[(rank[place] + 1)...] {
            looked += 1
            guard looked <= Self.reach else { return nil }
            let statement = statements[other]
            guard statement.nextProduct != TimelineID.none, !isCopy(other, of: place) else { continue }
            // A part of the same choice shows nothing new.
            if isWeak(other), outcomes[other].disposition == .companion, statement.nextProduct == plan { continue }
            let role = role(other)
            let isPlan = statement.nextProduct == plan
            guard isPlan || statement.nextProduct == contrary else { return nil }
            // What no longer renews may name its own product, whatever had been chosen.
            if statement.autoRenewStatus == false, statement.nextProduct == statement.product { continue }
            if isWeak(other), role == .plans || !isWrittenLater(other, than: place) {
                guard role == .plans, !mayBeTold(other, before: place) else { return nil }
                return !isPlan
            }
            if statement.transaction == statements[place].transaction {
                guard role != .begins, role != .plans else { continue }
            } else {
                guard role == .begins, renewsByItself(statement) else { return nil }
            }
            // Both may have been chosen again.
            return isPlan ? true : isChosenLater(contrary, after: place) ? nil : false
        }
        return nil
    }

    /// Whether two records are of one reception.
    private func isCopy(_ other: Int, of place: Int) -> Bool {
        guard statements[other].id.number == statements[place].id.number,
            let received = statements[place].receivedAt, let again = statements[other].receivedAt
        else { return false }
        return abs(again - received) < Self.keptTwice
    }

    /// Whether a notification of a new period is one of the store's, which shows the plan that was in force; a purchase
    /// by hand shows nothing of that.
    func renewsByItself(_ statement: Statement) -> Bool {
        if statement.isV2 { return SilentTable.current.continues.contains(statement.pair) }
        return !table.timeline.byHand.contains(statement.type)
    }

    /// The same of a text repeated after its contrary: only a choice of a plan brings the product back, a question
    /// about a price does not.
    func isInForceAgain(_ place: Int, rather contrary: UInt64) -> Bool? {
        isPlanInForce(place, rather: contrary) ?? (role(place) == .plans ? nil : false)
    }

    /// Whether a product is named as the choice for the next period soon after a notification of the same transaction.
    private func isChosenLater(_ plan: UInt64, after place: Int) -> Bool {
        let statement = statements[place]
        return story[(rank[place] + 1)...].prefix(Self.reach).contains { other in
            let later = statements[other]
            return later.nextProduct == plan && later.transaction == statement.transaction && role(other) == .plans
                && later.order <= statement.order + table.parameters.deliveryHorizon
        }
    }

    /// Whether a body was certainly written after another one was received.
    private func isWrittenLater(_ later: Int, than place: Int) -> Bool {
        guard let first = statements[place].receivedAt else { return false }
        let sent = statements[later].receivedAt.map { $0 - table.parameters.deliveryHorizon }
        return statements[later].ownTime ?? sent ?? .min > first
    }

    /// Whether a choice that follows a repeated text may be an earlier choice, told by version 2 or delivered late.
    private func mayBeTold(_ later: Int, before place: Int) -> Bool {
        let statement = statements[later]
        if statement.isV2 {
            guard let received = statements[place].receivedAt else { return true }
            return statement.order - received <= table.parameters.signedAtOnce
        }
        return story[..<rank[later]].suffix(Self.reach).contains { other in
            statements[other].id.number == statement.id.number && !isAfterLastRetry(later, of: other)
        }
    }

    /// The contrary of a repeated text that was received before its first, within the time in which attempts are
    /// repeated: then the second may be a late delivery of what came before that.
    func contraryInReach(_ first: Int, before after: Statement) -> Int? {
        guard let received = after.receivedAt else { return nil }
        var at = rank[first]
        var looked = 0
        while at > 0, looked < Self.reach {
            at -= 1
            looked += 1
            let statement = statements[story[at]]
            guard received - statement.order <= table.parameters.deliveryHorizon else { return nil }
            if statement.transaction == after.transaction, isContrary(statement, after) { return story[at] }
        }
        return nil
    }

    /// Whether a choice reverts an earlier choice of which no notification was received.
    ///
    /// If two equal texts of the reverted choice follow, one of them may be that notification, delivered late.
    ///
    ///     back to monthly, yearly, yearly again, renewed as yearly     one of the two was chosen before, and came late
    func isTakenBack(_ place: Int) -> Bool {
        let statement = statements[place]
        guard role(place) == .plans, !statement.isV2, statement.nextProduct == statement.product else { return false }
        return !story[..<rank[place]].suffix(Self.reach).contains { other in
            let before = statements[other]
            return before.transaction == statement.transaction && isContrary(before, statement)
        }
    }
}
