import NotificationMappings

/// `Mappings/flags.json`: what each ambiguity flag means.
///
/// A flag's number is its place in the file.
struct FlagTable: Sendable {
    struct Row: Sendable {
        let flag: String
        fileprivate let row: JSONTree
        var severity: String { row.prose("severity") }
        var meaning: String { row.prose("meaning") }
        var settles: String { row.prose("settles") }
    }

    /// Numbers of flags are bits of a ``FlagSet``.
    static var capacity: Int { FlagSet.RawValue.bitWidth }

    let rows: [Row]
    private let numbers: NameIndex

    /// The table of this build.
    static let current: FlagTable = Tables.required(Mappings.flags) { bytes throws(TableError) in
        try FlagTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "flags.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, named: .fixed(""), keys: ["version", "about", "flags"])
        var rows: [Row] = []
        var numbers = NameIndex()
        for tree in try top.trees("flags") {
            let row = try TableRow(
                tree, table: file, named: .member("flag"), keys: ["flag", "severity", "meaning", "settles"])
            let flag = try row.string("flag")
            let severity = try row.text("severity")
            try row.checkStrings("meaning", "settles")
            guard severity.says("ambiguous") || severity.says("warning") || severity.says("info") else {
                throw row.error("no such severity")
            }
            guard numbers.insert(flag, rows.count) else { throw row.error("listed twice") }
            rows.append(Row(flag: flag, row: tree))
        }
        guard rows.count <= Self.capacity else {
            throw TableError(table: file, row: "", problem: "more than \(Self.capacity) flags")
        }
        self.rows = rows
        self.numbers = numbers
    }

    /// The number of a flag.
    func number(_ flag: String) -> Int? {
        numbers.number(of: flag)
    }

    /// The number of a flag that a table names.
    func number(_ flag: JSONTree) -> Int? {
        numbers.number(of: flag)
    }

    /// The number of a flag that the code names.
    func number(_ flag: StaticString) -> Int? {
        numbers.number(of: flag.description)
    }
}
