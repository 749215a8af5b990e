/// A hash that is the same in every run (FNV-1a, 64 bits), to notice changes; it keeps no secret.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Takes in a text, so that two texts are not the same as one made of both.
    mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0xFF))
    }

    /// Takes in a text that may be missing, which is not the same as an empty one.
    mutating func add(_ text: String?) {
        add(text != nil)
        add(text ?? "")
    }

    /// Takes in an answer.
    mutating func add(_ isSo: Bool) {
        add(CollectionOfOne(isSo ? 1 : 0))
    }

    /// The hash of some bytes, taken in eight at a time: byte by byte, hashing the end of every chunk took as long as
    /// a tenth of the scan.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = StableHash()
        var at = 0
        while at + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
            hash.value = (hash.value ^ word) &* 0x0000_0100_0000_01B3
            hash.value ^= hash.value >> 29
            at += 8
        }
        hash.add(bytes[at...])
        return hash.value
    }
}
