package import NotificationTranslation

/// Reads a team's own table of subscriptions, as CSV with a header or as NDJSON, to be compared with the states.
package enum ComparedFile {
    /// Reads a whole file; what is compared is kept in memory, some hundred bytes a row.
    ///
    /// - Throws: ``ArchiveError`` with the line where a value cannot be read: none is guessed.
    package static func read(_ path: String) throws(ArchiveError) -> ComparedTable {
        var bytes = try ByteStream(InputFile(path: path)).contents()[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let first = bytes.first { $0 > 0x20 }
        let table = first == 0x7B ? try readLines(bytes, path) : try readRows(bytes, path)
        guard
            table.unknownColumns.isEmpty
                || !Set(table.columns).isSubset(of: ["original_transaction_id", "environment"])
        else { throw refused(path, "no column but the id is one of a state's, such as status, entitled or product_id") }
        return table
    }

    /// What programs write for null where they do not leave the cell empty; no value of Apple's is written so.
    private static let nulls: Set = ["NULL", "null", "\\N"]

    private static func readRows(_ bytes: ArraySlice<UInt8>, _ path: String) throws(ArchiveError) -> ComparedTable {
        let head = bytes.prefix { $0 != 0x0A }
        let delimiter: UInt8 =
            [0x2C, 0x3B, 0x09].max { one, other in
                head.count { $0 == one } < head.count { $0 == other }
            } ?? 0x2C
        let layout = TableLayout(delimiter: delimiter, quoting: .doubled, names: [], hasHeader: false)
        var table: ComparedTable?
        var names: [String] = []
        var number = 0
        _ = try Array(bytes).span.bytes.withUnsafeBytes { (bytes) throws(ArchiveError) in
            try layout.forEachRow(of: bytes, isWhole: true) { (row, _) throws(ArchiveError) in
                number += 1
                guard let row else { throw refused(path, "row \(number): a quoted field does not end") }
                let fields = row.map { field in
                    // A cell of blanks alone may be an id.
                    let end = field.lastIndex { $0 > 0x20 }.map { $0 + 1 }
                    return String(decoding: end.map { field[..<$0].drop { $0 <= 0x20 } } ?? field[...], as: UTF8.self)
                }
                guard number > 1 else {
                    names = fields.map { $0.lowercased() }
                    table = ComparedTable(columns: names)
                    return table != nil
                }
                if fields == [""] { return true }
                guard fields.count == names.count else {
                    throw refused(path, "row \(number): \(fields.count) fields, not \(names.count)")
                }
                let values = zip(names, fields).map { name, field in
                    let isBlank = field.utf8.allSatisfy { $0 <= 0x20 }
                    return nulls.contains(field) || isBlank && name != "original_transaction_id" ? "" : field
                }
                let cells = Dictionary(zip(names, values)) { first, _ in first }
                if let column = table?.add({ cells[$0] }) { throw unreadable(path, "row \(number)", column) }
                return true
            }
        }
        guard let table else { throw noColumns(path) }
        return table
    }

    private static func readLines(_ bytes: ArraySlice<UInt8>, _ path: String) throws(ArchiveError) -> ComparedTable {
        var objects: [(line: Int, row: JSONTree)] = []
        var names: [String] = []
        var known: Set<String> = []
        for (place, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ $0 <= 0x20 }) { continue }
            guard let row = JSONTree.parsed(Array(line)), !row.keys.isEmpty else {
                throw refused(path, "line \(place + 1): not a JSON object")
            }
            for key in row.keys where known.insert(key).inserted { names.append(key) }
            objects.append((place + 1, row))
        }
        guard var table = ComparedTable(columns: names) else { throw noColumns(path) }
        for (line, row) in objects {
            let column = table.add { name in
                let value = row[name]
                return value?.elements?.compactMap(\.scalarText).joined(separator: " ") ?? value?.scalarText
            }
            if let column { throw unreadable(path, "line \(line)", column) }
        }
        return table
    }

    private static func noColumns(_ path: String) -> ArchiveError {
        refused(path, "no column original_transaction_id, or two columns of one name")
    }

    private static func unreadable(_ path: String, _ place: String, _ column: String) -> ArchiveError {
        refused(path, "\(place): the value of \(column) cannot be read; help state says how values are written")
    }

    private static func refused(_ path: String, _ problem: String) -> ArchiveError {
        ArchiveError(.inputUnreadable, "cannot compare with", path: path, detail: problem)
    }
}
