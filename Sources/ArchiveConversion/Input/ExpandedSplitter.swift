#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Cuts a table that has one field on each line, and a line before each row, into rows.
///
///     *************************** 1. row ***************************      -[ RECORD 1 ]-------------------------
///              id: 7                                                      id          | 7
///     received_at: 2020-11-03 09:12:44                                    received_at | 2020-11-03 09:12:44+00
///            body: {"notification_type":"CANCEL"}                         body        | {"notification_type":"…"}
///
/// `mysql` writes tables in this form with `\G`, `psql` with `\x`. What is before the first row is not a record.
struct ExpandedSplitter: RecordSplitter {
    /// How many bytes of a line show that it begins a row; the line of `psql` is as long as the longest value.
    private static let markSize = 64

    private let delimiter: UInt8
    private let longestRecord: Int
    private(set) var position: Int64
    /// Where the row began that has not ended.
    private var rowStart: Int64?
    /// Whether ``position`` is where a line begins.
    private var isAtLine = true

    init(_ layout: TableLayout, longestRecord: Int, offset: Int64) {
        delimiter = layout.delimiter
        self.longestRecord = longestRecord
        position = offset
    }

    var state: UInt8 { 1 }

    /// Also what may be the line before the first row.
    var openRecord: Int64? { rowStart ?? position }

    /// The delimiter of the fields if a line begins a row; else `nil`.
    ///
    /// The first bytes of the line are enough.
    static func delimiter(after line: some Sequence<UInt8>) -> UInt8? {
        let text = Array(line.prefix(markSize))
        let rest: ArraySlice<UInt8>
        let (end, delimiter): ([UInt8], UInt8)
        if text.starts(with: "-[ RECORD ".utf8) {
            (rest, end, delimiter) = (text.dropFirst(10), Array(" ]".utf8), 0x7C)
        } else {
            rest = text.drop { $0 == 0x2A }.dropFirst()
            guard text.count - rest.count > 20, text[text.count - rest.count - 1] == 0x20 else { return nil }
            (end, delimiter) = (Array(". row *".utf8), 0x3A)
        }
        let afterDigits = rest.drop { 0x30...0x39 ~= $0 }
        return afterDigits.startIndex > rest.startIndex && afterDigits.starts(with: end) ? delimiter : nil
    }

    mutating func scan(_ bytes: UnsafeRawBufferPointer, base: Int64, into items: inout [Chunk.Item]) {
        scan(bytes, base, atEnd: false, &items)
    }

    mutating func finish(
        isDamaged: Bool, bytes: UnsafeRawBufferPointer, base: Int64, into items: inout [Chunk.Item]
    ) {
        let end = base + Int64(bytes.count)
        if isDamaged {
            let start = rowStart ?? position
            items.append(.fault(.damaged, offset: start, length: Int(end - start)))
        } else {
            scan(bytes, base, atEnd: true, &items)
            endRow(bytes, base, at: end, &items)
        }
        rowStart = nil
        position = end
    }

    private mutating func scan(
        _ bytes: UnsafeRawBufferPointer, _ base: Int64, atEnd: Bool, _ items: inout [Chunk.Item]
    ) {
        while let memory = bytes.baseAddress, position < base + Int64(bytes.count) {
            let at = Int(position - base)
            let lineFeed = memchr(memory + at, 0x0A, bytes.count - at).map { UnsafeRawPointer($0) - memory }
            if isAtLine, bytes[at] == 0x2A || bytes[at] == 0x2D {
                guard lineFeed != nil || atEnd || bytes.count - at >= Self.markSize else { return }
                if Self.delimiter(after: bytes[at..<(lineFeed ?? bytes.count)]) == delimiter {
                    endRow(bytes, base, at: position, &items)
                    rowStart = position
                }
            }
            isAtLine = lineFeed != nil
            position = base + Int64(lineFeed.map { $0 + 1 } ?? bytes.count)
        }
    }

    /// Ends the row that has begun, if any, before an offset; white space after it is not part of it.
    private mutating func endRow(
        _ bytes: UnsafeRawBufferPointer, _ base: Int64, at offset: Int64, _ items: inout [Chunk.Item]
    ) {
        guard let first = rowStart else { return }
        rowStart = nil
        guard Int(offset - first) <= longestRecord, first >= base else {
            return items.append(.fault(.tooLong, offset: first, length: Int(offset - first)))
        }
        let start = Int(first - base)
        var end = Int(offset - base)
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        items.append(.record(start..<end))
    }
}
