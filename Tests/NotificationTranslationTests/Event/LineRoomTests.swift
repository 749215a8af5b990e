import Testing

@testable import NotificationTranslation

/// ``LineWriter`` asks for room once for all keys and short values of an event; this is the event that needs most.
@Suite("The room for an event line")
struct LineRoomTests {
    /// Bytes that ``LineWriter`` makes free; see there.
    private static let room = 4096
    /// What is to be left of them, so that some more keys do no harm.
    private static let margin = 1024

    /// The line of an event, written behind `filling` bytes that leave just the room there has to be.
    private static func line(
        _ event: EventDraft, isCompact: Bool, filling: Int
    ) -> (line: [UInt8], isFillingIntact: Bool, hasGrown: Bool) {
        let output = OutputBuffer(capacity: filling + room)
        output.append(count: filling) { $0.initializeMemory(as: UInt8.self, repeating: 0xA5, count: filling) }
        let before = output.capacity
        var event = event
        _ = EventWriter(output, .current).write(&event, marksLine: false, isCompact: isCompact)
        let bytes = Array(output.bytes)
        #expect(bytes.count <= output.capacity)
        return (
            Array(bytes[filling...]), bytes[..<filling].allSatisfy { $0 == 0xA5 }, output.capacity != before
        )
    }

    private static let times = [AppleDate.earliest, -1, 0, 1_700_000_000_123, AppleDate.latest, .min, .max]

    @Test("is enough for every field at its longest, with some to spare", arguments: [false, true], times)
    func isEnough(isCompact: Bool, time: Int64) {
        for number in [Int64.min, .max, -1, 0] {
            let event = EventDraft.filled(time: time, number: number)
            let written = Self.line(event, isCompact: isCompact, filling: 1 << 16)
            #expect(!written.hasGrown && written.isFillingIntact)
            #expect(written.line.count <= Self.room - Self.margin)
            if !isCompact { #expect(RecordStressTests.fault(of: written.line) == nil) }
        }
    }

    @Test("is there again behind every candidate, flag and source", arguments: [false, true])
    func isThereAgain(isCompact: Bool) {
        let event = EventDraft.filled(time: AppleDate.earliest, lists: 200)
        let expected = Self.line(event, isCompact: isCompact, filling: 0).line
        #expect(expected.count > 8 * Self.room)
        if !isCompact { #expect(RecordStressTests.fault(of: expected) == nil) }
        // Wherever in the line the memory ends.
        for filling in stride(from: 0, to: 60_000, by: 977) {
            let written = Self.line(event, isCompact: isCompact, filling: filling)
            #expect(written.isFillingIntact && written.line == expected)
        }
    }

    @Test("is there again behind a text of any length", arguments: [31, 32, 33, 100, 4000, 4096, 5000])
    func isThereBehindLongTexts(length: Int) {
        let short = Self.line(EventDraft.filled(time: 0), isCompact: false, filling: 0).line
        let long = [UInt8](repeating: 0x78, count: length)
        for place in 0..<7 {
            long.withUnsafeBytes { bytes in
                let text = EventText(bytes, hasEscapes: place % 2 == 0)
                var event = EventDraft.filled(with: place == 6 ? text : .longestShort, time: 0)
                switch place {
                case 0: event.schemaVersion = text
                case 1: event.companionOf = text
                case 2: event.transactionFields.originalTransactionID = text
                case 3: event.transactionFields.currency = text
                case 4: event.renewalFields.offerID = text
                case 5: event.source.input = text
                default: break
                }
                let written = Self.line(event, isCompact: false, filling: 1 << 12)
                #expect(written.isFillingIntact)
                #expect(RecordStressTests.fault(of: written.line) == nil)
                // All of them, in the end.
                let texts = place == 6 ? 28 : 1
                #expect(written.line.count == short.count + texts * (length - 32))
            }
        }
    }

    @Test("is there again behind texts one of which just fits", arguments: [false, true])
    func isThereBehindTextsThatFit(isCompact: Bool) {
        for length in 33...220 {
            let long = [UInt8](repeating: 0x78, count: length)
            long.withUnsafeBytes { bytes in
                let event = EventDraft.filled(with: EventText(bytes, hasEscapes: true), time: 0)
                let expected = Self.line(event, isCompact: isCompact, filling: 1 << 16).line
                let written = Self.line(event, isCompact: isCompact, filling: 0)
                #expect(written.line == expected)
                if !isCompact { #expect(RecordStressTests.fault(of: written.line) == nil) }
            }
        }
    }
}
