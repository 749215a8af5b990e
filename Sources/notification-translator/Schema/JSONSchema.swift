import NotificationTranslation

/// What a value is, for those who read it: JSON Schema, and the languages of databases.
indirect enum SchemaType: Sendable {
    case text
    /// One of these words.
    case word([String])
    /// RFC 3339, UTC, three decimals.
    case time
    case number
    case truth
    /// A JSON object of any keys.
    case document
    case list(SchemaType)
    case object([SchemaField])
}

/// A member of an object.
struct SchemaField: Sendable {
    var key: String
    var type: SchemaType
    /// Whether the value may be `null`.
    var isNullable: Bool
    /// Whether the key may be absent.
    var isOptional: Bool
    /// What it means, in a sentence; empty where the key says it.
    var meaning: String

    init(_ key: String, _ type: SchemaType, nullable: Bool = false, optional: Bool = false, _ meaning: String) {
        (self.key, self.type, self.meaning) = (key, type, meaning)
        (isNullable, isOptional) = (nullable, optional)
    }
}

/// JSON Schema, draft 2020-12.
enum JSONSchema {
    /// The schema of an object.
    static func text(_ fields: [SchemaField], title: String) -> String {
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \(quoted(title)),\n"
            + object(fields, "  ") + "\n}\n"
    }

    private static func object(_ fields: [SchemaField], _ indent: String, nullable: Bool = false) -> String {
        let members = fields.map { "\(indent)  \(quoted($0.key)): {\(type($0, indent + "  "))}" }
        let required = fields.filter { !$0.isOptional }.map { quoted($0.key) }.joined(separator: ", ")
        return "\(indent)\"type\": \(nullable ? "[\"object\", \"null\"]" : "\"object\""),\n"
            + "\(indent)\"required\": [\(required)],\n"
            + "\(indent)\"properties\": {\n\(members.joined(separator: ",\n"))\n\(indent)}"
    }

    private static func type(_ field: SchemaField, _ indent: String) -> String {
        let about = field.meaning.isEmpty ? "" : ", \"description\": \(quoted(field.meaning))"
        if case .object(let fields) = field.type {
            return "\n\(object(fields, indent + "  ", nullable: field.isNullable))\(about)\n\(indent)"
        }
        return type(field.type, field.isNullable, indent) + about
    }

    private static func type(_ type: SchemaType, _ isNullable: Bool, _ indent: String) -> String {
        func plain(_ name: String) -> String {
            isNullable ? "\"type\": [\"\(name)\", \"null\"]" : "\"type\": \"\(name)\""
        }
        switch type {
        case .text: return plain("string")
        case .word(let words): return "\"enum\": [\(words.map(quoted).joined(separator: ", "))]"
        case .time: return plain("string") + ", \"format\": \"date-time\""
        case .number: return plain("integer")
        case .truth: return plain("boolean")
        case .document, .object: return plain("object")
        case .list(.object(let fields)):
            return "\"type\": \"array\", \"items\": {\n\(object(fields, indent + "  "))\n\(indent)}"
        case .list(let element): return "\"type\": \"array\", \"items\": {\(self.type(element, false, indent))}"
        }
    }

    /// A JSON string.
    static func quoted(_ text: String) -> String {
        let output = OutputBuffer(capacity: 64)
        output.append(jsonString: text)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
