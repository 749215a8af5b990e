import NotificationTranslation

/// Cuts a table into rows, without a look at what they mean.
///
/// It runs once over the bytes and keeps its state between stretches. A quote that is missing must not swallow the rows
/// after it: a quote that ends a field must have a delimiter or a line end after it. Where it has not, the row ends
/// with its first line, and the next line begins a new one.
struct RowSplitter: RecordSplitter {
    private let layout: TableLayout
    private let longestRecord: Int
    /// The next row is not one but the names of the columns.
    private var expectsHeading: Bool
    private var rowStart: Int64
    /// Where scanning continues.
    private(set) var position: Int64
    /// Of the stretch that is scanned: the offset of its first byte, and what was found in it.
    private var (base, items): (Int64, [Chunk.Item]) = (0, [])
    private var inQuotes = false
    /// The last byte that was followed.
    private var last: UInt8 = 0
    /// A quoted field of the row is not closed: it ends with its line.
    private var isBroken = false

    init(_ layout: TableLayout, longestRecord: Int, offset: Int64) {
        self.layout = layout
        self.longestRecord = longestRecord
        rowStart = offset
        position = offset
        expectsHeading = layout.hasHeader
    }

    var openRecord: Int64? { rowStart < position ? rowStart : nil }

    mutating func scan(_ bytes: UnsafeRawBufferPointer, base: Int64, before end: StretchEnd) -> [Chunk.Item] {
        (self.base, items) = (base, [])
        scan(bytes, atEnd: end == .nothing)
        while end == .nothing, inQuotes, !isBroken, rowStart < position {
            breakRow(bytes, at: Int(position - base))
            scan(bytes, atEnd: true)
        }
        if end == .nothing, rowStart < position {
            endRow(bytes, Int(position - base), next: Int(position - base))
        }
        return items
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer, atEnd: Bool) {
        var at = Int(position - base)
        while at < bytes.count {
            if inQuotes {
                // Where the next byte must be known first, that was put into `position`.
                guard let next = insideQuotes(bytes, at, atEnd) else { return }
                at = next
            } else if let found = layout.quoting == .none || isBroken
                ? bytes.offset(of: 0x0A, from: at) : bytes.offset(of: (0x0A, 0x22, 0x22), from: at)
            {
                at = found + 1
                if bytes[found] == 0x0A {
                    endRow(bytes, found, next: at)
                } else {
                    let before = found > 0 ? bytes[found - 1] : last
                    inQuotes = base + Int64(found) == rowStart || before == layout.delimiter
                }
            } else {
                at = bytes.count
            }
            position = base + Int64(at)
        }
        if let byte = bytes.last { last = byte }
    }

    /// Follows a quoted field; returns `nil` where what comes next must be known first.
    private mutating func insideQuotes(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ atEnd: Bool) -> Int? {
        var at = start
        let escape: UInt8 = layout.quoting == .backslash ? 0x5C : 0x22
        while let found = bytes.offset(of: (0x22, escape, escape), from: at) {
            guard found + 1 < bytes.count || atEnd else {
                position = base + Int64(found)
                return nil
            }
            let next = found + 1 < bytes.count ? bytes[found + 1] : 0x0A
            if bytes[found] != 0x22 || next == 0x22 {
                at = found + 2
                continue
            }
            inQuotes = false
            guard next == layout.delimiter || next == 0x0A || next == 0x0D else { return breakRow(bytes, at: found) }
            return found + 1
        }
        return max(at, bytes.count)
    }

    /// Ends a row with a quoted field that is not closed after its first line, if that is still there; else after the next.
    ///
    /// - Returns: Where scanning continues.
    @discardableResult
    private mutating func breakRow(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        inQuotes = false
        var start = Int(rowStart - base)
        if start < 0 || place - start > longestRecord { start = place }
        guard let end = bytes.offset(of: 0x0A, from: start) else {
            isBroken = true
            position = base + Int64(bytes.count)
            return bytes.count
        }
        endRow(bytes, end, next: end + 1)
        position = base + Int64(end + 1)
        return end + 1
    }

    private mutating func endRow(_ bytes: UnsafeRawBufferPointer, _ end: Int, next: Int) {
        var end = end
        if end > 0, base + Int64(end) > rowStart, bytes[end - 1] == 0x0D { end -= 1 }
        let start = Int(rowStart - base)
        if expectsHeading {
            items.append(.heading)
        } else if end - start > longestRecord {
            items.append(.fault(.tooLong, offset: rowStart, length: end - start))
        } else {
            items.append(.record(start..<end))
        }
        expectsHeading = false
        rowStart = base + Int64(next)
        inQuotes = false
        isBroken = false
    }
}
