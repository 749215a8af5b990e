import NotificationTranslation

/// Rows that have one field on each line; see ``ExpandedSplitter``.
extension RowComposer {
    /// Makes the text of a row; its first line only marks its beginning.
    func composeExpanded(_ row: UnsafeRawBufferPointer, asTexts: Bool) {
        var lines = row.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst().map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        if let last = lines.last, Self.isCount(last) { lines.removeLast() }
        var names: [[UInt8]] = []
        var value: [UInt8] = []
        var column: Int?
        for line in lines {
            // All names of a row are padded to one width.
            column = column ?? line.firstIndex(of: layout.delimiter).map { $0 - line.startIndex }
            guard let column, let name = name(of: line, column) else {
                if !names.isEmpty { goOn(&value, with: line, column) }
                continue
            }
            if !names.isEmpty { append(value, asTexts) }
            text.append(UInt8(ascii: names.isEmpty ? "{" : ","))
            var unique = name
            while names.contains(unique) { unique += Array("_\(names.count + 1)".utf8) }
            names.append(unique)
            unique.withUnsafeBytes { appendText($0) }
            text.append(UInt8(ascii: ":"))
            value = Array(content(of: line, column))
        }
        if names.isEmpty { text.append(UInt8(ascii: "{")) } else { append(value, asTexts) }
        text.append(UInt8(ascii: "}"))
    }

    /// The name that a line begins with; `nil` if it continues the value before it.
    private func name(of line: Slice<UnsafeRawBufferPointer>, _ column: Int) -> [UInt8]? {
        guard line.count > column, line[line.startIndex + column] == layout.delimiter else { return nil }
        let name = line.prefix(column).drop { $0 == 0x20 }
        guard let last = name.lastIndex(where: { $0 != 0x20 }) else { return nil }
        // A quote or a brace belongs to JSON on several lines.
        let plain = Array(name[...last])
        return plain.contains { "\"{}[],".utf8.contains($0) } ? nil : plain
    }

    /// What is after the delimiter and a space.
    private func content(of line: Slice<UnsafeRawBufferPointer>, _ column: Int) -> Slice<UnsafeRawBufferPointer> {
        let content = line.dropFirst(column + 1)
        return content.first == 0x20 ? content.dropFirst() : content
    }

    /// Adds a further line to a value; `psql` writes a delimiter before it, and a plus sign after the line before.
    private func goOn(_ value: inout [UInt8], with line: Slice<UnsafeRawBufferPointer>, _ column: Int?) {
        var rest = line
        if layout.delimiter == 0x7C, let column, line.count > column, line[line.startIndex + column] == 0x7C,
            value.last == UInt8(ascii: "+")
        {
            value.removeLast()
            while value.last == 0x20 { value.removeLast() }
            rest = content(of: line, column)
        }
        value.append(0x0A)
        value.append(contentsOf: rest)
    }

    private func append(_ value: [UInt8], _ asTexts: Bool) {
        value.withUnsafeBytes { bytes in
            if Self.isNull(bytes) {
                text.append("null")
            } else if !asTexts, let first = bytes.first, Self.beginsJSON(first), Self.endsJSON(bytes, from: 0) {
                text.append(bytes)
            } else {
                appendText(bytes)
            }
        }
    }

    /// Whether a line is what `mysql` writes at the end: `2 rows in set (0.00 sec)`.
    private static func isCount(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        let rest = line.drop { 0x30...0x39 ~= $0 }
        return rest.startIndex > line.startIndex
            && (rest.starts(with: " row in set".utf8) || rest.starts(with: " rows in set".utf8))
    }
}
