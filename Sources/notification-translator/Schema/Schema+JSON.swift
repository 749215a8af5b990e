extension Schema {
    /// JSON Schema, draft 2020-12.
    var jsonSchema: String { JSONSchema.text(fields, title: title) }

    /// BigQuery's schema file, for `bq load --source_format=NEWLINE_DELIMITED_JSON`.
    var bigQuery: String {
        "[\n\(Self.bigQuery(fields, "  "))\n]\n"
    }

    private static func bigQuery(_ fields: [Field], _ indent: String) -> String {
        fields.map { field in
            var type = field.type
            var mode = field.isNullable || field.isOptional ? "NULLABLE" : "REQUIRED"
            if case .list(let element) = type { (type, mode) = (element, "REPEATED") }
            var members =
                "\"name\": \(JSONSchema.quoted(field.key)), \"type\": \"\(bigQueryName(type))\", \"mode\": \"\(mode)\""
            // BigQuery takes descriptions of up to 1,024 characters.
            if !field.meaning.isEmpty {
                members += ", \"description\": \(JSONSchema.quoted(String(field.meaning.prefix(1024))))"
            }
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
}
