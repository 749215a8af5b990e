/// SHA-1 (FIPS 180-4), for name-based UUIDs only: nothing here relies on it for security.
struct SHA1 {
    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )

    /// The first 16 of the 20 bytes of the digest.
    static func prefix(of message: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        var hash = SHA1()
        var at = 0
        while at + 64 <= message.count {
            hash.take(UnsafeRawBufferPointer(rebasing: message[at..<at + 64]))
            at += 64
        }
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { tail in
            tail.initializeMemory(as: UInt8.self, repeating: 0)
            let rest = message.count - at
            for place in 0..<rest { tail[place] = message[at + place] }
            tail[rest] = 0x80
            let length = rest < 56 ? 64 : 128
            let bits = UInt64(message.count) * 8
            for place in 0..<8 {
                tail[length - 1 - place] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))
            }
            hash.take(UnsafeRawBufferPointer(rebasing: tail[..<64]))
            if length == 128 { hash.take(UnsafeRawBufferPointer(rebasing: tail[64..<128])) }
        }
        let state = hash.state
        return (UInt64(state.0) << 32 | UInt64(state.1), UInt64(state.2) << 32 | UInt64(state.3))
    }

    private mutating func take(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            for place in 0..<16 {
                words[place] = block.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self).bigEndian
            }
            for place in 16..<80 {
                words[place] = Self.rotate(
                    words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1)
            }
            var (a, b, c, d, e) = state
            for place in 0..<80 {
                let (mix, constant): (UInt32, UInt32) =
                    switch place / 20 {
                    case 0: (b & c | ~b & d, 0x5A82_7999)
                    case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                    case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = Self.rotate(a, 5) &+ mix &+ e &+ constant &+ words[place]
                (e, d, c, b, a) = (d, c, Self.rotate(b, 30), a, next)
            }
            state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
        }
    }

    @inline(__always)
    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value << count | value >> (32 - count)
    }
}
