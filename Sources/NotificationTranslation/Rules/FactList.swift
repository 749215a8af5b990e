/// A fact that rules may ask for: its number is its place in the ``FactList`` of its kind.
///
/// There are two kinds: ``Fact``, of a notification, for `Mappings/v1-to-v2.json`; and ``SilentFact``, of what a story
/// shows, for `Mappings/silent-events.json`. Both files are read and interpreted by the same code.
protocol FactKey: RawRepresentable<Int>, CaseIterable, Sendable {
    /// All facts of the kind.
    static var list: FactList { get }
}

extension FactKey {
    /// The place in ``FactValues``.
    var index: Int { rawValue }

    /// The name in the table.
    var name: String { Self.list.names[rawValue] }

    /// The names of its values, in the order of their numbers.
    var values: [String] { Self.list.values[rawValue] }

    /// The number of the value `unknown`, if the fact has it.
    var unknown: Int? { Self.list.unknowns[rawValue] }

    /// The fact of a name in the table.
    static func named(_ name: String) -> Self? { list.place(of: name).flatMap(Self.init(rawValue:)) }
}

/// The names and values of the facts of one kind, in the order of their numbers.
struct FactList: Sendable {
    let names: [String]
    /// Of each fact the names of its values, in the order of their numbers.
    let values: [[String]]
    /// Of each fact the number of the value `unknown`, if it has it.
    let unknowns: [Int?]
    /// The fact that rules ask for first: what it excludes is not followed through their other conditions.
    private let first: Int?

    /// A list of facts with the names of their values.
    init(_ names: [String], _ values: [[String]], first: Int? = nil) {
        self.first = first
        self.names = names
        self.values = values
        unknowns = values.map { $0.firstIndex(of: "unknown") }
    }

    /// The place of the fact of a name.
    func place(of name: String) -> Int? { names.firstIndex(of: name) }

    /// The place of a fact among the conditions of a rule.
    func order(_ fact: Int) -> Int { fact == first ? -1 : fact }

    /// The rows of a table's `facts`, in the order of the numbers; makes sure that the facts it explains are those that
    /// the code computes.
    func rows(_ top: TableRow) throws -> [JSONTree] {
        var rows = [JSONTree?](repeating: nil, count: names.count)
        _ = try top.rows("facts", naming: "fact") { row in
            guard let fact = place(of: try row.string("fact")) else { throw row.error("no such fact") }
            guard try row.strings("values") == values[fact] else { throw row.error("its values are \(values[fact])") }
            try row.prose("meaning")
            // These two are read by others.
            _ = (row["codes"], row["answer"])
            guard rows[fact] == nil else { throw row.error("the fact is listed twice") }
            rows[fact] = row.tree
        }
        return try zip(rows, names).map { row, name in
            guard let row else { throw TableError(table: top.table, row: name, problem: "the fact is not explained") }
            return row
        }
    }
}
