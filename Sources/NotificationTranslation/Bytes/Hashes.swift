/// SHA-1 (FIPS 180-4), for name-based UUIDs only: nothing here relies on it for security.
enum SHA1 {
    /// The first 16 of the 20 bytes of the digest of all bytes of a buffer, to which the padding is appended.
    static func prefix(padding message: OutputBuffer) -> (UInt64, UInt64) {
        var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
            0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
        )
        HashBlocks.forEach(padding: message, words: 96) { words in
            var (a, b, c, d, e) = state
            func rounds(_ indices: Range<Int>, _ constant: UInt32, _ mix: (UInt32, UInt32, UInt32) -> UInt32) {
                for index in indices {
                    // A word for later, on which nothing waits: 3 % of a small record. The last sixteen are not used.
                    words[index &+ 16] = rotate(
                        words[index] ^ words[index &+ 2] ^ words[index &+ 8] ^ words[index &+ 13], left: 1)
                    let next = e &+ words[index] &+ mix(b, c, d) &+ constant &+ rotate(a, left: 5)
                    (a, b, c, d, e) = (next, a, rotate(b, left: 30), c, d)
                }
            }
            rounds(0..<20, 0x5A82_7999) { $2 ^ ($0 & ($1 ^ $2)) }
            rounds(20..<40, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
            rounds(40..<60, 0x8F1B_BCDC) { ($0 & $1) | ($2 & ($0 ^ $1)) }
            rounds(60..<80, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
            state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
        }
        return (UInt64(state.0) << 32 | UInt64(state.1), UInt64(state.2) << 32 | UInt64(state.3))
    }
}

/// SHA-256 (FIPS 180-4).
///
/// Written here because this module is free of cryptography libraries by design, and pseudonyms must be made without
/// one. No signature is checked with it: verification uses the system's.
package enum SHA256 {
    /// Bytes that are taken at a time.
    static let blockLength = HashBlocks.length

    /// The digest of bytes.
    package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let message = OutputBuffer(capacity: 1024)
        for byte in bytes { message.append(byte) }
        var state: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]
        HashBlocks.forEach(padding: message, words: 64) { words in
            for index in 16..<64 {
                let a = words[index &- 15]
                let b = words[index &- 2]
                let low = rotate(a, left: 25) ^ rotate(a, left: 14) ^ a &>> 3
                let high = rotate(b, left: 15) ^ rotate(b, left: 13) ^ b &>> 10
                words[index] = words[index &- 16] &+ low &+ words[index &- 7] &+ high
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for index in 0..<64 {
                let high = rotate(e, left: 26) ^ rotate(e, left: 21) ^ rotate(e, left: 7)
                let choice = e & f ^ ~e & g
                let first = h &+ high &+ choice &+ constants[index] &+ words[index]
                let low = rotate(a, left: 30) ^ rotate(a, left: 19) ^ rotate(a, left: 10)
                let majority = a & b ^ a & c ^ b & c
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ low &+ majority)
            }
            state = zip(state, [a, b, c, d, e, f, g, h]).map { $0 &+ $1 }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

private func rotate(_ word: UInt32, left count: UInt32) -> UInt32 { word &<< count | word &>> (32 &- count) }

/// The blocks that SHA-1 and SHA-256 take a message in.
private enum HashBlocks {
    static let length = 64

    /// Appends the padding to a message, and calls `body` for each block with its sixteen words and room for more.
    static func forEach(
        padding message: OutputBuffer, words count: Int, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Void
    ) {
        let bits = UInt64(message.count * 8)
        message.append(0x80)
        // A block of zeros at most, and the number of bits.
        let zeros = (2 * length - 8 - message.count % length) % length
        withUnsafeBytes(of: (SIMD64<UInt8>.zero, bits.bigEndian)) { bytes in
            message.append(UnsafeRawBufferPointer(rebasing: bytes[(length - zeros)..<(length + 8)]))
        }
        let bytes = message.bytes
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { words in
            for start in stride(from: 0, to: bytes.count, by: length) {
                for index in 0..<16 {
                    words[index] = UInt32(
                        bigEndian: bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self))
                }
                body(words)
            }
        }
    }
}

/// A hash that is the same in every run (like FNV-1a, 64 bits, but eight bytes at a time); it keeps no secret.
struct StableHash {
    private(set) var value: UInt64
    /// The number that a hash starts from.
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// A hash that continues from a number.
    init(_ value: UInt64 = Self.start) { self.value = value }

    mutating func addWords(_ bytes: UnsafeRawBufferPointer) {
        var at = 0
        while at + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
            value = (value ^ word) &* 0x0000_0100_0000_01B3
            value ^= value >> 29
            at += 8
        }
        while at < bytes.count {
            value = (value ^ UInt64(bytes[at])) &* 0x0000_0100_0000_01B3
            at += 1
        }
    }

    /// The value after a last step of mixing: its upper half is folded into the lower one, and multiplied.
    var mixed: UInt64 { (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15 }
}
