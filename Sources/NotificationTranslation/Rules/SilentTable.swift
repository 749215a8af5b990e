import Mappings

/// `Mappings/silent-events.json`: what V2 would have sent and V1 never did, by what a subscription's story shows.
struct SilentTable: Sendable {
    /// Which date says when it happened.
    enum Time: String, Sendable {
        case expiry, purchase, cancellation, grace, range
        case retryEnd = "retry-end"
        case switchOff = "switch-off"
    }

    struct Rule: Hashable, Sendable {
        var id: String
        var conditions: [(fact: Int, allowed: UInt16)]
        /// The pair, by place; `nil` for nothing.
        var pair: Int?
        var time: Time
        /// Whether the evidence proves it.
        var isProven: Bool
        var candidates: [Int]
        var flags: FlagSet
        var source: String

        func holds(for facts: Facts) -> Bool {
            conditions.allSatisfy { $0.allowed >> UInt16(facts[$0.fact]) & 1 == 1 }
        }

        static func == (one: Rule, other: Rule) -> Bool { one.id == other.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    let version: String
    let parameters: Parameters
    /// The pairs, by place, that tell that a subscription went on.
    let continues: [Int]
    /// Of each fact its name, the names of its values and what it means.
    let facts: [(name: String, values: [String], meaning: String)]
    let rules: [Rule]

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
        continues = try Self.pairs(top, "continues", events)
        var facts: [(name: String, values: [String], meaning: String)] = []
        for (place, tree) in try top.trees("facts").enumerated() {
            let row = try TableRow(
                tree, table: file, named: .member("fact"), keys: ["fact", "values", "meaning"])
            let name = try row.string("fact")
            guard Fact(rawValue: place).map({ "\($0)" }) == name else {
                throw row.error("no such fact, or out of order")
            }
            let values = try row.strings("values")
            guard values == Fact(rawValue: place)?.values else { throw row.error("its values are others") }
            facts.append((name, values, try row.string("meaning")))
        }
        guard facts.count == Fact.allCases.count else { throw top.error("a fact is not explained") }
        self.facts = facts
        var rules: [Rule] = []
        for tree in try top.trees("rules") {
            let rule = try Self.rule(tree, file, facts, events, flags)
            guard !rules.contains(rule) else {
                throw TableError(table: file, row: rule.id, problem: "the id is used twice")
            }
            rules.append(rule)
        }
        self.rules = rules
    }

    private static func rule(
        _ tree: JSONTree, _ file: String, _ facts: [(name: String, values: [String], meaning: String)],
        _ events: EventTable, _ flags: FlagTable
    ) throws(TableError) -> Rule {
        let row = try TableRow(
            tree, table: file, named: .member("id"),
            keys: ["id", "when", "then", "time", "proof", "candidates", "flags", "source"])
        guard let when = row["when"], when.kind == .object else { throw row.error("\"when\" is not an object") }
        var conditions: [(fact: Int, allowed: UInt16)] = []
        for (place, fact) in facts.enumerated() {
            guard let wanted = when[fact.name] else { continue }
            var allowed: UInt16 = 0
            for name in wanted.string.map({ [$0] }) ?? (wanted.elements ?? []).compactMap(\.string) {
                guard let value = fact.values.firstIndex(of: name) else {
                    throw row.error("\(fact.name) is never \"\(name)\"")
                }
                allowed |= 1 << UInt16(value)
            }
            conditions.append((place, allowed))
        }
        guard conditions.count == when.keys.count else { throw row.error("no such fact") }
        var set = FlagSet()
        for name in try row.strings("flags") {
            guard let number = flags.number(name) else { throw row.error("no such flag \"\(name)\"") }
            set.formUnion(FlagSet(number: number))
        }
        guard let time = Time(rawValue: try row.string("time")) else { throw row.error("no such time") }
        let proof = try row.string("proof")
        guard ["safe", "all"].contains(proof) else { throw row.error("no such proof") }
        let candidates = try pairs(row, "candidates", events)
        let then = try row.optionalString("then")
        let source = try row.string("source")
        guard !source.isEmpty else { throw row.error("no source") }
        return Rule(
            id: try row.string("id"), conditions: conditions,
            pair: try then.map { name throws(TableError) in try pair(name, row, events) },
            time: time, isProven: proof == "safe", candidates: candidates, flags: set, source: source)
    }

    private static func pair(_ name: String, _ row: TableRow, _ events: EventTable) throws(TableError) -> Int {
        guard let place = events.pair(name) else { throw row.error("no such pair \"\(name)\"") }
        return place
    }

    private static func pairs(
        _ row: TableRow, _ key: StaticString, _ events: EventTable
    ) throws(TableError) -> [Int] {
        var pairs: [Int] = []
        for name in try row.strings(key) { pairs.append(try pair(name, row, events)) }
        return pairs
    }

    /// The place of the rule that decides; `nil` where none holds.
    func firstMatch(_ facts: Facts) -> Int? {
        rules.firstIndex { $0.holds(for: facts) }
    }
}
