extension Schema {
    /// JSON Schema, draft 2020-12.
    var jsonSchema: String {
        var text =
            "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \(Self.quoted(title)),\n"
        text += Self.jsonObject(fields, "  ")
        return text + "\n}\n"
    }

    private static func jsonObject(_ fields: [Field], _ indent: String, nullable: Bool = false) -> String {
        let members = fields.map { field in
            "\(indent)  \(quoted(field.key)): {\(jsonType(field, indent + "  "))}"
        }.joined(separator: ",\n")
        let required = fields.filter { !$0.isOptional }.map { quoted($0.key) }.joined(separator: ", ")
        return "\(indent)\"type\": \(nullable ? "[\"object\", \"null\"]" : "\"object\""),\n"
            + "\(indent)\"required\": [\(required)],\n\(indent)\"properties\": {\n\(members)\n\(indent)}"
    }

    private static func jsonType(_ field: Field, _ indent: String) -> String {
        let about = field.meaning.isEmpty ? "" : ", \"description\": \(quoted(field.meaning))"
        if case .object(let fields) = field.type {
            return "\n\(jsonObject(fields, indent + "  ", nullable: field.isNullable))\(about)\n\(indent)"
        }
        return jsonType(field.type, field.isNullable, indent) + about
    }

    private static func jsonType(_ type: ValueType, _ isNullable: Bool, _ indent: String) -> String {
        func plain(_ name: String) -> String {
            isNullable ? "\"type\": [\"\(name)\", \"null\"]" : "\"type\": \"\(name)\""
        }
        switch type {
        case .text: return plain("string")
        case .word(let words): return "\"enum\": [\(words.map(quoted).joined(separator: ", "))]"
        case .time: return plain("string") + ", \"format\": \"date-time\""
        case .number: return plain("integer")
        case .truth: return plain("boolean")
        case .document: return plain("object")
        case .list(.object(let fields)):
            return "\"type\": \"array\", \"items\": {\n\(jsonObject(fields, indent + "  "))\n\(indent)}"
        case .list(let element): return "\"type\": \"array\", \"items\": {\(jsonType(element, false, indent))}"
        case .object: return plain("object")
        }
    }

    /// BigQuery's schema file, for `bq load --source_format=NEWLINE_DELIMITED_JSON`.
    var bigQuery: String {
        "[\n\(Self.bigQuery(fields, "  "))\n]\n"
    }

    private static func bigQuery(_ fields: [Field], _ indent: String) -> String {
        fields.map { field in
            var type = field.type
            var mode = field.isNullable || field.isOptional ? "NULLABLE" : "REQUIRED"
            if case .list(let element) = type { (type, mode) = (element, "REPEATED") }
            var members = "\"name\": \(quoted(field.key)), \"type\": \"\(bigQueryName(type))\", \"mode\": \"\(mode)\""
            // BigQuery takes descriptions of up to 1,024 characters.
            if !field.meaning.isEmpty { members += ", \"description\": \(quoted(String(field.meaning.prefix(1024))))" }
            if case .object(let fields) = type {
                members += ", \"fields\": [\n\(bigQuery(fields, indent + "  "))\n\(indent)]"
            }
            return "\(indent){\(members)}"
        }.joined(separator: ",\n")
    }

    private static func bigQueryName(_ type: ValueType) -> String {
        switch type {
        case .text, .word: "STRING"
        case .time: "TIMESTAMP"
        case .number: "INT64"
        case .truth: "BOOL"
        case .document, .list: "JSON"
        case .object: "RECORD"
        }
    }

    /// A JSON string.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
