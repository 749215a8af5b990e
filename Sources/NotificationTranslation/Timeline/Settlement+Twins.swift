/// Finds what V1 and V2 both report, as they do around a cut-over.
///
/// V2 leads: its notification is the event, and the V1 record its duplicate, whichever came first. What begins a
/// transaction happens once, so the transaction id alone joins it. States that go to and fro are joined in their order
/// (``joinInOrder()``); everything else pair by pair, the least distance first, and never across something contrary.
extension Settlement {
    /// A V1 record and a V2 notification that may report the same.
    private struct Match {
        var place: Int
        var twin: Int
        /// Milliseconds apart, and an allowance for a pair that the V1 record was not read as.
        var cost: Int64
    }

    /// Makes V1 records the duplicates of what V2 reports too.
    func findTwins() {
        guard statements.contains(where: \.isV2), statements.contains(where: { !$0.isV2 }) else { return }
        joinBeginnings(possible: false)
        joinInOrder()
        joinNearest(.withNothingContrary)
        joinNearest(.deliveredLate)
        joinNearest(.atOnce)
        joinBeginnings(possible: true)
        // A delivery that came again is no longer between two others.
        if joinToldAgain() { joinNearest(.withNothingContrary) }
        limitWhatContentJoined()
        // References to a duplicate now refer to its original.
        for place in story {
            let leader = outcomes[place].leader
            guard leader >= 0, outcomes[leader].disposition == .duplicate, outcomes[leader].leader >= 0 else {
                continue
            }
            outcomes[place].leader = outcomes[leader].leader
        }
    }

    func join(_ place: Int, to twin: Int) {
        outcomes[place].disposition = .duplicate
        outcomes[place].leader = twin
        // What V2 contradicts is not proven; the record's own reading stays, so that a report can count it.
        let isExact = outcomes[place].decision?.certainty == .exact
        if isExact, outcomes[place].pair != statements[twin].pair { outcomes[place].limit = .inferred }
        // V2 is signed seconds after a switch; later, it may be the next one.
        if role(twin) == .switches, isTimed(place), let signed = statements[twin].signature,
            let own = statements[place].ownTime,
            signed - own > tolerance(statements[twin])
        {
            doubt(place)
        }
    }

    /// What content alone joins is not proven if something else came between, or if its type is sent again for the
    /// same.
    private func limitWhatContentJoined() {
        for place in story where !statements[place].isV2 && outcomes[place].disposition == .duplicate && isWeak(place) {
            guard let twin = twin(of: place), outcomes[place].limit == nil else { continue }
            if statements[place].receivedAt == nil {
                // It may have come at any time.
                if mayBeBetween(twin, place) { doubt(place) }
                continue
            }
            let delay = statements[place].order - statements[twin].order
            let isAskedAgain = table.timeline.askedAgain.contains(statements[place].type)
            if rank[place] < rank[twin] {
                // A question from long before is another one.
                if isAskedAgain, -delay > tolerance(statements[twin]) { doubt(place) }
                continue
            }
            if isAskedAgain && delay > table.parameters.attemptSlack || between(twin, place).isThere {
                doubt(place)
            }
        }
    }

    // MARK: What begins a transaction

    /// A transaction begins once, whatever pair either version gives that and whatever the times.
    ///
    /// - Parameter possible: Joins those that only may report a beginning, near to it, and were not joined otherwise.
    private func joinBeginnings(possible: Bool) {
        var beginnings: [UInt64: Int] = [:]
        for place in story where isTold(place) && statements[place].isV2 {
            guard statements[place].transaction != TimelineID.none, role(place) == .begins else { continue }
            beginnings[statements[place].transaction] = beginnings[statements[place].transaction] ?? place
        }
        guard !beginnings.isEmpty else { return }
        for place in story where isTold(place) && !statements[place].isV2 {
            guard let twin = beginnings[statements[place].transaction] else { continue }
            if begins(place) || possible && mayBegin(place) && distance(place, twin, .begins) != nil {
                join(place, to: twin)
            }
        }
    }

    /// Whether one of the pairs that a V1 record leaves possible begins a transaction.
    private func mayBegin(_ place: Int) -> Bool {
        outcomes[place].decision?.candidates.contains { candidate in
            guard case .pair(let pair) = candidate else { return false }
            return table.timeline.role(ofPair: pair) == .begins
        } ?? false
    }

    func isTold(_ place: Int) -> Bool { outcomes[place].disposition == .event }

    func role(_ place: Int) -> TimelineRules.Role? { table.timeline.role(ofPair: outcomes[place].pair) }

    /// Whether a V1 record says that its transaction began: by its type, or by how it was read.
    private func begins(_ place: Int) -> Bool {
        role(place) == .begins || shape(of: statements[place])?.time == .purchase
    }

    // MARK: What else is reported twice

    /// What a V1 record and a V2 notification must be to be joined by their distance.
    private enum Nearness {
        /// Nothing between them says the contrary.
        case withNothingContrary
        /// A late delivery, of a type without a time of its own: its body was written before the contrary happened.
        case deliveredLate
        /// Seconds apart: V2 may sign what happens at once in another order than V1 dates it.
        case atOnce
    }

    /// Joins those nearest to each other first.
    private func joinNearest(_ nearness: Nearness) {
        var matches: [Match] = []
        let unnamed = story.filter { statements[$0].isV2 && statements[$0].transaction == TimelineID.none }
        let lastSigned = statements.lazy.filter(\.isV2).map(\.order).max() ?? .min
        for place in story where mayHaveTwin(place) {
            let consider: (Int) -> Bool = { [self] twin in
                guard let cost = cost(place, twin) else { return false }
                let isNear =
                    switch nearness {
                    case .withNothingContrary: !isContraryBetween(place, twin)
                    case .deliveredLate: isDeliveredLate(place, twin, lastSigned)
                    case .atOnce: cost <= table.parameters.signedAtOnce
                    }
                guard isNear else { return false }
                matches.append(Match(place: place, twin: twin, cost: cost))
                return false
            }
            if statements[place].transaction == TimelineID.none {
                for twin in story where statements[twin].isV2 { _ = consider(twin) }
            } else {
                _ = anyOfTransaction(place, where: consider)
                for twin in unnamed { _ = consider(twin) }
            }
        }
        matches.sort { one, other in
            if one.cost != other.cost { return one.cost < other.cost }
            let (left, right) = (rank[one.place], rank[other.place])
            return left != right ? left < right : rank[one.twin] < rank[other.twin]
        }
        var taken = takenTwins
        for match in matches where !taken.contains(match.twin) && outcomes[match.place].disposition != .duplicate {
            taken.insert(match.twin)
            join(match.place, to: match.twin)
        }
    }

    /// Joins deliveries that came again at odd hours: the text of one that is joined, of a type without a time of its
    /// own.
    ///
    /// Version 2 sends each event once. If it reported only the first and continues to send others, or if the
    /// store asks again and again, what came within the time of repeated attempts is a redelivery. The time counts
    /// from the last delivery that was joined, because that one may be late too.
    ///
    /// - Returns: Whether there was any.
    private func joinToldAgain() -> Bool {
        let signed = story.filter { statements[$0].isV2 && isTold($0) }
        guard let last = signed.last else { return false }
        var isAny = false
        let lastSigned = statements[last].order
        var deliveries: [Int: [(id: UInt64, received: Int64)]] = [:]
        for place in story where !statements[place].isV2 && outcomes[place].disposition == .duplicate {
            guard let received = statements[place].receivedAt, let twin = twin(of: place) else { continue }
            deliveries[twin, default: []].append((statements[place].id.number, received))
        }
        for place in story where isTold(place) && !statements[place].isV2 && isWeak(place) {
            guard let received = statements[place].receivedAt, mayHaveTwin(place) else { continue }
            var best: (twin: Int, delay: Int64)?
            let id = statements[place].id.number
            for twin in signed where mayBeOfOneTransaction(twin, place) {
                let delay = received - statements[twin].order
                let told = deliveries[twin, default: []].filter { $0.id == id && $0.received <= received }
                let since = told.map(\.received).max() ?? statements[twin].order
                guard delay > 0, received - max(since, statements[twin].order) <= table.parameters.deliveryHorizon,
                    mayTellAgain(place, twin), best.map({ delay < $0.delay }) ?? true
                else { continue }
                best = (twin, delay)
            }
            guard let best else { continue }
            let isAskedAgain = table.timeline.askedAgain.contains(statements[place].type)
            guard
                isAskedAgain || table.parameters.isAttempt(best.delay)
                    || received < lastSigned || isContraryTold(after: best.twin, among: signed)
            else { continue }
            join(place, to: best.twin)
            doubt(place)
            isAny = true
        }
        return isAny
    }

    /// Whether version 2 reports that another product was chosen after a choice that it reports: then it sent the
    /// choices of that time, and would have sent the first one again too.
    private func isContraryTold(after twin: Int, among signed: [Int]) -> Bool {
        guard role(twin) == .plans else { return false }
        return signed.contains { rank[$0] > rank[twin] && role($0) == .plans && isContrary($0, to: twin, .plans) }
    }

    /// Whether a V1 record between two says the contrary of both.
    private func isContraryOfV1(from twin: Int, to place: Int) -> Bool {
        let between = story[(rank[twin] + 1)..<max(rank[place], rank[twin] + 1)].suffix(Self.reach)
        return between.contains { !statements[$0].isV2 && isContrary($0, to: twin, role(twin)) }
    }

    private func mayBeOfOneTransaction(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (statements[one].transaction, statements[other].transaction)
        return left == right || left == TimelineID.none || right == TimelineID.none
    }

    /// The V2 notification that a repeated delivery was joined to, itself or by the first delivery.
    private func twin(of place: Int) -> Int? {
        var leader = outcomes[place].leader
        if leader >= 0, !statements[leader].isV2 { leader = outcomes[leader].leader }
        return leader >= 0 && statements[leader].isV2 ? leader : nil
    }

    /// Whether a V1 record says what a V2 notification says, however much later it came.
    private func mayTellAgain(_ place: Int, _ twin: Int) -> Bool {
        let (told, other) = (statements[place], statements[twin])
        let role = table.timeline.role(ofPair: other.pair)
        guard table.means(other.pair, type: told.type), role != .begins else { return false }
        return likelihood(place, other.pair) < 2 && statesTheSame(told, other, role)
    }

    /// The V2 notifications that a V1 record was joined to; of deliveries repeated only the first counts.
    var takenTwins: Set<Int> {
        var taken: Set<Int> = []
        for place in story where !statements[place].isV2 && outcomes[place].disposition == .duplicate {
            let leader = outcomes[place].leader
            if leader >= 0, statements[leader].isV2 { taken.insert(leader) }
        }
        return taken
    }

    /// Whether it is an event that V1 tells.
    func mayHaveTwin(_ place: Int) -> Bool {
        statements[place].type >= 0 && isTold(place)
    }

    /// How far a V2 notification is from a V1 record, if it may report the same.
    func cost(_ place: Int, _ twin: Int) -> Int64? {
        let (told, other) = (statements[place], statements[twin])
        guard other.isV2, isTold(twin), table.means(other.pair, type: told.type) else { return nil }
        let role = table.timeline.role(ofPair: other.pair)
        guard role != .begins else { return nil }
        let likelihood = likelihood(place, other.pair)
        guard likelihood < 2, statesTheSame(told, other, role), let distance = distance(place, twin, role) else {
            return nil
        }
        return distance + likelihood * tolerance(other)
    }

    /// 0 for the pair it was read as, 1 for one that is possible, 2 for another that its type can mean.
    private func likelihood(_ place: Int, _ pair: Int) -> Int64 {
        if outcomes[place].pair == pair { return 0 }
        return outcomes[place].decision?.candidates.contains(.pair(pair)) ?? false ? 1 : 2
    }

    /// Whether the states that both bodies hold agree, as far as the pair is about them.
    private func statesTheSame(_ told: Statement, _ other: Statement, _ role: TimelineRules.Role?) -> Bool {
        if role == .switches {
            return told.autoRenewStatus == nil || other.autoRenewStatus == nil
                || told.autoRenewStatus == other.autoRenewStatus
        }
        return shape(of: told)?.time != nil || !isContrary(told, other)
    }

    /// How far apart the two say that it happened; `nil` if too far to be one happening.
    private func distance(_ place: Int, _ twin: Int, _ role: TimelineRules.Role?) -> Int64? {
        let (told, other) = (statements[place], statements[twin])
        let isOnce = role.map(table.timeline.isOnce) ?? false && role == self.role(place)
        guard isTimed(place), let own = told.ownTime else {
            // Nothing is reported before it happens; V2 is signed when it happens.
            guard let received = told.receivedAt else {
                let since = other.order - told.order
                return since >= -tolerance(other) ? max(0, since) : nil
            }
            let delay = received - other.order
            guard delay >= -table.parameters.lateDelivery else { return nil }
            return delay <= table.parameters.deliveryHorizon || isOnce ? abs(delay) : nil
        }
        // V2 is signed after it happened, so one that was signed before is about another switch.
        let instant = role == .switches ? other.signature ?? other.order : other.order
        if role == .switches, own - instant > tolerance(other) { return nil }
        let distance = abs(instant - own)
        return isOnce || distance <= table.parameters.lateDelivery ? distance : nil
    }

    /// Whether the time of a V1 record is that of what it reports: it is not where a purchase is about something else.
    private func isTimed(_ place: Int) -> Bool {
        !isWeak(place) && table.shape(ofType: statements[place].type).time != .purchase
    }

    /// When the transaction that a V2 notification shows was revoked.
    func shownCancellation(_ place: Int) -> Int64? {
        shownRows[statements[place].rows].first.flatMap { $0.isUpgraded ? nil : $0.cancellation }
    }

    // MARK: What is between

    /// Whether a notification between two says the contrary of both.
    func isContraryBetween(_ place: Int, _ twin: Int, besides joined: Set<Int> = []) -> Bool {
        let role = table.timeline.role(ofPair: statements[twin].pair)
        guard role == .switches || role == .plans || role == .refunds, hasOrder(place) else { return false }
        let (first, last) = (min(rank[place], rank[twin]), max(rank[place], rank[twin]))
        guard last - first <= Self.reach else { return true }
        return story[(first + 1)..<last].contains { other in
            outcomes[other].disposition != .duplicate && !joined.contains(other)
                && isContrary(other, to: twin, role)
        }
    }

    /// Whether anything says when it was told; without that its place in the story says nothing.
    func hasOrder(_ place: Int) -> Bool {
        !isWeak(place) || statements[place].receivedAt != nil
    }

    /// Whether one says of the same transaction what undoes what a V2 notification says.
    private func isContrary(_ other: Int, to twin: Int, _ role: TimelineRules.Role?) -> Bool {
        let (statement, subject) = (statements[other], statements[twin])
        guard statement.transaction == subject.transaction else { return false }
        switch role {
        case .switches:
            return self.role(other) == role && statement.autoRenewStatus != nil
                && statement.autoRenewStatus != subject.autoRenewStatus
        case .plans:
            return statement.nextProduct != TimelineID.none && subject.nextProduct != TimelineID.none
                && statement.nextProduct != subject.nextProduct
        case .refunds:
            return self.role(other) == .restores
        default:
            return false
        }
    }

    /// Whether a record without a time of its own was written when a V2 notification was signed, and came later: as
    /// long after it as an attempt is repeated, or where V2 reports everything between and continues to send.
    private func isDeliveredLate(_ place: Int, _ twin: Int, _ lastSigned: Int64) -> Bool {
        guard isWeak(place), let received = statements[place].receivedAt else { return false }
        let delay = received - statements[twin].order
        guard delay > table.parameters.attemptSlack else { return false }
        return table.parameters.isAttempt(delay) || received < lastSigned && !isContraryOfV1(from: twin, to: place)
    }
}
