import NotificationTranslation

/// Makes JSON of a row of a table: an object whose keys are the names of the columns, for the decoder of all records.
///
///     7,"{""notification_type"":""CANCEL""}",2020-11-03 09:12:44+00
///     {"id":"7","payload":{"notification_type":"CANCEL"},"created_at":"2020-11-03 09:12:44+00"}
///
/// A field that begins and ends as JSON is put in as it is, so that it is read once and never unescaped; a row that
/// is not JSON then is made again with all fields as texts. The buffer is used again for every row.
final class RowComposer {
    private let layout: TableLayout
    /// A comma, the name and a colon.
    private let keys: [[UInt8]]
    private let plain = OutputBuffer(capacity: 4096)
    /// The text of the row made last.
    let text = OutputBuffer(capacity: 64 * 1024)

    init(_ layout: TableLayout) {
        self.layout = layout
        keys = layout.names.enumerated().map { place, name in
            let key = OutputBuffer(capacity: 64)
            key.append(place == 0 ? "{\"" : ",\"")
            Array(name.utf8).withUnsafeBytes { key.append(inString: $0) }
            key.append("\":")
            return Array(key.bytes)
        }
    }

    /// Whether the rows have no names by which a time of arrival could be known.
    var hasNames: Bool { layout.hasHeader }

    /// Makes the text of a row without its line end; returns what is wrong with the row.
    func compose(_ row: UnsafeRawBufferPointer, asTexts: Bool) -> ArchiveFault? {
        text.removeAll()
        var at = 0
        var column = 0
        while true {
            guard column < keys.count else { return .columns }
            keys[column].withUnsafeBytes { text.append($0) }
            column += 1
            let isQuoted = layout.quoting != .none && at < row.count && row[at] == 0x22
            guard let end = isQuoted ? quoted(row, at + 1, asTexts) : bare(row, at, asTexts) else { return .quotes }
            at = end
            if at == row.count { break }
            guard row[at] == layout.delimiter else { return .quotes }
            at += 1
        }
        text.append(UInt8(ascii: "}"))
        return nil
    }

    // MARK: Fields

    /// Appends the value of a field in quotes; returns the index after its last quote, `nil` if that is not there.
    private func quoted(_ row: UnsafeRawBufferPointer, _ start: Int, _ asTexts: Bool) -> Int? {
        let before = text.count
        if !asTexts, start < row.count, Self.beginsJSON(row[start]) {
            guard let end = copyQuoted(row, start, to: text) else { return nil }
            if Self.endsJSON(text.bytes, from: before) { return end }
            text.removeLast(text.count - before)
        }
        plain.removeAll()
        guard let end = copyQuoted(row, start, to: plain) else { return nil }
        appendText(plain.bytes)
        return end
    }

    /// Appends the value of a field without quotes; returns the index of the delimiter after it.
    private func bare(_ row: UnsafeRawBufferPointer, _ start: Int, _ asTexts: Bool) -> Int {
        let end = row.place(of: layout.delimiter, from: start) ?? row.count
        let field = UnsafeRawBufferPointer(rebasing: row[start..<end])
        if Self.isNull(field) {
            text.append("null")
            return end
        }
        let unescapes = layout.quoting == .none && isEscapedAsDatabasesDo(field)
        let before = text.count
        if !asTexts, let first = field.first, Self.beginsJSON(first) {
            if unescapes { unescape(field, to: text) } else { text.append(field) }
            if Self.endsJSON(text.bytes, from: before) { return end }
            text.removeLast(text.count - before)
        }
        guard unescapes else {
            appendText(field)
            return end
        }
        plain.removeAll()
        unescape(field, to: plain)
        appendText(plain.bytes)
        return end
    }

    private func appendText(_ bytes: UnsafeRawBufferPointer) {
        text.append(UInt8(ascii: "\""))
        text.append(inString: bytes)
        text.append(UInt8(ascii: "\""))
    }

    private static func beginsJSON(_ byte: UInt8) -> Bool { byte == 0x7B || byte == 0x5B }

    /// Whether what was appended from a place on ends as it begins.
    private static func endsJSON(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var end = bytes.count
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return end > start + 1 && bytes[end - 1] == (bytes[start] == 0x7B ? 0x7D : 0x5D)
    }

    /// Nothing at all, PostgreSQL's `\N` and MySQL's `NULL`.
    private static func isNull(_ field: UnsafeRawBufferPointer) -> Bool {
        switch field.count {
        case 0: true
        case 2: field[0] == 0x5C && field[1] == 0x4E
        case 4: field.elementsEqual("NULL".utf8)
        default: false
        }
    }

    // MARK: Quotes and escapes

    /// Appends a field in quotes without what makes them characters; returns the index after the last quote.
    ///
    /// Quotes inside are doubled, or have a backslash before them. Eight bytes at a time are copied, and what follows a
    /// quote is copied again in its place.
    private func copyQuoted(_ row: UnsafeRawBufferPointer, _ start: Int, to output: OutputBuffer) -> Int? {
        let escape: UInt8 = layout.quoting == .doubled ? 0x22 : 0x5C
        let (quotes, escapes) = (0x2222_2222_2222_2222 as UInt64, UInt64(escape) &* 0x0101_0101_0101_0101)
        var end: Int?
        _ = output.append(atMost: row.count - start + 8) { room in
            var (at, out) = (start, 0)
            while at < row.count {
                if at + 8 <= row.count {
                    let word = row.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                    room.storeBytes(of: word, toByteOffset: out, as: UInt64.self)
                    let bytes = word.littleEndian
                    let found = zeroBytes(bytes ^ quotes) | zeroBytes(bytes ^ escapes)
                    let plain = found == 0 ? 8 : found.trailingZeroBitCount / 8
                    at += plain
                    out += plain
                    if found == 0 { continue }
                }
                let byte = row[at]
                if byte == 0x22 || byte == escape {
                    at += 1
                    guard at < row.count, byte != 0x22 || row[at] == 0x22 else {
                        if byte == 0x22 { end = at }
                        return out
                    }
                }
                room.storeBytes(of: row[at], toByteOffset: out, as: UInt8.self)
                at += 1
                out += 1
            }
            return out
        }
        return end
    }

    /// Whether there are backslashes, and every one is one that PostgreSQL's `COPY` or `mysql --batch` writes; a text
    /// with `\"` was never escaped, so that its backslashes are its own.
    private func isEscapedAsDatabasesDo(_ field: UnsafeRawBufferPointer) -> Bool {
        guard var at = field.place(of: 0x5C, from: 0) else { return false }
        while true {
            guard at + 1 < field.count, Self.character(field[at + 1]) != nil else { return false }
            guard let next = field.place(of: 0x5C, from: at + 2) else { return true }
            at = next
        }
    }

    /// What a letter after a backslash represents, `nil` if databases write no such escape.
    private static func character(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "0"): 0
        case UInt8(ascii: "\\"), UInt8(ascii: "N"): letter
        default: nil
        }
    }

    private func unescape(_ field: UnsafeRawBufferPointer, to output: OutputBuffer) {
        var at = 0
        while let escape = field.place(of: 0x5C, from: at), escape + 1 < field.count {
            output.append(UnsafeRawBufferPointer(rebasing: field[at..<escape]))
            output.append(Self.character(field[escape + 1]) ?? field[escape + 1])
            at = escape + 2
        }
        output.append(UnsafeRawBufferPointer(rebasing: field[at...]))
    }
}
