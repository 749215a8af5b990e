/// Finds the one notification that carries the beginning of a transaction, which happens once.
extension Settlement {
    /// Makes companions of the V1 notifications that report the beginning of a transaction as another one does that is
    /// better supported.
    ///
    ///     DID_RECOVER  {7}, exact         the event, no longer exact, because the other says something else for certain
    ///     RENEWAL      {7}, inferred      companion
    ///     DID_RENEW    {7}, exact         companion
    ///
    /// What version 2 reports too is joined to that later.
    func findBeginnings() {
        for place in story where isBeginning(place) {
            var rivals: [Int] = []
            _ = anyLaterOfTransaction(place) { other in
                if isBeginning(other), !endsLater(other, than: place) { rivals.append(other) }
                return false
            }
            guard !rivals.isEmpty, !isReportedByV2(place) else { continue }
            rivals.append(place)
            let leader = rivals.min { isBetterSupported($0, than: $1) } ?? place
            let isDisputed = rivals.contains {
                outcomes[$0].pair != outcomes[leader].pair && outcomes[$0].decision?.certainty == .exact
            }
            for rival in rivals where rival != leader { set(.other, rival) }
            if isDisputed { set(.disputed, leader) }
        }
    }

    /// Whether version 2 reports that the transaction of a notification began.
    private func isReportedByV2(_ place: Int) -> Bool {
        anyOfTransaction(place) { statements[$0].isV2 && role($0) == .begins }
    }

    /// Whether one notification shows that the period of the transaction ends later than another one shows, as after an
    /// extension: then it says something of its own.
    private func endsLater(_ one: Int, than other: Int) -> Bool {
        guard let later = end(one), let end = end(other) else { return false }
        return later - end >= table.parameters.extensionAtLeast
    }

    private func end(_ place: Int) -> Int64? {
        shownRows[statements[place].rows].first { $0.transaction == statements[place].transaction }?.expires
    }

    private func set(_ beginning: FactValue.Beginning, _ place: Int) {
        outcomes[place].facts.set(.beginning, beginning)
        outcomes[place].take(cache.decision(type: statements[place].type, facts: outcomes[place].facts))
    }

    /// Whether a V1 notification is the event of the beginning of the transaction that it certainly names.
    private func isBeginning(_ place: Int) -> Bool {
        let statement = statements[place]
        return isTold(place) && statement.type >= 0 && role(place) == .begins
            && statement.transaction != TimelineID.none && statement.says(.subject, FactValue.Subject.certain)
            && !isAboutCancelled(statement)
    }

    /// Whether one is more certain than another; if they are equal, the order of the types in the table decides.
    private func isBetterSupported(_ one: Int, than other: Int) -> Bool {
        let (left, right) = (outcomes[one].decision?.certainty, outcomes[other].decision?.certainty)
        if let left, let right, left != right { return left.atMost(right) == right }
        let (type, otherType) = (statements[one].type, statements[other].type)
        return type != otherType ? type < otherType : rank[one] < rank[other]
    }
}
