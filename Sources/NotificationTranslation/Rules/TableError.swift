/// Why a mapping table is refused: the file and the row, and what is wrong with it.
struct TableError: Error, Hashable, CustomStringConvertible {
    var table: String
    var row: String
    var problem: String

    var description: String { "\(table): \(row.isEmpty ? "" : row + ": ")\(problem)" }
}
