import NotificationTranslation

/// Makes JSON of a row of a table: an object whose keys are the names of the columns, for the decoder of all records.
///
///     7,"{""notification_type"":""CANCEL""}",2020-11-03 09:12:44+00
///     {"id":"7","payload":{"notification_type":"CANCEL"},"created_at":"2020-11-03 09:12:44+00"}
///
/// A field that begins and ends as JSON is put in as it is, so that it is read once and never unescaped; a row that
/// is not JSON then is made again with all fields as texts. The buffer is used again for every row.
final class RowComposer {
    let layout: TableLayout
    /// A comma, the name and a colon.
    private let keys: [[UInt8]]
    /// The field that was read last, without quotes and escapes.
    private let plain = OutputBuffer(capacity: 4096)
    /// The text of the row made last.
    let text = OutputBuffer(capacity: 64 * 1024)

    init(_ layout: TableLayout) {
        self.layout = layout
        keys = layout.names.enumerated().map { place, name in
            Array(((place == 0 ? "{" : ",") + jsonString(name) + ":").utf8)
        }
    }

    /// Makes the text of a row without its line end; returns what is wrong with the row.
    func compose(_ row: UnsafeRawBufferPointer, asTexts: Bool) -> ArchiveFault? {
        text.removeAll()
        var column = 0
        let fault = layout.forEachField(of: row, atMost: keys.count, plain) { range, isQuoted in
            keys[column].withUnsafeBytes { text.append($0) }
            column += 1
            let field = UnsafeRawBufferPointer(rebasing: row[range])
            if !isQuoted {
                // Nothing at all, PostgreSQL's `\N` and MySQL's `NULL`.
                if field.isEmpty || field.elementsEqual(#"\N"#.utf8) || field.elementsEqual("NULL".utf8) {
                    return text.append("null")
                }
                if layout.quoting == .none, LineEscapes.areOfColumns(in: field) {
                    LineEscapes.backslashes.remove(from: field, to: plain)
                } else {
                    plain.append(field)
                }
            }
            let first = field.dropFirst(isQuoted ? 1 : 0).first
            if !asTexts, first == 0x7B || first == 0x5B, Self.endsJSON(plain.bytes) {
                text.append(plain.bytes)
            } else {
                text.append(UInt8(ascii: "\""))
                text.append(inString: plain.bytes)
                text.append(UInt8(ascii: "\""))
            }
        }
        text.append(UInt8(ascii: "}"))
        return fault
    }

    /// Whether a field ends as the JSON it begins with.
    private static func endsJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let end = bytes.lastIndex { $0 > 0x20 } ?? 0
        return end > 0 && bytes[end] == (bytes[0] == 0x7B ? 0x7D : 0x5D)
    }
}
