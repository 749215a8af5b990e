import NotificationTranslation

/// Decides how an input is cut into records, from its first bytes.
///
/// Lines are the normal case and the safe one: a broken line costs only itself. So a broken first line must not make
/// documents of a million good lines, nor may one document that is on a single line make lines of a pretty-printed
/// archive. The lines at the start vote with their bytes: a line that is one whole object, from its first column to its
/// end, speaks for lines; a line that continues with what an earlier one began speaks against.
struct FormatDetector {
    /// From the first byte that is not whitespace; bytes after the last line end are a line, too.
    private var lines: [UnsafeRawBufferPointer] = []
    /// Whether there is more than the first bytes, so that the last line may be cut off and says nothing.
    private let isCutOff: Bool

    private init(_ bytes: UnsafeRawBufferPointer) {
        isCutOff = bytes.count >= ByteStream.headSize - 3
        let text = bytes.drop(while: isSpace)
        guard !text.isEmpty else { return }
        lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { UnsafeRawBufferPointer(rebasing: $0) }
    }

    /// How to cut an input that begins with some bytes, without a byte order mark; `isWhole` if that is all of it.
    static func shape(of head: ArraySlice<UInt8>, isWhole: Bool = true) -> InputShape {
        // A `COPY` statement is not the header of a table, although it names columns between commas.
        if !head.drop(while: isSpace).starts(with: "COPY ".utf8),
            let layout = TableLayout(of: head, isWhole: isWhole, format: .auto)
        {
            return .table(layout)
        }
        return head.withUnsafeBytes { Self($0).shape }
    }

    /// Whether the first bytes do not show it: they end before the first document does, or right after it.
    static func needsMore(_ head: ArraySlice<UInt8>) -> Bool {
        head.withUnsafeBytes { bytes in
            let lines = Self(bytes).lines
            guard lines.count == 1, lines[0].first == UInt8(ascii: "{") else { return false }
            return LogPart.objectEnd(lines[0]).map { lines[0][$0...].allSatisfy(isSpace) } ?? true
        }
    }

    private var shape: InputShape {
        switch lines.first?.first {
        case nil: return .lines
        case UInt8(ascii: "[")?: return beginsArray(0) ? .documents : shapeOfText
        case UInt8(ascii: "{")?: return !holdsLines ? .documents : isLog ? .log : .lines
        default:
            // Pretty-printed documents between lines of text, as in a log that was appended to.
            let votes = votes(from: 0)
            return votes.openings > 0 && votes.continuedBytes > votes.wholeBytes ? .documents : shapeOfText
        }
    }

    private var shapeOfText: InputShape { isLog || isTextAlone ? .log : .lines }

    /// Whether the first bytes are lines of text, none of which is JSON or a part of it: a log whose notifications come
    /// later.
    ///
    /// Only where there is more than what was looked at: a short text without JSON is nothing but broken records.
    private var isTextAlone: Bool {
        guard isCutOff else { return false }
        var count = 0
        for place in lines.indices.dropLast() {
            let line = Self.trimmed(lines[place])
            if line.isEmpty { continue }
            if mayBeJSON(line, place) || line.contains(where: Self.isControl) { return false }
            count += 1
        }
        return count > 1
    }

    /// Whether a line begins as JSON, as the inside of it, or as a signed payload.
    private func mayBeJSON(_ line: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        switch line[0] {
        case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"): true
        case UInt8(ascii: "["): beginsArray(place)
        case UInt8(ascii: "e"): line.count > 1 && line[1] == UInt8(ascii: "y")
        default: RecordConverter.beginsAsObject(line)
        }
    }

    /// Whether a byte is a control character that text does not have; tabs, line ends, form feeds and the escapes of
    /// terminals are in text.
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x0C && byte != 0x1B
    }

    /// Whether more lines have JSON after a text than are JSON themselves, or rows follow a statement of PostgreSQL's.
    private var isLog: Bool {
        if lines.contains(where: { $0.starts(with: "COPY ".utf8) && $0.holds(" FROM stdin") }) { return true }
        let texts = lines.map(Self.trimmed).filter { !$0.isEmpty }
        let others = texts.filter { !RecordConverter.beginsAsObject($0) }
        return others.count(where: Self.holdsObject) > texts.count - others.count
    }

    private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line.drop(while: isSpace))
    }

    /// Whether `{"`, `{\"` or a signed text is in a line, and not at its beginning.
    static func holdsObject(_ line: UnsafeRawBufferPointer) -> Bool {
        // A string that holds JSON, and a signed payload, are JSON themselves.
        if line[0] == UInt8(ascii: "\"") || line.starts(with: "ey".utf8) { return false }
        var from = 0
        while let brace = line.offset(of: UInt8(ascii: "{"), from: from) {
            let next = line[(brace + 1)...].first { $0 != 0x20 }
            if next == 0x22 || next == 0x5C { return brace > 0 }
            from = brace + 1
        }
        return CompactToken.range(in: line, from: 1) != nil
    }

    /// Whether the `[` that begins a line begins an array of records; a log line may begin with `[6e2c7935]`, a broken
    /// line with anything.
    private func beginsArray(_ place: Int) -> Bool {
        let rest = [UnsafeRawBufferPointer(rebasing: Self.trimmed(lines[place]).dropFirst())] + lines[(place + 1)...]
        guard let next = rest.lazy.compactMap({ line in line.first { !isSpace($0) } }).first else { return true }
        guard "{[]\"".utf8.contains(next) else { return false }
        // In an array at most the last of the elements that fill a line has no comma after it.
        let votes = votes(from: place + 1)
        return votes.wholeLines < 2 && votes.wholeRows < 2
    }

    private var holdsLines: Bool {
        let votes = votes(from: 0)
        let end = LogPart.objectEnd(lines[0])
        // The first line begins a document and ends with `[`, so that the lines after it are elements, as CouchDB writes
        // its documents.
        let line = lines[0].prefix((lines[0].lastIndex { !isSpace($0) } ?? 0) + 1)
        let beginsList = end == nil && line.count > 1 && line.last == UInt8(ascii: "[")
        if beginsList, votes.separatedLines > 0 || votes.closings > 0 { return false }
        if votes.wholeBytes != votes.continuedBytes { return votes.wholeBytes > votes.continuedBytes }
        // Nothing to go by but the first line: two documents on it, or one that has not ended with it.
        return end.map { lines[0][$0...].first { !isSpace($0) } != UInt8(ascii: "{") } ?? true
    }

    private func votes(from first: Int) -> Votes {
        var votes = Votes()
        for line in isCutOff ? lines.dropFirst(first).dropLast() : lines.dropFirst(first) {
            if let end = line.lastIndex(where: { !isSpace($0) }) {
                votes.count(UnsafeRawBufferPointer(rebasing: line[...end]))
            }
        }
        return votes
    }

    /// What the lines speak for.
    private struct Votes {
        /// Lines that are one object from the first column on, and their bytes.
        var wholeLines = 0
        var wholeBytes = 0
        /// Bytes of lines that continue with something begun earlier.
        var continuedBytes = 0
        /// Lines that begin an object in the first column and do not end it.
        var openings = 0
        /// Lines that are one array from the first column on whose first element has no parts: rows.
        var wholeRows = 0
        /// Lines that are one object and a comma.
        var separatedLines = 0
        /// Lines that begin with the end of an array.
        var closings = 0

        /// Counts a line without trailing whitespace.
        mutating func count(_ line: UnsafeRawBufferPointer) {
            switch line[0] {
            case UInt8(ascii: "{"):
                let next = LogPart.objectEnd(line)
                if next == line.count {
                    wholeLines += 1
                    wholeBytes += line.count
                } else if next == line.count - 1, line.last == UInt8(ascii: ",") {
                    separatedLines += 1
                } else if line.count == 1 {
                    openings += 1
                    continuedBytes += 1
                }
            case UInt8(ascii: "["):
                guard line.count > 1, line[1] == 0x22 || 0x30...0x39 ~= line[1],
                    LogPart.objectEnd(line) == line.count
                else { return }
                wholeRows += 1
            case 0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                continuedBytes += line.count
                if line[0] == UInt8(ascii: "]") { closings += 1 }
            default: break
            }
        }
    }
}
