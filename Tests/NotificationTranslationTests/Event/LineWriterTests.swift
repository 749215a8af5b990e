import Testing

@testable import NotificationTranslation

/// Room for an event is made once; nothing that an event holds may be longer than that.
@Suite("Room for an event")
struct LineWriterTests {
    /// A draft with a text of so many characters in every place that takes one.
    private static func line(
        _ count: Int, lists: Int, escaped: Bool, isCompact: Bool, _ output: OutputBuffer
    ) -> [UInt8] {
        let bytes = [UInt8](repeating: 0x61, count: count - (escaped ? 2 : 0)) + (escaped ? [0x5C, 0x6E] : [])
        return bytes.withUnsafeBytes { bytes in
            let text = EventText(bytes, hasEscapes: escaped)
            var draft = EventDraft.filled(with: text, lists: lists)
            output.removeAll()
            _ = EventWriter(output, .current).write(&draft, marksLine: false, endsLine: true, isCompact: isCompact)
            return Array(output.bytes)
        }
    }

    @Test(
        "texts of every length and lists of any length stand in the line as they are",
        arguments: [2, 31, 32, 33, 1000, 5000], [0, 3, 300])
    func writes(_ count: Int, _ lists: Int) {
        for escaped in [false, true] {
            let line = Self.line(
                count, lists: lists, escaped: escaped, isCompact: false, OutputBuffer(capacity: 1024))
            let text = String(repeating: "a", count: count - (escaped ? 2 : 0)) + (escaped ? "\\n" : "")
            let parts = String(decoding: line, as: UTF8.self)
                .split(separator: "\"\(text)\"", omittingEmptySubsequences: false)
            #expect(parts.count - 1 == 28 + 4 * lists)
            #expect(line.last == 0x0A)
            let compact = Self.line(
                count, lists: lists, escaped: escaped, isCompact: true, OutputBuffer(capacity: 1024))
            let expanded = OutputBuffer(capacity: 1024)
            let end = compact.withUnsafeBytes { CompactLine.expand($0, from: 0, into: expanded) }
            #expect(end == compact.count)
            // Not the lines themselves, which would be shown.
            let isTheSame = Array(expanded.bytes) == line
            #expect(isTheSame)
        }
    }
}
