/// Finds the deliveries of one notification.
///
/// What says when it happened, and what names itself (`notificationUUID`), represents one happening. A V1 text without
/// a time may represent several: the customer changes a preference, changes it back, and changes it again. Such texts
/// are judged together (``Association``), the choices of one period with what bodies show to be in force.
extension Settlement {
    mutating func findRepeats() {
        guard statements.count > 1 else { return }
        let verdicts = associateTexts()
        var firsts: [UInt64: Int] = [:]
        var numbers: [UInt64: Int] = [:]
        firsts.reserveCapacity(statements.count)
        for place in story {
            let statement = statements[place]
            let verdict = verdicts[place]
            if let first = verdict?.first ?? (verdict == nil ? firsts[key(place)] : nil) {
                let isOnlyShown = statement.says(.refundedRows, FactValue.RefundedRows.only)
                repeats(place, first, isCertain: verdict?.isClear ?? true && !isOnlyShown)
                if isOnlyShown { outcomes[place].addedFlags.formUnion(.transactionUncertain) }
                continue
            }
            firsts[key(place)] = place
            let id = statement.id.number
            let number = numbers[id, default: 0] + 1
            numbers[id] = number
            outcomes[place].number = number
            if number > 1 { doubtPurchase(place) }
            if verdict?.isClear == false { doubt(place) }
        }
        for place in story where statements[place].isV2 && numbers[statements[place].id.number] ?? 0 > 1 {
            outcomes[place].addedFlags.formUnion(.uuidShared)
        }
    }

    private mutating func repeats(_ place: Int, _ first: Int, isCertain: Bool) {
        outcomes[place].disposition = .duplicate
        outcomes[place].leader = first
        outcomes[place].number = outcomes[first].number
        if !isCertain { doubt(place) }
    }

    /// What deliveries of one notification have in common: an id and what it says, as an id may have been masked or
    /// copied; or what a V1 body says that happened and when, as the store builds the receipt again for each attempt.
    ///
    ///     DID_RENEW  {7}  auto_renew_status true       received 10:00
    ///     DID_RENEW  {7}  auto_renew_status false      received 16:00      the period {7} begins once
    private func key(_ place: Int) -> UInt64 {
        let statement = statements[place]
        guard statement.type >= 0, statement.transaction != TimelineID.none, let time = statement.ownTime,
            !isWeak(place), statement.says(.subject, FactValue.Subject.certain)
        else { return statement.id.number ^ statement.content }
        var hasher = Hasher()
        hasher.combine(statement.type)
        hasher.combine(statement.transaction)
        hasher.combine(time)
        if shape(of: statement)?.time == .statusChange { hasher.combine(statement.autoRenewStatus) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Whether its canonical text says nothing of when it happened.
    func isWeak(_ place: Int) -> Bool {
        statements[place].ownTime == nil || outcomes[place].alone?.rule.isTimeless ?? true
    }

    /// Lets a refund notification that names no purchase be uncertain in it, after another one of the same refund: it
    /// may be about a purchase that the receipt lacks.
    private mutating func doubtPurchase(_ place: Int) {
        guard statements[place].says(.refundedRows, FactValue.RefundedRows.only) else { return }
        statements[place].facts.set(.refundedRows, FactValue.RefundedRows.late)
        outcomes[place].facts = statements[place].facts
        outcomes[place].take(cache.decision(type: statements[place].type, facts: statements[place].facts))
    }

    /// Two records of one reception, which two logs kept, have times closer together than this.
    static let keptTwice: Int64 = 1000

    /// Says that a notification cannot be distinguished with certainty from another one that says the same.
    mutating func doubt(_ place: Int) {
        outcomes[place].limit = .inferred
        if !statements[place].isV2 { outcomes[place].addedFlags.formUnion(.identityWeak) }
    }

    /// Gives duplicates that share an id and an event the least certainty that one of them has.
    ///
    /// Their lines have one id, so a reader that keeps the last line of each id would depend on the order otherwise.
    mutating func levelDuplicates() {
        let duplicates = story.filter { outcomes[$0].disposition == .duplicate && statements[$0].type >= 0 }
        // What content alone joined is not proven if something else came between.
        for place in duplicates where isWeak(place) && outcomes[place].limit == nil {
            let first = rank[outcomes[place].leader]
            let isBetween =
                first < rank[place]
                && story[(first + 1)..<rank[place]].contains { outcomes[$0].disposition != .duplicate }
            if isBetween || statements[place].receivedAt == nil && statements.count > 2 { doubt(place) }
        }
        guard duplicates.count > 1 else { return }
        let groups = Dictionary(grouping: duplicates) { place in
            statements[place].id.number ^ UInt64(truncatingIfNeeded: outcomes[place].leader) &* 0x9E37_79B9_7F4A_7C15
        }
        for group in groups.values where group.count > 1 {
            let limits = group.compactMap { outcomes[$0].limit }
            guard let first = limits.first else { continue }
            let limit = limits.reduce(first) { $0.atMost($1) }
            let isWeak = group.contains { !outcomes[$0].addedFlags.isDisjoint(with: .identityWeak) }
            for place in group {
                outcomes[place].limit = limit
                if isWeak { outcomes[place].addedFlags.formUnion(.identityWeak) }
            }
        }
    }

    // MARK: Texts without a time

    /// A delivery of V1 as it is compared with others.
    func delivery(_ place: Int) -> Association.Delivery {
        let statement = statements[place]
        let consent: UInt64 = statement.consent.map { $0 ? 3 : 5 } ?? 0
        var text = statement.id.number ^ statement.content ^ statement.nextOffer &* 31 ^ consent << 60
        if statement.transaction == TimelineID.none, role(place) == .begins, let latest = statement.latestKnown {
            text ^= UInt64(bitPattern: latest)
        }
        let isUnnamed = statement.isUnnamedRefund
        let isQuestion =
            table.timeline.askedAgain.contains(statement.type) || isUnnamed
            || statement.transaction == TimelineID.none && table.timeline.severalUnnamed.contains(statement.type)
        let chain = chain(place)
        let state: UInt64 =
            switch chain {
            case .plans: statement.nextProduct
            case .switches: statement.autoRenewStatus ?? false ? 1 : 2
            case .refunds: role(place) == .restores ? 1 : 2
            case nil: 0
            }
        return Association.Delivery(
            text: text, detail: statement.fingerprint,
            at: isUnnamed ? statement.receivedAt ?? statement.order : statement.order,
            clock: isWeak(place) || isUnnamed ? statement.latestPossible == nil ? .undated : .received : .dated,
            chain: chain, state: state,
            offer: chain == .plans ? statement.nextOffer : TimelineID.none, isAskedAgain: isQuestion)
    }

    /// Which state that changes back and forth a notification reports.
    func chain(_ place: Int) -> Association.Chain? {
        switch role(place) {
        case .plans where statements[place].nextProduct != TimelineID.none: .plans
        case .switches where statements[place].autoRenewStatus != nil: .switches
        case .refunds where !statements[place].isUnnamedRefund: .refunds
        case .restores: .refunds
        default: nil
        }
    }

    /// What became of each text without a time, where some text came more than once.
    private func associateTexts() -> [Int: Association.Verdict] {
        var groups: [UInt64: [Int]] = [:]
        for place in story where !statements[place].isV2 && (isWeak(place) || statements[place].isUnnamedRefund) {
            let id = statements[place].id.number
            let group = chain(place).map { statements[place].transaction &* 4 &+ $0.rawValue } ?? id
            groups[group, default: []].append(place)
        }
        var verdicts: [Int: Association.Verdict] = [:]
        var known: Surroundings?
        for group in groups.values where group.count > 1 {
            let ids = Set(group.map { statements[$0].id.number })
            guard ids.count < group.count else { continue }
            let surroundings = known ?? surroundings()
            known = surroundings
            associate(group, surroundings, &verdicts)
        }
        return verdicts
    }

    private func associate(_ group: [Int], _ known: Surroundings, _ verdicts: inout [Int: Association.Verdict]) {
        let deliveries = group.map(delivery)
        // What two logs kept of one reception is judged once.
        var kept: [Int] = []
        var copies: [(place: Int, of: Int)] = []
        for (place, delivery) in deliveries.enumerated() {
            let near = kept.reversed().prefix { delivery.at - deliveries[$0].at < Self.keptTwice }
            let original = near.first {
                deliveries[$0].text == delivery.text && deliveries[$0].detail == delivery.detail
                    && delivery.clock == .received
            }
            if let original { copies.append((place, original)) } else { kept.append(place) }
        }
        var association = Association(kept.map { deliveries[$0] }, table.parameters)
        association.isSandbox = statements[group[0]].isSandbox
        association.isOftenTriedAgain = known.isOftenLate
        setPeriod(of: statements[group[0]], until: deliveries.last?.at ?? .max, known, &association)
        for (place, verdict) in zip(kept, association.verdicts()) {
            // What was received at an unknown time may have been received at any.
            let delivery = deliveries[place]
            let isAlike = deliveries.allSatisfy { $0.text == delivery.text && $0.detail == delivery.detail }
            // A happening is proven to be another one only when Apple no longer delivers the one before it.
            let reach =
                association.isSandbox ? table.parameters.sameTimeSandbox : table.parameters.deliveryHorizon
            let isDistinct = deliveries[..<place].allSatisfy { $0.text != delivery.text || delivery.at - $0.at > reach }
            let isClear =
                verdict.isClear && (delivery.clock == .received || isAlike && verdict.first == nil)
                && (verdict.first != nil || isDistinct)
            verdicts[group[place]] = Association.Verdict(
                first: verdict.first.map { group[kept[$0]] }, isClear: isClear)
        }
        for copy in copies {
            guard let original = verdicts[group[copy.of]] else { continue }
            verdicts[group[copy.place]] = Association.Verdict(
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

    fileprivate var isUnnamedRefund: Bool {
        says(.refundedRows, FactValue.RefundedRows.late) || says(.refundedRows, FactValue.RefundedRows.only)
    }
}
