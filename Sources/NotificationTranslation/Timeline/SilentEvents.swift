extension Settlement {
    /// The latest time of any notification.
    var latestTime: Int64 { statements.map(\.order).max() ?? .min }

    /// The events that V1 never sent, by the place they stand behind.
    ///
    /// - Parameters:
    ///   - inference: How sure they must be.
    ///   - asOf: What counts as now.
    /// - Returns: Those behind one notification in the order of time.
    func silentEvents(_ inference: SilentInference, asOf: Int64) -> [SilentEvent] {
        guard inference != .none else { return [] }
        return deduction(isProvenOnly: inference == .safe, asOf: asOf).events.enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            if one.after != other.after { return one.after < other.after }
            return one.time != other.time ? one.time < other.time : $0.offset < $1.offset
        }.map(\.element)
    }

    /// Goes through the story; nothing is deduced of a subscription that nobody certainly names.
    func deduction(isProvenOnly: Bool, asOf: Int64) -> Deduction {
        var deduction = Deduction(self, isProvenOnly: isProvenOnly, asOf: asOf)
        let isCertain = statements.contains { $0.hasKey && !$0.isV2 && $0.says(.subject, FactValue.Subject.certain) }
        guard isCertain else { return deduction }
        deduction.lookAtTransactions()
        deduction.lookAtNotifications()
        deduction.lookAtContradictions()
        return deduction
    }
}

/// Goes through a settled story and holds what it sees against ``SilentTable``.
struct Deduction {
    let settlement: Settlement
    let table = SilentTable.current
    let parameters: Parameters
    let isProvenOnly: Bool
    let asOf: Int64
    let rows: [TimelineRow]
    let isFamily: Bool
    /// When version 2 told of the subscription first.
    let versionTwoSince: Int64
    private(set) var events: [SilentEvent] = []
    /// The places of the rules that decided, in the order they were asked.
    private(set) var used: [Int] = []

    init(_ settlement: Settlement, isProvenOnly: Bool, asOf: Int64) {
        self.settlement = settlement
        self.isProvenOnly = isProvenOnly
        self.asOf = asOf
        parameters = settlement.table.parameters
        rows = settlement.history.rows
        versionTwoSince = settlement.statements.lazy.filter(\.isV2).map(\.order).min() ?? .max
        isFamily = settlement.statements.contains { $0.says(.ownership, FactValue.Ownership.family) }
    }

    // MARK: What was told

    /// The events about a transaction; deliveries and companions are none.
    func events(about transaction: UInt64, _ body: (Int) -> Bool) -> Bool {
        settlement.story.contains { place in
            settlement.outcomes[place].disposition == .event && settlement.statements[place].transaction == transaction
                && body(settlement.outcomes[place].pair)
        }
    }

    func role(_ place: Int) -> TimelineRules.Role? {
        settlement.outcomes[place].disposition == .event
            ? settlement.table.timeline.role(ofPair: settlement.outcomes[place].pair) : nil
    }

    /// The first notification with a role within a stretch of time.
    func first(_ role: TimelineRules.Role, from start: Int64, to end: Int64, where body: (Statement) -> Bool) -> Int? {
        settlement.story.first { place in
            let statement = settlement.statements[place]
            return start...max(start, end) ~= statement.order && self.role(place) == role && body(statement)
        }
    }

    // MARK: What follows

    /// Holds an observation against the table and keeps what it says.
    ///
    /// - Parameters:
    ///   - facts: What was seen.
    ///   - row: The transaction it is about.
    ///   - evidence: The places of the notifications it was seen in.
    ///   - time: The dates it may have happened at.
    mutating func conclude(
        _ facts: SilentTable.Facts, _ row: TimelineRow, from evidence: [Int], _ time: (SilentTable.Time) -> Int64?
    ) {
        guard let place = firstMatch(facts, time) else { return }
        let rule = table.rules[place]
        used.append(place)
        let tellers = Set(evidence.filter { $0 >= 0 }).sorted { settlement.rank[$0] < settlement.rank[$1] }
        guard let pair = rule.pair, rule.isProven || !isProvenOnly, let time = time(rule.time), time <= asOf,
            let last = tellers.max(),
            !events(about: row.transaction, { $0 == pair }) || settlement.table.timeline.role(ofPair: pair) == .ends
        else { return }
        var event = SilentEvent()
        event.after = last
        event.rule = place
        event.time = time
        event.field = Self.field(rule.time)
        event.derivedFrom = tellers.map { settlement.id(of: $0) }
        let named = settlement.statements.first { !$0.bundleID.isAbsent } ?? settlement.statements[last]
        event.environment = settlement.statements[last].environment
        event.bundleID = named.bundleID
        event.originalTransactionID = settlement.statements[last].originalTransactionID
        event.row = row
        let isKnown = events.contains { other in
            other.row.transaction == row.transaction && table.rules[other.rule].pair == pair && other.time == time
        }
        if !isKnown { events.append(event) }
    }

    /// The rule that decides, asked again with what the time it gives tells.
    private func firstMatch(_ facts: SilentTable.Facts, _ time: (SilentTable.Time) -> Int64?) -> Int? {
        guard let place = table.firstMatch(facts), let time = time(table.rules[place].time) else {
            return table.firstMatch(facts)
        }
        var facts = facts
        facts.set(.version2, versionTwoSince <= time ? 1 : 0)
        return table.firstMatch(facts)
    }

    private static func field(_ time: SilentTable.Time) -> UInt8 {
        switch time {
        case .expiry, .retryEnd: TimeField.expiry
        case .purchase: TimeField.purchase
        case .cancellation: TimeField.cancellation
        case .grace: TimeField.grace
        case .range: 0
        }
    }

    func facts(_ observation: Int) -> SilentTable.Facts {
        var facts = SilentTable.Facts()
        facts[SilentTable.Fact.observation.rawValue] = UInt8(observation)
        facts.set(.told, 1)
        facts.set(.family, isFamily ? 0 : 1)
        return facts
    }
}

extension SilentTable.Facts {
    /// Sets a fact to the value at a place of its list in the file.
    mutating func set(_ fact: SilentTable.Fact, _ value: Int) {
        self[fact.rawValue] = UInt8(value)
    }

    /// Sets a fact whose values are `yes` and `no`, or two others in that order.
    mutating func set(_ fact: SilentTable.Fact, _ isSo: Bool) {
        self[fact.rawValue] = isSo ? 0 : 1
    }
}

extension TimeField {
    static let purchase = number(of: "purchase_date_ms" as StaticString)
    static let expiry = number(of: "expires_date_ms" as StaticString)
    static let cancellation = number(of: "cancellation_date_ms" as StaticString)
    static let grace = number(of: "grace_period_expires_date_ms" as StaticString)
}
