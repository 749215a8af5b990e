/// A fact that rules may ask for: its number is its index in the ``FactList`` of its kind.
///
/// There are two kinds: ``Fact``, of a notification, for `Mappings/v1-to-v2.json`; and ``SilentFact``, of what a
/// subscription shows, for `Mappings/silent-events.json`. Both files are read and interpreted by the same code.
protocol FactKey: RawRepresentable<Int>, CaseIterable, Sendable {
    /// All facts of the kind.
    static var list: FactList { get }
}

extension FactKey {
    /// The index in ``FactValues``.
    var index: Int { rawValue }

    /// The name in the table.
    var name: String { Self.list.names[rawValue] }

    /// The names of its values, in the order of their numbers.
    var values: [String] { Self.list.values[rawValue] }

    /// The number of the value `unknown`, if the fact has it.
    var unknown: Int? { Self.list.unknowns[rawValue] }

    /// The fact of a name in the table.
    static func named(_ name: String) -> Self? { list.index(of: name).flatMap(Self.init(rawValue:)) }
}

/// The facts of one kind with their values, as a table lists them, in the order of their numbers.
struct FactList: Sendable {
    let names: [String]
    /// The row of each in the table.
    let rows: [JSONTree]
    /// Of each fact the names of its values, in the order of their numbers.
    let values: [[String]]
    /// Of each fact the number of the value `unknown`, if it has it.
    let unknowns: [Int?]
    /// The fact that rules ask for first: what it excludes is not followed through their other conditions.
    private let first: Int?

    /// Reads the `facts` of a table; makes sure that they are those that the code computes.
    init(_ top: TableRow, _ names: [String], first: Int? = nil) throws {
        self.names = names
        self.first = first
        var known: [String: (row: JSONTree, values: [String])] = [:]
        _ = try top.rows("facts", naming: "fact") { row in
            let name = try row.string("fact")
            guard names.contains(name) else { throw row.error("no such fact") }
            try row.prose("meaning")
            // Marks these keys as known; ``FactCodes`` and ``DecisionTable`` read them.
            _ = (row["codes"], row["answer"])
            let old = known.updateValue((row.tree, try row.strings("values")), forKey: name)
            guard old == nil else { throw row.error("the fact is listed twice") }
        }
        let listed = try names.map { name in
            guard let fact = known[name] else {
                throw TableError(table: top.table, row: name, problem: "the fact is not explained")
            }
            return fact
        }
        rows = listed.map(\.row)
        values = listed.map(\.values)
        unknowns = values.map { $0.firstIndex(of: "unknown") }
    }

    func index(of name: String) -> Int? { names.firstIndex(of: name) }

    /// The index of a fact among the conditions of a rule.
    func order(_ fact: Int) -> Int { fact == first ? -1 : fact }
}
