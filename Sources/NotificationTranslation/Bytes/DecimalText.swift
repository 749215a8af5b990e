/// Whole numbers as decimal digits.
enum DecimalText {
    /// Bytes that a number may take and that must be writable.
    static let longest = 24

    /// Writes a number; returns the place after it.
    ///
    /// ``longest`` bytes from `target` on may be written to.
    static func write(_ value: Int64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var at = target
        if value < 0 {
            at.storeBytes(of: 0x2D, as: UInt8.self)
            at += 1
        }
        var rest = value.magnitude
        var count = 1
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        rest = value.magnitude
        for place in stride(from: count - 1, through: 0, by: -1) {
            at.storeBytes(of: 0x30 + UInt8(truncatingIfNeeded: rest % 10), toByteOffset: place, as: UInt8.self)
            rest /= 10
        }
        return at + count
    }
}
