import Testing

@testable import NotificationTranslation

@Suite("An event line that is read back")
struct LineReaderTests {
    /// Reads from memory of the line alone, so that a byte read beyond its end is found by a sanitizer.
    private static func reread(_ line: [UInt8]) -> [UInt8]? {
        line.withUnsafeBytes { bytes in
            var event = EventDraft()
            return event.read(line: bytes) ? event.line : nil
        }
    }

    @Test("An event line is refused where a byte of its form is another, or missing")
    func damage() {
        let line = EventDraft.filled(with: EventText("x"), time: 0, number: 7, lists: 2).line
        #expect(Self.reread(line) == line)
        for length in 0..<line.count { #expect(Self.reread(Array(line[..<length])) == nil) }
        #expect(Self.reread(line + [0x20]) == nil)
        for place in line.indices where [0x7B, 0x7D, 0x3A, 0x5B, 0x5D].contains(line[place]) {
            var changed = line
            changed[place] = 0x20
            // What `details` holds is Apple's; it is passed on as it stands, so that only its end is looked at.
            if let read = Self.reread(changed) { #expect(read == changed) }
        }
    }

    /// What a line says, without the text of the time that it says in milliseconds too.
    private static func members(_ line: [UInt8]) -> [String: JSONValue]? {
        guard case .object(var members)? = JSONTree.parsed(line).map({ JSONValue($0) }) else { return nil }
        members["occurred_at"] = nil
        return members
    }

    @Test("Whatever byte of a line is another one, it is refused or says the same when it is written again")
    func otherBytes() {
        let text: StaticString = #"é\"\\\n"#
        let escaped = EventText(UnsafeRawBufferPointer(text.bytes), hasEscapes: true)
        let line = EventDraft.filled(with: escaped, time: 0, number: 7, lists: 1).line
        #expect(Self.reread(line) == line)
        let bytes: [UInt8] = [0, 0x1F, 0x22, 0x2D, 0x30, 0x5C, 0x75, 0x7D, 0x80, 0xC3, 0xFF]
        for place in line.indices {
            // Each byte at every eleventh place; with STRESS at every place.
            for byte in Environment.number("STRESS") == nil ? [bytes[place % bytes.count]] : bytes {
                var changed = line
                changed[place] = byte
                guard let written = Self.reread(changed) else { continue }
                let (said, expected) = (Self.members(written), Self.members(changed))
                #expect(said != nil && said == expected, "\(place): \(byte)")
            }
        }
    }
}
