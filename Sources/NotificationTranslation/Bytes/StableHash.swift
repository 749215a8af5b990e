/// A hash that is the same in every run (FNV-1a, 64 bits), to notice changes and to distinguish texts; it keeps no
/// secret.
package struct StableHash {
    package private(set) var value: UInt64
    /// The number that a hash starts from.
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of nothing.
    package init() { value = Self.start }

    /// A hash that continues from a number.
    init(_ value: UInt64) { self.value = value }

    /// Adds bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Adds a text, so that two texts are not the same as one made of both.
    package mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0xFF))
    }

    /// Adds a text that may be missing, which is not the same as an empty one.
    package mutating func add(_ text: String?) {
        add(text != nil)
        add(text ?? "")
    }

    /// Adds an answer.
    package mutating func add(_ isSo: Bool) {
        add(CollectionOfOne(isSo ? 1 : 0))
    }

    /// Adds bytes, eight at a time: byte by byte, hashing the end of every chunk took as long as a tenth of the scan.
    ///
    /// The value is not that of adding them one by one.
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

    /// The value with every bit spread over all others.
    var mixed: UInt64 { (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15 }

    /// The hash of some bytes, taken in eight at a time.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = StableHash()
        hash.addWords(bytes)
        return hash.value
    }
}
