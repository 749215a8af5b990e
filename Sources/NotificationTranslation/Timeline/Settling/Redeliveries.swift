/// Finds the deliveries of one notification.
///
/// Notifications with the same time of the event, or the same `notificationUUID`, report one event. A V1 text without
/// a time may represent several: the customer changes a preference, changes it back, and changes it again. Such texts
/// are judged together (``Association``), the choices of one period with what bodies show to be in force.
struct Redeliveries: SettlingStep, ~Copyable {
    private(set) var settlement: Settlement

    mutating func find() {
        guard settlement.statements.count > 1 else { return }
        let matches = associateTexts()
        var firsts: [UInt64: Int] = [:]
        var numbers: [UInt64: Int] = [:]
        firsts.reserveCapacity(settlement.statements.count)
        for index in settlement.order {
            let statement = settlement.statements[index]
            let (match, key) = (matches[index], key(index))
            if let first = match?.first ?? (match == nil ? firsts[key] : nil) {
                let isOnlyShown = statement.says(.refundedRows, FactValue.RefundedRows.only)
                repeats(index, first, isCertain: match?.isClear ?? true && !isOnlyShown)
                if isOnlyShown { settlement.outcomes[index].addedFlags.formUnion(.transactionUncertain) }
                continue
            }
            firsts[key] = index
            let id = statement.id.number
            let number = numbers[id, default: 0] + 1
            numbers[id] = number
            settlement.outcomes[index].number = number
            if number > 1 { doubtPurchase(index) }
            if match?.isClear == false { settlement.doubt(index) }
        }
        for index in settlement.order
        where settlement.statements[index].isV2 && numbers[settlement.statements[index].id.number] ?? 0 > 1 {
            settlement.outcomes[index].addedFlags.formUnion(.uuidShared)
        }
    }

    private mutating func repeats(_ index: Int, _ first: Int, isCertain: Bool) {
        settlement.outcomes[index].disposition = .duplicate
        settlement.outcomes[index].leader = first
        settlement.outcomes[index].number = settlement.outcomes[first].number
        if !isCertain { settlement.doubt(index) }
    }

    /// What deliveries of one notification have in common: an id and what it says, as an id may have been masked or
    /// copied; or what a V1 body says that happened and when, as the store builds the receipt again for each attempt.
    ///
    ///     DID_RENEW  {7}  auto_renew_status true       received 10:00
    ///     DID_RENEW  {7}  auto_renew_status false      received 16:00      the period {7} begins once
    private func key(_ index: Int) -> UInt64 {
        let statement = settlement.statements[index]
        guard statement.type >= 0, statement.transaction != TimelineID.none, let time = statement.ownTime,
            !settlement.isWeak(index), statement.says(.subject, FactValue.Subject.certain)
        else { return statement.id.number ^ statement.content }
        var hasher = Hasher()
        hasher.combine(statement.type)
        hasher.combine(statement.transaction)
        hasher.combine(time)
        if settlement.shape(of: statement)?.time == .statusChange { hasher.combine(statement.autoRenewStatus) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Lets a refund notification that names no purchase be uncertain in it, after another one of the same refund: it
    /// may be about a purchase that the receipt lacks.
    private mutating func doubtPurchase(_ index: Int) {
        guard settlement.statements[index].says(.refundedRows, FactValue.RefundedRows.only) else { return }
        settlement.statements[index].facts.set(.refundedRows, FactValue.RefundedRows.late)
        settlement.decide(index)
    }

    /// Gives duplicates that share an id and an event the least certainty that one of them has.
    ///
    /// Their lines have one id, so a reader that keeps the last line of each id would depend on the order otherwise.
    mutating func level() {
        let duplicates = settlement.order.filter {
            settlement.outcomes[$0].disposition == .duplicate && settlement.statements[$0].type >= 0
        }
        // What content alone joined is not proven if something else came between.
        for index in duplicates where settlement.isWeak(index) && settlement.outcomes[index].limit == nil {
            let first = settlement.positions[settlement.outcomes[index].leader]
            let isBetween =
                first < settlement.positions[index]
                && settlement.order[(first + 1)..<settlement.positions[index]].contains {
                    settlement.outcomes[$0].disposition != .duplicate
                }
            if isBetween || settlement.statements[index].receivedAt == nil && settlement.statements.count > 2 {
                settlement.doubt(index)
            }
        }
        guard duplicates.count > 1 else { return }
        let groups = Dictionary(grouping: duplicates) { index in
            settlement.statements[index].id.number ^ UInt64(truncatingIfNeeded: settlement.outcomes[index].leader)
                &* 0x9E37_79B9_7F4A_7C15
        }
        for group in groups.values where group.count > 1 {
            let limits = group.compactMap { settlement.outcomes[$0].limit }
            guard let first = limits.first else { continue }
            let limit = limits.reduce(first) { $0.atMost($1) }
            let isWeak = group.contains { !settlement.outcomes[$0].addedFlags.isDisjoint(with: .identityWeak) }
            for index in group {
                settlement.outcomes[index].limit = limit
                if isWeak { settlement.outcomes[index].addedFlags.formUnion(.identityWeak) }
            }
        }
    }

    // MARK: Texts without a time

    /// What became of each text without a time, where some text came more than once.
    private func associateTexts() -> [Int: Association.Match] {
        var groups: [UInt64: [Int]] = [:]
        for index in settlement.order
        where !settlement.statements[index].isV2
            && (settlement.isWeak(index) || settlement.statements[index].isUnnamedRefund)
        {
            let id = settlement.statements[index].id.number
            let group =
                settlement.chain(index).map { settlement.statements[index].transaction &* 4 &+ $0.rawValue } ?? id
            groups[group, default: []].append(index)
        }
        var matches: [Int: Association.Match] = [:]
        var known: Surroundings?
        for group in groups.values where group.count > 1 {
            let ids = Set(group.map { settlement.statements[$0].id.number })
            guard ids.count < group.count else { continue }
            let surroundings = known ?? surroundings()
            known = surroundings
            associate(group, surroundings, &matches)
        }
        return matches
    }

    private func associate(_ group: [Int], _ known: Surroundings, _ matches: inout [Int: Association.Match]) {
        let deliveries = group.map { Association.Delivery($0, in: settlement) }
        // What two logs kept of one reception is judged once.
        var kept: [Int] = []
        var copies: [(index: Int, of: Int)] = []
        for (index, delivery) in deliveries.enumerated() {
            let near = kept.reversed().prefix { delivery.at - deliveries[$0].at < Settlement.keptTwice }
            let original = near.first {
                deliveries[$0].text == delivery.text && deliveries[$0].detail == delivery.detail
                    && delivery.clock == .received
            }
            if let original { copies.append((index, original)) } else { kept.append(index) }
        }
        var association = Association(kept.map { deliveries[$0] }, settlement.parameters)
        association.isSandbox = settlement.statements[group[0]].isSandbox
        setPeriod(of: settlement.statements[group[0]], until: deliveries.last?.at ?? .max, known, &association)
        for (index, match) in zip(kept, association.matches()) {
            // What was received at an unknown time may have been received at any.
            let delivery = deliveries[index]
            let isAlike = deliveries.allSatisfy { $0.text == delivery.text && $0.detail == delivery.detail }
            // A happening is proven to be another one only when Apple no longer delivers the one before it.
            let horizon = settlement.delivery(settlement.statements[group[0]]).horizon
            let isDistinct = deliveries[..<index].allSatisfy {
                $0.text != delivery.text || delivery.at - $0.at > horizon
            }
            let isClear =
                match.isClear && (delivery.clock == .received || isAlike && match.first == nil)
                && (match.first != nil || isDistinct)
            matches[group[index]] = Association.Match(
                first: match.first.map { group[kept[$0]] }, isClear: isClear)
        }
        for copy in copies {
            guard let original = matches[group[copy.of]] else { continue }
            matches[group[copy.index]] = Association.Match(
                first: original.first ?? group[copy.of], isClear: original.isClear)
        }
    }
}

extension Statement {
    /// A number that notifications of one id share if they may be one: of one transaction, payloads of one type,
    /// bodies that show the same rows.
    fileprivate var content: UInt64 {
        let mixed = isV2 ? TimelineID.of(typeText) ^ fingerprint &* 31 : fingerprintOfRows
        return (mixed &* 31 ^ transaction) &* 0x9E37_79B9_7F4A_7C15
    }

    var isUnnamedRefund: Bool {
        says(.refundedRows, FactValue.RefundedRows.late) || says(.refundedRows, FactValue.RefundedRows.only)
    }
}

extension Association.Delivery {
    /// A delivery of V1 as it is compared with others.
    init(_ index: Int, in settlement: Settlement) {
        let statement = settlement.statements[index]
        let consent: UInt64 = statement.consent.map { $0 ? 3 : 5 } ?? 0
        var text = statement.id.number ^ statement.content ^ statement.nextOffer &* 31 ^ consent << 60
        if statement.transaction == TimelineID.none, settlement.role(index) == .begins,
            let latest = statement.latestKnown
        {
            text ^= UInt64(bitPattern: latest)
        }
        let isUnnamed = statement.isUnnamedRefund
        let timeline = settlement.table.timeline
        let isOneOfSeveral =
            statement.transaction == TimelineID.none && timeline.severalUnnamed.contains(statement.type)
        let chain = settlement.chain(index)
        let isTimed = !settlement.isWeak(index) && !isUnnamed
        self.init(
            text: text, detail: statement.fingerprint,
            at: isUnnamed ? statement.receivedAt ?? statement.time : statement.time,
            clock: isTimed ? .dated : statement.latestPossible == nil ? .undated : .received,
            chain: chain, state: chain.map { settlement.state(index, $0) } ?? 0,
            offer: chain == .plans ? statement.nextOffer : TimelineID.none,
            isAskedAgain: timeline.askedAgain.contains(statement.type) || isUnnamed || isOneOfSeveral)
    }
}

extension Settlement {
    /// What a notification changes a state that changes back and forth to.
    fileprivate func state(_ index: Int, _ chain: Association.Chain) -> UInt64 {
        switch chain {
        case .plans: statements[index].nextProduct
        case .switches: statements[index].autoRenewStatus ?? false ? 1 : 2
        case .refunds: role(index) == .restores ? 1 : 2
        }
    }
}
