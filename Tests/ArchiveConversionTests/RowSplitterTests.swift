import NotificationTranslation
import SimulatedLives
import Testing

@testable import NotificationArchives

@Suite("Rows of tables") struct RowSplitterTests {
    private static let layout = TableLayout(
        of: Array("a,b\n1,2\n".utf8)[...], isWhole: true, format: .csv)

    private func items(_ text: [UInt8], stretch: Int) throws -> [Chunk.Item] {
        var layout = try #require(Self.layout)
        layout.hasHeader = false
        var splitter = RowSplitter(layout, longestRecord: 1 << 20, offset: 0)
        var items: [Chunk.Item] = []
        text.withUnsafeBytes { bytes in
            var end = 0
            while end < bytes.count {
                end = min(bytes.count, end + stretch)
                let stretch = UnsafeRawBufferPointer(rebasing: bytes[..<end])
                items += splitter.scan(stretch, base: 0, before: .more)
            }
            items += splitter.scan(bytes, base: 0, before: .nothing)
        }
        return items
    }

    /// Byte by byte nothing can be followed in blocks.
    @Test("Blocks give the rows that single bytes give, whatever the quotes are", arguments: [1, 2, 3] as [UInt64])
    func blocksAndBytesAgree(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows = 0
        for _ in 0..<300 {
            let rare = Int.random(in: 1...30, using: &random)
            let text: [UInt8] = (0..<Int.random(in: 70...600, using: &random)).map { _ in
                guard Int.random(in: 0..<rare, using: &random) == 0 else { return UInt8(ascii: "a") }
                return [0x22, 0x22, 0x22, 0x2C, 0x2C, 0x0A, 0x0D].randomElement(using: &random) ?? 0x22
            }
            let single = try items(text, stretch: 1)
            rows += single.count
            #expect(try items(text, stretch: text.count) == single)
            #expect(try items(text, stretch: 100) == single)
        }
        #expect(rows > 1000)
    }

    @Test("Well-formed rows are found in blocks, doubled quotes and line ends inside quotes included")
    func wellFormedRows() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<100 {
            var text: [UInt8] = []
            var expected: [Chunk.Item] = []
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let fields = (0..<3).map { _ in
                    (0..<Int.random(in: 0...90, using: &random)).map { _ in
                        ["a", "b", "\"", ",", "\n"].randomElement(using: &random) ?? "a"
                    }.joined()
                }
                let row = fields.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
                expected.append(.record(text.count..<text.count + row.utf8.count))
                text += Array(row.utf8) + [0x0A]
            }
            #expect(try items(text, stretch: text.count) == expected)
        }
    }
}
