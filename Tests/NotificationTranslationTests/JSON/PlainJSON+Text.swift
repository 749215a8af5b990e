extension PlainJSON {
    /// How a text is written anew.
    struct Form {
        /// Whether one character of space stands wherever some may.
        var isSpaced: Bool
        /// How many characters of a hundred are escaped, of those that may be.
        var escapedPercent: Int
        /// Whether letters and digits of strings may be, which no program does that writes JSON; those of keys may.
        var escapesWords: Bool
    }

    /// The text written anew: other spaces, other escapes, the same values in the same order.
    func text(_ form: Form, using random: inout some RandomNumberGenerator) -> [UInt8] {
        var text: [UInt8] = []
        write(to: &text, form, &random)
        return text
    }

    private func write(to text: inout [UInt8], _ form: Form, _ random: inout some RandomNumberGenerator) {
        func space() -> [UInt8] {
            form.isSpaced ? [[0x20, 0x09, 0x0D].randomElement(using: &random) ?? 0x20] : []
        }
        switch self {
        case .null: text += Array("null".utf8)
        case .bool(let value): text += Array((value ? "true" : "false").utf8)
        case .number(let literal): text += literal
        case .string(let characters): Self.write(characters, to: &text, form, form.escapesWords, &random)
        case .array(let elements):
            text += Array("[".utf8)
            for (place, element) in elements.enumerated() {
                text += (place > 0 ? Array(",".utf8) : []) + space()
                element.write(to: &text, form, &random)
            }
            text += space() + Array("]".utf8)
        case .object(let members):
            text += Array("{".utf8)
            for (place, member) in members.enumerated() {
                text += (place > 0 ? Array(",".utf8) : []) + space()
                Self.write(member.key, to: &text, form, true, &random)
                text += space() + Array(":".utf8) + space()
                member.value.write(to: &text, form, &random)
            }
            text += space() + Array("}".utf8)
        }
    }

    private static func write(
        _ characters: [UInt8], to text: inout [UInt8], _ form: Form, _ escapesWords: Bool,
        _ random: inout some RandomNumberGenerator
    ) {
        text.append(0x22)
        for scalar in String(decoding: characters, as: UTF8.self).unicodeScalars {
            let mustBe = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            let mayBe = escapesWords || !scalar.isASCII || "/+=<>&'".unicodeScalars.contains(scalar)
            if mustBe || mayBe && Int.random(in: 0..<100, using: &random) < form.escapedPercent {
                for unit in String(Character(scalar)).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                    text += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
                }
            } else {
                text += Array(String(Character(scalar)).utf8)
            }
        }
        text.append(0x22)
    }
}
