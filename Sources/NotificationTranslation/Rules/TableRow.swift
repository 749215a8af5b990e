/// One JSON object of a table, read member by member, every member accounted for.
struct TableRow {
    /// How a row is called in an error; made into words only for one.
    enum Name {
        case fixed(String)
        /// What a member of it says.
        case member(StaticString)
        /// The V2 pair it is about.
        case pair
    }

    let table: String
    private let naming: Name
    private let tree: JSONTree

    init(
        _ tree: JSONTree, table: String, named name: Name, keys: [StaticString], optional: [StaticString] = []
    ) throws(TableError) {
        self.tree = tree
        self.table = table
        naming = name
        guard tree.kind == .object else { throw error("not an object") }
        var found = 0
        for key in tree.names {
            // Rows hold their members in the order of the list, so that the next one is nearly always the one expected.
            if found < keys.count, key.says(keys[found]) || keys.contains(where: { key.says($0) }) {
                found += 1
            } else if !optional.contains(where: { key.says($0) }) {
                throw error("unknown key \"\(key.characters)\"")
            }
        }
        guard found < keys.count else { return }
        let missing = keys.filter { tree.member($0) == nil }.map(\.description)
        if let key = missing.min() { throw error("\"\(key)\" is missing") }
    }

    var name: String {
        switch naming {
        case .fixed(let name): name
        case .member(let key): tree.member(key)?.string ?? "?"
        case .pair: (tree["type"]?.string ?? "?") + "/" + (tree["subtype"]?.string ?? "")
        }
    }

    func error(_ problem: String) -> TableError {
        TableError(table: table, row: name, problem: problem)
    }

    /// A member that is a string, as it is in the table.
    func text(_ key: StaticString) throws(TableError) -> JSONTree {
        guard let text = tree.member(key), text.kind == .string else { throw error("\"\(key)\" is not a string") }
        return text
    }

    func string(_ key: StaticString) throws(TableError) -> String {
        try text(key).characters
    }

    func optionalString(_ key: StaticString) throws(TableError) -> String? {
        if tree.member(key)?.kind == .null { return nil }
        return try string(key)
    }

    /// The string of a member that rows may leave out.
    func stringIfPresent(_ key: StaticString) throws(TableError) -> String? {
        tree.member(key) == nil ? nil : try string(key)
    }

    /// Makes sure that members that are only read by people are strings.
    func checkStrings(_ keys: StaticString...) throws(TableError) {
        for key in keys { _ = try text(key) }
    }

    /// The strings of a member, as they are in the table.
    func texts(_ key: StaticString) throws(TableError) -> JSONTree.Parts {
        guard let list = tree.member(key), list.kind == .array else { throw error("\"\(key)\" is not an array") }
        for element in list.parts where element.kind != .string {
            throw error("\"\(key)\" holds something else than strings")
        }
        return list.parts
    }

    func strings(_ key: StaticString) throws(TableError) -> [String] {
        try texts(key).map(\.characters)
    }

    /// The rows of a member.
    func trees(_ key: StaticString) throws(TableError) -> JSONTree.Parts {
        guard let list = tree.member(key), list.kind == .array else { throw error("\"\(key)\" is not an array") }
        return list.parts
    }

    subscript(key: StaticString) -> JSONTree? { tree.member(key) }
}

/// Constants: rows of a block `parameters`, each with a value, and with a meaning and a source for people.
extension TableRow {
    init(constants tree: JSONTree?, table: String, keys: [StaticString]) throws(TableError) {
        guard let tree else { throw TableError(table: table, row: "parameters", problem: "there are none") }
        try self.init(tree, table: table, named: .fixed("parameters"), keys: keys)
    }

    /// The value of a constant.
    func constant(_ key: StaticString) throws(TableError) -> JSONTree {
        guard let row = self[key], let value = row.member("value"), row.member("meaning")?.kind == .string,
            row.member("source")?.kind == .string
        else { throw error("\(key) has no value, meaning or source") }
        return value
    }

    /// The value of a constant that is a whole number.
    func number(_ key: StaticString) throws(TableError) -> Int64 {
        guard let value = try constant(key).integer else { throw error("\(key) is not a whole number") }
        return value
    }

    /// The value of a constant that is a time, in milliseconds since 1970.
    func instant(_ key: StaticString) throws(TableError) -> Int64 {
        guard let value = try constant(key).instant else { throw error("\(key) is not a time") }
        return value
    }
}

extension JSONTree {
    /// The time that a string says, in milliseconds since 1970.
    var instant: Int64? {
        string.flatMap { text in Array(text.utf8).withUnsafeBytes { AppleDate.receiveTime($0) } }
    }
}

extension JSONTree {
    /// A member that loading has made sure is a string: what people read of a table, made into text when they do.
    func prose(_ key: StaticString) -> String { member(key)?.string ?? "" }
}

/// Why a mapping table is refused: the file and the row, and what is wrong with it.
struct TableError: Error, Hashable, CustomStringConvertible {
    var table: String
    var row: String
    var problem: String

    var description: String { "\(table): \(row.isEmpty ? "" : row + ": ")\(problem)" }
}
