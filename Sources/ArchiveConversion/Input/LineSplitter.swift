import NotificationTranslation

/// Cuts an input into stretches of whole lines.
///
/// Only the last line end of a stretch that is inside no document is looked for here; the others are found by the
/// converter in its one pass.
struct LineSplitter: RecordSplitter {
    private let longestLine: Int
    /// Where the lines begin that are in no stretch yet.
    private var start: Int64
    /// Up to here no line end is known where records may be parted.
    private var searched: Int64
    private(set) var position: Int64
    /// Of the stretch that is scanned: the offset of its first byte, and what was found in it.
    private var (base, items): (Int64, [Chunk.Item]) = (0, [])
    /// Whether the line is too long, so that nothing of it is kept; and the last byte of it that was seen.
    private var (isTooLong, last): (Bool, UInt8) = (false, 0)

    init(longestLine: Int, offset: Int64) {
        self.longestLine = longestLine
        (start, searched, position) = (offset, offset, offset)
    }

    var openRecord: Int64? { start < position ? start : nil }

    mutating func scan(_ bytes: UnsafeRawBufferPointer, base: Int64, before end: StretchEnd) -> [Chunk.Item] {
        (self.base, items) = (base, [])
        follow(bytes)
        position = base + Int64(bytes.count)
        if end != .more { finish(bytes, isDamaged: end == .damage) }
        return items
    }

    private mutating func follow(_ bytes: UnsafeRawBufferPointer) {
        if isTooLong {
            let end = bytes.offset(of: 0x0A, from: Int(position - base))
            if let byte = bytes[..<(end ?? bytes.count)].last { last = byte }
            guard let end else { return }
            endLongLine(at: base + Int64(end), isCRLF: last == 0x0D)
        }
        let first = Int(start - base)
        if let end = LineBoundary.last(in: bytes, from: Int(searched - base)) {
            add(first..<end + 1, of: bytes)
        } else if bytes.count - first >= longestLine + 2 {
            if let end = bytes.lastLineEnd(from: first) {
                add(first..<end + 1, of: bytes)
            } else {
                (isTooLong, last) = (true, bytes[bytes.count - 1])
            }
        } else {
            // The line end that the bytes end with is judged when more is known.
            let end = bytes[first...].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? first
            searched = base + Int64(end)
        }
    }

    private mutating func finish(_ bytes: UnsafeRawBufferPointer, isDamaged: Bool) {
        if isTooLong { endLongLine(at: position, isCRLF: false) }
        // Behind a line that is too long nothing is left.
        let first = min(Int(start - base), bytes.count)
        let end = isDamaged ? bytes.lastLineEnd(from: first).map { $0 + 1 } ?? first : bytes.count
        if end > first { add(first..<end, of: bytes) }
    }

    private mutating func endLongLine(at end: Int64, isCRLF: Bool) {
        items.append(.fault(.tooLong, offset: start, length: Int(end - start) - (isCRLF ? 1 : 0)))
        isTooLong = false
        (start, searched) = (end + 1, end + 1)
    }

    /// Adds a stretch, which may be one line that is a byte or two too long.
    private mutating func add(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
        let end = range.count > longestLine ? bytes.offset(of: 0x0A, from: range.lowerBound, to: range.upperBound) : 0
        let length = (end ?? range.upperBound) - range.lowerBound
        let isTooLong =
            length > longestLine && (end == nil || bytes[range.lowerBound + longestLine] != 0x0D)
        items.append(
            isTooLong ? .fault(.tooLong, offset: base + Int64(range.lowerBound), length: length) : .lines(range))
        (start, searched) = (base + Int64(range.upperBound), base + Int64(range.upperBound))
    }
}

/// Whether a line end is inside a JSON document that continues with the next line.
///
/// Between two tokens of a document one is a bracket, a comma or a colon: a line end inside has an opening bracket, a
/// comma or a colon before it, or a closing bracket, a comma or a colon after it. A line that begins with `{` in its
/// first column begins a record all the same, so that a line that was cut off costs only itself.
enum LineBoundary {
    /// What a line end is.
    enum Kind {
        /// Records may be parted there.
        case parts
        /// A document continues after it.
        case inside
        /// The bytes end before that is clear.
        case unknown
    }

    static func kind(_ bytes: UnsafeRawBufferPointer, _ lineFeed: Int) -> Kind {
        guard lineFeed + 1 < bytes.count else { return .unknown }
        if bytes[lineFeed + 1] == UInt8(ascii: "{") { return .parts }
        let before = bytes[..<lineFeed].last { !isSpace($0) }
        if let before, "{[,:".utf8.contains(before) { return .inside }
        guard let next = bytes[(lineFeed + 1)...].first(where: { !isSpace($0) }) else { return .unknown }
        return "}],:".utf8.contains(next) ? .inside : .parts
    }

    /// Whether the line that begins at an index looks as one inside a pretty-printed document: indented, a closing
    /// bracket, or a key.
    static func continues(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard start < bytes.count else { return false }
        switch bytes[start] {
        case 0x20, 0x09, UInt8(ascii: "}"), UInt8(ascii: "]"): return true
        case UInt8(ascii: "\""):
            var at = start + 1
            while at < bytes.count, bytes[at] != 0x22, bytes[at] != 0x0A { at += bytes[at] == 0x5C ? 2 : 1 }
            at += 1
            while at < bytes.count, bytes[at] == 0x20 { at += 1 }
            return at < bytes.count && bytes[at] == UInt8(ascii: ":")
        default: return false
        }
    }

    /// The last LF where records may be parted; `nil` if there is none that is known to.
    static func last(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var limit = bytes.count
        while let end = UnsafeRawBufferPointer(rebasing: bytes[..<limit]).lastLineEnd(from: start) {
            if kind(bytes, end) == .parts { return end }
            // The others among blank lines are of the same kind.
            limit = end
            while limit > start, isSpace(bytes[limit - 1]) { limit -= 1 }
        }
        return nil
    }
}

/// Lines of a container's log that hold a piece of a longer line: runtimes cut what a program writes at 16 KB.
///
///     {"log":"{\"notification_type\":","stream":"stdout","time":"2020-11-03T09:12:44.123456789Z"}     Docker
///     {"log":"\"CANCEL\"}\n","stream":"stdout","time":"2020-11-03T09:12:44.123456799Z"}
///     2020-11-03T09:12:44.123456789Z stdout P {"notification_type":                                   CRI
///     2020-11-03T09:12:44.123456799Z stdout F "CANCEL"}
///
/// Pieces are not joined: a line that a later one continues is skipped, and reported as a possible notification.
enum LogPiece {
    /// Whether a line is a piece that a later line continues.
    static func isCutOff(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.starts(with: "{\"log\":".utf8) else {
            let start = String(decoding: line.prefix(64), as: UTF8.self)
            return start.contains(" stdout P ") || start.contains(" stderr P ")
        }
        // Docker keeps the line feed of a whole line.
        let end = String(decoding: line.suffix(256), as: UTF8.self)
        return line.count > 16_384 && end.contains("\"stream\":")
            && !end.contains(#"\n","stream":"#) && !end.contains(#"\n", "stream":"#)
    }
}
