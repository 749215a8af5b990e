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
        for place in settlement.story {
            let leader = settlement.outcomes[place].leader
            guard leader >= 0, settlement.outcomes[leader].disposition == .duplicate,
                settlement.outcomes[leader].leader >= 0
            else { continue }
            settlement.outcomes[place].leader = settlement.outcomes[leader].leader
        }
    }

    // MARK: What begins a transaction

    /// A transaction begins once, whatever pair either version gives that and whatever the times.
    ///
    /// - Parameter possible: Joins those that only may report a beginning, near to it, and were not joined otherwise.
    private mutating func joinBeginnings(possible: Bool) {
        var beginnings: [UInt64: Int] = [:]
        for place in settlement.story where settlement.isEvent(place) && settlement.statements[place].isV2 {
            guard settlement.statements[place].transaction != TimelineID.none, settlement.role(place) == .begins else {
                continue
            }
            beginnings[settlement.statements[place].transaction] =
                beginnings[settlement.statements[place].transaction] ?? place
        }
        guard !beginnings.isEmpty else { return }
        for place in settlement.story where settlement.isEvent(place) && !settlement.statements[place].isV2 {
            guard let twin = beginnings[settlement.statements[place].transaction] else { continue }
            if begins(place)
                || possible && settlement.mayBe(place, .begins) && settlement.distance(place, twin)?.isNear ?? false
            {
                settlement.join(place, to: twin)
            }
        }
    }

    /// Whether a V1 record says that its transaction began: by its type, or by how it was read.
    private func begins(_ place: Int) -> Bool {
        settlement.role(place) == .begins || settlement.shape(of: settlement.statements[place])?.time == .purchase
    }

    // MARK: What else is reported twice

    private mutating func associateVersions() {
        var clusters = Clusters(settlement.statements.count)
        var beside: [Int: [(twin: Int, penalty: Association.Penalty)]] = [:]
        var farStates: Set<UInt64> = []
        let signed = settlement.story.filter {
            settlement.statements[$0].isV2 && settlement.isEvent($0) && settlement.role($0) != .begins
        }
        let byTransaction = Dictionary(grouping: signed) { settlement.statements[$0].transaction }
        let unnamed = byTransaction[TimelineID.none] ?? []
        for place in settlement.story where mayHaveTwin(place) {
            let transaction = settlement.statements[place].transaction
            for twins in transaction == TimelineID.none ? [signed] : [byTransaction[transaction] ?? [], unnamed] {
                let next = twins.firstPlace { settlement.rank[$0] > settlement.rank[place] }
                for (twin, penalty, isNear) in near(place, twins[..<next].reversed()) + near(place, twins[next...]) {
                    beside[place, default: []].append((twin, penalty))
                    clusters.unite(place, twin)
                    if !isNear, let state = chainKey(place) { farStates.insert(state) }
                }
            }
        }
        guard !beside.isEmpty else { return }
        uniteChains(&clusters, farStates)
        let places = settlement.story.filter {
            settlement.statements[$0].isV2 ? settlement.isEvent($0) : mayHaveTwin($0)
        }
        let groups = Dictionary(grouping: places) { clusters.root($0) }
        for group in groups.values where group.contains(where: { beside[$0] != nil }) { associate(group, beside) }
    }

    /// The V2 notifications, the nearest first, that may report what a V1 record does.
    ///
    /// Of those further away than Apple delivers, only the nearest may, and only if nothing contrary is between.
    private func near(
        _ place: Int, _ twins: some Sequence<Int>
    ) -> [(twin: Int, penalty: Association.Penalty, isNear: Bool)] {
        var found: [(twin: Int, penalty: Association.Penalty, isNear: Bool)] = []
        var mayBeFar = true
        for twin in twins.prefix(Association.most) {
            guard let (penalty, isNear) = penalty(place, twin) else {
                if let chain = settlement.chain(place), chain == settlement.chain(twin) { mayBeFar = false }
                continue
            }
            if isNear || mayBeFar { found.append((twin, penalty, isNear)) }
            guard isNear else { break }
        }
        return found
    }

    /// A number for the state of a transaction that a notification changes.
    private func chainKey(_ place: Int) -> UInt64? {
        let transaction = settlement.statements[place].transaction
        guard let chain = settlement.chain(place), transaction != TimelineID.none else { return nil }
        return transaction &* 4 &+ chain.rawValue
    }

    /// Unites the changes of one state that follow each other closely enough for one to be reported after the next;
    /// all of a state of which one may be reported far from when it happened.
    private func uniteChains(_ clusters: inout Clusters, _ far: Set<UInt64>) {
        var last: [UInt64: Int] = [:]
        for place in settlement.story
        where settlement.statements[place].isV2 ? settlement.isEvent(place) : mayHaveTwin(place) && hasOrder(place) {
            guard let state = chainKey(place) else { continue }
            let near =
                settlement.chain(place) == .plans
                ? settlement.parameters.deliveryHorizon : settlement.parameters.lateDelivery
            let reach = far.contains(state) ? .max : near
            if let before = last[state],
                settlement.statements[place].order - settlement.statements[before].order <= reach
            {
                clusters.unite(before, place)
            }
            last[state] = place
        }
    }

    private mutating func associate(_ group: [Int], _ beside: [Int: [(twin: Int, penalty: Association.Penalty)]]) {
        let deliveries = group.map { (place: $0, delivery: timed($0)) }
            .sorted { ($0.delivery.at, settlement.rank[$0.place]) < ($1.delivery.at, settlement.rank[$1.place]) }
        let places = deliveries.map(\.place)
        var numbers: [Int: Int] = [:]
        for (number, place) in places.enumerated() { numbers[place] = number }
        var association = Association(
            deliveries.map { place, delivery in
                var delivery = delivery
                delivery.beside = (beside[place] ?? []).compactMap { twin, penalty in
                    numbers[twin].map { ($0, penalty) }
                }
                return delivery
            }, settlement.parameters)
        association.isSandbox = settlement.statements[places[0]].isSandbox
        let isOnly = places.count { !settlement.statements[$0].isV2 } == 1
        for (place, match) in zip(places, association.matches()) where !settlement.statements[place].isV2 {
            if let first = match.first.map({ places[$0] }) {
                if settlement.statements[first].isV2 {
                    settlement.join(place, to: first)
                } else {
                    settlement.outcomes[place].disposition = .duplicate
                    settlement.outcomes[place].leader = first
                }
            }
            // Nothing says in which order several came of which no time is known.
            let isFar = match.first.map { settlement.distance(place, places[$0])?.isNear == false } ?? false
            if !match.isClear || isFar || !isOnly && !hasOrder(place) { settlement.doubt(place) }
        }
    }

    /// A delivery with the time that is compared between the versions.
    private func timed(_ place: Int) -> Association.Delivery {
        var delivery = Association.Delivery(place, in: settlement)
        let statement = settlement.statements[place]
        delivery.isOnce = settlement.role(place).map(settlement.table.timeline.isOnce) ?? false
        if statement.isV2 {
            delivery.clock = .signed
            if settlement.role(place) == .switches { delivery.at = statement.signature ?? statement.order }
        } else if settlement.isTimed(place) {
            delivery.clock = .dated
        } else {
            delivery.clock = statement.receivedAt == nil ? .undated : .received
            delivery.at = statement.receivedAt ?? statement.order
        }
        return delivery
    }

    /// Whether it is an event that V1 tells.
    func mayHaveTwin(_ place: Int) -> Bool { settlement.statements[place].type >= 0 && settlement.isEvent(place) }

    /// How unlikely it is that a V2 notification reports what a V1 record does; `nil` if it does not.
    private func penalty(_ place: Int, _ twin: Int) -> (penalty: Association.Penalty, isNear: Bool)? {
        let (v1, other) = (settlement.statements[place], settlement.statements[twin])
        guard settlement.table.means(other.pair, type: v1.type), statesTheSame(v1, other, settlement.role(twin)),
            let (apart, isNear) = settlement.distance(place, twin),
            isNear || mayBeFar(v1, twin)
        else { return nil }
        var terms = isNear ? deliveryPenalty(place, twin, apart) : farPenalty(place)
        if settlement.outcomes[place].pair != other.pair {
            let isListed = settlement.outcomes[place].decision?.candidates.contains(.pair(other.pair)) ?? false
            // An event that happens once for each transaction is the same in both, even if they give different pairs.
            guard isListed || settlement.isOnce(place, twin) else { return nil }
            terms += settlement.parameters.penalties.reading * (isListed ? 1 : 2)
        }
        return (Association.Penalty(terms: terms, apart: apart), isNear)
    }

    private func farPenalty(_ place: Int) -> Int64 {
        let penalties = settlement.parameters.penalties
        return settlement.chain(place) == nil ? penalties.atOddHours : penalties.untold
    }

    /// How unlikely it is that one happening is reported at two times so far apart.
    private func deliveryPenalty(_ place: Int, _ twin: Int, _ apart: Int64) -> Int64 {
        let (parameters, penalties) = (settlement.parameters, settlement.parameters.penalties)
        return switch apart {
        case ...parameters.signedAtOnce: 0
        case ...settlement.tolerance(settlement.statements[twin]): penalties.outOfOrder
        case ...parameters.lateDelivery: penalties.late
        case _ where settlement.isOnce(place, twin): penalties.late
        case _ where parameters.isAttempt(apart): penalties.atRetry
        default: penalties.atOddHours
        }
    }

    /// Whether one happening may be told by both far apart: of one transaction, and a refund if V2 gives it no date and
    /// nothing shows that it was taken back.
    private func mayBeFar(_ v1: Statement, _ twin: Int) -> Bool {
        let transaction = v1.transaction
        guard transaction == settlement.statements[twin].transaction, transaction != TimelineID.none else {
            return false
        }
        let isRestored = settlement.history.contradictions.contains {
            $0.kind == .restored && $0.transaction == transaction
        }
        return settlement.role(twin) != .refunds || settlement.shownCancellation(twin) == nil && !isRestored
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

    /// Whether anything says when it was told; without that its place in the story says nothing.
    private func hasOrder(_ place: Int) -> Bool {
        !settlement.isWeak(place) || settlement.statements[place].receivedAt != nil
    }
}

extension Settlement {
    /// How far apart the two say that it happened, and whether that is no further than Apple signs and delivers what
    /// happened then; `nil` if V2 was signed before what the V1 body shows.
    func distance(_ place: Int, _ twin: Int) -> (apart: Int64, isNear: Bool)? {
        let (v1, other) = (statements[place], statements[twin])
        let isSwitch = role(twin) == .switches
        let signed = isSwitch ? other.signature ?? other.order : other.order
        let late = parameters.lateDelivery
        if isTimed(place), let own = v1.ownTime {
            // V2 is signed after it happened, so one that was signed before is rather about another switch.
            let isNear = -late...(isSwitch ? min(late, tolerance(other)) : late) ~= own - signed
            return (abs(own - signed), isNear || isOnce(place, twin))
        }
        // Nothing is reported before it happens; V2 is signed when it happens.
        guard let received = v1.receivedAt else {
            let since = other.order - v1.order
            return since >= -tolerance(other) ? (max(0, since), true) : nil
        }
        let delay = received - other.order
        let isNear = delay >= -late && (delay <= parameters.deliveryHorizon || isOnce(place, twin))
        return (abs(delay), isNear)
    }

    /// Whether the time of a V1 record is that of what it reports; not where its date is that of a purchase, which may not
    /// be what it reports.
    fileprivate func isTimed(_ place: Int) -> Bool {
        !isWeak(place) && table.shape(ofType: statements[place].type).time != .purchase
    }

    /// Whether the two report what happens once for each transaction.
    fileprivate func isOnce(_ place: Int, _ twin: Int) -> Bool {
        role(twin).map { table.timeline.isOnce($0) && $0 == role(place) } ?? false
    }
}

/// Sets of places that can reach each other.
private struct Clusters {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func root(_ place: Int) -> Int {
        var place = place
        while parents[place] != place {
            parents[place] = parents[parents[place]]
            place = parents[place]
        }
        return place
    }

    mutating func unite(_ one: Int, _ other: Int) {
        let (left, right) = (root(one), root(other))
        parents[max(left, right)] = min(left, right)
    }
}
