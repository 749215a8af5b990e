import NotificationArchives

extension Schema {
    /// What a value is, for those who read it: JSON Schema, and the languages of databases.
    indirect enum ValueType: Sendable {
        case text
        /// One of these words.
        case word([String])
        /// RFC 3339, UTC, three decimals.
        case time
        case number
        case truth
        /// A JSON object of any keys.
        case document
        case list(ValueType)
        case object([Field])

        /// What a database calls it, where one name says it.
        func name(text: String, time: String, number: String, truth: String, other: String) -> String {
            switch self {
            case .text, .word: text
            case .time: time
            case .number: number
            case .truth: truth
            case .document, .list, .object: other
            }
        }
    }

    /// A member of an object.
    struct Field: Sendable {
        var key: String
        var type: ValueType
        /// Whether the value may be `null`.
        var isNullable: Bool
        /// Whether the key may be absent.
        var isOptional: Bool
        /// What it means, in a sentence; empty where the key says it.
        var meaning: String

        init(_ key: String, _ type: ValueType, nullable: Bool = false, optional: Bool = false, _ meaning: String) {
            (self.key, self.type, self.meaning) = (key, type, meaning)
            (isNullable, isOptional) = (nullable, optional)
        }

        /// Whether a row may have no value of it.
        var mayBeMissing: Bool { isNullable || isOptional }
    }

    /// JSON Schema, draft 2020-12.
    var jsonSchema: String {
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \(jsonString(title)),\n"
            + Self.object(fields, "  ") + "\n}\n"
    }

    private static func object(_ fields: [Field], _ indent: String, nullable: Bool = false) -> String {
        let members = fields.map { "\(indent)  \(jsonString($0.key)): {\(type($0, indent + "  "))}" }
        let required = fields.filter { !$0.isOptional }.map { jsonString($0.key) }.joined(separator: ", ")
        return "\(indent)\"type\": \(nullable ? "[\"object\", \"null\"]" : "\"object\""),\n"
            + "\(indent)\"required\": [\(required)],\n"
            + "\(indent)\"properties\": {\n\(members.joined(separator: ",\n"))\n\(indent)}"
    }

    private static func type(_ field: Field, _ indent: String) -> String {
        let about = field.meaning.isEmpty ? "" : ", \"description\": \(jsonString(field.meaning))"
        if case .object(let fields) = field.type {
            return "\n\(object(fields, indent + "  ", nullable: field.isNullable))\(about)\n\(indent)"
        }
        return type(field.type, field.isNullable, indent) + about
    }

    private static func type(_ type: ValueType, _ isNullable: Bool, _ indent: String) -> String {
        switch type {
        case .word(let words): return "\"enum\": [\(words.map(jsonString).joined(separator: ", "))]"
        case .list(.object(let fields)):
            return "\"type\": \"array\", \"items\": {\n\(object(fields, indent + "  "))\n\(indent)}"
        case .list(let element): return "\"type\": \"array\", \"items\": {\(self.type(element, false, indent))}"
        default:
            let name = type.name(text: "string", time: "string", number: "integer", truth: "boolean", other: "object")
            let format = if case .time = type { ", \"format\": \"date-time\"" } else { "" }
            return (isNullable ? "\"type\": [\"\(name)\", \"null\"]" : "\"type\": \"\(name)\"") + format
        }
    }

    /// BigQuery's schema file, for `bq load --source_format=NEWLINE_DELIMITED_JSON`.
    var bigQuery: String { "[\n\(Self.bigQuery(fields, "  "))\n]\n" }

    private static func bigQuery(_ fields: [Field], _ indent: String) -> String {
        fields.map { field in
            var type = field.type
            var mode = field.mayBeMissing ? "NULLABLE" : "REQUIRED"
            if case .list(let element) = type { (type, mode) = (element, "REPEATED") }
            let isObject = if case .object = type { true } else { false }
            let name = type.name(
                text: "STRING", time: "TIMESTAMP", number: "INT64", truth: "BOOL", other: isObject ? "RECORD" : "JSON")
            var members =
                "\"name\": \(jsonString(field.key)), \"type\": \"\(name)\", \"mode\": \"\(mode)\""
            // BigQuery takes descriptions of up to 1,024 characters.
            if !field.meaning.isEmpty {
                members += ", \"description\": \(jsonString(String(field.meaning.prefix(1024))))"
            }
            if case .object(let fields) = type {
                members += ", \"fields\": [\n\(bigQuery(fields, indent + "  "))\n\(indent)]"
            }
            return "\(indent){\(members)}"
        }.joined(separator: ",\n")
    }
}
