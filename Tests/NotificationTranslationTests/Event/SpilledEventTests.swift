import Testing

@testable import NotificationArchives
@testable import NotificationTranslation

@Suite("An event that was spilled")
struct SpilledEventTests {
    /// What a record becomes.
    private static func output(_ record: [UInt8], spilled: Bool) -> ChunkOutput {
        var options = RecordConverter.Options()
        options.spillsEvents = spilled
        let converter = RecordConverter(options: options, policy: .trustingTheSource)
        converter.begin(input: "a \u{1}é\"", offset: 7)
        let padded = record + [UInt8](repeating: 0, count: RecordConverter.slack)
        padded.withUnsafeBytes { bytes in
            converter.convertDocument(
                in: UnsafeRawBufferPointer(rebasing: bytes[..<record.count]), range: 0..<record.count)
        }
        return converter.output
    }

    private static func spilled(_ event: inout EventDraft) -> [UInt8] {
        let output = OutputBuffer()
        SpilledEvent.append(&event, to: output, (length: 7, isLine: true))
        return Array(output.bytes)
    }

    @Test(
        "An event that was spilled gives the line that would have been written at once",
        arguments: ["v1-to-v2", "v2-to-event", "envelopes"])
    func fixtures(kind: String) throws {
        let fixtures = Fixture.all(in: kind).filter { $0.has("input.json") }
        #expect(fixtures.count > 5)
        for fixture in fixtures {
            let record = try fixture.bytes("input.json")
            let later = Self.output(record, spilled: true).lines(isSpilled: true)
            let atOnce = Self.output(record, spilled: false).lines(isSpilled: false)
            #expect(later == atOnce, "\(fixture)")
        }
    }

    @Test("An event that was spilled keeps whether a receipt was asked for, and what it proves")
    func receipts() {
        for (isRequested, isThere) in [(false, false), (true, false), (true, true)] {
            for covers in UnifiedEvent.ReceiptProof.Covers.allCases {
                var event = EventDraft.filled(with: EventText("x"), time: 0, number: 7, lists: 1)
                (event.source.isReceiptRequested, event.source.hasReceipt) = (isRequested, isThere)
                event.source.receiptFields.covers = covers
                let line = event.line + [0x0A]
                #expect(SpilledEvent.lines(Self.spilled(&event)) == line)
                let hasKey = String(decoding: line, as: UTF8.self).contains("\"receipt\"")
                #expect(hasKey == isRequested)
            }
        }
    }

    @Test(
        "An event that was spilled keeps texts of every length and lists of any length",
        arguments: [0, 1, 2, 31, 32, 33, 251, 252, 253, 70_000])
    func lengths(_ count: Int) {
        for escaped in [false, true] where !escaped || count > 1 {
            let bytes = [UInt8](repeating: 0x61, count: count - (escaped ? 2 : 0)) + (escaped ? [0x5C, 0x6E] : [])
            // Some memory, that a text of no characters is not an absent one.
            (bytes + [0]).withUnsafeBytes { memory in
                let text = EventText(UnsafeRawBufferPointer(rebasing: memory[..<count]), hasEscapes: escaped)
                for lists in [0, 3, 300] where lists < 300 || count < 1000 {
                    var event = EventDraft.filled(with: text, lists: lists)
                    let isTheSame = SpilledEvent.lines(Self.spilled(&event)) == event.line + [0x0A]
                    #expect(isTheSame, "\(lists) \(escaped)")
                }
            }
        }
    }

    @Test("An event that was spilled has the escapes that this package writes, and leaves the event as it was")
    func escapes() {
        let text: StaticString = #"\u65b0\/a\n"#
        var event = EventDraft()
        event.bundleID = EventText(UnsafeRawBufferPointer(text.bytes), hasEscapes: true)
        let spilled = Self.spilled(&event)
        #expect(event.bundleID.bytes.elementsEqual(text.bytes))
        spilled.withUnsafeBytes { bytes in
            var read = EventDraft()
            #expect(SpilledEvent(bytes)?.read(into: &read) != nil)
            #expect(String(decoding: read.bundleID.bytes, as: UTF8.self) == #"新/a\n"#)
        }
    }

    @Test("An event that was spilled is not read where it is damaged")
    func damage() {
        var event = EventDraft.filled(with: EventText("x"), time: 0, number: 7, lists: 2)
        let whole = Self.spilled(&event)
        #expect(SpilledEvent.lines(whole) != nil)
        for length in 1..<whole.count { #expect(SpilledEvent.lines(Array(whole[..<length])) == nil) }
        // Fewer bytes than its length says, and more.
        func relabelled(_ bytes: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(bytes.count - 4).littleEndian, Array.init) + bytes[4...]
        }
        for length in 4..<whole.count { #expect(SpilledEvent.lines(relabelled(Array(whole[..<length]))) == nil) }
        #expect(SpilledEvent.lines(relabelled(whole + [0])) == nil)
        // Any byte changed: read as something else or refused, never a crash.
        var changed = whole
        for place in whole.indices {
            for byte: UInt8 in [0, 1, 127, 254, 255] {
                changed[place] = byte
                _ = SpilledEvent.lines(changed)
            }
            changed[place] = whole[place]
        }
    }
}
