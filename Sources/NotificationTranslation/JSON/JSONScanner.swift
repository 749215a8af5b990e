/// Reads JSON texts one after the other with the same memory: first where the quotes are, 64 bytes at a time, then a walk.
///
/// Strict RFC 8259 with two rules more: no key twice in one object (after unescaping), no more than 64 levels.
/// Nothing is copied and nothing is allocated for a text that looks like the ones before it.
///
/// A V1 body is nine tenths base64: long stretches without a quote, a control character, a backslash or a byte above
/// 127. One comparison and one `or` per 16 bytes shows that a stretch has none of them; only the other blocks are
/// looked at more closely. For `{"a":"b\"c"}` the index is
///
///     {  "  a  "  :  "  b  \  "  c  "  }
///     0  1  2  3  4  5  6  7  8  9 10 11      →  1 3 5 10
///
/// (the quote at 8 is escaped). Everything that shows without grammar is decided here: UTF-8, escapes,
/// surrogates, control characters inside strings, the end of the line. The walker then touches only what is
/// between strings.
///
/// The memory must be readable for ``slack`` bytes beyond its end; what is there does not matter.
struct JSONScanner: ~Copyable {
    /// Bytes read beyond the end of the text.
    static let slack = 64

    /// Offsets of the unescaped quotes, in order, then at least four times the text's end; those that close a text with
    /// a backslash have ``JSONText/escapeMark``.
    private(set) var quotes: UnsafeMutablePointer<UInt32>
    private var room: Int
    private(set) var count = 0
    /// Offset after the last byte of the text: the line feed, or the end given.
    private(set) var end = 0
    /// What is wrong with the text before any grammar is asked; the first such place.
    private(set) var fault: JSONFault?
    private let log = KeyLog()
    private var start = 0

    init() {
        room = 4096
        quotes = .allocate(capacity: room)
    }

    deinit {
        quotes.deallocate()
    }

    /// A walker over the text scanned last.
    ///
    /// Only one at a time.
    func walker(_ memory: UnsafeRawPointer) -> JSONWalker {
        log.cut(to: 0)
        return JSONWalker(memory, self, log, from: start)
    }

    /// Indexes the text from `start` to `limit`, or to the first line feed if `stopsAtLineFeed`.
    ///
    /// Quotes come in crowds and stay away in crowds: one loop runs over blocks without anything of interest, one over
    /// blocks with quotes.
    mutating func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        self.start = start
        fault = nil
        end = limit
        var state = State()
        var at = start
        // Not counted in `count` itself, which might be anywhere in the memory that the quotes are written to, for
        // all the compiler knows.
        var found = 0
        scan: while true {
            if !state.needsCare {
                while limit &- at >= 128,
                    ByteBlock(at: memory + at).interestingBits | ByteBlock(at: memory + at + 64).interestingBits == 0
                { at &+= 128 }
                while at < limit, ByteBlock(at: memory + at).interestingBits == 0 { at &+= 64 }
            }
            var goesOn = true
            while goesOn {
                guard at < limit else { break scan }
                let block = ByteBlock(at: memory + at)
                let here = block.positions(of: 0x22)
                if room &- found < 72 { grow(found) }
                if block.unusualBits | state.careBits != 0 || limit &- at < 64 {
                    let ended = take(block, memory, at, limit, stopsAtLineFeed, here, &found, &state)
                    if ended { break scan }
                } else {
                    Self.put(here, here.nonzeroBitCount, at, quotes + found)
                    found &+= here.nonzeroBitCount
                }
                goesOn = here != 0 || state.needsCare
                at &+= 64
            }
        }
        count = found
        if state.wideFrom >= 0 { checkUTF8(memory, from: state.wideFrom, to: end) }
        if state.escapesNext && fault == nil { fault = JSONFault(code: .unexpectedEnd, offset: end) }
        markEscapes(0, at: end, from: found, to: found, &state)
        for sentinel in 0..<4 { quotes[count + sentinel] = UInt32(truncatingIfNeeded: end) }
    }

    /// What one block passes to the next.
    private struct State {
        /// The last byte of the block before was a backslash that escapes.
        var escapesNext = false
        /// Where the running stretch of blocks with bytes above 127 began, or -1.
        var wideFrom = -1
        /// The number of the quote, not found yet, that will close a text with a backslash; -1 for none.
        var quoteToMark = -1
        /// Where the second half of a surrogate pair is due, or -1.
        var lowSurrogateAt = -1

        var needsCare: Bool { careBits != 0 }
        /// Not 0 if every block has to be looked at closely.
        var careBits: UInt64 { (escapesNext ? 1 : 0) | ~UInt64(bitPattern: Int64(wideFrom)) >> 63 }
    }

    /// Takes in a block that has more than quotes; true at the end of the text.
    private mutating func take(
        _ block: ByteBlock, _ memory: UnsafeRawPointer, _ at: Int, _ limit: Int, _ stopsAtLineFeed: Bool,
        _ here: UInt64, _ found: inout Int, _ state: inout State
    ) -> Bool {
        let beginsInside = found & 1 == 1
        let isRare = limit &- at < 64 || block.has(below: 0x20) || state.wideFrom >= 0
        // The bytes that belong to the text.
        var valid: UInt64 = limit &- at < 64 ? (1 &<< UInt64(limit &- at)) &- 1 : ~0
        let lineFeeds = isRare && stopsAtLineFeed ? block.positions(of: 0x0A) & valid : 0
        if lineFeeds != 0 {
            end = at + lineFeeds.trailingZeroBitCount
            valid = (lineFeeds & (0 &- lineFeeds)) &- 1
        }
        var quotesHere = here & valid
        let backslashes = block.positions(of: 0x5C)
        if state.escapesNext || backslashes != 0 {
            quotesHere &= ~takeEscapes(block, backslashes, valid, memory, at, limit, &state)
        }
        let first = found
        Self.put(quotesHere, quotesHere.nonzeroBitCount, at, quotes + found)
        found &+= quotesHere.nonzeroBitCount
        if backslashes != 0 { markEscapes(backslashes & valid, at: at, from: first, to: found, &state) }
        if isRare { takeRare(block, memory, at, valid, beginsInside, quotesHere, &state) }
        return valid != ~0
    }

    /// Writes the offsets of the quotes of one block, at least eight words whatever their number.
    ///
    /// Out of line it costs 2 % of a bare body, in a loop that every body goes through.
    @inline(__always)
    private static func put(_ mask: UInt64, _ count: Int, _ at: Int, _ target: UnsafeMutablePointer<UInt32>) {
        var rest = mask
        let offset = UInt32(truncatingIfNeeded: at)
        for slot in 0..<8 {
            target[slot] = offset &+ UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
        for slot in 8..<max(8, count) {
            target[slot] = offset &+ UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
    }

    /// Marks the quotes that close a text with a backslash: that of a text which an earlier block left open, and those
    /// found in this block.
    private func markEscapes(_ backslashes: UInt64, at: Int, from first: Int, to found: Int, _ state: inout State) {
        if state.quoteToMark >= 0, state.quoteToMark < found {
            quotes[state.quoteToMark] |= JSONText.escapeMark
            state.quoteToMark = -1
        }
        var rest = backslashes
        for number in first..<found {
            let place = Int(quotes[number] & ~JSONText.escapeMark) &- at
            let before: UInt64 = (1 &<< UInt64(truncatingIfNeeded: place)) &- 1
            if number & 1 == 1, rest & before != 0 { quotes[number] |= JSONText.escapeMark }
            rest &= ~before
        }
        if rest != 0, found & 1 == 1 { state.quoteToMark = found }
    }

    private mutating func grow(_ found: Int) {
        let wider = UnsafeMutablePointer<UInt32>.allocate(capacity: room * 2)
        wider.update(from: quotes, count: found)
        quotes.deallocate()
        quotes = wider
        room *= 2
    }

    /// Checks every escape; returns the bits of the characters that are escaped.
    private mutating func takeEscapes(
        _ block: ByteBlock, _ backslashes: UInt64, _ valid: UInt64, _ memory: UnsafeRawPointer, _ at: Int, _ limit: Int,
        _ state: inout State
    ) -> UInt64 {
        var open = backslashes & valid
        // Where a slash follows every backslash, there is nothing to check: PHP escapes every slash, and such records take
        // 6 % more instructions without this.
        let after = open &<< 1 | (state.escapesNext ? 1 : 0)
        if after & (open | ~block.positions(of: 0x2F)) & valid == 0 {
            state.escapesNext = open >> 63 != 0 || after & ~valid != 0
            return after
        }
        var escaped: UInt64 = 0
        // Of the next character to check; the one before the block is of the block before.
        var bit: UInt64 = state.escapesNext ? 1 : 0
        while true {
            if bit != 0 {
                if bit & valid == 0 { break }
                escaped |= bit
                open &= ~bit
                checkEscape(memory, at + bit.trailingZeroBitCount, limit, &state)
            }
            state.escapesNext = open != 0
            if open == 0 { break }
            bit = (open & (0 &- open)) &<< 1
            open &= open &- 1
            if bit == 0 { break }
        }
        return escaped
    }

    /// Checks the character after a backslash.
    private mutating func checkEscape(_ memory: UnsafeRawPointer, _ place: Int, _ limit: Int, _ state: inout State) {
        guard fault == nil else { return }
        switch memory.load(fromByteOffset: place, as: UInt8.self) {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: break
        case 0x75: checkUnicodeEscape(memory, place, limit, &state)
        default: note(.invalidEscape, place - 1)
        }
    }

    private mutating func checkUnicodeEscape(
        _ memory: UnsafeRawPointer, _ place: Int, _ limit: Int, _ state: inout State
    ) {
        guard place + 4 < limit, let unit = JSONEscapes.hexadecimal(memory, place + 1) else {
            return note(.invalidEscape, place - 1)
        }
        switch unit {
        case 0xD800...0xDBFF:
            let next = place + 5
            guard next + 5 < limit,
                memory.loadUnaligned(fromByteOffset: next, as: UInt16.self).littleEndian == 0x755C,
                let low = JSONEscapes.hexadecimal(memory, next + 2), 0xDC00...0xDFFF ~= low
            else { return note(.loneSurrogate, place - 1) }
            state.lowSurrogateAt = next + 1
        case 0xDC00...0xDFFF:
            if place != state.lowSurrogateAt { note(.loneSurrogate, place - 1) }
        default:
            break
        }
    }

    /// Checks control characters and bytes above 127.
    private mutating func takeRare(
        _ block: ByteBlock, _ memory: UnsafeRawPointer, _ at: Int, _ valid: UInt64, _ beginsInside: Bool,
        _ quotesHere: UInt64, _ state: inout State
    ) {
        let controls = block.controlPositions & valid
        if controls != 0 {
            let inside = ByteBlock.prefixXor(quotesHere) ^ (beginsInside ? ~0 : 0)
            let bad = controls & inside
            if bad != 0 { note(.controlCharacter, at + bad.trailingZeroBitCount) }
        }
        if block.has(below: 0) {
            if state.wideFrom < 0 { state.wideFrom = at }
        } else if state.wideFrom >= 0 {
            checkUTF8(memory, from: state.wideFrom, to: at)
            state.wideFrom = -1
        }
    }

    private mutating func checkUTF8(_ memory: UnsafeRawPointer, from start: Int, to end: Int) {
        if let place = UTF8Check.firstFault(in: memory, from: start, to: end) { note(.invalidUTF8, place) }
    }

    private mutating func note(_ code: JSONFault.Code, _ offset: Int) {
        if let fault, fault.offset <= offset { return }
        fault = JSONFault(code: code, offset: offset)
    }
}
