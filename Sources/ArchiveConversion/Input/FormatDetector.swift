import NotificationTranslation

/// Decides how an input is cut into records, from its first bytes.
///
/// Lines are the normal case and the safe one: a broken line costs only itself. So a broken first line must not make
/// documents of a million good lines, nor may one document that is on a single line make lines of a pretty-printed
/// archive. The lines at the start vote with their bytes: a line that is one whole object, from its first column to its
/// end, speaks for lines; a line that continues with what an earlier one began speaks against.
enum FormatDetector {
    /// How to cut an input.
    ///
    /// - Parameters:
    ///   - head: Its first bytes without a byte order mark.
    ///   - isWhole: Whether that is all of it.
    /// - Returns: ``ConversionRequest/InputFormat/ndjson``, `.json` (an array), `.concat`, `.csv` (any table) or
    ///   `.log`.
    static func format(of head: ArraySlice<UInt8>, isWhole: Bool = true) -> ConversionRequest.InputFormat {
        if TableLayout.mayBegin(head), TableLayout(of: head, isWhole: isWhole, format: .auto) != nil { return .csv }
        return formatOfText(head)
    }

    /// How to cut an input that is not a table; see ``format(of:isWhole:)``.
    static func formatOfText(_ head: ArraySlice<UInt8>) -> ConversionRequest.InputFormat {
        head.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count, isSpace(bytes[start]) { start += 1 }
            guard start < bytes.count else { return .ndjson }
            switch bytes[start] {
            case UInt8(ascii: "["): return beginsArray(bytes, start) ? .json : linesOfText(bytes, start)
            case UInt8(ascii: "{"): return holdsLines(bytes, start) ? .ndjson : .concat
            default:
                if hasDocumentsBehindText(bytes, start) { return .concat }
                return linesOfText(bytes, start)
            }
        }
    }

    /// Whether the first bytes do not show it: they end before the first document does, or right after it.
    static func needsMore(_ head: ArraySlice<UInt8>) -> Bool {
        head.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count, isSpace(bytes[start]) { start += 1 }
            guard start < bytes.count, bytes[start] == UInt8(ascii: "{"), lineEnd(bytes, start) == bytes.count else {
                return false
            }
            guard var next = documentEnd(bytes, start, bytes.count) else { return true }
            while next < bytes.count, isSpace(bytes[next]) { next += 1 }
            return next == bytes.count
        }
    }

    private static func linesOfText(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> ConversionRequest.InputFormat {
        isLog(bytes, start) || isTextAlone(bytes, start) ? .log : .ndjson
    }

    /// Whether the first bytes are lines of text, none of which is JSON or a part of it: a log whose notifications come
    /// later.
    ///
    /// Only where there is more than what was looked at: a short text without JSON is nothing but broken records.
    private static func isTextAlone(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard bytes.count >= ByteStream.headSize - 3 else { return false }
        var lines = 0
        var at = start
        while at < bytes.count {
            let end = lineEnd(bytes, at)
            // The last line is cut off and says nothing.
            guard end < bytes.count else { break }
            var first = at
            while first < end, isSpace(bytes[first]) { first += 1 }
            if first < end {
                if mayBeJSON(bytes, first, end) || holdsControl(bytes, first, end) { return false }
                lines += 1
            }
            at = end + 1
        }
        return lines > 1
    }

    /// Whether a line begins as JSON, as the inside of it, or as a signed payload.
    private static func mayBeJSON(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"): return true
        case UInt8(ascii: "["): return beginsArray(bytes, start)
        case UInt8(ascii: "e"): return start + 1 < end && bytes[start + 1] == UInt8(ascii: "y")
        default: return beginsJSON(bytes, start, end)
        }
    }

    /// Whether a line holds a character that text does not have.
    private static func holdsControl(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        bytes[start..<end].contains(where: isControl)
    }

    /// Whether a byte is a control character that text does not have; tabs, line ends, form feeds and the escapes of
    /// terminals are in text.
    static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x0C && byte != 0x1B
    }

    /// Whether more lines have JSON after a text than are JSON themselves.
    private static func isLog(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var (logLines, jsonLines) = (0, 0)
        var at = start
        while at < bytes.count {
            let end = lineEnd(bytes, at)
            var first = at
            while first < end, isSpace(bytes[first]) { first += 1 }
            if first < end {
                if beginsJSON(bytes, first, end) {
                    jsonLines += 1
                } else if holdsObject(bytes, first, end) {
                    logLines += 1
                }
            }
            at = end + 1
        }
        return logLines > jsonLines
    }

    private static func beginsJSON(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "{") else { return false }
        var next = start + 1
        while next < end, isSpace(bytes[next]) { next += 1 }
        return next == end || bytes[next] == UInt8(ascii: "\"") || bytes[next] == UInt8(ascii: "}")
    }

    /// Whether `{"`, `{\"` or a signed text is in a line, and not at its beginning.
    private static func holdsObject(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        // A string that holds JSON, and a signed payload, are JSON themselves.
        if bytes[start] == UInt8(ascii: "\"") || (bytes[start] == 0x65 && start + 1 < end && bytes[start + 1] == 0x79) {
            return false
        }
        var from = start
        while let brace = bytes.place(of: UInt8(ascii: "{"), from: from, to: end) {
            var next = brace + 1
            while next < end, bytes[next] == 0x20 { next += 1 }
            if next < end, bytes[next] == 0x22 || bytes[next] == 0x5C { return brace > start }
            from = brace + 1
        }
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        return CompactToken.range(in: line, from: 1) != nil
    }

    /// Whether `[` begins an array of records; a log line may begin with `[6e2c7935]`, a broken line with anything.
    private static func beginsArray(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var at = start + 1
        while at < bytes.count, isSpace(bytes[at]) { at += 1 }
        guard at < bytes.count else { return true }
        guard [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\"")].contains(bytes[at]) else {
            return false
        }
        // In an array at most the last of the elements that fill a line has no comma after it.
        var votes = Votes()
        votes.count(bytes, from: lineEnd(bytes, start) + 1)
        return votes.wholeLines < 2 && votes.wholeRows < 2
    }

    private static func holdsLines(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var votes = Votes()
        votes.count(bytes, from: start)
        if beginsList(bytes, start), votes.separatedLines > 0 || votes.closings > 0 { return false }
        if votes.wholeBytes != votes.continuedBytes { return votes.wholeBytes > votes.continuedBytes }
        // Nothing to go by but the first line: two documents on it, or one that has not ended with it.
        let end = lineEnd(bytes, start)
        guard let first = documentEnd(bytes, start, end) else { return true }
        var next = first
        while next < end, isSpace(bytes[next]) { next += 1 }
        return next == end || bytes[next] != UInt8(ascii: "{")
    }

    /// Whether the first line begins a document and ends with `[`, so that the lines after it are elements, as CouchDB
    /// writes its documents.
    private static func beginsList(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var end = lineEnd(bytes, start)
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return end > start + 1 && bytes[end - 1] == UInt8(ascii: "[") && documentEnd(bytes, start, end) == nil
    }

    /// Whether pretty-printed documents are between lines of text, as in a log that was appended to.
    private static func hasDocumentsBehindText(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var votes = Votes()
        votes.count(bytes, from: start)
        return votes.openings > 0 && votes.continuedBytes > votes.wholeBytes
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

        mutating func count(_ bytes: UnsafeRawBufferPointer, from start: Int) {
            var at = start
            while at < bytes.count {
                let end = FormatDetector.lineEnd(bytes, at)
                // The last line may be cut off by the 64 KB and says nothing.
                if end == bytes.count, end >= ByteStream.headSize - 3 { return }
                judge(bytes, at, end)
                at = end + 1
            }
        }

        private mutating func judge(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) {
            var end = end
            while end > start, isSpace(bytes[end - 1]) { end -= 1 }
            guard end > start else { return }
            switch bytes[start] {
            case UInt8(ascii: "{"):
                let next = FormatDetector.documentEnd(bytes, start, end)
                if next == end {
                    wholeLines += 1
                    wholeBytes += end - start
                } else if next == end - 1, bytes[end - 1] == UInt8(ascii: ",") {
                    separatedLines += 1
                } else if end == start + 1 {
                    openings += 1
                    continuedBytes += 1
                }
            case UInt8(ascii: "["):
                guard start + 1 < end, bytes[start + 1] == 0x22 || 0x30...0x39 ~= bytes[start + 1],
                    FormatDetector.documentEnd(bytes, start, end) == end
                else { return }
                wholeRows += 1
            case 0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                continuedBytes += end - start
                if bytes[start] == UInt8(ascii: "]") { closings += 1 }
            default: break
            }
        }
    }

    /// Index of the next LF, or the end.
    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        start < bytes.count ? bytes.place(of: 0x0A, from: start) ?? bytes.count : start
    }

    /// Index after the object that begins at `start`, or `nil` when it does not end before `end`.
    private static func documentEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
        var depth = 0
        var at = start
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                guard let quote = stringEnd(bytes, at, end) else { return nil }
                at = quote
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return at + 1 }
            default: break
            }
            at += 1
        }
        return nil
    }

    /// Index of the quote that ends the string begun at `start`, or `nil` when there is none before `end`.
    private static func stringEnd(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Int? {
        var from = start + 1
        while let quote = bytes.place(of: UInt8(ascii: "\""), from: from, to: end) {
            var first = quote
            while first > from, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
            // A backslash that is not itself after one makes the quote a character.
            if (quote - first).isMultiple(of: 2) { return quote }
            from = quote + 1
        }
        return nil
    }
}
