/// The searches for notifications beside one: about its transaction, near to it in time, or tied to it.
extension Settlement {
    /// Looks through the notifications about the same transaction, in the order of the story, deliveries of others
    /// left out, until `body` says true.
    func anyOfTransaction(_ place: Int, where body: (Int) -> Bool) -> Bool {
        anyAbout(statements[place].transaction) { $0 != place && body($0) }
    }

    /// The same of any transaction, by its number.
    func anyAbout(_ transaction: UInt64, where body: (Int) -> Bool) -> Bool {
        any(from: firstOfTransaction[transaction] ?? -1, where: body)
    }

    /// The same of those that come later in the story.
    func anyLaterOfTransaction(_ place: Int, where body: (Int) -> Bool) -> Bool {
        any(from: following.indices.contains(place) ? following[place] : -1, where: body)
    }

    private func any(from first: Int, where body: (Int) -> Bool) -> Bool {
        var next = first
        var looked = 0
        while next >= 0, looked < Self.reach {
            if body(next) { return true }
            next = following[next]
            looked += 1
        }
        return false
    }

    /// The notifications whose `order` lies in a range, in the order of the story.
    func places(in time: Range<Int64>) -> ArraySlice<Int> {
        let first = story.firstPlace { statements[$0].order >= time.lowerBound }
        return story[first...].prefix { statements[$0].order < time.upperBound }
    }

    /// Looks through the notifications of the same instant until `body` says true.
    func anyOfInstant(_ place: Int, where body: (Int) -> Bool) -> Bool {
        anyInReach(place, within: parameters.contiguous, where: body)
    }

    /// Looks through the notifications at most `time` before or after one, without deliveries of others, until `body`
    /// says true.
    func anyInReach(_ place: Int, within time: Int64, where body: (Int) -> Bool) -> Bool {
        let statement = statements[place]
        for step in [-1, 1] {
            var at = rank[place] + step
            var looked = 0
            while story.indices.contains(at), looked < Self.reach {
                let other = story[at]
                guard abs(statements[other].order - statement.order) <= time else { break }
                if outcomes[other].disposition != .duplicate, body(other) { return true }
                at += step
                looked += 1
            }
        }
        return false
    }

    /// Looks through the notifications that a bond ties to one.
    func anyTied(_ place: Int, by bond: TimelineRules.Bond, where body: (Int) -> Bool) -> Bool {
        // What names no transaction is tied by its time alone.
        let isUnnamed = statements[place].transaction == TimelineID.none
        switch bond {
        case .transaction:
            return isUnnamed ? anyOfInstant(place, where: body) : anyOfTransaction(place, where: body)
        case .instant: return anyOfInstant(place, where: body)
        case .act:
            return anyOfTransaction(place) { isOfOneAct(place, $0) && body($0) }
                || anyOfInstant(place) { !begin(place, $0) && body($0) }
                || successor(of: statements[place]).map { anyAbout($0, where: body) } ?? false
        case .preference:
            let next = statements[place].nextProduct
            if isUnnamed {
                // Where Apple shows all that was bought, nothing but a choice of a plan is near.
                let isComplete = answers.completeUntil ?? .min >= statements[place].order
                let reach = isComplete ? parameters.deliveryHorizon : parameters.contiguous
                return anyInReach(place, within: reach) { statements[$0].nextProduct == next && body($0) }
            }
            return anyOfTransaction(place) {
                let isOfOneAct = isOfOneAct(place, $0) || hasOnlyBounds(place) && hasOnlyBounds($0)
                return statements[$0].nextProduct == next && isOfOneAct && body($0)
            }
        }
    }

    /// What replaced the transaction that a cancellation is about, if the receipt marks it as upgraded.
    ///
    /// The cancellation of a renewal that was charged ahead is dated hours after the upgrade.
    func successor(of statement: Statement) -> UInt64? {
        guard isAboutCancelled(statement), let place = history.index(of: statement.transaction),
            history.rows[place].isUpgraded, place + 1 < history.rows.count,
            history.rows[place + 1].product != history.rows[place].product
        else { return nil }
        return history.rows[place + 1].transaction
    }

    /// Whether only bounds are known of when it happened, so that its distance from others says nothing.
    private func hasOnlyBounds(_ place: Int) -> Bool { !saysWhen(place) && statements[place].receivedAt == nil }

    /// Whether two notifications about one transaction are near enough in time to be of one act.
    private func isOfOneAct(_ one: Int, _ other: Int) -> Bool {
        let distance = abs(statements[one].order - statements[other].order)
        return distance
            <= (saysWhen(one) && saysWhen(other) ? tolerance(statements[one]) : parameters.deliveryHorizon)
    }

    /// Whether two notifications are about two transactions that began, so that each is an act of its own; a
    /// cancellation is about the one that ended.
    private func begin(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (statements[one], statements[other])
        guard left.transaction != right.transaction, left.transaction != TimelineID.none,
            right.transaction != TimelineID.none
        else { return false }
        return !isAboutCancelled(left) && !isAboutCancelled(right)
    }
}
