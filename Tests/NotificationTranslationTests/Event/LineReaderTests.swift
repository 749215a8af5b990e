import Testing

@testable import NotificationTranslation

@Suite("An event line that is read back")
struct LineReaderTests {
    private static func reread(_ line: [UInt8]) -> [UInt8]? {
        line.withUnsafeBytes { bytes in
            var event = EventDraft()
            guard LineReader.read(bytes, into: &event) else { return nil }
            let output = OutputBuffer()
            LineWriter.write(&event, to: output)
            return Array(output.bytes)
        }
    }

    @Test("An event line is refused where a byte of its form is another, or missing")
    func damage() {
        var event = EventDraft.filled(with: EventText("x"), time: 0, number: 7, lists: 2)
        let output = OutputBuffer()
        LineWriter.write(&event, to: output)
        let line = Array(output.bytes)
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
}
