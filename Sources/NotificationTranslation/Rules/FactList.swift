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
    static func named(_ name: String) -> Self? { list.numbers.number(of: name).flatMap(Self.init(rawValue:)) }
}

/// The names and values of the facts of one kind, in the order of their numbers.
struct FactList: Sendable {
    let names: [String]
    /// Of each fact the names of its values, in the order of their numbers.
    let values: [[String]]
    /// Of each fact the number of the value `unknown`, if it has it.
    let unknowns: [Int?]
    /// The fact that rules ask for first: what it excludes is not followed through their other conditions.
    let first: Int?
    fileprivate let numbers: NameIndex

    /// A list.
    ///
    /// - Parameters:
    ///   - names: The names of the facts.
    ///   - values: Of each fact the names of its values.
    ///   - first: The place of the fact that rules ask for first.
    init(_ names: [String], _ values: [[String]], first: Int? = nil) {
        self.first = first
        self.names = names
        self.values = values
        unknowns = values.map { $0.firstIndex(of: "unknown") }
        var numbers = NameIndex()
        for (place, name) in names.enumerated() { _ = numbers.insert(name, place) }
        self.numbers = numbers
    }

    /// The place of the fact that a table names.
    func place(of name: JSONTree) -> Int? { numbers.number(of: name) }

    /// The rows of a table's `facts`, in the order of the numbers; makes sure that the facts it explains are those that
    /// the code computes.
    func rows(_ trees: JSONTree.Parts, table file: String) throws(TableError) -> [JSONTree] {
        var rows = [JSONTree?](repeating: nil, count: names.count)
        for tree in trees {
            let row = try TableRow(
                tree, table: file, named: .member("fact"), keys: ["fact", "values", "meaning"],
                optional: ["codes", "answer"])
            guard let fact = place(of: try row.text("fact")) else { throw row.error("no such fact") }
            guard try row.texts("values").elementsEqual(values[fact], by: { $0.says($1) }) else {
                throw row.error("its values are \(values[fact])")
            }
            try row.checkStrings("meaning")
            guard rows[fact] == nil else { throw row.error("the fact is listed twice") }
            rows[fact] = tree
        }
        for (fact, name) in names.enumerated() where rows[fact] == nil {
            throw TableError(table: file, row: name, problem: "the fact is not explained")
        }
        return rows.compactMap { $0 }
    }
}
