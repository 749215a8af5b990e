import NotificationMappings

/// `Mappings/fields.json`: which V1 field becomes which V2 field, and what V1 never had.
struct FieldTable: Sendable {
    struct Field: Hashable, Sendable {
        var v1: String
        var v2: String?
        var event: String?
        var conversion: String
        /// What the conversions `…-to-constant` write.
        var constant: String?
        var note: String
        var source: String
    }

    let conversions: [(name: String, meaning: String)]
    let fields: [Field]
    let losses: [Loss]
    /// The names of fields inside those that are lost.
    private(set) var lostMembers: [String] = []
    /// Names of fields by what they are a sign of.
    private(set) var signs: [String: [String]] = [:]

    /// The table of this build.
    static let current: FieldTable = Tables.required(Mappings.fields) { bytes throws(TableError) in
        try FieldTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "fields.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, named: .fixed(""),
            keys: ["version", "about", "conversions", "fields", "losses", "signs"])
        var conversions: [(name: String, meaning: String)] = []
        for tree in try top.trees("conversions") {
            let row = try TableRow(
                tree, table: file, named: .member("name"), keys: ["name", "meaning"])
            conversions.append((try row.string("name"), try row.string("meaning")))
        }
        self.conversions = conversions
        var fields: [Field] = []
        for tree in try top.trees("fields") {
            let row = try TableRow(
                tree, table: file, named: .member("v1"),
                keys: ["v1", "v2", "event", "conversion", "note", "source"], optional: ["constant"])
            let field = Field(
                v1: try row.string("v1"), v2: try row.optionalString("v2"), event: try row.optionalString("event"),
                conversion: try row.string("conversion"), constant: try row.stringIfPresent("constant"),
                note: try row.string("note"),
                source: try row.string("source"))
            guard conversions.contains(where: { $0.name == field.conversion }) else {
                throw row.error("no such conversion \"\(field.conversion)\"")
            }
            guard field.conversion.hasSuffix("-to-constant") == (field.constant != nil) else {
                throw row.error("`constant` is required for conversions ending in -to-constant, and only for them")
            }
            fields.append(field)
        }
        self.fields = fields
        var losses: [Loss] = []
        for tree in try top.trees("losses") {
            let row = try TableRow(
                tree, table: file, named: .member("id"),
                keys: ["id", "field", "object", "meaning", "recoverable"], optional: ["members", "source"])
            let loss = Loss(
                id: try row.string("id"), object: try row.string("object"), field: try row.string("field"),
                meaning: try row.string("meaning"), recoverable: try row.string("recoverable"))
            guard !losses.contains(where: { $0.id == loss.id }) else { throw row.error("listed twice") }
            losses.append(loss)
            if row["members"] != nil { lostMembers += try row.strings("members") }
            _ = try row.stringIfPresent("source")
        }
        self.losses = losses
        for tree in try top.trees("signs") {
            let row = try TableRow(
                tree, table: file, named: .member("sign"), keys: ["sign", "meaning", "names", "source"])
            try row.checkStrings("meaning", "source")
            guard signs.updateValue(try row.strings("names"), forKey: try row.string("sign")) == nil else {
                throw row.error("listed twice")
            }
        }
    }
}
