/// Base64 in both alphabets (RFC 4648), each text in one spelling only: no whitespace, no stray bits, padding where
/// the standard alphabet demands it and none with base64url.
///
/// One spelling matters: what a signature covers must not be readable in two ways.
package enum StrictBase64 {
    /// `A`–`Z`, `a`–`z`, `0`–`9`, `-`, `_`, never `=`: the parts of a JWS.
    static let url = alphabet(last: "-_")
    /// `A`–`Z`, `a`–`z`, `0`–`9`, `+`, `/`, filled up with `=`: certificates in `x5c`.
    static let standard = alphabet(last: "+/")

    /// Both alphabets, for what services send.
    static let either = zip(url, standard).map { min($0, $1) }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// A table of 256 values, 0xFF for every character outside the alphabet.
    private static func alphabet(last: String) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in (letters + last).utf8.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    /// The bytes that padded base64 of the standard alphabet represents, `nil` if it is not strictly that.
    package static func decoded(standard text: some Collection<UInt8>) -> [UInt8]? {
        text.withMemory { text in
            guard text.count % 4 == 0, !text.isEmpty else { return nil }
            let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
            return decoded(UnsafeRawBufferPointer(rebasing: text.dropLast(padding)), standard)
        }
    }

    /// The bytes that base64url represents, `nil` if it is not strictly that.
    package static func decoded(url text: some Collection<UInt8>) -> [UInt8]? {
        text.withMemory { decoded($0, url) }
    }

    private static func decoded(_ text: UnsafeRawBufferPointer, _ alphabet: [UInt8]) -> [UInt8]? {
        let output = OutputBuffer(capacity: text.count)
        return decode(text, alphabet, into: output) ? Array(output.bytes) : nil
    }

    /// The base64url of bytes, without padding.
    package static func encoded(url bytes: some Collection<UInt8>) -> String {
        String(decoding: encoded(bytes, "-_"), as: UTF8.self)
    }

    /// The base64 of bytes in the standard alphabet, padded.
    package static func encoded(standard bytes: [UInt8]) -> String {
        let text = encoded(bytes, "+/")
        return String(decoding: text + repeatElement(0x3D, count: (4 - text.count % 4) % 4), as: UTF8.self)
    }

    private static func encoded(_ bytes: some Collection<UInt8>, _ last: String) -> [UInt8] {
        let letters = Array((letters + last).utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 4)
        var bits = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            held += 8
            while held >= 6 {
                held -= 6
                text.append(letters[bits >> held & 63])
            }
            bits &= 0xFF
        }
        if held > 0 { text.append(letters[bits << (6 - held) & 63]) }
        return text
    }

    /// Appends the bytes that a text in an alphabet represents, without padding.
    ///
    /// - Returns: False, with nothing appended, if the text has other characters or bits that represent nothing.
    static func decode(_ text: UnsafeRawBufferPointer, _ alphabet: [UInt8], into output: OutputBuffer) -> Bool {
        guard text.count % 4 != 1 else { return false }
        return output.append(atMost: text.count) { output in
            alphabet.withUnsafeBufferPointer { values in
                var (bits, held, out, bad): (UInt32, UInt32, Int, UInt8) = (0, 0, 0, 0)
                for character in text {
                    bad |= values[Int(character)]
                    bits = bits &<< 6 | UInt32(values[Int(character)])
                    held &+= 6
                    guard held >= 8 else { continue }
                    held &-= 8
                    output.storeBytes(of: UInt8(truncatingIfNeeded: bits &>> held), toByteOffset: out, as: UInt8.self)
                    out &+= 1
                }
                // What is left of the last character has to be 0.
                return bad & 0xC0 == 0 && bits & (1 &<< held &- 1) == 0 ? out : nil
            }
        }
    }
}

/// Texts that hold the bytes of others.
enum Packing {
    /// Appends the bytes that pairs of digits represent; false if they are none.
    static func decode(hexadecimal text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let byte = Hexadecimal.byte(text[index], text[index + 1]) else { return false }
            output.append(byte)
        }
        return true
    }

    /// Appends what base64 of either alphabet represents, with padding and line ends or without; false if it is not
    /// base64.
    static func decode(base64 text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        let characters = text.filter { $0 != 0x3D && $0 != 0x0A && $0 != 0x0D && $0 != 0x20 }
        return characters.withUnsafeBytes { StrictBase64.decode($0, StrictBase64.either, into: output) }
    }
}

/// Hexadecimal digits.
package enum Hexadecimal {
    /// The digit of the lower four bits, in lower case.
    package static func digit(_ byte: UInt8) -> UInt8 { byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15 }

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
}
