/// Whole numbers as decimal digits, eight at a time.
///
/// One digit at a time costs 2 % of a small record.
enum DecimalText {
    /// Bytes that a number may take and that must be writable.
    static let longest = 24

    /// Writes a number; returns the place after it.
    ///
    /// ``longest`` bytes from `target` on may be written to.
    @inline(__always)
    static func write(_ value: Int64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        if 0...9 ~= value {
            target.storeBytes(of: UInt8(truncatingIfNeeded: 0x30 + value), as: UInt8.self)
            return target + 1
        }
        return writeLong(value, to: target)
    }

    @inline(never)
    private static func writeLong(_ value: Int64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var at = target
        if value < 0 {
            at.storeBytes(of: 0x2D, as: UInt8.self)
            at += 1
        }
        let magnitude = value.magnitude
        let upper = magnitude / 100_000_000
        let low = magnitude - upper &* 100_000_000
        if upper == 0 { return writeFirst(low, to: at) }
        if upper < 100_000_000 {
            at = writeFirst(upper, to: at)
            return writeAll(low, to: at)
        }
        let high = upper / 100_000_000
        at = writeFirst(high, to: at)
        at = writeAll(upper - high &* 100_000_000, to: at)
        return writeAll(low, to: at)
    }

    /// Writes up to eight digits without leading zeros.
    @inline(__always)
    private static func writeFirst(_ value: UInt64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let digits = eight(value)
        let zeros = min(digits.trailingZeroBitCount / 8, 7)
        let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(8 * zeros)
        target.storeBytes(of: text.littleEndian, as: UInt64.self)
        return target + (8 - zeros)
    }

    @inline(__always)
    private static func writeAll(_ value: UInt64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        target.storeBytes(of: (eight(value) | 0x3030_3030_3030_3030).littleEndian, as: UInt64.self)
        return target + 8
    }

    /// Eight digits, one a byte, the first one lowest: halves, quarters and eighths of the number side by side in one
    /// word, each divided by a multiplication.
    @inline(__always)
    private static func eight(_ value: UInt64) -> UInt64 {
        let top = value / 10_000
        let halves = top | (value - top &* 10_000) << 32
        let hundreds = ((halves &* 10_486) >> 20) & 0x0000_007F_0000_007F
        let quarters = hundreds | (halves - hundreds &* 100) << 16
        let tens = ((quarters &* 103) >> 10) & 0x000F_000F_000F_000F
        return tens | (quarters - tens &* 10) << 8
    }
}
