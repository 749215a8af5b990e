import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("A line kept without its keys")
struct CompactLineTests {
    /// What a record becomes, with the line number filled in.
    private static func lines(_ record: [UInt8], compact: Bool) -> [UInt8] {
        var options = RecordConverter.Options()
        options.compactsLines = compact
        var converter = RecordConverter(options: options, policy: .trustingTheSource)
        var output = ChunkOutput()
        let padded = record + [UInt8](repeating: 0, count: RecordConverter.slack)
        padded.withUnsafeBytes { bytes in
            converter.convertDocument(
                in: UnsafeRawBufferPointer(rebasing: bytes[..<record.count]), range: 0..<record.count,
                place: .init(input: "a \u{1}é\"", offset: 7), into: &output)
        }
        var text = Array(output.bytes.bytes)
        for mark in output.lineMarks.reversed() { text.insert(contentsOf: "12".utf8, at: mark.position) }
        return text
    }

    private static func expanded(_ lines: [UInt8]) -> [UInt8]? {
        let output = OutputBuffer()
        return lines.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                guard let end = CompactLine.expand(bytes, from: at, into: output) else { return nil }
                at = end
            }
            return Array(output.bytes)
        }
    }

    @Test("is the line again when they are put back", arguments: ["v1-to-v2", "v2-to-event"])
    func fixtures(kind: String) throws {
        let fixtures = Fixture.all(in: kind)
        #expect(fixtures.count > 50)
        for fixture in fixtures {
            let record = try fixture.bytes("input.json")
            let compact = Self.lines(record, compact: true)
            #expect(Self.expanded(compact) == Self.lines(record, compact: false), "\(fixture)")
        }
    }

    @Test("takes less than half of the bytes")
    func size() {
        var plain = 0
        var compact = 0
        for delivery in SimulatedLife(seed: 3, era: .unified).deliveries {
            plain += Self.lines(delivery.body, compact: false).count
            compact += Self.lines(delivery.body, compact: true).count
        }
        #expect(compact > 0 && compact * 2 < plain)
    }

    @Test("is not read where it is damaged")
    func damage() throws {
        let body = Array(#"{"notification_type":"NEW","unified_receipt":{}}"#.utf8)
        let line = Self.lines(body, compact: true)
        let lastKey = try #require(line.lastIndex(of: CompactLine.key))
        for length in 0...lastKey { #expect(Self.expanded(Array(line[..<length]) + [0x0A]) == nil) }
        #expect(Self.expanded(Array(line.dropLast())) == nil)
        #expect(Self.expanded([1] + line) == nil)
        #expect(Self.expanded(Array(repeating: 2, count: 90) + [0x0A]) == nil)
    }
}
