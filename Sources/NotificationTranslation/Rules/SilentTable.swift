import NotificationMappings

/// `Mappings/silent-events.json`: what V2 would have sent and V1 never did, by what the notifications of a subscription show.
struct SilentTable: Sendable {
    /// Which date says when it happened.
    enum Time: String, Sendable {
        case expiry, purchase, cancellation, grace, range
        case retryEnd = "retry-end"
        case switchOff = "switch-off"
    }

    /// Whether the evidence proves it.
    private enum Proof: String { case safe, all }

    /// One rule: conditions on facts, and what V2 would have sent when all hold.
    struct Row: ConditionalRow, Sendable {
        let row: JSONTree
        let conditions: [Rule.Condition]
        /// The pair, by index; `nil` for nothing.
        let pair: Int?
        let time: Time
        let isProven: Bool
        let candidates: [Int]
        let flags: FlagSet
    }

    /// What leaves open whether anything happened, where a rule does not prove an end.
    struct Gap: ConditionalRow, Sendable {
        let row: JSONTree
        let conditions: [Rule.Condition]
        let flags: FlagSet
    }

    /// The rules that deduce a state when no notification reports it, by their ids; a closed set.
    enum StateRule: String, CaseIterable, Sendable {
        case graceRan = "state-grace-ran"
        case inRetry = "state-in-retry"
        case paidWithinGrace = "state-paid-within-grace"
        case periodMissing = "state-period-missing"
        case recoveredInCycle = "state-recovered-in-cycle"
        case renewalOffByRefund = "state-renewal-off-by-refund"
        case renewedAtEnd = "state-renewed-at-end"
        case retryBeforeEnd = "state-retry-before-end"
        case retryGivenUp = "state-retry-given-up"
    }

    /// The pairs of an event, or Apple's numbers, that a state is deduced from.
    ///
    /// The status is what is deduced; of `state-retry-given-up` it is the one before.
    typealias StateEvidence = (pairs: [Int], status: Int64?, autoRenewStatus: Int64?, isInBillingRetryPeriod: Int64?)

    /// The facts that rules ask for.
    let facts: FactList
    /// The pairs, by index, that tell that a subscription went on.
    let continues: [Int]
    /// Those that report that a failed renewal was paid after all.
    let recovers: [Int]
    /// Those that report that another plan replaced the one that ran.
    let replaces: [Int]
    /// Those that tell that the customer came back after it had ended.
    let returns: [Int]
    let rules: [Row]
    let gaps: [Gap]
    /// Without one of the rules it deduces nothing.
    let states: [StateRule: StateEvidence]

    static let current = Tables.required { try SilentTable(Array(Mappings.silentEvents.bytes)) }

    init(_ bytes: [UInt8]) throws {
        let top = try TableRow(file: "silent-events.json", bytes)
        try top.prose("version", "about")
        facts = try FactList(top, SilentFact.allCases.map { "\($0)" })
        let reader = RuleReader(facts)
        continues = try reader.pairs(top, "continues")
        recovers = try reader.pairs(top, "recovers")
        replaces = try reader.pairs(top, "replaces")
        returns = try reader.pairs(top, "returns")
        gaps = try reader.rules(top, "gaps") { row in
            let head = try reader.head(row)
            return Gap(row: row.tree, conditions: head.conditions, flags: head.flags)
        }
        rules = try reader.rules(top, "rules") { row in
            let head = try reader.head(row)
            let proof: Proof = try row.word("proof")
            return Row(
                row: row.tree, conditions: head.conditions,
                pair: try row["then"] == nil ? nil : reader.pair(row.text("then"), row), time: try row.word("time"),
                isProven: proof == .safe, candidates: try reader.pairs(row, "candidates"), flags: head.flags)
        }
        var states: [StateRule: StateEvidence] = [:]
        _ = try top.rows("states", naming: "id") { row in
            try row.prose("meaning", "source")
            let numbers = try ["status", "autoRenewStatus", "isInBillingRetryPeriod"].map { key in
                try row[key].map { value in
                    guard let number = value.integer else { throw row.error("\"\(key)\" is not a whole number") }
                    return number
                }
            }
            let pairs = try reader.pairs(row, "pairs")
            guard !pairs.isEmpty || numbers[0] != nil else { throw row.error("neither pairs nor a status") }
            let state: StateEvidence = (pairs, numbers[0], numbers[1], numbers[2])
            guard try states.updateValue(state, forKey: row.word("id")) == nil else { throw row.error("used twice") }
        }
        self.states = states
        try top.finish()
    }
}
