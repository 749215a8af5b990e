/// Reads the rules of a table: what `v1-to-v2.json` and `silent-events.json` have in common.
///
/// Both files hold lists of rules with an id, conditions, flags and a source. They differ in what follows when the
/// conditions hold, which the caller of ``rules(_:_:_:)`` reads.
final class RuleReader {
    let facts: FactList
    private var ids: Set<String> = []

    /// A reader of one file.
    init(_ facts: FactList) { self.facts = facts }

    /// The rules of a list, in order, of which the first one that holds decides; refuses one that an earlier one leaves
    /// nothing for.
    func rules<Row: ConditionalRow>(_ top: TableRow, _ key: StaticString, _ make: (TableRow) throws -> Row) throws
        -> [Row]
    {
        var rules: [Row] = []
        _ = try top.rows(key, naming: "id") { row in
            let rule = try make(row)
            let cover = rules.first { earlier in
                // Everything that meets the later one's conditions meets those of the earlier one.
                earlier.conditions.allSatisfy { wanted in
                    rule.conditions.contains { $0.fact == wanted.fact && $0.allowed & ~wanted.allowed == 0 }
                }
            }
            if let cover {
                throw row.error("can never match: \(cover.id) comes first and matches all that this rule matches")
            }
            rules.append(rule)
        }
        return rules
    }

    /// The conditions and flags of a row, which has to have an id of its own in kebab-case, and a source.
    func head(_ row: TableRow) throws -> (conditions: [Rule.Condition], flags: FlagSet) {
        let id = try row.string("id")
        guard ids.insert(id).inserted else { throw row.error("the id is used twice") }
        let isKebabCase = !id.isEmpty && id.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
        guard isKebabCase else { throw row.error("the id is not in kebab-case") }
        guard try !row.string("source").isEmpty else { throw row.error("no source") }
        let flags = try row.texts("flags").reduce(into: FlagSet()) { try $0.formUnion(flag($1, row)) }
        return (try conditions(row), flags)
    }

    /// The conditions of a row, in the order in which they are asked.
    func conditions(_ row: TableRow, _ key: StaticString = "when") throws -> [Rule.Condition] {
        guard let when = row[key], when.kind == .object else { throw row.error("\"\(key)\" is not an object") }
        return try when.members.map { name, wanted in
            guard let fact = facts.index(of: name) else { throw row.error("no such fact \"\(name)\"") }
            var allowed: UInt16 = 0
            for value in wanted.elements ?? [wanted] {
                guard let number = facts.values[fact].firstIndex(where: value.says) else {
                    throw row.error("\(facts.names[fact]) is never \"\(value.characters)\"")
                }
                allowed |= 1 << UInt16(number)
            }
            guard allowed != 0 else { throw row.error("\(facts.names[fact]) names no value") }
            return Rule.Condition(fact: fact, allowed: allowed)
        }.sorted { facts.order($0.fact) < facts.order($1.fact) }
    }

    func pair(_ name: JSONTree, _ row: TableRow) throws -> Int {
        guard let pair = EventTable.current.pair(name.characters) else {
            throw row.error("no such pair \"\(name.characters)\"")
        }
        return pair
    }

    /// The pairs that a member names.
    func pairs(_ row: TableRow, _ key: StaticString) throws -> [Int] { try row.texts(key).map { try pair($0, row) } }

    func flag(_ name: JSONTree, _ row: TableRow) throws -> FlagSet {
        guard let number = FlagTable.current.number(name.characters) else {
            throw row.error("no such flag \"\(name.characters)\"")
        }
        return FlagSet(number: number)
    }
}
