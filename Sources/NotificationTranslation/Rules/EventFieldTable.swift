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
        /// Whether the Swift property is for the command, and not for users of the library.
        package let isPackage: Bool
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

        fileprivate init(_ row: TableRow) throws {
            key = try row.string("key")
            guard let kind = Kind(code: try row.string("kind")) else { throw row.error("no such kind") }
            self.kind = kind
            name = try row.string("name")
            swiftType = try row.optional("swift")
            isPackage = row["package"]?.kind == .true
            defaultValue = try row.optional("default")
            null = try row.optional("null")
            apple = try row.optional("apple")
            meaning = try row.string("meaning")
        }
    }

    /// How a value is written, with what a line then has.
    package enum Kind: String, Sendable, ExplainedWord {
        case text = "string: a string"
        case id = "id: a string: the notificationUUID of V2 as received, or a UUID made for V1"
        case word = "enum: a string, one of a closed list of words"
        case time = "timestamp: a string: RFC 3339 in UTC with three decimals, such as 2020-11-03T09:12:44.000Z"
        case milliseconds = "milliseconds: a whole number: the time of the field before it, in milliseconds since 1970"
        case number = "integer: a whole number"
        case truth = "boolean: true or false"
        case appID = "app id: a string of digits: the number of an app"
        case pair = "pair: an object of type and subtype, each a string or null"
        case pairs = "pairs: an array of objects with type and subtype"
        case flags = "flags: an array of strings, the names of flags"
        case texts = "strings: an array of strings"
        case document = "JSON object: an object with keys in snake_case, and values as Apple wrote them"
        /// One of the other objects of the table.
        case object = "object: an object with the fields listed below it"
        /// The same; its key is left out of a line unless an option asks for it.
        case option =
            "optional: an object with the fields listed below it; its key is there only where an option asks for it"
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
    package static let current = Tables.required { try EventFieldTable(Array(Mappings.event.bytes)) }

    init(_ bytes: [UInt8]) throws {
        let top = try TableRow(file: "event.json", bytes)
        try top.prose("version", "about")
        objects = try top.rows("objects", naming: "name") { row in
            let fields = try row.rows("fields", naming: "key", Field.init)
            for (index, field) in fields.enumerated() where fields[..<index].contains(where: { $0.key == field.key }) {
                throw row.error("\"\(field.key)\" twice")
            }
            return Object(name: try row.string("name"), meaning: try row.string("meaning"), fields: fields)
        }
        words = try top.rows("words", naming: "of") { set in
            let words = try set.rows("words", naming: "word") { row in
                Word(word: try row.string("word"), name: try row.optional("name"), meaning: try row.string("meaning"))
            }
            return WordSet(
                field: try set.string("of"), isClosed: set["open"] == nil, words: words,
                source: try set.optional("source"))
        }
        try top.finish()
        guard !objects.isEmpty else { throw top.error("no objects") }
        for set in words where !set.field.hasPrefix("details.") && !paths.contains(where: { $0.path == set.field }) {
            throw TableError(table: top.table, row: set.field, problem: "no such field")
        }
        for field in objects.flatMap(\.fields) where field.holdsObject && object(field) == nil {
            throw TableError(table: top.table, row: field.key, problem: "no such object")
        }
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
