/// The searches for notifications beside one: about its transaction, near to it in time, or tied to it.
extension Settlement {
    /// The notifications about a transaction, in the order of the story, without redeliveries; empty if the subscription has
    /// only one notification.
    func about(_ transaction: UInt64) -> some Sequence<Int> {
        chain(from: firstOfTransaction[transaction] ?? -1)
    }

    /// Whether a condition holds of one of them.
    func anyAbout(_ transaction: UInt64, where holds: (Int) -> Bool) -> Bool {
        about(transaction).contains(where: holds)
    }

    /// The others about the same transaction.
    func othersAbout(_ place: Int) -> some Sequence<Int> {
        about(statements[place].transaction).lazy.filter { $0 != place }
    }

    /// Those of them that come later in the story.
    func laterAbout(_ place: Int) -> some Sequence<Int> {
        chain(from: following.indices.contains(place) ? following[place] : -1)
    }

    private func chain(from first: Int) -> some Sequence<Int> {
        sequence(state: first) { [following] (next: inout Int) -> Int? in
            guard next >= 0 else { return nil }
            defer { next = following[next] }
            return next
        }.prefix(Self.reach)
    }

    /// The notifications whose `order` lies in a range, in the order of the story.
    func places(in time: Range<Int64>) -> ArraySlice<Int> {
        let first = story.firstPlace { statements[$0].order >= time.lowerBound }
        return story[first...].prefix { statements[$0].order < time.upperBound }
    }

    /// The notifications at most `time` before one, then those after it, the nearest first; deliveries of others left out.
    func near(_ place: Int, within time: Int64) -> [Int] {
        let order = statements[place].order
        func isNear(_ other: Int) -> Bool { abs(statements[other].order - order) <= time }
        let before = story[..<rank[place]].suffix(Self.reach).reversed().prefix(while: isNear)
        let after = story[(rank[place] + 1)...].prefix(Self.reach).prefix(while: isNear)
        return (before + after).filter { outcomes[$0].disposition != .duplicate }
    }

    /// The notifications that a bond ties to one.
    func tied(_ place: Int, by bond: TimelineRules.Bond) -> [Int] {
        // What names no transaction is tied by its time alone.
        let isUnnamed = statements[place].transaction == TimelineID.none
        switch bond {
        case .transaction where !isUnnamed: return Array(othersAbout(place))
        case .transaction, .instant: return near(place, within: parameters.contiguous)
        case .act:
            let next = successor(of: statements[place])
            return othersAbout(place).filter { isOfOneAct(place, $0) }
                + near(place, within: parameters.contiguous).filter { !begin(place, $0) }
                + (next.map { Array(about($0)) } ?? [])
        case .preference:
            let next = statements[place].nextProduct
            if isUnnamed {
                // Where Apple shows all that was bought, nothing but a choice of a plan is near.
                let isComplete = answers.completeUntil ?? .min >= statements[place].order
                let reach = isComplete ? parameters.deliveryHorizon : parameters.contiguous
                return near(place, within: reach).filter { statements[$0].nextProduct == next }
            }
            return othersAbout(place).filter {
                statements[$0].nextProduct == next
                    && (isOfOneAct(place, $0) || hasOnlyBounds(place) && hasOnlyBounds($0))
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
