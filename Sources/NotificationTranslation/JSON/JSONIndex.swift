/// Where the quotes of one JSON text are: the first of two passes, 64 bytes at a time.
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
struct JSONIndex: ~Copyable {
    /// Bytes read beyond the end of the text.
    static let slack = 64

    /// Offsets of the unescaped quotes, in order, then at least four times the text's end.
    private(set) var quotes: UnsafeMutablePointer<UInt32>
    private var room: Int
    private(set) var count = 0
    /// Offset after the last byte of the text: the line feed, or the end given.
    private(set) var end = 0
    /// Whether a backslash is anywhere in the text.
    private(set) var hasEscapes = false
    /// Which strings may hold an escape, by the numbers of the quotes they begin with; for ``EscapeSpans``.
    private(set) var escapes = EscapeSpans()
    /// What is wrong with the text before any grammar is asked; the first such place.
    private(set) var fault: JSONFault?

    init() {
        room = 4096
        quotes = .allocate(capacity: room)
    }

    deinit {
        quotes.deallocate()
    }

    /// Indexes the text from `start` to `limit`, or to the first line feed if `stopsAtLineFeed`.
    ///
    /// Quotes come in crowds and stay away in crowds: one loop runs over blocks without anything of interest, one over
    /// blocks with quotes and nothing else that matters, one over long texts in which every `/` is escaped.
    mutating func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        count = 0
        hasEscapes = false
        escapes.removeAll()
        fault = nil
        var state = State(start: start)
        var at = start
        var ended = false
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
                goesOn = here != 0
                if room &- found < 72 { grow(found) }
                if block.unusualBits | state.careBits != 0 || limit &- at < 64 {
                    var quotesHere = here
                    ended = take(block, memory, at, limit, stopsAtLineFeed, &quotesHere, &found, &state)
                    if ended { break scan }
                    at &+= 64
                    if state.hadEscapes, quotesHere == 0, state.wideFrom < 0 {
                        at = Self.passEscapedSlashes(memory, at, limit, &state.escapesNext)
                        goesOn = true
                    }
                    if state.needsCare { goesOn = true }
                } else {
                    let count = here.nonzeroBitCount
                    Self.put(here, count, at, quotes + found)
                    found &+= count
                    at &+= 64
                }
            }
        }
        count = found
        if !ended { end = limit }
        if state.wideFrom >= 0 { checkUTF8(memory, from: state.wideFrom, to: end) }
        if state.escapesNext && fault == nil { fault = JSONFault(code: .unexpectedEnd, offset: end) }
        escapes.close()
        for sentinel in 0..<4 { quotes[count + sentinel] = UInt32(truncatingIfNeeded: end) }
    }

    /// What one block passes to the next.
    private struct State {
        /// Where the text begins.
        let start: Int
        /// The last byte of the block before was a backslash that escapes.
        var escapesNext = false
        /// The block taken in last had an escape, or a part of one.
        var hadEscapes = false
        /// Where the running stretch of blocks with bytes above 127 began, or -1.
        var wideFrom = -1
        /// Where the second half of a surrogate pair is due, or -1.
        var lowSurrogateAt = -1

        var needsCare: Bool { careBits != 0 }
        /// Not 0 if every block has to be looked at closely.
        var careBits: UInt64 { (escapesNext ? 1 : 0) | ~UInt64(bitPattern: Int64(wideFrom)) >> 63 }
    }

    /// Takes in a block that has more than quotes; true at the end of the line.
    private mutating func take(
        _ block: ByteBlock, _ memory: UnsafeRawPointer, _ at: Int, _ limit: Int, _ stopsAtLineFeed: Bool,
        _ quotesHere: inout UInt64, _ found: inout Int, _ state: inout State
    ) -> Bool {
        let before = found
        let hasEscapesHere = state.escapesNext || block.has(0x5C)
        state.hadEscapes = hasEscapesHere
        if hasEscapesHere {
            takeEscapes(block, memory, at, limit, stopsAtLineFeed, &quotesHere, &state)
        }
        var ended = false
        if limit &- at < 64 || block.hasControlOrNonASCII || state.wideFrom >= 0 {
            ended = takeRare(block, memory, at, limit, stopsAtLineFeed, before & 1 == 1, &quotesHere, &state)
        }
        if quotesHere != 0 {
            let count = quotesHere.nonzeroBitCount
            Self.put(quotesHere, count, at, quotes + found)
            found &+= count
        }
        if hasEscapesHere { escapes.add(before, found) }
        return ended
    }

    /// Runs on over blocks of a text that hold neither quotes, spaces, control characters nor bytes above 127, and no
    /// escapes but `\/`, whether they hold some of these or not; returns where that ends.
    ///
    /// Two of three blocks of a receipt written by PHP hold one, in no order that a processor could foresee.
    private static func passEscapedSlashes(
        _ memory: UnsafeRawPointer, _ start: Int, _ limit: Int, _ escapesNext: inout Bool
    ) -> Int {
        var at = start
        var carry: UInt64 = escapesNext ? 1 : 0
        while limit &- at >= 64 {
            let block = ByteBlock(at: memory + at)
            let backslashes = block.positions(of: 0x5C)
            let escaped = backslashes &<< 1 | carry
            let unusual = escaped & (backslashes | ~block.positions(of: 0x2F))
            if unusual != 0 || block.hasQuoteOrLess { break }
            carry = backslashes &>> 63
            at &+= 64
        }
        escapesNext = carry != 0
        return at
    }

    /// Writes the offsets of the quotes of one block, at least eight words whatever their number.
    private static func put(_ mask: UInt64, _ count: Int, _ at: Int, _ target: UnsafeMutablePointer<UInt32>) {
        var rest = mask
        let offset = UInt32(truncatingIfNeeded: at)
        for slot in 0..<8 {
            target[slot] = offset &+ UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
        if count > 8 {
            var slot = 8
            while rest != 0 {
                target[slot] = offset &+ UInt32(truncatingIfNeeded: rest.trailingZeroBitCount)
                rest &= rest &- 1
                slot &+= 1
            }
        }
    }

    private mutating func grow(_ found: Int) {
        let wider = UnsafeMutablePointer<UInt32>.allocate(capacity: room * 2)
        wider.update(from: quotes, count: found)
        quotes.deallocate()
        quotes = wider
        room *= 2
    }

    /// Takes the escaped quotes out of the mask and checks every escape.
    ///
    /// PHP writes every `/` of the base64 as `\/`: when all escapes of a block are of that kind, nothing more is done.
    private mutating func takeEscapes(
        _ block: ByteBlock, _ memory: UnsafeRawPointer, _ at: Int, _ limit: Int, _ stopsAtLineFeed: Bool,
        _ quotesHere: inout UInt64, _ state: inout State
    ) {
        hasEscapes = true
        let backslashes = block.positions(of: 0x5C)
        let carry: UInt64 = state.escapesNext ? 1 : 0
        var escaped = backslashes &<< 1 | carry
        if backslashes & escaped == 0 {
            state.escapesNext = backslashes >> 63 != 0
        } else {
            escaped = carry
            var open = backslashes & ~carry
            state.escapesNext = false
            while open != 0 {
                let place = open.trailingZeroBitCount
                if place == 63 {
                    state.escapesNext = true
                    break
                }
                escaped |= 1 &<< UInt64(place + 1)
                open &= ~(3 &<< UInt64(place))
            }
        }
        let unusual = escaped & ~block.positions(of: 0x2F)
        if unusual != 0 {
            checkEscapes(memory, at, limit, stopsAtLineFeed ? block.positions(of: 0x0A) : 0, unusual, &state)
            quotesHere &= ~escaped
        }
    }

    /// Checks what follows each backslash; `escaped` has a bit for each character after one.
    private mutating func checkEscapes(
        _ memory: UnsafeRawPointer, _ at: Int, _ limit: Int, _ lineFeeds: UInt64, _ escaped: UInt64,
        _ state: inout State
    ) {
        var rest = escaped
        if lineFeeds != 0 { rest &= (lineFeeds & (0 &- lineFeeds)) &- 1 }
        while rest != 0 {
            let place = at + rest.trailingZeroBitCount
            rest &= rest &- 1
            guard place < limit, fault == nil else { return }
            switch memory.load(fromByteOffset: place, as: UInt8.self) {
            case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
                break
            case 0x75:
                checkUnicodeEscape(memory, place, limit, &state)
            default:
                note(.invalidEscape, place - 1)
            }
        }
    }

    private mutating func checkUnicodeEscape(
        _ memory: UnsafeRawPointer, _ place: Int, _ limit: Int, _ state: inout State
    ) {
        guard place + 4 < limit, let unit = JSONEscapes.hexadecimal(memory, place + 1) else {
            note(.invalidEscape, place - 1)
            return
        }
        switch unit {
        case 0xD800...0xDBFF:
            let next = place + 5
            guard next + 5 < limit,
                memory.loadUnaligned(fromByteOffset: next, as: UInt16.self).littleEndian == 0x755C,
                let low = JSONEscapes.hexadecimal(memory, next + 2), 0xDC00...0xDFFF ~= low
            else {
                note(.loneSurrogate, place - 1)
                return
            }
            state.lowSurrogateAt = next + 1
        case 0xDC00...0xDFFF:
            if place != state.lowSurrogateAt { note(.loneSurrogate, place - 1) }
        default:
            break
        }
    }

    /// Handles the end of the text, line feeds, control characters and bytes above 127; true at the end of the line.
    private mutating func takeRare(
        _ block: ByteBlock, _ memory: UnsafeRawPointer, _ at: Int, _ limit: Int, _ stopsAtLineFeed: Bool,
        _ beginsInside: Bool, _ quotesHere: inout UInt64, _ state: inout State
    ) -> Bool {
        var valid: UInt64 = limit - at >= 64 ? ~0 : (1 &<< UInt64(limit - at)) &- 1
        var ended = false
        var controls = block.controlPositions
        if stopsAtLineFeed {
            let lineFeeds = block.positions(of: 0x0A) & valid
            if lineFeeds != 0 {
                let place = lineFeeds.trailingZeroBitCount
                end = at + place
                valid &= (1 &<< UInt64(place)) &- 1
                ended = true
            }
        }
        if !ended && limit - at < 64 {
            end = limit
            ended = true
        }
        quotesHere &= valid
        controls &= valid
        if ended { state.escapesNext = endsInBackslash(memory, state.start) }
        if controls != 0 {
            let inside = ByteBlock.prefixXor(quotesHere) ^ (beginsInside ? ~0 : 0)
            let bad = controls & inside
            if bad != 0 { note(.controlCharacter, at + bad.trailingZeroBitCount) }
        }
        if block.hasNonASCII {
            if state.wideFrom < 0 { state.wideFrom = at }
        } else if state.wideFrom >= 0 {
            checkUTF8(memory, from: state.wideFrom, to: at)
            state.wideFrom = -1
        }
        return ended
    }

    /// Whether the text ends with an escaping backslash (an odd number of them).
    private func endsInBackslash(_ memory: UnsafeRawPointer, _ start: Int) -> Bool {
        guard hasEscapes else { return false }
        var at = end - 1
        var odd = false
        while at >= start, memory.load(fromByteOffset: at, as: UInt8.self) == 0x5C {
            odd.toggle()
            at -= 1
        }
        return odd
    }

    private mutating func checkUTF8(_ memory: UnsafeRawPointer, from start: Int, to end: Int) {
        if let place = UTF8Check.firstFault(in: memory, from: start, to: end) { note(.invalidUTF8, place) }
    }

    private mutating func note(_ code: JSONFault.Code, _ offset: Int) {
        if let fault, fault.offset <= offset { return }
        fault = JSONFault(code: code, offset: offset)
    }
}
