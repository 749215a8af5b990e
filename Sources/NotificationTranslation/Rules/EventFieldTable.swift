import NotificationMappings

/// `Mappings/event.json`: the fields of an event, in the order in which every line has them.
///
/// Code that reads and writes events is generated from it, so hot paths never look here; schemas and tables of the
/// documentation do.
package struct EventFieldTable: Sendable {
    /// An object of the event: the event itself, or one inside it.
    package struct Object: Sendable {
        /// The name of the Swift type; `UnifiedEvent` is the event itself.
        package let name: String
        /// What it is, in a sentence.
        package let meaning: String
        /// Its fields, in order.
        package let fields: [Field]
    }

    /// One field.
    package struct Field: Sendable {
        /// The key in a line.
        package let key: String
        /// How its value is written.
        package let kind: Kind
        /// The name of the Swift property.
        package let name: String
        /// The Swift type, where it is not that of the kind.
        package let swiftType: String?
        /// The value if nothing was filled in; `nil` for null.
        package let defaultValue: String?
        /// When the value is null, as the rest of "null where …"; `nil` where no general rule says so.
        package let null: String?
        /// Apple's key for it in version 2; `nil` where there is none.
        package let apple: String?
        /// What it means, in a sentence.
        package let meaning: String

        /// Whether the value is one of the other objects of the table.
        fileprivate var holdsObject: Bool { kind == .object || kind == .option }
    }

    /// How a value is written.
    package enum Kind: String, Sendable, CaseIterable {
        /// A string.
        case text = "string"
        /// A string: a UUID of ours or a text as received.
        case id
        /// A string: one of a closed set of words.
        case word = "enum"
        /// A string: RFC 3339, UTC, three decimals.
        case time = "timestamp"
        /// A number: the time of the field before it, in milliseconds since 1970.
        case milliseconds
        /// A whole number.
        case number = "integer"
        /// `true` or `false`.
        case truth = "boolean"
        /// A string of digits: the number of an app.
        case appID = "app id"
        /// An object of type and subtype.
        case pair
        /// An array of pairs.
        case pairs
        /// An array of the names of flags.
        case flags
        /// An array of strings.
        case texts = "strings"
        /// A JSON object of any keys.
        case document = "JSON object"
        /// One of the other objects of this table.
        case object
        /// The same; the key is left out of a line unless an option asks for it.
        case option = "optional"

        /// What a line has, in a few words.
        package var meaning: String {
            switch self {
            case .text: "a string"
            case .id: "a string: the notificationUUID of V2 as received, or a UUID made for V1"
            case .word: "a string, one of a closed list of words"
            case .time: "a string: RFC 3339 in UTC with three decimals, such as 2020-11-03T09:12:44.000Z"
            case .milliseconds: "a whole number: the time of the field before it, in milliseconds since 1970"
            case .number: "a whole number"
            case .truth: "true or false"
            case .appID: "a string of digits: the number of an app"
            case .pair: "an object of type and subtype, each a string or null"
            case .pairs: "an array of objects with type and subtype"
            case .flags: "an array of strings, the names of flags"
            case .texts: "an array of strings"
            case .document: "an object with keys in snake_case, and values as Apple wrote them"
            case .object: "an object with the fields listed below it"
            case .option:
                "an object with the fields listed below it; its key is there only where an option asks for it"
            }
        }
    }

    /// The values that a field may have.
    package struct WordSet: Sendable {
        /// The field, with the objects it is in: `source.authenticity`.
        package let field: String
        /// Whether the list is complete; Apple may add to other sets.
        package let isClosed: Bool
        /// The words in the order of the table, each with its meaning in a sentence.
        package let words: [Word]
        /// Where they come from, where the table says so.
        package let source: String?
    }

    /// One value that a field may have.
    package struct Word: Sendable {
        /// As it is in a line.
        package let word: String
        /// The name of the Swift constant; `nil` where there is none.
        package let name: String?
        /// What it means, in a sentence.
        package let meaning: String
    }

    /// The event and the objects inside it.
    package let objects: [Object]
    /// The words of fields that hold one of a few.
    package let words: [WordSet]

    /// The table of this build.
    package static let current: EventFieldTable = Tables.required(Mappings.event) { bytes throws(TableError) in
        try EventFieldTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "event.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, named: .fixed(""),
            keys: ["version", "about", "objects", "words"])
        var objects: [Object] = []
        for tree in try top.trees("objects") {
            let row = try TableRow(tree, table: file, named: .member("name"), keys: ["name", "meaning", "fields"])
            var fields: [Field] = []
            for tree in try row.trees("fields") {
                let field = try Self.field(tree, file)
                guard !fields.contains(where: { $0.key == field.key }) else {
                    throw row.error("\"\(field.key)\" twice")
                }
                fields.append(field)
            }
            objects.append(Object(name: try row.string("name"), meaning: try row.string("meaning"), fields: fields))
        }
        guard !objects.isEmpty else { throw TableError(table: file, row: "", problem: "no objects") }
        self.objects = objects
        words = try top.trees("words").map { (tree) throws(TableError) in try Self.words(tree, file) }
        for set in words
        where !set.field.hasPrefix("details.") && !paths.contains(where: { $0.path == set.field }) {
            throw TableError(table: file, row: set.field, problem: "no such field")
        }
        for field in objects.flatMap(\.fields) where field.holdsObject && object(field) == nil {
            throw TableError(table: file, row: field.key, problem: "no such object")
        }
    }

    private static func words(_ tree: JSONTree, _ file: String) throws(TableError) -> WordSet {
        let set = try TableRow(
            tree, table: file, named: .member("of"), keys: ["of", "words"], optional: ["open", "source"])
        var words: [Word] = []
        for tree in try set.trees("words") {
            let row = try TableRow(
                tree, table: file, named: .member("word"), keys: ["word", "meaning"], optional: ["name"])
            let word = try row.string("word")
            guard !words.contains(where: { $0.word == word }) else { throw row.error("listed twice") }
            let name = tree.member("name") == nil ? nil : try row.string("name")
            words.append(Word(word: word, name: name, meaning: try row.string("meaning")))
        }
        return WordSet(
            field: try set.string("of"), isClosed: tree.member("open") == nil, words: words,
            source: try set.stringIfPresent("source"))
    }

    private static func field(_ tree: JSONTree, _ file: String) throws(TableError) -> Field {
        let row = try TableRow(
            tree, table: file, named: .member("key"),
            keys: ["key", "kind", "name", "meaning"], optional: ["swift", "default", "null", "apple"])
        func optional(_ key: StaticString) throws(TableError) -> String? {
            tree.member(key) == nil ? nil : try row.string(key)
        }
        guard let kind = Kind(rawValue: try row.string("kind")) else { throw row.error("no such kind") }
        return Field(
            key: try row.string("key"), kind: kind, name: try row.string("name"),
            swiftType: try optional("swift"), defaultValue: try optional("default"), null: try optional("null"),
            apple: try optional("apple"), meaning: try row.string("meaning"))
    }

    /// The event itself.
    package var event: Object { objects[0] }

    /// All fields with the objects they are in, in the order of a line: `transaction.product_id`.
    package var paths: [(path: String, object: Object, field: Field)] { paths(of: event, "") }

    private func paths(of object: Object, _ prefix: String) -> [(path: String, object: Object, field: Field)] {
        object.fields.flatMap { field in
            [(prefix + field.key, object, field)]
                + (self.object(field).map { paths(of: $0, prefix + field.key + ".") } ?? [])
        }
    }

    /// The words of a field that has one of a closed set, by its key and its Swift type.
    package func words(of field: Field) -> [String] {
        let path = paths.first { $0.field.key == field.key && $0.field.swiftType == field.swiftType }?.path
        return words.first { $0.field == path }?.words.map(\.word) ?? []
    }

    /// The object that a field holds; `nil` for fields of other kinds.
    package func object(_ field: Field) -> Object? {
        field.holdsObject ? objects.first { $0.name == field.swiftType } : nil
    }
}
