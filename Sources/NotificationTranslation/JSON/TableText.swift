/// The ways through a table that most of its bytes take, 64 bytes at a time: where rows end, and what a field in
/// quotes says.
///
/// Quotes are doubled inside (RFC 4180), so a byte is inside quotes if an odd number of them is before it:
///
///     7,"{""a"":1}",x
///       ^ ^^ ^^   ^        opens, closes and opens again, …, closes
///
/// That holds as long as each quote that opens has a border before it (the beginning of a row, a delimiter, or the
/// quote it doubles), and each that closes has one after it. Where that is not so, the caller looks byte by byte.
package enum TableText {
    /// Bytes that must be readable after what is given; their values do not matter.
    package static var slack: Int { 64 }

    /// Where in a row something is.
    package struct State {
        /// Inside quotes.
        package var inQuotes: Bool
        /// At the beginning of a field.
        package var atField: Bool

        package init(inQuotes: Bool, atField: Bool) {
            self.inQuotes = inQuotes
            self.atField = atField
        }
    }

    /// Follows a row to its end, or to where it has to be looked at byte by byte.
    ///
    /// - Parameters:
    ///   - bytes: A part of the table.
    ///   - start: Where to begin.
    ///   - delimiter: What is between fields.
    ///   - state: Where in a row the beginning is; afterwards, where the place returned is.
    ///   - endsRow: Set to whether the place returned is the line feed after the row.
    /// - Returns: Up to where the row was followed.
    package static func follow(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, _ state: inout State, endsRow: inout Bool
    ) -> Int {
        endsRow = false
        guard let memory = bytes.baseAddress else { return start }
        var at = start
        var inside: UInt64 = state.inQuotes ? ~0 : 0
        var border: UInt64 = state.atField ? 1 : 0
        // One byte after the block is looked at.
        let limit = bytes.count &- 64
        follow: while at < limit {
            if inside != 0 {
                let begin = at
                while at &+ 64 < limit,
                    !ByteBlock(at: memory + at).has(0x22, or: ByteBlock(at: memory + (at &+ 64)))
                { at &+= 128 }
                if at != begin {
                    border = 0
                    continue follow
                }
            }
            let block = ByteBlock(at: memory + at)
            let quotes = block.positions(of: 0x22)
            let lineFeeds = block.positions(of: 0x0A)
            let delimiters = block.positions(of: delimiter)
            let within = ByteBlock.prefixXor(quotes) ^ inside
            let borders = quotes | lineFeeds | delimiters
            let opening = quotes & within
            let closing = quotes & ~within
            var next: UInt64 = 0
            if closing >> 63 != 0 {
                let byte = memory.load(fromByteOffset: at &+ 64, as: UInt8.self)
                if byte == 0x22 || byte == 0x0A || byte == 0x0D || byte == delimiter { next = 1 &<< 63 }
            }
            var wrong = opening & ~(borders &<< 1 | border) | closing & ~(borders >> 1 | next)
            let ends = lineFeeds & ~within
            let first = ends & (0 &- ends)
            wrong &= first &- 1
            if wrong != 0 { wrong &= ~(closing & block.positions(of: 0x0D) >> 1) }
            if wrong != 0 { break follow }
            if first != 0 {
                endsRow = true
                return at &+ Int(ByteBlock.lowest(first))
            }
            inside = 0 &- (within >> 63)
            border = borders >> 63
            at &+= 64
        }
        state = State(inQuotes: inside != 0, atField: border != 0)
        return at
    }

    /// Appends what a field in quotes says.
    ///
    /// - Parameters:
    ///   - row: The row, with ``slack`` readable bytes after it.
    ///   - start: The index after the quote that opens the field.
    ///   - output: What the characters are added to.
    /// - Returns: The index after the quote that closes it, `nil` if there is none.
    package static func unquote(
        _ row: UnsafeRawBufferPointer, from start: Int, into output: OutputBuffer
    ) -> Int? {
        guard let memory = row.baseAddress, start < row.count else { return nil }
        var end: Int?
        _ = output.append(atMost: row.count - start + 2 * slack) { room in
            var (at, out) = (start, 0)
            while at < row.count {
                let left = row.count &- at
                let block = ByteBlock(at: memory + at)
                var quotes = block.positions(of: 0x22)
                if left < 64 { quotes &= (1 &<< UInt64(left)) &- 1 }
                if quotes == 0, left > 64 {
                    block.store(to: room + out)
                    at &+= 64
                    out &+= 64
                    copyLong(memory, row.count, &at, room, &out)
                    continue
                }
                var from = 0
                while quotes != 0 {
                    let place = Int(ByteBlock.lowest(quotes))
                    let next = at &+ place &+ 1
                    copy(memory + (at &+ from), place &+ 1 &- from, to: room + out)
                    guard next < row.count, memory.load(fromByteOffset: next, as: UInt8.self) == 0x22 else {
                        end = next
                        return out &+ place &- from
                    }
                    out &+= place &+ 1 &- from
                    from = place &+ 2
                    quotes &= quotes &- 1
                    quotes &= quotes &- 1
                }
                let rest = max(0, min(64, left) &- from)
                copy(memory + (at &+ from), rest, to: room + out)
                out &+= rest
                at &+= max(min(64, left), from)
            }
            return out
        }
        return end
    }

    /// Copies blocks in pairs for as long as no quote comes: most of a receipt.
    private static func copyLong(
        _ memory: UnsafeRawPointer, _ end: Int, _ at: inout Int, _ room: UnsafeMutableRawPointer, _ out: inout Int
    ) {
        while end &- at >= 128 {
            let (one, other) = (ByteBlock(at: memory + at), ByteBlock(at: memory + (at &+ 64)))
            if one.has(0x22, or: other) { return }
            one.store(to: room + out)
            other.store(to: room + (out &+ 64))
            at &+= 128
            out &+= 128
        }
    }

    /// Copies at most 64 bytes; after them as many more may be read and written.
    private static func copy(_ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer) {
        typealias Vector = SIMD16<UInt8>
        var at = 0
        repeat {
            let part = source.loadUnaligned(fromByteOffset: at, as: Vector.self)
            target.storeBytes(of: part, toByteOffset: at, as: Vector.self)
            at &+= 16
        } while at < count
    }
}
