/// The searches for notifications beside one: about its transaction, near to it in time, or tied to it.
extension Settlement {
    /// The notifications about a transaction, in the order of events, without redeliveries; empty if the subscription has
    /// only one notification.
    func about(_ transaction: UInt64) -> some Sequence<Int> {
        chain(from: firstOfTransaction[transaction] ?? -1)
    }

    /// Whether a condition holds of one of them.
    func anyAbout(_ transaction: UInt64, where holds: (Int) -> Bool) -> Bool {
        about(transaction).contains(where: holds)
    }

    /// The others about the same transaction.
    func othersAbout(_ index: Int) -> some Sequence<Int> {
        about(statements[index].transaction).lazy.filter { $0 != index }
    }

    /// Those of them that come later.
    func laterAbout(_ index: Int) -> some Sequence<Int> {
        chain(from: following.indices.contains(index) ? following[index] : -1)
    }

    private func chain(from first: Int) -> some Sequence<Int> {
        sequence(state: first) { [following] (next: inout Int) -> Int? in
            guard next >= 0 else { return nil }
            defer { next = following[next] }
            return next
        }.prefix(Self.reach)
    }

    /// The notifications whose time lies in a range, in their order.
    func indices(in time: Range<Int64>) -> ArraySlice<Int> {
        let first = order.partitioningIndex { statements[$0].time >= time.lowerBound }
        return order[first...].prefix { statements[$0].time < time.upperBound }
    }

    /// The notifications at most `time` before one, then those after it, the nearest first; deliveries of others left out.
    func near(_ index: Int, within time: Int64) -> [Int] {
        func isNear(_ other: Int) -> Bool { abs(statements[other].time - statements[index].time) <= time }
        let before = order[..<positions[index]].suffix(Self.reach).reversed().prefix(while: isNear)
        let after = order[(positions[index] + 1)...].prefix(Self.reach).prefix(while: isNear)
        return (before + after).filter { outcomes[$0].disposition != .duplicate }
    }

    /// The notifications that a bond ties to one.
    func tied(_ index: Int, by bond: TimelineRules.Bond) -> [Int] {
        // What names no transaction is tied by its time alone.
        let isUnnamed = statements[index].transaction == TimelineID.none
        switch bond {
        case .transaction where !isUnnamed: return Array(othersAbout(index))
        case .transaction, .instant: return near(index, within: parameters.contiguous)
        case .act:
            let next = successor(of: statements[index])
            return othersAbout(index).filter { isOfOneAct(index, $0) }
                + near(index, within: parameters.contiguous).filter { !begin(index, $0) }
                + (next.map { Array(about($0)) } ?? [])
        case .preference:
            let next = statements[index].nextProduct
            if isUnnamed {
                // Where Apple shows all that was bought, nothing but a choice of a plan is near.
                let isComplete = answers.completeUntil ?? .min >= statements[index].time
                let reach = isComplete ? parameters.deliveryHorizon : parameters.contiguous
                return near(index, within: reach).filter { statements[$0].nextProduct == next }
            }
            return othersAbout(index).filter {
                statements[$0].nextProduct == next
                    && (isOfOneAct(index, $0) || hasOnlyBounds(index) && hasOnlyBounds($0))
            }
        }
    }

    /// What replaced the transaction that a cancellation is about, if the receipt marks it as upgraded.
    ///
    /// The cancellation of a renewal that was charged ahead is dated hours after the upgrade.
    func successor(of statement: Statement) -> UInt64? {
        guard isAboutCancelled(statement), let index = history.index(of: statement.transaction),
            history.rows[index].isUpgraded, index + 1 < history.rows.count,
            history.rows[index + 1].product != history.rows[index].product
        else { return nil }
        return history.rows[index + 1].transaction
    }

    /// Whether only bounds are known of when it happened, so that its distance from others says nothing.
    private func hasOnlyBounds(_ index: Int) -> Bool { !saysWhen(index) && statements[index].receivedAt == nil }

    /// Whether two notifications about one transaction are near enough in time to be of one act.
    private func isOfOneAct(_ one: Int, _ other: Int) -> Bool {
        let distance = abs(statements[one].time - statements[other].time)
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
