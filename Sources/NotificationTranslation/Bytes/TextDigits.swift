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

/// Hexadecimal digits.
package enum Hexadecimal {
    /// The digit of the lower four bits, in lower case.
    package static func digit(_ byte: UInt8) -> UInt8 { byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15 }

    /// The two digits of a byte, in lower case.
    package static func digits(_ byte: UInt8) -> (UInt8, UInt8) { (digit(byte >> 4), digit(byte)) }

    /// The two digits of a byte, in upper case.
    static func upper(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    /// The byte that two digits represent, in either case; `nil` if they are none.
    package static func byte(_ first: UInt8, _ second: UInt8) -> UInt8? {
        guard let high = value(first), let low = value(second) else { return nil }
        return high << 4 | low
    }

    /// The value of a digit, in either case; `nil` if it is none.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit & 15
        case 0x41...0x46, 0x61...0x66: digit & 15 + 9
        default: nil
        }
    }

    /// The digits of bytes, in lower case.
    package static func text(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { [digit($0 >> 4), digit($0)] }
    }
}
