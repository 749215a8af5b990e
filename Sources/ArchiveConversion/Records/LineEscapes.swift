import NotificationTranslation

/// What programs write around the JSON in a line so that it fits there.
enum LineEscapes {
    /// `{\x22a\x22:1}`: web servers write bytes of a request so.
    case hexadecimal
    /// Backslash escapes, `\"` for `"` and two backslashes for one: rows of `COPY`.
    case backslashes
    /// Two apostrophes for one in texts of SQL, and backslash escapes: in all of them, as MySQL writes, or in `E'…'`.
    case statement(hasBackslashes: Bool)
    /// Two quotes for one, as in CSV: rows of `COPY … (FORMAT csv)` in a dump.
    case quotes

    /// The ways to read a line, the likeliest first; another is for one in which JSON cannot be read.
    static func readings(of line: UnsafeRawBufferPointer, isSQL: Bool) -> [LineEscapes?] {
        if begins(after: 0x7B, with: #"\x22"#, in: line) { return [.hexadecimal] }
        if isSQL, begins(after: 0x27, with: #"\""#, in: line) { return [.statement(hasBackslashes: true)] }
        if isSQL, line.holds("''") || line.holds("E'") { return [.statement(hasBackslashes: false)] }
        if begins(after: 0x22, with: #""""#, in: line) { return [.quotes] }
        if !isSQL, line[0] == 0x7B || line.offset(of: 0x09) != nil, areOfColumns(in: line) {
            return [.backslashes, nil]
        }
        guard line.holds(#"\\"#) else { return [nil] }
        return [nil, isSQL ? .statement(hasBackslashes: true) : .backslashes]
    }

    /// Whether an object, or an array of objects, begins after `mark` and has its first name in `quotes`.
    ///
    /// If `mark` is a double quote, it counts only at the start of the line or after a delimiter.
    private static func begins(after mark: UInt8, with quotes: StaticString, in line: UnsafeRawBufferPointer) -> Bool {
        guard line.holds(quotes) else { return false }
        let quotes = "\(quotes)".utf8
        var at = 0
        while let found = line.offset(of: mark, from: at) {
            at = found + 1
            if mark == 0x22, found > 0, !",;\t|".utf8.contains(line[found - 1]) { continue }
            var rest = line[(mark == 0x7B ? found : at)...]
            var hasBrace = false
            while let byte = rest.first {
                if hasBrace, rest.starts(with: quotes) { return true }
                let space = byte == 0x5C ? spaces.first { rest.starts(with: $0.utf8) } : nil
                guard space != nil || byte <= 0x20 || byte == 0x5B || byte == 0x7B else { break }
                hasBrace = hasBrace || byte == 0x7B
                rest = rest.dropFirst(space?.utf8.count ?? 1)
            }
            // Each run of braces is looked at once.
            if mark == 0x7B { at = max(at, rest.startIndex) }
        }
        return false
    }

    /// White space in escapes.
    private static let spaces = [#"\n"#, #"\r"#, #"\t"#, #"\x0A"#, #"\x0D"#, #"\x09"#]

    /// Appends a line without its escapes.
    ///
    /// An apostrophe inside a text of SQL becomes `\u0027`, so that the apostrophes left are those around the texts;
    /// the empty text `''` stays.
    func remove(from line: UnsafeRawBufferPointer, to output: OutputBuffer) {
        let mark: UInt8 =
            switch self {
            case .statement: 0x27
            case .quotes: 0x22
            case .hexadecimal, .backslashes: 0x5C
            }
        var (isInText, hasBackslashes) = (false, false)
        var at = 0
        while let found = line.offset(of: hasBackslashes ? (mark, 0x5C, 0x5C) : (mark, mark, mark), from: at) {
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
            case .backslashes,
                .statement where line[found] == 0x5C:
                if line[at] == 0x27 {
                    output.append("\\u0027")
                } else {
                    output.append(Self.characters[line[at]] ?? line[at])
                }
                at += 1
            case .quotes:
                output.append(mark)
                if line[at] == mark { at += 1 }
            case .statement(let hasEscapes):
                if isInText, line[at] == mark {
                    output.append("\\u0027")
                    at += 1
                } else {
                    output.append(mark)
                    isInText.toggle()
                    let isMarked = found > 0 && line[found - 1] | 0x20 == UInt8(ascii: "e")
                    hasBackslashes = isInText && (hasEscapes || isMarked)
                }
            }
        }
        output.append(UnsafeRawBufferPointer(rebasing: line[at...]))
    }

    /// Whether there are backslashes, and every one is one that PostgreSQL's `COPY` or `mysql --batch` writes; a text
    /// with `\"` was never escaped, so that its backslashes are its own.
    static func areOfColumns(in text: UnsafeRawBufferPointer) -> Bool {
        guard var at = text.offset(of: 0x5C, from: 0) else { return false }
        while at + 1 < text.count,
            text[at + 1] == 0x5C || text[at + 1] == UInt8(ascii: "N") || characters[text[at + 1]] != nil
        {
            guard let next = text.offset(of: 0x5C, from: at + 2) else { return true }
            at = next
        }
        return false
    }

    /// What a letter after a backslash represents; any other represents itself.
    private static let characters: [UInt8: UInt8] = Dictionary(
        uniqueKeysWithValues: zip("bfnrtv0".utf8, [0x08, 0x0C, 0x0A, 0x0D, 0x09, 0x0B, 0]))
}
