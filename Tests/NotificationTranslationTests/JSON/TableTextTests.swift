import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("Text of tables") struct TableTextTests {
    /// Texts of few kinds of bytes, so that quotes meet each other, borders and the ends of blocks.
    private static func texts(_ seed: UInt64) -> [[UInt8]] {
        var random = SeededGenerator(seed: seed)
        return (0..<400).map { _ in
            let rare = Int.random(in: 1...40, using: &random)
            return (0..<Int.random(in: 1...400, using: &random)).map { _ in
                guard Int.random(in: 0..<rare, using: &random) == 0 else { return UInt8(ascii: "a") }
                return [0x22, 0x22, 0x22, 0x2C, 0x0A, 0x0D].randomElement(using: &random) ?? 0x22
            }
        }
    }

    @Test("A field in quotes is the text between them, with each doubled quote once", arguments: [1, 2, 3] as [UInt64])
    func unquotes(seed: UInt64) {
        var fields = 0
        for text in Self.texts(seed) {
            let plain = plainUnquote(text)
            let output = OutputBuffer()
            let padded = text + [UInt8](repeating: 0x22, count: TableText.slack)
            let end = padded.withUnsafeBytes { bytes in
                TableText.unquote(UnsafeRawBufferPointer(rebasing: bytes[..<text.count]), from: 0, into: output)
            }
            #expect(end == plain?.end)
            if let plain {
                fields += 1
                #expect(Array(output.bytes) == plain.characters)
            }
        }
        #expect(fields > 100)
    }

    private func plainUnquote(_ text: [UInt8]) -> (characters: [UInt8], end: Int)? {
        var characters: [UInt8] = []
        var at = 0
        while at < text.count {
            if text[at] == 0x22 {
                at += 1
                guard at < text.count, text[at] == 0x22 else { return (characters, at) }
            }
            characters.append(text[at])
            at += 1
        }
        return nil
    }
}
