/// Why a mapping table is refused: the file and the row, and what is wrong with it.
struct TableError: Error, Hashable, CustomStringConvertible {
    var table: String
    var row: String
    var problem: String

    var description: String { "\(table): \(row.isEmpty ? "" : row + ": ")\(problem)" }
}

/// One JSON object of a table, read member by member, every member accounted for.
struct TableRow {
    let table: String
    let name: String
    private let tree: JSONTree

    init(
        _ tree: JSONTree, table: String, name: String, keys: [String], optional: [String] = []
    ) throws(TableError) {
        self.tree = tree
        self.table = table
        self.name = name
        guard case .object = tree else { throw error("not an object") }
        for key in tree.keys where !keys.contains(key) && !optional.contains(key) {
            throw error("unknown key \"\(key)\"")
        }
        if let key = keys.filter({ tree[$0] == nil }).min() { throw error("\"\(key)\" is missing") }
    }

    func error(_ problem: String) -> TableError {
        TableError(table: table, row: name, problem: problem)
    }

    func string(_ key: String) throws(TableError) -> String {
        guard let text = tree[key]?.string else { throw error("\"\(key)\" is not a string") }
        return text
    }

    func optionalString(_ key: String) throws(TableError) -> String? {
        if tree[key] == .null { return nil }
        return try string(key)
    }

    func strings(_ key: String) throws(TableError) -> [String] {
        guard let elements = tree[key]?.elements else { throw error("\"\(key)\" is not an array") }
        var strings: [String] = []
        for element in elements {
            guard let text = element.string else { throw error("\"\(key)\" holds something else than strings") }
            strings.append(text)
        }
        return strings
    }

    func trees(_ key: String) throws(TableError) -> [JSONTree] {
        guard let elements = tree[key]?.elements else { throw error("\"\(key)\" is not an array") }
        return elements
    }

    subscript(key: String) -> JSONTree? { tree[key] }
}
