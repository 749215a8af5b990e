/// The escapes of JSON strings, both ways.
enum JSONEscapes {
    /// The value of four hexadecimal digits, or `nil`.
    static func hexadecimal(_ memory: UnsafeRawPointer, _ at: Int) -> UInt32? {
        var value: UInt32 = 0
        for place in at..<at + 4 {
            guard let digit = Hexadecimal.value(memory.load(fromByteOffset: place, as: UInt8.self)) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Hands the characters that a checked range of a string represents to `emit`, as stretches of UTF-8 in order.
    static func unescape(
        _ memory: UnsafeRawPointer, from start: Int, to end: Int, emit: (UnsafeRawBufferPointer) -> Void
    ) {
        let text = UnsafeRawBufferPointer(start: memory, count: end)
        func backslash(_ start: Int) -> Int { text.offset(of: 0x5C, from: start) ?? end }
        var plain = start
        var at = backslash(start)
        while at < end {
            emit(UnsafeRawBufferPointer(start: memory + plain, count: at - plain))
            let code = memory.load(fromByteOffset: at + 1, as: UInt8.self)
            at += 2
            if code == 0x22 || code == 0x5C || code == 0x2F {
                // It represents itself: the next stretch begins with it.
                plain = at - 1
                at = backslash(at)
                continue
            }
            if code == 0x75 {
                var scalar = hexadecimal(memory, at) ?? 0xFFFD
                at += 4
                if 0xD800...0xDBFF ~= scalar, at + 6 <= end, let low = hexadecimal(memory, at + 2) {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + (low &- 0xDC00) & 0x3FF
                    at += 6
                }
                var character = String(Unicode.Scalar(scalar) ?? "\u{FFFD}")
                character.withUTF8 { emit(UnsafeRawBufferPointer($0)) }
            } else {
                withUnsafeBytes(of: short.first { $0.code == code }?.byte ?? code) { emit($0) }
            }
            plain = at
            at = backslash(at)
        }
        emit(UnsafeRawBufferPointer(start: memory + plain, count: max(0, end - plain)))
    }

    /// Hands characters to `emit` as the inside of a JSON string, as stretches in order.
    static func escape(_ characters: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) -> Void) {
        var plain = 0
        for (place, byte) in characters.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            emit(UnsafeRawBufferPointer(rebasing: characters[plain..<place]))
            plain = place + 1
            if let code = short.first(where: { $0.byte == byte })?.code {
                withUnsafeBytes(of: (UInt8(0x5C), code)) { emit($0) }
            } else {
                let digits = (Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte))
                withUnsafeBytes(of: (UInt8(0x5C), UInt8(0x75), UInt8(0x30), UInt8(0x30), digits.0, digits.1)) {
                    emit($0)
                }
            }
        }
        emit(UnsafeRawBufferPointer(rebasing: characters[plain...]))
    }

    /// Appends a text as the inside of a JSON string.
    static func escape(_ text: String, into output: OutputBuffer) {
        text.utf8.withMemory { escape($0) { output.append($0) } }
    }

    /// What follows the backslash of a short escape, and the byte that it is.
    private static let short: [(code: UInt8, byte: UInt8)] = [
        (0x22, 0x22), (0x5C, 0x5C), (0x62, 0x08), (0x66, 0x0C), (0x6E, 0x0A), (0x72, 0x0D), (0x74, 0x09),
    ]
}

extension OutputBuffer {
    /// Appends characters as the inside of a JSON string; bytes that are not UTF-8 become U+FFFD.
    package func append(inString characters: UnsafeRawBufferPointer) {
        guard let memory = characters.baseAddress else { return }
        guard UTF8Check.firstFault(in: memory, from: 0, to: characters.count) != nil else {
            return JSONEscapes.escape(characters) { append($0) }
        }
        JSONEscapes.escape(String(decoding: characters, as: UTF8.self), into: self)
    }

    /// Appends a JSON string with its quotes.
    package func append(jsonString text: String) { text.utf8.withMemory { append(jsonString: $0) } }

    /// Appends what `write` appends of each element, with commas between and brackets, or braces, around all.
    func append<Elements: Sequence>(
        list elements: Elements, _ brackets: (open: UInt8, close: UInt8) = (0x5B, 0x5D),
        _ write: (Elements.Element) -> Void
    ) {
        append(brackets.open)
        var isFirst = true
        for element in elements {
            if !isFirst { append(0x2C) }
            isFirst = false
            write(element)
        }
        append(brackets.close)
    }

    /// Appends a JSON string of these characters with its quotes.
    package func append(jsonString bytes: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        JSONEscapes.escape(bytes) { append($0) }
        append(UInt8(ascii: "\""))
    }
}
