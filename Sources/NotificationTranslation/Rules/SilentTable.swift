import Mappings

/// `Mappings/silent-events.json`: what V2 would have sent and V1 never did, by what a subscription's story shows.
struct SilentTable: Sendable {
    /// Which date says when it happened.
    enum Time: String, Sendable {
        case expiry, purchase, cancellation, grace, range
        case retryEnd = "retry-end"
        case switchOff = "switch-off"
    }

    /// One row: conditions on facts, and what V2 would have sent when all hold.
    struct Row: ConditionalRow, Sendable {
        var id: String
        var conditions: [Rule.Condition]
        /// The pair, by place; `nil` for nothing.
        var pair: Int?
        var time: Time
        /// Whether the evidence proves it.
        var isProven: Bool
        var candidates: [Int]
        var flags: FlagSet
        var source: String
    }

    let version: String
    let parameters: Parameters
    /// The pairs, by place, that tell that a subscription went on.
    let continues: [Int]
    let rules: [Row]
    /// The rows of the facts, in their order.
    private let facts: [JSONTree]

    /// The table of this build.
    static let current: SilentTable = Tables.required(Mappings.silentEvents) { bytes throws(TableError) in
        try SilentTable(bytes, events: .current, flags: .current)
    }

    init(_ bytes: [UInt8], events: EventTable, flags: FlagTable) throws(TableError) {
        let file = "silent-events.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, named: .fixed(""),
            keys: ["version", "about", "parameters", "continues", "facts", "rules"])
        version = try top.string("version")
        guard let tree = top["parameters"] else { throw top.error("no parameters") }
        parameters = try Parameters(tree, table: file)
        facts = try SilentFact.list.rows(try top.trees("facts"), table: file)
        let reader = RuleReader(file, SilentFact.list, events: events, flags: flags)
        continues = try reader.pairs(top, "continues")
        var rules: [Row] = []
        for tree in try top.trees("rules") { rules.append(try Self.row(tree, rules, reader)) }
        self.rules = rules
    }

    private static func row(_ tree: JSONTree, _ earlier: [Row], _ reader: RuleReader) throws(TableError) -> Row {
        let row = try TableRow(
            tree, table: reader.file, named: .member("id"),
            keys: ["id", "when", "then", "time", "proof", "candidates", "flags", "source"])
        try reader.checkIdentity(row)
        let conditions = try reader.conditions(row)
        if let cover = RuleReader.cover(of: conditions, among: earlier) {
            throw row.error("can never match: \(earlier[cover].id) comes first and matches all that this rule matches")
        }
        guard let time = Time(rawValue: try row.string("time")) else { throw row.error("no such time") }
        let proof = try row.string("proof")
        guard ["safe", "all"].contains(proof) else { throw row.error("no such proof") }
        var pair: Int?
        if let then = row["then"], then.kind != .null { pair = try reader.pair(try row.text("then"), row) }
        return Row(
            id: try row.string("id"), conditions: conditions, pair: pair, time: time, isProven: proof == "safe",
            candidates: try reader.pairs(row, "candidates"), flags: try reader.flagSet(row),
            source: try row.string("source"))
    }

    /// What a fact means.
    func meaning(of fact: SilentFact) -> String { facts[fact.index].prose("meaning") }

    /// The place of the rule that decides; `nil` where none holds.
    func firstMatch(_ facts: SilentFacts) -> Int? {
        rules.firstIndex { $0.holds(for: facts) }
    }
}
