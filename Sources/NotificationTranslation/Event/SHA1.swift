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

    /// Takes in 64 bytes.
    ///
    /// The words beyond the sixteenth are made as they are needed, in a ring of sixteen.
    private mutating func take(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { words in
            for place in 0..<16 {
                words[place] = block.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self).bigEndian
            }
            take(words)
        }
    }

    private mutating func take(_ words: UnsafeMutableBufferPointer<UInt32>) {
        var (a, b, c, d, e) = state
        @inline(__always)
        func next(_ place: Int) -> UInt32 {
            let word = Self.rotate(
                words[(place &- 3) & 15] ^ words[(place &- 8) & 15] ^ words[(place &- 14) & 15] ^ words[place & 15], 1)
            words[place & 15] = word
            return word
        }
        @inline(__always)
        func round(_ mix: UInt32, _ constant: UInt32, _ word: UInt32) {
            let next = Self.rotate(a, 5) &+ mix &+ e &+ constant &+ word
            e = d
            d = c
            c = Self.rotate(b, 30)
            b = a
            a = next
        }
        for place in 0..<16 { round(d ^ b & (c ^ d), 0x5A82_7999, words[place]) }
        for place in 16..<20 { round(d ^ b & (c ^ d), 0x5A82_7999, next(place)) }
        for place in 20..<40 { round(b ^ c ^ d, 0x6ED9_EBA1, next(place)) }
        for place in 40..<60 { round(b & c | d & (b | c), 0x8F1B_BCDC, next(place)) }
        for place in 60..<80 { round(b ^ c ^ d, 0xCA62_C1D6, next(place)) }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }

    @inline(__always)
    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value << count | value >> (32 - count)
    }
}
