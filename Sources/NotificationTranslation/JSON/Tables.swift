/// How the tables of this build come into memory.
enum Tables {
    /// What is made of embedded bytes.
    ///
    /// They are the same in every copy of this build and loading them is tested, so a failure here can only be a build
    /// that was never tested.
    static func required<Table>(_ load: () throws -> Table) -> Table {
        do {
            return try load()
        } catch {
            preconditionFailure("an embedded table is damaged: \(error)")
        }
    }

    static func tree(_ bytes: [UInt8], _ file: String) throws -> JSONTree {
        do throws(JSONFault) {
            return try JSONTree(bytes)
        } catch {
            throw TableError(table: file, row: "", problem: "byte \(error.offset): \(error.code.sentence)")
        }
    }
}

extension JSONTree {
    /// The tree of a table of this build.
    package init(embedded text: StaticString) {
        self = Tables.required { try Tables.tree(Array(text.bytes), "an embedded table") }
    }
}

/// Why a mapping table is refused: the file and the row, and what is wrong with it.
struct TableError: Error, Hashable, CustomStringConvertible {
    var table: String
    var row: String
    var problem: String

    var description: String { "\(table): \(row.isEmpty ? "" : row + ": ")\(problem)" }
}
