/// One JSON object of a table, read member by member; a member that nobody read is refused.
final class TableRow {
    let table: String
    let tree: JSONTree
    /// The member that names the row in an error, else its name.
    private let naming: StaticString
    private let isFixed: Bool
    private var known: [StaticString] = []

    /// The outermost object of a table.
    convenience init(file: String, _ bytes: [UInt8]) throws {
        try self.init(Tables.tree(bytes, file), file, naming: "", isFixed: true)
    }

    private init(_ tree: JSONTree, _ table: String, naming: StaticString, isFixed: Bool) throws {
        (self.tree, self.table, self.naming, self.isFixed) = (tree, table, naming, isFixed)
        guard tree.kind == .object else { throw error("not an object") }
    }

    /// Makes sure that every member was read.
    func finish() throws {
        for (key, _) in tree.pairs where !known.contains(where: { key.says($0) }) {
            throw error("unknown key \"\(key.characters)\"")
        }
    }

    /// What a row is called in an error: the pair that it is about, where it has no name of its own.
    var name: String {
        if isFixed { return naming.description }
        if let name = tree.member(naming)?.string { return name }
        return (tree["type"]?.string ?? "?") + "/" + (tree["subtype"]?.string ?? "")
    }

    func error(_ problem: String) -> TableError { TableError(table: table, row: name, problem: problem) }

    // MARK: Members

    /// A member that rows may leave out, or write as null.
    subscript(key: StaticString) -> JSONTree? {
        known.append(key)
        return tree.member(key).flatMap { $0.kind == .null ? nil : $0 }
    }

    /// A member that every row has.
    func member(_ key: StaticString) throws -> JSONTree {
        known.append(key)
        guard let member = tree.member(key) else { throw error("\"\(key)\" is missing") }
        return member
    }

    /// A member that is a string, as it is in the table.
    func text(_ key: StaticString) throws -> JSONTree {
        let text = try member(key)
        guard text.kind == .string else { throw error("\"\(key)\" is not a string") }
        return text
    }

    func string(_ key: StaticString) throws -> String { try text(key).characters }

    /// The string of a member that rows may leave out, or write as null.
    func optional(_ key: StaticString) throws -> String? { self[key] == nil ? nil : try string(key) }

    /// Makes sure that members that are only read by people are strings.
    func prose(_ keys: StaticString...) throws {
        for key in keys { _ = try text(key) }
    }

    /// One of a closed set of words.
    func word<Word: RawRepresentable<String>>(_ key: StaticString, _ kind: String? = nil) throws -> Word {
        guard let word = Word(rawValue: try string(key)) else { throw error("no such \(kind ?? key.description)") }
        return word
    }

    /// The same of a member that rows may leave out, or write as null.
    func optionalWord<Word: RawRepresentable<String>>(_ key: StaticString, _ kind: String? = nil) throws -> Word? {
        self[key] == nil ? nil : try word(key, kind)
    }

    /// The strings of a member, as they are in the table.
    func texts(_ key: StaticString) throws -> [JSONTree] {
        let list = try trees(key)
        for element in list where element.kind != .string {
            throw error("\"\(key)\" holds something else than strings")
        }
        return list
    }

    func strings(_ key: StaticString) throws -> [String] { try texts(key).map(\.characters) }

    /// The elements of a member that is a list.
    func trees(_ key: StaticString) throws -> [JSONTree] {
        let list = try member(key)
        guard list.kind == .array else { throw error("\"\(key)\" is not an array") }
        return list.parts
    }

    /// What `read` makes of the rows of a member; `naming` is the member that names each, and what is missing in all
    /// names them by their pair.
    func rows<Value>(_ key: StaticString, naming: StaticString, _ read: (TableRow) throws -> Value) throws -> [Value] {
        try trees(key).map { try TableRow($0, table, naming: naming, isFixed: false).read(read) }
    }

    /// What `read` makes of a member that is an object.
    func row<Value>(_ key: StaticString, _ read: (TableRow) throws -> Value) throws -> Value {
        try TableRow(member(key), table, naming: key, isFixed: true).read(read)
    }

    private func read<Value>(_ read: (TableRow) throws -> Value) throws -> Value {
        let value = try read(self)
        try finish()
        return value
    }
}

extension JSONTree {
    /// A member that loading has made sure is a string: what people read of a table, made into text when they do.
    func prose(_ key: StaticString) -> String { member(key)?.string ?? "" }
}
