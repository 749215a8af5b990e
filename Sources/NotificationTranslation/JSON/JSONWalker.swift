/// The second pass: walks the grammar of one text by the quotes that a ``JSONScanner`` found, without looking inside strings again.
///
/// Between two strings of a compact text are one or two bytes, so a member costs two loads and two comparisons.
/// The walker keeps a position and the number of the next quote; whoever drives it takes what it needs and skips the
/// rest, and everything that is skipped is checked all the same.
struct JSONWalker {
    /// Levels of nesting that are read.
    static let deepest = 64

    enum Kind: UInt8, Sendable {
        case string, number, `true`, `false`, null, object, array

        /// Whether the value has no parts.
        var isScalar: Bool { rawValue < Kind.object.rawValue }
    }

    /// An object or array being walked.
    struct Container {
        fileprivate var seen: UInt64 = 0
        fileprivate let mark: Int
        fileprivate var begun = false
    }

    /// A key with its value, or (`object`, `array`) with the place where the value begins.
    struct Member {
        /// The key's slot in the table given, or -1.
        var slot: Int
        var key: JSONText
        var value: Value
    }

    /// A value: of a scalar its range, of an object or array only where it begins.
    struct Value {
        var kind: Kind
        var text: JSONText

        /// The text of a scalar that is read.
        ///
        /// - Throws: `json.number-overflow`; a number that nobody reads may be of any size.
        func read(in memory: UnsafeRawPointer) throws(JSONFault) -> JSONText {
            guard kind == .number, text.count > 3 else { return text }
            let overflows = JSONNumber.overflows(UnsafeRawBufferPointer(start: memory + text.start, count: text.count))
            if overflows { throw JSONFault(code: .numberOverflow, offset: text.start) }
            return text
        }
    }

    let memory: UnsafeRawPointer
    let quotes: UnsafePointer<UInt32>
    /// How many quotes there are.
    let count: Int
    let end: Int
    private let log: KeyLog
    var at: Int
    /// The number of the next quote.
    var quote = 0
    private var depth = 0

    init(_ memory: UnsafeRawPointer, _ scanner: borrowing JSONScanner, _ log: KeyLog, from start: Int) {
        self.memory = memory
        quotes = UnsafePointer(scanner.quotes)
        count = scanner.count
        end = scanner.end
        self.log = log
        at = start
    }

    // MARK: The whole text

    /// The value the text consists of.
    mutating func root() throws(JSONFault) -> Value {
        skipSpace()
        return try value()
    }

    /// Makes sure that nothing follows the value.
    mutating func finish() throws(JSONFault) {
        skipSpace()
        if at > end { throw fault(.unexpectedEnd, end) }
        if at < end { throw fault(.trailingContent, at) }
    }

    /// A place to come back to.
    struct Place {
        /// The index it begins at.
        let at: Int
        fileprivate let quote: Int
        fileprivate let depth: Int
        fileprivate let keys: Int
    }

    /// The place where an object or array that was just met begins.
    var place: Place { Place(at: at, quote: quote, depth: depth, keys: log.count) }

    /// Goes back to a place met before.
    mutating func go(to place: Place) {
        at = place.at
        quote = place.quote
        depth = place.depth
        log.cut(to: place.keys)
    }

    // MARK: Objects and arrays

    /// Enters the object or array that the last value announced.
    mutating func enter() throws(JSONFault) -> Container {
        depth &+= 1
        if depth > Self.deepest { throw fault(.tooDeep, at) }
        at &+= 1
        return Container(mark: log.count)
    }

    /// The next member, or `nil` after the last one.
    ///
    /// A value that is not a scalar must be entered or skipped before the next call. Laid out at the place of the call, as
    /// most bytes go through two loops.
    @inline(__always)
    mutating func nextMember(of object: inout Container, known table: KeyTable) throws(JSONFault) -> Member? {
        guard try moveToPart(of: &object, closedBy: 0x7D) else { return nil }
        if byte != 0x22 || at >= end { throw unexpected() }
        let key = JSONText(at &+ 1, marked: quotes[quote &+ 1])
        let keyEnd = key.end
        if keyEnd >= end { throw fault(.unexpectedEnd, end) }
        var slot = table.slot((memory + key.start).assumingMemoryBound(to: UInt8.self), key.count)
        if slot < 0 { slot = try otherSlot(of: key, table, object) }
        if slot >= 0 {
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
            if object.seen & bit != 0 { throw fault(.duplicateKey, at) }
            object.seen |= bit
        }
        quote &+= 2
        at = keyEnd &+ 1
        if pair(at: at) == 0x223A {
            at &+= 1
            return Member(slot: slot, key: key, value: try string())
        }
        if byte != 0x3A {
            skipSpace()
            if byte != 0x3A { throw unexpected() }
        }
        if at >= end { throw unexpected() }
        at &+= 1
        if byte <= 0x20 { skipSpace() }
        return Member(slot: slot, key: key, value: try value())
    }

    /// Takes members of known keys with texts for values, one after the other, until something else comes.
    ///
    /// Almost all of a receipt's transactions is of the form `"key":"text","key":"text"`, or the same with one space
    /// after each colon and comma, where four quotes and the bytes between them say everything; ``nextMember(of:known:)``
    /// takes up what is left, and the slots whose bits `others` has. Without it small and typical records take 7 to 8 % more
    /// instructions.
    @inline(__always)
    mutating func takeTexts(
        of object: inout Container, known table: KeyTable, into row: UnsafeMutableBufferPointer<JSONText>,
        besides others: UInt64 = 0
    ) {
        var begin = at
        if object.begun {
            let space = Self.space(memory, begin, after: 0x2C)
            guard space >= 0 else { return }
            begin &+= 1 &+ space
        } else {
            guard byte == 0x22 else { return }
        }
        let limit = count &- 3
        let memory = memory
        let quotes = quotes
        var number = quote
        var seen = object.seen | others
        while number < limit {
            let keyEnd = closingQuote(number &+ 1)
            let key = (memory + (begin &+ 1)).assumingMemoryBound(to: UInt8.self)
            let slot = table.slot(key, keyEnd &- begin &- 1)
            guard slot >= 0 else { break }
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
            let space = Self.space(memory, keyEnd &+ 1, after: 0x3A)
            guard space >= 0, seen & bit == 0 else { break }
            let text = JSONText(keyEnd &+ 3 &+ space, marked: quotes[number &+ 3])
            let end = text.end
            row[slot] = text
            seen |= bit
            number &+= 4
            if pair(at: end &+ 1) == 0x222C {
                begin = end &+ 2
            } else {
                guard Self.space(memory, end &+ 1, after: 0x2C) == 1 else { break }
                begin = end &+ 3
            }
        }
        guard number != quote else { return }
        at = closingQuote(number &- 1) &+ 1
        quote = number
        object.begun = true
        object.seen |= seen & ~others
    }

    /// How many spaces, 0 or 1, are between a colon or comma and the quote after it; -1 for anything else.
    private static func space(_ memory: UnsafeRawPointer, _ place: Int, after mark: UInt32) -> Int {
        let bytes = memory.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
        if bytes & 0xFFFF == 0x2200 | mark { return 0 }
        return bytes & 0xFF_FFFF == 0x22_2000 | mark ? 1 : -1
    }

    /// Two bytes, the first one lowest.
    private func pair(at place: Int) -> UInt16 {
        memory.loadUnaligned(fromByteOffset: place, as: UInt16.self).littleEndian
    }

    /// Moves to the next key of an object, or value of an array; false after the closing bracket.
    @inline(__always)
    private mutating func moveToPart(
        of container: inout Container, closedBy bracket: UInt8
    ) throws(JSONFault) -> Bool {
        if at >= end { throw fault(.unexpectedEnd, end) }
        if byte <= 0x20 { skipSpace() }
        if byte == bracket, at < end {
            at &+= 1
            depth &-= 1
            if log.count > container.mark { log.close(container.mark) }
            return false
        }
        if container.begun {
            if byte != 0x2C || at >= end { throw unexpected() }
            at &+= 1
            if byte <= 0x20 { skipSpace() }
            if byte == bracket, at < end { throw fault(.trailingComma, at) }
        }
        container.begun = true
        return true
    }

    /// The slot of a key that the table does not hold as it is written; -1 for another one, which the log then holds.
    private mutating func otherSlot(of key: JSONText, _ table: KeyTable, _ object: Container) throws(JSONFault) -> Int {
        let slot = key.hasEscapes ? table.slot(of: key, memory) : -1
        guard slot >= 0 || log.insert(key, memory, mark: object.mark) else { throw fault(.duplicateKey, at) }
        return slot
    }

    /// The next element of an array, or `nil` after the last one.
    mutating func nextElement(of array: inout Container) throws(JSONFault) -> Value? {
        try moveToPart(of: &array, closedBy: 0x5D) ? value() : nil
    }

    // MARK: Values

    @inline(__always)
    private mutating func value() throws(JSONFault) -> Value {
        if at >= end { throw fault(.unexpectedEnd, end) }
        switch byte {
        case 0x22: return try string()
        case 0x7B: return Value(kind: .object, text: JSONText(at, at, escaped: false))
        case 0x5B: return Value(kind: .array, text: JSONText(at, at, escaped: false))
        case 0x74: return try literal("true", .true)
        case 0x66: return try literal("false", .false)
        case 0x6E: return try literal("null", .null)
        case 0x2D, 0x30...0x39: return try number()
        default: throw unexpected()
        }
    }

    @inline(__always)
    private mutating func string() throws(JSONFault) -> Value {
        let text = JSONText(at &+ 1, marked: quotes[quote &+ 1])
        if text.end >= end { throw fault(.unexpectedEnd, end) }
        quote &+= 2
        at = text.end &+ 1
        return Value(kind: .string, text: text)
    }

    private mutating func literal(_ word: StaticString, _ kind: Kind) throws(JSONFault) -> Value {
        let start = at
        for place in 0..<word.utf8CodeUnitCount {
            if at >= end { throw fault(.unexpectedEnd, end) }
            if byte != word.utf8Start[place] { throw fault(.syntax, at) }
            at += 1
        }
        return Value(kind: kind, text: JSONText(start, at, escaped: false))
    }

    private mutating func number() throws(JSONFault) -> Value {
        let start = at
        at = try JSONNumber.end(memory, from: start, to: end)
        return Value(kind: .number, text: JSONText(start, at, escaped: false))
    }

    // MARK: Bytes

    private var byte: UInt8 { memory.load(fromByteOffset: at, as: UInt8.self) }

    private mutating func skipSpace() {
        while at < end, byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    /// Where a quote is that closes a text.
    @inline(__always)
    func closingQuote(_ number: Int) -> Int { Int(quotes[number] & ~JSONText.escapeMark) }

    private func fault(_ code: JSONFault.Code, _ offset: Int) -> JSONFault {
        JSONFault(code: code, offset: min(offset, end))
    }

    private func unexpected() -> JSONFault {
        if at >= end { return fault(.unexpectedEnd, end) }
        if byte < 0x20 { return fault(.controlCharacter, at) }
        return fault(.syntax, at)
    }
}
