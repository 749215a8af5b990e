/// Finds what V1 and V2 both report, as they do around a cut-over.
///
/// V2 leads: its notification is the event, and the V1 record its duplicate, whichever came first. What begins a
/// transaction happens once, so two reports of a beginning are joined by its id alone; reports that are only possibly of a
/// beginning must also be near in time, and are joined last. All others are compared in groups of what may
/// belong together, and the likeliest explanation of each group decides (``Association``).
struct VersionPairs: SettlingStep {
    private(set) var settlement: Settlement

    mutating func join() {
        guard settlement.statements.contains(where: \.isV2), settlement.statements.contains(where: { !$0.isV2 }) else {
            return
        }
        joinBeginnings(possible: false)
        associateVersions()
        joinBeginnings(possible: true)
        // If a record's leader has become a duplicate, the record gets the leader of that duplicate.
        for index in settlement.order {
            let leader = settlement.outcomes[index].leader
            guard leader >= 0, settlement.outcomes[leader].disposition == .duplicate,
                settlement.outcomes[leader].leader >= 0
            else { continue }
            settlement.outcomes[index].leader = settlement.outcomes[leader].leader
        }
    }

    // MARK: What begins a transaction

    /// A transaction begins once, whatever pair either version gives that and whatever the times.
    ///
    /// - Parameter possible: Joins V1 records that only may report a beginning, are near in time, and were not joined otherwise.
    private mutating func joinBeginnings(possible: Bool) {
        var beginnings: [UInt64: Int] = [:]
        for index in settlement.order where settlement.isEvent(index) && settlement.statements[index].isV2 {
            guard settlement.statements[index].transaction != TimelineID.none, settlement.role(index) == .begins else {
                continue
            }
            beginnings[settlement.statements[index].transaction] =
                beginnings[settlement.statements[index].transaction] ?? index
        }
        guard !beginnings.isEmpty else { return }
        for index in settlement.order where settlement.isEvent(index) && !settlement.statements[index].isV2 {
            guard let counterpart = beginnings[settlement.statements[index].transaction] else { continue }
            if begins(index)
                || possible && settlement.mayBe(index, .begins)
                    && settlement.distance(index, counterpart)?.isNear ?? false
            {
                settlement.join(index, to: counterpart)
            }
        }
    }

    /// Whether a V1 record says that its transaction began: by its type, or by how it was read.
    private func begins(_ index: Int) -> Bool {
        settlement.role(index) == .begins || settlement.shape(of: settlement.statements[index])?.time == .purchase
    }

    // MARK: What else is reported twice

    private mutating func associateVersions() {
        var clusters = Clusters(settlement.statements.count)
        var beside: [Int: [(counterpart: Int, penalty: Association.Penalty)]] = [:]
        var farStates: Set<UInt64> = []
        let signed = settlement.order.filter {
            settlement.statements[$0].isV2 && settlement.isEvent($0) && settlement.role($0) != .begins
        }
        let byTransaction = Dictionary(grouping: signed) { settlement.statements[$0].transaction }
        let unnamed = byTransaction[TimelineID.none] ?? []
        for index in settlement.order where mayHaveCounterpart(index) {
            let transaction = settlement.statements[index].transaction
            for counterparts in transaction == TimelineID.none ? [signed] : [byTransaction[transaction] ?? [], unnamed]
            {
                let next = counterparts.partitioningIndex { settlement.positions[$0] > settlement.positions[index] }
                for (counterpart, penalty, isNear) in near(index, counterparts[..<next].reversed())
                    + near(index, counterparts[next...])
                {
                    beside[index, default: []].append((counterpart, penalty))
                    clusters.unite(index, counterpart)
                    if !isNear, let state = chainKey(index) { farStates.insert(state) }
                }
            }
        }
        guard !beside.isEmpty else { return }
        uniteChains(&clusters, farStates)
        let indices = settlement.order.filter {
            settlement.statements[$0].isV2 ? settlement.isEvent($0) : mayHaveCounterpart($0)
        }
        let groups = Dictionary(grouping: indices) { clusters.root($0) }
        for group in groups.values where group.contains(where: { beside[$0] != nil }) { associate(group, beside) }
    }

    /// The V2 notifications, the nearest first, that may report what a V1 record does.
    ///
    /// Of those further away than Apple delivers, only the nearest may, and only if nothing contrary is between.
    private func near(
        _ index: Int, _ counterparts: some Sequence<Int>
    ) -> [(counterpart: Int, penalty: Association.Penalty, isNear: Bool)] {
        var found: [(counterpart: Int, penalty: Association.Penalty, isNear: Bool)] = []
        var mayBeFar = true
        for counterpart in counterparts.prefix(Association.most) {
            guard let (penalty, isNear) = penalty(index, counterpart) else {
                if let chain = settlement.chain(index), chain == settlement.chain(counterpart) { mayBeFar = false }
                continue
            }
            if isNear || mayBeFar { found.append((counterpart, penalty, isNear)) }
            guard isNear else { break }
        }
        return found
    }

    /// A number for the state of a transaction that a notification changes.
    private func chainKey(_ index: Int) -> UInt64? {
        let transaction = settlement.statements[index].transaction
        guard let chain = settlement.chain(index), transaction != TimelineID.none else { return nil }
        return transaction &* 4 &+ chain.rawValue
    }

    /// Unites the changes of one state that follow each other closely enough for one to be reported after the next;
    /// if one change of a state may be reported much later, all changes of that state.
    private func uniteChains(_ clusters: inout Clusters, _ far: Set<UInt64>) {
        var last: [UInt64: Int] = [:]
        for index in settlement.order
        where settlement.statements[index].isV2
            ? settlement.isEvent(index) : mayHaveCounterpart(index) && hasOrder(index)
        {
            guard let state = chainKey(index) else { continue }
            let near =
                settlement.chain(index) == .plans
                ? settlement.parameters.deliveryHorizon : settlement.parameters.lateDelivery
            let reach = far.contains(state) ? .max : near
            if let before = last[state],
                settlement.statements[index].time - settlement.statements[before].time <= reach
            {
                clusters.unite(before, index)
            }
            last[state] = index
        }
    }

    private mutating func associate(_ group: [Int], _ beside: [Int: [(counterpart: Int, penalty: Association.Penalty)]])
    {
        let deliveries = group.map { (index: $0, delivery: timed($0)) }
            .sorted {
                ($0.delivery.at, settlement.positions[$0.index]) < ($1.delivery.at, settlement.positions[$1.index])
            }
        let indices = deliveries.map(\.index)
        var numbers: [Int: Int] = [:]
        for (number, index) in indices.enumerated() { numbers[index] = number }
        var association = Association(
            deliveries.map { index, delivery in
                var delivery = delivery
                delivery.beside = (beside[index] ?? []).compactMap { counterpart, penalty in
                    numbers[counterpart].map { ($0, penalty) }
                }
                return delivery
            }, settlement.parameters)
        association.isSandbox = settlement.statements[indices[0]].isSandbox
        let isOnly = indices.count { !settlement.statements[$0].isV2 } == 1
        for (index, match) in zip(indices, association.matches()) where !settlement.statements[index].isV2 {
            if let first = match.first.map({ indices[$0] }) {
                if settlement.statements[first].isV2 {
                    settlement.join(index, to: first)
                } else {
                    settlement.outcomes[index].disposition = .duplicate
                    settlement.outcomes[index].leader = first
                }
            }
            // The order of several records without a time is not known.
            let isFar = match.first.map { settlement.distance(index, indices[$0])?.isNear == false } ?? false
            if !match.isClear || isFar || !isOnly && !hasOrder(index) { settlement.doubt(index) }
        }
    }

    /// A delivery with the time that is compared between the versions.
    private func timed(_ index: Int) -> Association.Delivery {
        var delivery = Association.Delivery(index, in: settlement)
        let statement = settlement.statements[index]
        delivery.isOnce = settlement.role(index).map(settlement.table.timeline.isOnce) ?? false
        if statement.isV2 {
            delivery.clock = .signed
            if settlement.role(index) == .switches { delivery.at = statement.signature ?? statement.time }
        } else if settlement.isTimed(index) {
            delivery.clock = .dated
        } else {
            delivery.clock = statement.receivedAt == nil ? .undated : .received
            delivery.at = statement.receivedAt ?? statement.time
        }
        return delivery
    }

    /// Whether it is an event of a V1 type that this build knows.
    func mayHaveCounterpart(_ index: Int) -> Bool {
        settlement.statements[index].type >= 0 && settlement.isEvent(index)
    }

    /// How unlikely it is that a V2 notification reports what a V1 record does; `nil` if it does not.
    private func penalty(_ index: Int, _ counterpart: Int) -> (penalty: Association.Penalty, isNear: Bool)? {
        let (v1, other) = (settlement.statements[index], settlement.statements[counterpart])
        guard settlement.table.means(other.pair, type: v1.type), statesTheSame(v1, other, settlement.role(counterpart)),
            let (apart, isNear) = settlement.distance(index, counterpart),
            isNear || mayBeFar(v1, counterpart)
        else { return nil }
        var terms = isNear ? deliveryPenalty(index, counterpart, apart) : farPenalty(index)
        if settlement.outcomes[index].pair != other.pair {
            let isListed = settlement.outcomes[index].decision?.candidates.contains(.pair(other.pair)) ?? false
            // An event that happens once for each transaction is the same in both, even if they give different pairs.
            guard isListed || settlement.isOnce(index, counterpart) else { return nil }
            terms += settlement.parameters.penalties.reading * (isListed ? 1 : 2)
        }
        return (Association.Penalty(terms: terms, apart: apart), isNear)
    }

    private func farPenalty(_ index: Int) -> Int64 {
        let penalties = settlement.parameters.penalties
        return settlement.chain(index) == nil ? penalties.atOddHours : penalties.untold
    }

    /// How unlikely it is that one happening is reported at two times so far apart.
    private func deliveryPenalty(_ index: Int, _ counterpart: Int, _ apart: Int64) -> Int64 {
        let (parameters, penalties) = (settlement.parameters, settlement.parameters.penalties)
        return switch apart {
        case ...parameters.signedAtOnce: 0
        case ...settlement.tolerance(settlement.statements[counterpart]): penalties.outOfOrder
        case ...parameters.lateDelivery: penalties.late
        case _ where settlement.isOnce(index, counterpart): penalties.late
        case _ where parameters.isAttempt(apart): penalties.atRetry
        default: penalties.atOddHours
        }
    }

    /// Whether both versions may report one happening at distant times: of one transaction, a refund if V2 gives it no date and nothing
    /// shows that it was taken back, and a switch if nothing between shows the opposite.
    private func mayBeFar(_ v1: Statement, _ counterpart: Int) -> Bool {
        let transaction = v1.transaction
        guard transaction == settlement.statements[counterpart].transaction, transaction != TimelineID.none else {
            return false
        }
        let isRestored = settlement.history.contradictions.contains {
            $0.kind == .restored && $0.transaction == transaction
        }
        if settlement.role(counterpart) == .switches, isSwitchedBetween(v1, counterpart) { return false }
        return settlement.role(counterpart) != .refunds
            || settlement.shownCancellation(counterpart) == nil && !isRestored
    }

    /// Whether a body written between two reports of a switch says the opposite of it.
    private func isSwitchedBetween(_ v1: Statement, _ counterpart: Int) -> Bool {
        let times = [v1.time, settlement.statements[counterpart].time].sorted()
        return settlement.indices(in: times[0]..<times[1]).contains { other in
            let statement = settlement.statements[other]
            return statement.transaction == v1.transaction
                && statement.autoRenewStatus == v1.autoRenewStatus.map { !$0 }
                && (statement.isV2 || settlement.saysWhen(other))
        }
    }

    /// Whether the states that both bodies hold agree, as far as the pair is about them.
    private func statesTheSame(_ v1: Statement, _ other: Statement, _ role: TimelineRules.Role?) -> Bool {
        if role == .switches {
            return v1.autoRenewStatus == nil || other.autoRenewStatus == nil
                || v1.autoRenewStatus == other.autoRenewStatus
        }
        // Only a change of plan, which has no time of its own, is about the next product.
        let isOpen = v1.nextProduct == TimelineID.none || other.nextProduct == TimelineID.none
        return settlement.shape(of: v1)?.time != nil || isOpen || v1.nextProduct == other.nextProduct
    }

    /// Whether anything says when it was told; without that its position says nothing.
    private func hasOrder(_ index: Int) -> Bool {
        !settlement.isWeak(index) || settlement.statements[index].receivedAt != nil
    }
}

extension Settlement {
    /// The distance between the times of two reports, and whether Apple's signing and delivery can explain it; `nil` if V2 was
    /// signed before what the V1 body shows.
    func distance(_ index: Int, _ counterpart: Int) -> (apart: Int64, isNear: Bool)? {
        let (v1, other) = (statements[index], statements[counterpart])
        let isSwitch = role(counterpart) == .switches
        let signed = isSwitch ? other.signature ?? other.time : other.time
        let late = parameters.lateDelivery
        if isTimed(index), let own = v1.ownTime {
            // V2 is signed after it happened, so one that was signed before is rather about another switch.
            let isNear = -late...(isSwitch ? min(late, tolerance(other)) : late) ~= own - signed
            return (abs(own - signed), isNear || isOnce(index, counterpart))
        }
        // Nothing is reported before it happens; V2 is signed when it happens.
        guard let received = v1.receivedAt else {
            let since = other.time - v1.time
            // Where nothing dates the body, the distance must not overflow when it is added up.
            return since >= -tolerance(other) ? (min(max(0, since), CivilTime.latest), true) : nil
        }
        let delay = received - other.time
        let isNear = delay >= -late && (delay <= parameters.deliveryHorizon || isOnce(index, counterpart))
        return (abs(delay), isNear)
    }

    /// Whether the time of a V1 record is that of what it reports; not where its date is that of a purchase, which may not
    /// be what it reports.
    fileprivate func isTimed(_ index: Int) -> Bool {
        !isWeak(index) && table.shape(ofType: statements[index].type).time != .purchase
    }

    /// Whether the two report what happens once for each transaction.
    fileprivate func isOnce(_ index: Int, _ counterpart: Int) -> Bool {
        role(counterpart).map { table.timeline.isOnce($0) && $0 == role(index) } ?? false
    }
}

/// Sets of indices that can reach each other.
private struct Clusters {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func root(_ index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }

    mutating func unite(_ one: Int, _ other: Int) {
        let (left, right) = (root(one), root(other))
        parents[max(left, right)] = min(left, right)
    }
}
