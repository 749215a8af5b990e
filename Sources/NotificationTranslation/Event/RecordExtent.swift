/// How long a record is, and whether it is a line.
package struct RecordExtent: Hashable, Sendable {
    /// Length of the record in bytes, line end not counted.
    var length: Int
    /// Whether the record is a line of its input, so that its number is that of a line.
    var isLine: Bool

    /// An extent in one number.
    init(packed: UInt64) {
        length = Int(truncatingIfNeeded: packed >> 1)
        isLine = packed & 1 == 1
    }

    init(length: Int, isLine: Bool) {
        self.length = length
        self.isLine = isLine
    }

    /// Both in one number.
    var packed: UInt64 { UInt64(length) << 1 | (isLine ? 1 : 0) }
}
