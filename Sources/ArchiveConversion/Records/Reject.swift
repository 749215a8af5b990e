import NotificationTranslation

/// A record that could not be converted: where it is and why, never what it holds.
package struct Reject: Sendable, Hashable {
    /// Its line (or, in documents, its number), from 1.
    package var line: Int64
    /// Byte offset of the record in the uncompressed input.
    package var offset: Int64
    /// Length of the record in bytes, line end not counted.
    package var length: Int
    /// A code of the documented list, such as `json.duplicate-key`.
    package var code: String
    /// The place inside the record, made of known keys only; empty for the record itself.
    package var path: String
    /// Offset of the fault from the start of the record.
    package var column: Int
    /// One sentence, without any value of the record.
    package var message: String
    /// Whether the record is a line of its input, so that its number is that of a line.
    package var isLine: Bool
}

extension Reject {
    /// The reject of a record whose event is ambiguous.
    init(ambiguousAt offset: Int64, _ extent: RecordExtent, line: Int64) {
        self.init(
            line: line, offset: offset, length: extent.length, code: ArchiveFault.ambiguous.code, path: "", column: 0,
            message: ArchiveFault.ambiguous.sentence, isLine: extent.isLine)
    }
}

/// A text as a string of JSON.
package func jsonString(_ text: String) -> String {
    let output = OutputBuffer(capacity: 64)
    output.append(jsonString: text)
    return String(decoding: output.bytes, as: UTF8.self)
}

/// The answer to a line without an event, without its line end.
func errorAnswer(_ fault: ArchiveFault, line: Int? = nil) -> String {
    errorAnswer(fault.code, fault.sentence, line: line)
}

/// The answer to a line without an event, without its line end.
func errorAnswer(_ code: String, _ message: String, line: Int? = nil) -> String {
    let number = line.map { ",\"line\":\($0)" } ?? ""
    return "{\"error\":{\"code\":\(jsonString(code)),\"message\":\(jsonString(message))\(number)}}"
}

extension OutputBuffer {
    /// Appends the line of a record that could not be converted; the content is one that was kept, if contents are wanted.
    func append(_ reject: Reject, input: String, withContent: Bool, _ content: [UInt8]?) {
        append("{\"input\":\(jsonString(input)),\"line\":\(reject.line),\"offset\":\(reject.offset)")
        append(",\"length\":\(reject.length),\"code\":\(jsonString(reject.code)),\"path\":\(jsonString(reject.path))")
        if withContent {
            let text = content.flatMap { String(validating: $0, as: UTF8.self) }
            append(",\"content\":" + (text.map(jsonString) ?? "null"))
            if let content, text == nil {
                append(",\"content_base64\":\"\(StrictBase64.encoded(standard: content))\"")
            }
        }
        append("}\n")
    }
}
