import NotificationTranslation

/// How the rows of a table are written, and the names of its columns.
struct TableLayout: Hashable, Sendable {
    /// What is around fields that hold a delimiter or a line end.
    enum Quoting: Hashable, Sendable {
        /// Nothing; a backslash begins an escape: PostgreSQL's `COPY` text, `mysql --batch`.
        case none
        /// Quotes, doubled inside (RFC 4180).
        case doubled
        /// Quotes, after a backslash inside: MySQL's `INTO OUTFILE`, Spark.
        case backslash
    }

    var delimiter: UInt8
    var quoting: Quoting
    /// The names of the columns; without a header `column1`, `column2` and so on.
    var names: [String]
    /// Whether the first row is not one of the table but its names.
    var hasHeader: Bool
}

extension TableLayout {
    /// The layout of a table that begins with some bytes, which may be all of it; `nil` if they are none of that format.
    ///
    /// The format is `csv`, `tsv`, or `auto`, which asks for a header, and for as many fields in every row.
    init?(
        of head: ArraySlice<UInt8>, isWhole: Bool, format: ConversionRequest.InputFormat, _ separator: UInt8? = nil
    ) {
        // What begins as JSON is none.
        if format == .auto, "{[".utf8.contains(head.first { $0 > 0x20 } ?? 0x7B) { return nil }
        let all: [UInt8] = separator.map { [$0] } ?? (format == .tsv ? [0x09] : [0x2C, 0x09, 0x3B, 0x7C])
        // Reads the first bytes with each delimiter and way of quoting, and keeps the reading that fits best.
        var best: (sample: Sample, layout: TableLayout)?
        for delimiter in all {
            for quoting in delimiter == 0x09 ? [Quoting.none, .doubled, .backslash] : [.doubled, .backslash] {
                let sample = Sample(head, isWhole: isWhole, delimiter, quoting)
                guard let first = sample.rows.first, sample.isTable(format) else { continue }
                let names = Self.names(first)
                if format == .auto, names == nil, !sample.isBareTable { continue }
                let layout = TableLayout(
                    delimiter: delimiter, quoting: quoting,
                    names: names ?? (1...max(1, first.count)).map { "column\($0)" }, hasHeader: names != nil)
                if best.map({ sample.isBetter(than: $0.sample) }) ?? true { best = (sample, layout) }
            }
        }
        guard let best else { return nil }
        self = best.layout
    }

    /// The delimiter that Excel names in a line before the header, `sep=;`, and the bytes of that line.
    static func separator(in head: ArraySlice<UInt8>) -> (byte: UInt8, length: Int)? {
        let line = head.prefix { $0 != 0x0A }
        guard line.starts(with: "sep=".utf8), line.count == (line.last == 0x0D ? 6 : 5) else { return nil }
        return (line[line.startIndex + 4], line.count + 1)
    }

    /// The names that a row gives to columns, each once; `nil` if it is not a row of names.
    private static func names(_ row: [[UInt8]]) -> [String]? {
        var names: [String] = []
        var known: Set<String> = []
        for (place, field) in row.enumerated() {
            let name = String(decoding: field.trimmingSpaces, as: UTF8.self).withoutUnit
            guard name.utf8.count <= 128, !name.utf8.contains(where: { $0 < 0x20 || "{}[]\"\\:=".utf8.contains($0) })
            else { return nil }
            if let first = name.utf8.first, 0x30...0x39 ~= first || first == 0x2D { return nil }
            if name.hasPrefix("eyJ") { return nil }
            var unique = name.isEmpty ? "column\(place + 1)" : name
            while !known.insert(unique).inserted { unique += "_\(place + 1)" }
            names.append(unique)
        }
        return names
    }

    /// What one reading of the first bytes gives.
    private struct Sample {
        /// The rows that end within the first bytes.
        var rows: [[[UInt8]]] = []
        /// Rows with a quoted field that is not closed.
        var broken = 0
        /// Whether a further row has begun.
        private var goesOn = false
        let delimiter: UInt8
        /// Whether a row begins with JSON as only a table writes it.
        private var beginsWithDoubledQuotes = false
        /// Whether a row begins with JSON that goes on after a delimiter: a line of JSON.
        private var beginsWithOpenJSON = false
        /// Whether the only row that follows the heading, and is cut off, holds JSON in another quoting.
        private var isOtherwiseQuoted = false
        private let holdsQuotedJSON: Bool

        init(_ head: ArraySlice<UInt8>, isWhole: Bool, _ delimiter: UInt8, _ quoting: Quoting) {
            self.delimiter = delimiter
            holdsQuotedJSON = head.withUnsafeBytes { Self.holdsQuotedJSON($0) }
            let layout = TableLayout(delimiter: delimiter, quoting: quoting, names: [], hasHeader: false)
            var end = 0
            goesOn = head.withUnsafeBytes { bytes in
                layout.forEachRow(of: bytes, isWhole: isWhole) { fields, row in
                    end += row.count
                    if fields == [Array("\\.".utf8)] { return true }
                    // A field with quotes around it shows that the table does quote.
                    let isQuoted = { (field: [UInt8]) in
                        field.count > 1 && field.first == 0x22 && field.last == 0x22
                    }
                    if let fields, quoting != .none || !fields.contains(where: isQuoted) {
                        if fields.count > 1 || fields.first?.isEmpty == false { rows.append(fields) }
                        note(fields.first ?? [], row)
                    } else {
                        broken += 1
                    }
                    return rows.count < 50
                }
            }
            guard rows.count == 1, goesOn, let written = Self.quoting(ofJSONIn: head.dropFirst(end)) else { return }
            isOtherwiseQuoted = written != quoting
        }

        /// How quotes inside JSON are written in the rest of the first bytes; `nil` if there is no JSON in it.
        ///
        /// Used if the first row after the heading is longer than the first bytes: its beginning shows the quoting.
        private static func quoting(ofJSONIn rest: ArraySlice<UInt8>) -> Quoting? {
            for brace in rest.indices where rest[brace] == 0x7B {
                let next = rest[(brace + 1)...].drop { $0 <= 0x20 }.prefix(2)
                if next.elementsEqual("\"\"".utf8) { return .doubled }
                if next.elementsEqual("\\\"".utf8) { return .backslash }
                if next.first == 0x22 { return Quoting.none }
            }
            return nil
        }

        /// Notes what a row and its first field show.
        private mutating func note(_ field: [UInt8], _ row: UnsafeRawBufferPointer) {
            guard let first = field.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x5B else { return }
            if row.first == 0x22, row.holds("\"\"") { beginsWithDoubledQuotes = true }
            if row.first == 0x7B, field.withUnsafeBytes({ LogPart.objectEnd($0) }) != field.count {
                beginsWithOpenJSON = true
            }
        }

        private static func holdsQuotedJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
            bytes.indices.dropFirst().dropLast(2).contains {
                bytes[$0] == 0x7B && bytes[$0 - 1] == 0x22 && (bytes[$0 + 1] == 0x22 || bytes[$0 + 1] == 0x5C)
                    && bytes[$0 + 2] == 0x22
            }
        }

        private var width: Int { rows.first?.count ?? 0 }
        private var odd: Int { rows.dropFirst().count { $0.count != width } }

        /// Whether it may be a table at all.
        func isTable(_ format: ConversionRequest.InputFormat) -> Bool {
            guard width > 0, !isOtherwiseQuoted else { return false }
            guard format == .auto else { return true }
            if rows.count == 1, !goesOn { return isHeadingAlone }
            guard 2 * (broken + odd) <= max(0, rows.count - 1), rows.count > 1 || goesOn else { return false }
            if width == 1 { return beginsWithDoubledQuotes || delimiter == 0x09 && isColumnOfBodies }
            return delimiter == 0x09 || beginsWithDoubledQuotes || !beginsWithOpenJSON
        }

        /// Whether it is the header of a table without rows: names alone, as programs give to columns.
        private var isHeadingAlone: Bool {
            broken == 0 && width > 1
                && rows[0].allSatisfy { name in
                    name.allSatisfy { 0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == 0x5F }
                        && name.first.map { $0 > 0x39 } ?? false
                }
        }

        /// Whether it is one column of bodies below a name such as `body`.
        ///
        /// `mysql --batch` escapes backslashes, so that `\"` in a body is written `\\"`.
        private var isColumnOfBodies: Bool {
            broken == 0 && rows.count > 1 && Envelope.isBodyKey(rows[0][0])
                && rows.dropFirst().allSatisfy { row in
                    row[0].withUnsafeBytes { body in
                        body.starts(with: "eyJ".utf8)
                            || body.first == 0x7B && body.last == 0x7D
                                && (!body.holds("\\\"") || body.holds("\\\\\""))
                    }
                }
        }

        /// Whether it is a table without names, all of whose rows have one field that is JSON and others around it.
        var isBareTable: Bool {
            (delimiter == 0x09 || holdsQuotedJSON) && width > 1
                && rows.allSatisfy { $0.contains { $0.first == 0x7B && $0.last == 0x7D } }
        }

        func isBetter(than other: Sample) -> Bool {
            if (width > 1) != (other.width > 1) { return width > 1 }
            if broken + odd != other.broken + other.odd { return broken + odd < other.broken + other.odd }
            return width > other.width
        }
    }

    /// Goes over the rows of some bytes: the first ones of an input, or a table that is compared; the last may be cut off
    /// unless `isWhole`.
    ///
    /// `body` gets the fields of each row without the quotes around them, `nil` if these are wrong, and the row; it returns
    /// whether to go on.
    ///
    /// - Returns: Whether `body` stopped, or the bytes end inside a row.
    func forEachRow<Failure>(
        of bytes: UnsafeRawBufferPointer, isWhole: Bool,
        _ body: ([[UInt8]]?, UnsafeRawBufferPointer) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var splitter = RowSplitter(self, longestRecord: .max, offset: 0)
        for case .record(let range) in splitter.scan(bytes, base: 0, before: isWhole ? .nothing : .more) {
            let row = UnsafeRawBufferPointer(rebasing: bytes[range])
            guard try body(fields(of: row), row) else { return true }
        }
        return !isWhole && splitter.openRecord != nil
    }

    private func fields(of row: UnsafeRawBufferPointer) -> [[UInt8]]? {
        var fields: [[UInt8]] = []
        let plain = OutputBuffer(capacity: 64)
        let fault = forEachField(of: row, plain) { range, isQuoted in
            fields.append(isQuoted ? Array(plain.bytes) : Array(row[range]))
        }
        return fault == nil ? fields : nil
    }

    /// Calls `body` for each field of a row without its line end; returns what is wrong with the row, or `nil`.
    ///
    /// `body` gets the range of the field, quotes included, and whether it is quoted. For a quoted field, `plain` holds the
    /// text without quotes and escapes; otherwise it is empty.
    func forEachField(
        of row: UnsafeRawBufferPointer, atMost most: Int = .max, _ plain: OutputBuffer,
        _ body: (_ range: Range<Int>, _ isQuoted: Bool) -> Void
    ) -> ArchiveFault? {
        var at = 0
        for _ in 0..<most {
            plain.removeAll()
            let isQuoted = quoting != .none && at < row.count && row[at] == 0x22
            guard
                let end = isQuoted
                    ? copyQuoted(row, at + 1, to: plain) : row.offset(of: delimiter, from: at) ?? row.count
            else { return .quotes }
            body(at..<end, isQuoted)
            if end == row.count { return nil }
            guard row[end] == delimiter else { return .quotes }
            at = end + 1
        }
        return .columns
    }

    /// Copies a quoted field without its quotes and escapes; returns the index after the last quote, `nil` if there is
    /// none.
    ///
    /// Quotes inside are doubled, or have a backslash before them.
    private func copyQuoted(_ row: UnsafeRawBufferPointer, _ start: Int, to field: OutputBuffer) -> Int? {
        let escape: UInt8 = quoting == .doubled ? 0x22 : 0x5C
        var at = start
        while let found = row.offset(of: (0x22, escape, escape), from: at) {
            field.append(UnsafeRawBufferPointer(rebasing: row[at..<found]))
            let next = found + 1
            guard next < row.count, row[found] != 0x22 || row[next] == 0x22 else {
                return row[found] == 0x22 ? next : nil
            }
            field.append(row[next])
            at = next + 1
        }
        return nil
    }
}

extension String {
    /// Without what is in brackets after it, as in `TimeGenerated [UTC]`.
    fileprivate var withoutUnit: String {
        guard last == "]", let bracket = firstIndex(of: "["), bracket > startIndex, self[index(before: bracket)] == " "
        else { return self }
        return String(decoding: Array(self[..<bracket].utf8).trimmingSpaces, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Without spaces at both ends; `psql` pads the name of a column to the width of its longest value.
    fileprivate var trimmingSpaces: Self {
        let end = lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
        return Array(self[..<end].drop { $0 == 0x20 })
    }
}
