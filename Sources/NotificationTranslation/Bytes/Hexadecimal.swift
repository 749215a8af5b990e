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

    /// The digits of bytes, in lower case.
    package static func text(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { [digit($0 >> 4), digit($0)] }
    }
}
