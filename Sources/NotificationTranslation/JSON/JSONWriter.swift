/// Writes JSON values into an ``OutputBuffer``: compact, UTF-8, only what must be escaped escaped.
///
/// Nothing is inlined: an event has a hundred of these calls, and a copy of each at every place makes the compiler slow
/// and the code no faster.
struct JSONWriter {
    let output: OutputBuffer

    /// Writes what is JSON already.
    @inline(never)
    func literal(_ text: StaticString) {
        output.append(text)
    }

    /// Writes a string, or `null` if it is absent.
    @inline(never)
    func text(_ text: EventText) {
        if text.isAbsent {
            output.append("null")
        } else if text.hasEscapes {
            output.append(0x22)
            escaped(text)
            output.append(0x22)
        } else {
            let bytes = text.bytes
            output.reserve(bytes.count + 2)
            output.append(0x22)
            output.append(bytes)
            output.append(0x22)
        }
    }

    /// Writes a whole number, or `null`.
    @inline(never)
    func number(_ value: Int64?) {
        if let value { output.append(decimal: value) } else { output.append("null") }
    }

    /// Writes a whole number as a string of digits.
    func digits(_ value: Int64) {
        output.append(0x22)
        output.append(decimal: value)
        output.append(0x22)
    }

    /// Writes a truth value, or `null`.
    @inline(never)
    func bool(_ value: Bool?) {
        switch value {
        case true?: output.append("true")
        case false?: output.append("false")
        case nil: output.append("null")
        }
    }

    /// Writes an instant in RFC 3339 form, or `null`.
    @inline(never)
    func time(_ milliseconds: Int64?) {
        guard let milliseconds else {
            output.append("null")
            return
        }
        output.append(0x22)
        AppleDate.append(milliseconds, to: output)
        output.append(0x22)
    }

    /// Writes a string of Swift.
    func string(_ text: String) {
        output.append(0x22)
        var text = text
        text.withUTF8 { Self.escape(UnsafeRawBufferPointer($0), into: output) }
        output.append(0x22)
    }

    /// Writes the inside of a string with escapes as this package writes it, however it was written before.
    @inline(never)
    private func escaped(_ text: EventText) {
        guard let start = text.bytes.baseAddress else { return }
        JSONEscapes.unescape(start, from: 0, to: text.bytes.count) { Self.escape($0, into: output) }
    }

    /// Appends characters as the inside of a JSON string.
    static func escape(_ characters: UnsafeRawBufferPointer, into output: OutputBuffer) {
        var plain = 0
        for (place, byte) in characters.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            output.append(UnsafeRawBufferPointer(rebasing: characters[plain..<place]))
            plain = place + 1
            output.append(0x5C)
            switch byte {
            case 0x22, 0x5C: output.append(byte)
            case 0x08: output.append(0x62)
            case 0x09: output.append(0x74)
            case 0x0A: output.append(0x6E)
            case 0x0C: output.append(0x66)
            case 0x0D: output.append(0x72)
            default:
                output.append("u00")
                output.append(0x30 + byte >> 4)
                output.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
            }
        }
        output.append(UnsafeRawBufferPointer(rebasing: characters[plain...]))
    }
}
