@testable import NotificationTranslation

/// `Mappings/fields.json`: which V1 field becomes which V2 field, and what V1 never had.
///
/// The package makes documents and generated code of it, and asks it nothing.
enum FieldTable {
    struct Field: Hashable, Sendable {
        var v1: String
        var v2: String?
        var event: String?
        var conversion: String
        /// What the conversions `…-to-constant` write.
        var constant: String?
    }

    static let (fields, losses, signs) = Tables.required { try read() }

    private static func read() throws -> (fields: [Field], losses: [JSONTree], signs: [JSONTree]) {
        let top = try TableRow(file: "fields.json", Fixture.mapping("fields.json"))
        try top.prose("version", "about")
        let conversions = try top.rows("conversions", naming: "name") { row in
            try row.prose("meaning")
            return try row.string("name")
        }
        let fields = try top.rows("fields", naming: "v1") { row in
            try row.prose("note", "source")
            let field = Field(
                v1: try row.string("v1"), v2: try row.optional("v2"), event: try row.optional("event"),
                conversion: try row.string("conversion"), constant: try row.optional("constant"))
            guard conversions.contains(field.conversion) else { throw row.error("no such conversion") }
            guard field.conversion.hasSuffix("-to-constant") == (field.constant != nil) else {
                throw row.error("`constant` is required for conversions ending in -to-constant, and only for them")
            }
            return field
        }
        var ids: Set<String> = []
        let losses = try top.rows("losses", naming: "id") { row in
            guard try ids.insert(row.string("id")).inserted else { throw row.error("listed twice") }
            try row.prose("field", "object", "meaning", "recoverable")
            _ = (row["members"], row["source"])
            return row.tree
        }
        let signs = try top.rows("signs", naming: "sign") { row in
            guard try ids.insert(row.string("sign")).inserted else { throw row.error("listed twice") }
            try row.prose("meaning", "source")
            _ = try row.strings("names")
            return row.tree
        }
        try top.finish()
        return (fields, losses, signs)
    }
}
