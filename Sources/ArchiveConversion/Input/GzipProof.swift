/// A gzip member that is fed to an unpacker after a file, as the proof that it read the whole file.
///
/// `igzip` and `pigz` are faster than `gzip`, but exit with 0 if something follows the compressed data. After a whole
/// file, the unpacker reads the proof as one more member, and its text is the last output. After garbage, zeros, or a
/// member that is cut short or damaged, no unpacker finds it. Then `gzip` unpacks the file again and reports what is
/// wrong with it, if anything is.
struct GzipProof {
    /// What comes out: 16 random bytes, which no archive can know.
    let text: [UInt8]
    let member: [UInt8]

    init() {
        var text: [UInt8] = []
        for _ in 0..<2 {
            withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { text += $0 }
        }
        self.text = text
        // Magic, method, no flags, no time, no extra flags, unknown system; one stored block, the last.
        let length = UInt8(text.count)
        member =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + [1, length, 0, ~length, 0xFF] + text + Self.word(Self.crc(text))
            + Self.word(UInt32(length))
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// CRC-32 as in RFC 1952.
    static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
