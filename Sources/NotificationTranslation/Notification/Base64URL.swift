/// Base64url without padding (RFC 4648, part 5), strictly: no `=`, no `+` or `/`, no stray bits in the last character.
enum Base64URL {
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Appends the bytes that `text` stands for; false, with nothing usable appended, if it is not base64url.
    static func decode(_ text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        guard text.count % 4 != 1 else { return false }
        output.reserve(text.count / 4 * 3 + 3)
        return values.withUnsafeBufferPointer { values in
            var at = 0
            while at + 4 <= text.count {
                let a = values[Int(text[at])]
                let b = values[Int(text[at + 1])]
                let c = values[Int(text[at + 2])]
                let d = values[Int(text[at + 3])]
                if (a | b | c | d) & 0xC0 != 0 { return false }
                let word = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
                output.append(UInt8(truncatingIfNeeded: word >> 16))
                output.append(UInt8(truncatingIfNeeded: word >> 8))
                output.append(UInt8(truncatingIfNeeded: word))
                at += 4
            }
            switch text.count - at {
            case 2:
                let (a, b) = (values[Int(text[at])], values[Int(text[at + 1])])
                if (a | b) & 0xC0 != 0 || b & 0x0F != 0 { return false }
                output.append(a << 2 | b >> 4)
            case 3:
                let (a, b, c) = (values[Int(text[at])], values[Int(text[at + 1])], values[Int(text[at + 2])])
                if (a | b | c) & 0xC0 != 0 || c & 0x03 != 0 { return false }
                output.append(a << 2 | b >> 4)
                output.append(b << 4 | c >> 2)
            default:
                break
            }
            return true
        }
    }
}
