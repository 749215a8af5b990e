import Testing

@testable import NotificationTranslation

/// Wherever the memory of a buffer ends, a line is the same and nothing before it changes.
@Suite("Room for an event")
struct LineWriterTests {
    /// The line of an event behind `filling` bytes in a buffer that has little room for more.
    private static func line(_ event: EventDraft, filling: Int) -> (line: [UInt8], isFillingIntact: Bool) {
        let output = OutputBuffer(capacity: filling)
        for _ in 0..<filling { output.append(0xA5) }
        var event = event
        LineWriter.write(&event, to: output)
        let bytes = Array(output.bytes)
        #expect(bytes.count <= output.capacity)
        return (Array(bytes[filling...]), bytes[..<filling].allSatisfy { $0 == 0xA5 })
    }

    private static let times = [CivilTime.earliest, -1, 0, 1_700_000_000_123, CivilTime.latest, .min, .max]

    @Test("Room is made for every field at its longest", arguments: times)
    func isEnough(time: Int64) {
        for number in [Int64.min, .max, -1, 0] {
            let event = EventDraft.filled(time: time, number: number)
            let expected = Self.line(event, filling: 1 << 16).line
            #expect(RecordStressTests.fault(of: expected, tellsReceipt: true) == nil)
            // A buffer has 1,024 bytes at least, so the end of its memory moves through the whole line.
            for filling in stride(from: 0, to: 1024, by: 13) {
                let written = Self.line(event, filling: filling)
                #expect(written.isFillingIntact && written.line == expected)
            }
        }
    }

    @Test("Room is made for every candidate, flag and source")
    func lists() {
        let event = EventDraft.filled(time: CivilTime.earliest, lists: 200)
        let expected = Self.line(event, filling: 1 << 20).line
        #expect(expected.count > 1 << 15)
        #expect(RecordStressTests.fault(of: expected, tellsReceipt: true) == nil)
        for filling in stride(from: 0, to: 60_000, by: 977) {
            let written = Self.line(event, filling: filling)
            #expect(written.isFillingIntact && written.line == expected)
        }
    }

    @Test(
        "Room is made for texts and lists of every length, which are in the line unchanged",
        arguments: [2, 32, 161, 5000], [0, 3, 100])
    func writes(_ count: Int, _ lists: Int) {
        for escaped in [false, true] {
            let bytes = [UInt8](repeating: 0x61, count: count - (escaped ? 2 : 0)) + (escaped ? [0x5C, 0x6E] : [])
            let line = bytes.withUnsafeBytes { bytes in
                Self.line(EventDraft.filled(with: EventText(bytes, hasEscapes: escaped), lists: lists), filling: 0).line
            }
            #expect(RecordStressTests.fault(of: line, tellsReceipt: true) == nil)
            let text = String(repeating: "a", count: count - (escaped ? 2 : 0)) + (escaped ? "\\n" : "")
            let parts = String(decoding: line, as: UTF8.self)
                .split(separator: "\"\(text)\"", omittingEmptySubsequences: false)
            #expect(parts.count - 1 == 29 + 4 * lists)
        }
    }

    @Test("Room is made for an id as received, escaped where JSON requires it")
    func ids() {
        let received = Array("a\"\\\u{1}b".utf8)
        let line = received.withUnsafeBytes { bytes in
            var event = EventDraft()
            event.companionOf = .text(EventText(bytes))
            return Self.line(event, filling: 0).line
        }
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""companion_of":"a\"\\\u0001b""#))
    }
}
