/// How the tables of this build come into memory.
enum Tables {
    /// The table made of embedded bytes.
    ///
    /// They are the same in every copy of this build and loading them is tested, so a failure here can only be a build
    /// that was never tested.
    static func required<Table>(
        _ text: StaticString, _ load: ([UInt8]) throws(TableError) -> Table
    ) -> Table {
        let bytes = [UInt8](UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        do throws(TableError) {
            return try load(bytes)
        } catch {
            preconditionFailure("an embedded table is damaged: \(error)")
        }
    }

    /// The keys that most rows have.
    private static let keys = KeyTable([
        "id", "when", "then", "certainty", "flags", "candidates", "source", "pair", "companion", "time", "type",
        "aliases", "subject", "transaction", "rules", "types", "atMost", "subtype", "kind", "entitlement", "products",
        "since", "sinceDate", "status", "meaning", "payload", "flag", "severity", "settles", "fact", "values", "value",
        "era", "from", "of", "pairs", "by", "role", "v1", "v2", "event", "conversion", "note", "name", "field",
        "object", "recoverable", "proof", "key", "swift", "default", "null", "fields",
    ])

    static func tree(_ bytes: [UInt8], _ file: String) throws(TableError) -> JSONTree {
        do throws(JSONFault) {
            return try JSONTree(bytes, repeating: keys)
        } catch {
            throw TableError(table: file, row: "", problem: "byte \(error.offset): \(error.sentence)")
        }
    }
}

extension JSONTree {
    /// The tree of a table of this build.
    package init(embedded text: StaticString) {
        self = Tables.required(text) { bytes throws(TableError) in try Tables.tree(bytes, "an embedded table") }
    }
}
