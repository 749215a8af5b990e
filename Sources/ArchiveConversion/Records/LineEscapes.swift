import NotificationTranslation

/// What programs write around the JSON in a line so that it fits there.
enum LineEscapes {
    /// `{\x22a\x22:1}`: web servers write bytes of a request so.
    case hexadecimal
    /// Backslash escapes, `\"` for `"` and two backslashes for one: statements of MySQL, rows of `COPY`.
    case backslashes
    /// Two apostrophes for one: statements of SQL.
    case apostrophes
    /// Two quotes for one, as in CSV: rows of `COPY … (FORMAT csv)` in a dump.
    case quotes

    /// Detects the escapes of a line; `nil` if there are none.
    init?(around line: UnsafeRawBufferPointer, isSQL: Bool) {
        if line.holds("{\\x22") {
            self = .hexadecimal
        } else if isSQL, line.holds("'{\\\"") {
            self = .backslashes
        } else if isSQL, line.holds("''") {
            self = .apostrophes
        } else if Self.isQuotedField(in: line) {
            self = .quotes
        } else {
            return nil
        }
    }

    /// Whether a field in quotes begins with an object: at the start of the line or after a delimiter.
    private static func isQuotedField(in line: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while let found = line.place(of: "\"{\"\"", from: at) {
            if found == 0 || [0x2C, 0x3B, 0x09, 0x7C].contains(line[found - 1]) { return true }
            at = found + 1
        }
        return false
    }

    /// Appends a line without its escapes.
    ///
    /// An apostrophe inside a text of SQL becomes `\u0027`, so that the apostrophes left are those around the texts;
    /// the empty text `''` stays.
    func remove(from line: UnsafeRawBufferPointer, to output: OutputBuffer) {
        let mark: UInt8 = self == .apostrophes ? 0x27 : self == .quotes ? 0x22 : 0x5C
        var isInText = false
        var at = 0
        while let found = line.place(of: mark, from: at) {
            output.append(UnsafeRawBufferPointer(rebasing: line[at..<found]))
            at = found + 1
            guard at < line.count else {
                output.append(mark)
                break
            }
            switch self {
            case .hexadecimal:
                if line.count - at >= 3, line[at] == 0x78, let byte = Hexadecimal.byte(line[at + 1], line[at + 2]) {
                    output.append(byte)
                    at += 3
                } else {
                    output.append(mark)
                }
            case .backslashes:
                if line[at] == 0x27 { output.append("\\u0027") } else { output.append(Self.character(line[at])) }
                at += 1
            case .quotes:
                output.append(mark)
                if line[at] == mark { at += 1 }
            case .apostrophes:
                if isInText, line[at] == mark {
                    output.append("\\u0027")
                    at += 1
                } else {
                    output.append(mark)
                    isInText.toggle()
                }
            }
        }
        output.append(UnsafeRawBufferPointer(rebasing: line[at...]))
    }

    /// What a letter after a backslash represents.
    private static func character(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }
}
