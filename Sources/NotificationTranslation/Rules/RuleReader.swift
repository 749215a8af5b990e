/// Reads the rules of a table: what `v1-to-v2.json` and `silent-events.json` have in common.
///
/// Both files hold lists of rules with an id, conditions, flags and a source. They differ in what follows when the
/// conditions hold, which the caller of ``rules(_:keys:optional:_:)`` reads.
final class RuleReader {
    let file: String
    let facts: FactList
    let events: EventTable
    let flags: FlagTable
    private var ids = NameIndex()

    /// A reader of one file.
    init(_ file: String, _ facts: FactList, events: EventTable, flags: FlagTable) {
        self.file = file
        self.facts = facts
        self.events = events
        self.flags = flags
    }

    /// The rules of a list, in order, of which the first one that holds decides.
    ///
    /// - Parameters:
    ///   - trees: The rows.
    ///   - keys: The keys that every row has, in the order of the file.
    ///   - optional: The keys that a row may have.
    ///   - make: Reads what follows from a rule.
    /// - Returns: The rules.
    /// - Throws: ``TableError`` also for a rule that an earlier one leaves nothing for.
    func rules<Row: ConditionalRow>(
        _ trees: JSONTree.Parts, keys: [StaticString], optional: [StaticString] = [],
        _ make: (TableRow, Head) throws(TableError) -> Row
    ) throws(TableError) -> [Row] {
        var rules: [Row] = []
        for tree in trees {
            let rule = try self.row(tree, keys: keys, optional: optional, make)
            if let cover = Self.cover(of: rule.conditions, among: rules) {
                throw TableError(
                    table: file, row: rule.id,
                    problem: "can never match: \(rules[cover].id) comes first and matches all that this rule matches")
            }
            rules.append(rule)
        }
        return rules
    }

    /// What every such row has.
    struct Head {
        /// The row, for what is read of it only now and then.
        let row: JSONTree
        let conditions: [Rule.Condition]
        let flags: FlagSet
    }

    /// One row with an id, conditions, flags and a source: a rule, or an adjustment.
    func row<Row: ConditionalRow>(
        _ tree: JSONTree, keys: [StaticString], optional: [StaticString],
        _ make: (TableRow, Head) throws(TableError) -> Row
    ) throws(TableError) -> Row {
        let row = try TableRow(tree, table: file, named: .member("id"), keys: keys, optional: optional)
        try checkIdentity(row)
        return try make(row, Head(row: tree, conditions: try conditions(row), flags: try flagSet(row)))
    }

    /// Makes sure that a row has an id of its own, in kebab-case, and a source.
    private func checkIdentity(_ row: TableRow) throws(TableError) {
        let id = try row.string("id")
        guard ids.insert(id, 0) else { throw row.error("the id is used twice") }
        let isKebabCase = !id.isEmpty && id.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
        guard isKebabCase else { throw row.error("the id is not in kebab-case") }
        guard try !row.string("source").isEmpty else { throw row.error("no source") }
    }

    /// The conditions of a row, in the order of the facts.
    func conditions(_ row: TableRow, _ key: StaticString = "when") throws(TableError) -> [Rule.Condition] {
        guard let when = row[key], when.kind == .object else {
            throw row.error("\"\(key)\" is not an object")
        }
        var conditions: [Rule.Condition] = []
        // Errors are reported in a fixed order: first known facts, then unknown names.
        var problem: (fact: Int, text: String)?
        var unknown: String?
        var parts = when.parts
        while let key = parts.next(), let wanted = parts.next() {
            guard let fact = facts.place(of: key) else {
                unknown = min(unknown ?? key.characters, key.characters)
                continue
            }
            var allowed: UInt16 = 0
            var text: String?
            for name in wanted.kind == .array ? wanted.parts : wanted.alone where name.kind == .string && text == nil {
                if let value = facts.values[fact].firstIndex(where: name.says) {
                    allowed |= 1 << UInt16(value)
                } else {
                    text = "\(facts.names[fact]) is never \"\(name.characters)\""
                }
            }
            if text == nil, allowed == 0 { text = "\(facts.names[fact]) names no value" }
            if let text, problem.map({ $0.fact > fact }) ?? true { problem = (fact, text) }
            let condition = Rule.Condition(fact: fact, allowed: allowed)
            let place = conditions.firstIndex { $0.fact != facts.first && ($0.fact > fact || fact == facts.first) }
            if let place {
                conditions.insert(condition, at: place)
            } else {
                conditions.append(condition)
            }
        }
        if let problem { throw row.error(problem.text) }
        if let unknown { throw row.error("no such fact \"\(unknown)\"") }
        return conditions
    }

    /// The pair that a row names.
    func pair(_ name: JSONTree, _ row: TableRow) throws(TableError) -> Int {
        guard let pair = events.pair(name) else { throw row.error("no such pair \"\(name.characters)\"") }
        return pair
    }

    /// The pairs that a member names.
    func pairs(_ row: TableRow, _ key: StaticString) throws(TableError) -> [Int] {
        var pairs: [Int] = []
        for name in try row.texts(key) { pairs.append(try pair(name, row)) }
        return pairs
    }

    /// The flags that a member names.
    func flagSet(_ row: TableRow, _ key: StaticString = "flags") throws(TableError) -> FlagSet {
        var set = FlagSet()
        for name in try row.texts(key) {
            guard let number = flags.number(name) else { throw row.error("no such flag \"\(name.characters)\"") }
            set.formUnion(FlagSet(number: number))
        }
        return set
    }

    /// The place of the first rule that leaves nothing for a later one, as everything that meets the later one's
    /// conditions meets its own.
    private static func cover(of later: [Rule.Condition], among rules: [some ConditionalRow]) -> Int? {
        rules.firstIndex { rule in
            rule.conditions.allSatisfy { wanted in
                later.contains { $0.fact == wanted.fact && $0.allowed & ~wanted.allowed == 0 }
            }
        }
    }
}
