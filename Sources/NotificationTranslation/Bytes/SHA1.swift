/// SHA-1 (FIPS 180-4), for name-based UUIDs only: nothing here relies on it for security.
struct SHA1 {
    private static let blockSize = 64

    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476
    private var e: UInt32 = 0xC3D2_E1F0

    /// Hashes all bytes of a buffer, to which the padding is appended.
    init(padding message: OutputBuffer) {
        let count = message.count
        let padding = Self.blockSize - (count + 8) % Self.blockSize + 8
        message.append(count: padding) { room in
            room.initializeMemory(as: UInt8.self, repeating: 0, count: padding)
            room.storeBytes(of: 0x80, as: UInt8.self)
            room.storeBytes(of: UInt64(count * 8).bigEndian, toByteOffset: padding - 8, as: UInt64.self)
        }
        let bytes = message.bytes
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { words in
            for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
                for place in 0..<16 {
                    words[place] = UInt32(
                        bigEndian: bytes.loadUnaligned(fromByteOffset: start + place * 4, as: UInt32.self))
                }
                takeBlock(words)
            }
        }
    }

    /// The first 16 of the 20 bytes of the digest.
    var prefix: (UInt64, UInt64) { (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d)) }

    /// Takes in a block, the first sixteen of the eighty words of its rounds.
    private mutating func takeBlock(_ words: UnsafeMutableBufferPointer<UInt32>) {
        for place in 16..<80 {
            words[place] = Self.rotate(
                words[place &- 3] ^ words[place &- 8] ^ words[place &- 14] ^ words[place &- 16], 1)
        }
        let before = self
        rounds(words, 0..<20, 0x5A82_7999) { $2 ^ ($0 & ($1 ^ $2)) }
        rounds(words, 20..<40, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
        rounds(words, 40..<60, 0x8F1B_BCDC) { ($0 & $1) | ($2 & ($0 ^ $1)) }
        rounds(words, 60..<80, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
        a &+= before.a
        b &+= before.b
        c &+= before.c
        d &+= before.d
        e &+= before.e
    }

    private mutating func rounds(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ places: Range<Int>, _ constant: UInt32,
        _ mix: (UInt32, UInt32, UInt32) -> UInt32
    ) {
        func round(_ v: UInt32, _ w: inout UInt32, _ x: UInt32, _ y: UInt32, _ z: inout UInt32, _ place: Int) {
            z &+= Self.rotate(v, 5) &+ mix(w, x, y) &+ constant &+ words[place]
            w = Self.rotate(w, 30)
        }
        // Five rounds move each word once through all places.
        for place in stride(from: places.lowerBound, to: places.upperBound, by: 5) {
            round(a, &b, c, d, &e, place)
            round(e, &a, b, c, &d, place + 1)
            round(d, &e, a, b, &c, place + 2)
            round(c, &d, e, a, &b, place + 3)
            round(b, &c, d, e, &a, place + 4)
        }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
