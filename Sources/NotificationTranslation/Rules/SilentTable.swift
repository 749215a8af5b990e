import NotificationMappings

/// `Mappings/silent-events.json`: what V2 would have sent and V1 never did, by what a subscription's story shows.
struct SilentTable: Sendable {
    /// Which date says when it happened.
    enum Time: String, Sendable {
        case expiry, purchase, cancellation, grace, range
        case retryEnd = "retry-end"
        case switchOff = "switch-off"
    }

    /// One rule: conditions on facts, and what V2 would have sent when all hold.
    struct Row: ConditionalRow, Sendable {
        let row: JSONTree
        var conditions: [Rule.Condition]
        /// The pair, by place; `nil` for nothing.
        var pair: Int?
        var time: Time
        /// Whether the evidence proves it.
        var isProven: Bool
        var candidates: [Int]
        var flags: FlagSet
    }

    /// What leaves open whether anything happened, where a rule does not prove an end.
    struct Gap: ConditionalRow, Sendable {
        let row: JSONTree
        var conditions: [Rule.Condition]
        var flags: FlagSet
    }

    private static let file = "silent-events.json"
    private static let ruleKeys: [StaticString] = [
        "id", "when", "then", "time", "proof", "candidates", "flags", "source",
    ]

    /// The pairs, by place, that tell that a subscription went on.
    let continues: [Int]
    /// Those that tell that the customer came back after it had ended.
    let returns: [Int]
    let rules: [Row]
    let gaps: [Gap]

    /// The table of this build.
    static let current: SilentTable = Tables.required(Mappings.silentEvents) { bytes throws(TableError) in
        try SilentTable(bytes, events: .current, flags: .current)
    }

    init(_ bytes: [UInt8], events: EventTable, flags: FlagTable) throws(TableError) {
        let top = try TableRow(
            try Tables.tree(bytes, Self.file), table: Self.file, named: .fixed(""),
            keys: ["version", "about", "continues", "returns", "facts", "gaps", "rules"])
        _ = try SilentFact.list.rows(try top.trees("facts"), table: Self.file)
        let reader = RuleReader(Self.file, SilentFact.list, events: events, flags: flags)
        continues = try reader.pairs(top, "continues")
        returns = try reader.pairs(top, "returns")
        let gapKeys: [StaticString] = ["id", "when", "flags", "source"]
        gaps = try reader.rules(try top.trees("gaps"), keys: gapKeys) { (_, head) in
            Gap(row: head.row, conditions: head.conditions, flags: head.flags)
        }
        rules = try reader.rules(try top.trees("rules"), keys: Self.ruleKeys) { (row, head) throws(TableError) in
            guard let time = Time(rawValue: try row.string("time")) else { throw row.error("no such time") }
            let proof = try row.string("proof")
            guard ["safe", "all"].contains(proof) else { throw row.error("no such proof") }
            let isNothing = row["then"]?.kind == .null
            return Row(
                row: head.row, conditions: head.conditions,
                pair: isNothing ? nil : try reader.pair(try row.text("then"), row), time: time,
                isProven: proof == "safe", candidates: try reader.pairs(row, "candidates"), flags: head.flags)
        }
    }

    /// The place of the rule that decides; `nil` where none holds.
    func firstMatch(_ facts: SilentFacts) -> Int? { rules.firstMatch(facts) }
}
