import NotificationLibC

/// Writes an event as one line of the contract to the end of an ``OutputBuffer``: every key in order, `null` where
/// nothing is known.
///
/// Before each field ``room`` bytes are free, more than any key and short value take; what may be longer makes room for
/// itself. While it writes, no other method of the buffer may be used.
///
/// Its inlining attributes, with those of ``JSONWalker``, ``KeyTable`` and ``FactValues``, are worth 10 % of
/// the instructions of a small record and 4 % of a typical one.
struct LineWriter: EventVisitor {
    /// Bytes that are free before each field and each element of a list.
    private static var room: Int { 160 }
    /// The longest text that counts as short.
    private static var shortest: UInt32 { 32 }

    private let output: OutputBuffer
    private var at: UnsafeMutableRawPointer
    private var limit: UnsafeMutableRawPointer

    private init(_ output: OutputBuffer) {
        self.output = output
        output.reserve(2048)
        (at, limit) = output.room
    }

    /// Writes the line of an event.
    ///
    /// - Parameters:
    ///   - event: The event; `inout` because visiting is, it stays as it is.
    ///   - output: Where the line goes.
    ///   - endsLine: Ends the line with LF.
    static func write(_ event: inout EventDraft, to output: OutputBuffer, endsLine: Bool = false) {
        var writer = LineWriter(output)
        event.visit(&writer)
        if endsLine {
            writer.makeRoom()
            writer.literal("\n")
        }
        output.end(at: writer.at)
    }

    // MARK: Bytes

    /// Makes room for what comes next.
    @inline(__always)
    private mutating func makeRoom() {
        if limit - at < Self.room { (at, limit) = output.moreRoom(Self.room, from: at) }
    }

    /// Writes what is JSON already; short.
    @inline(__always)
    private mutating func literal(_ text: StaticString) {
        at.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        at += text.utf8CodeUnitCount
    }

    @inline(__always)
    private mutating func key(_ key: StaticString) {
        makeRoom()
        literal(key)
    }

    /// Writes a string, or `null` if it is absent.
    @inline(__always)
    private mutating func value(_ text: EventText) {
        guard let start = text.bytes.baseAddress else { return literal("null") }
        guard text.measure <= Self.shortest else { return long(text) }
        let count = Int(text.measure)
        at.storeBytes(of: 0x22, as: UInt8.self)
        (at + 1).copyMemory(from: start, byteCount: count)
        at.storeBytes(of: 0x22, toByteOffset: 1 &+ count, as: UInt8.self)
        at += 2 &+ count
    }

    /// Writes a string that is long or has escapes.
    private mutating func long(_ text: EventText) {
        let count = text.bytes.count
        guard let start = text.bytes.baseAddress else { return }
        // Rewritten, a string of JSON never has more bytes, and no other has more than six for one.
        let needed = (text.hasEscapes ? 6 * count : count) + Self.room
        if limit - at < needed { (at, limit) = output.moreRoom(needed, from: at) }
        literal("\"")
        if text.hasEscapes {
            rewrite(start, count)
        } else {
            at.copyMemory(from: start, byteCount: count)
            at += count
        }
        literal("\"")
    }

    /// Writes the inside of a string with escapes as this package writes it, however it was written before.
    private mutating func rewrite(_ start: UnsafeRawPointer, _ count: Int) {
        guard memchr(start, 0x5C, count) != nil else {
            at.copyMemory(from: start, byteCount: count)
            at += count
            return
        }
        JSONEscapes.unescape(start, from: 0, to: count) { escape($0) }
    }

    /// Writes characters as the inside of a string.
    private mutating func escape(_ characters: UnsafeRawBufferPointer) {
        JSONEscapes.escape(characters) { piece in
            guard let start = piece.baseAddress else { return }
            at.copyMemory(from: start, byteCount: piece.count)
            at += piece.count
        }
    }

    @inline(__always)
    private mutating func value(_ pair: EventDraft.Pair) {
        literal("{\"type\":")
        value(pair.type)
        makeRoom()
        literal(",\"subtype\":")
        value(pair.subtype)
        literal("}")
    }

    /// Writes elements with commas between them; each makes its own room.
    @inline(__always)
    private mutating func list(_ count: Int, _ element: (Int, inout Self) -> Void) {
        literal("[")
        for place in 0..<count {
            makeRoom()
            if place > 0 { literal(",") }
            element(place, &self)
        }
        makeRoom()
        literal("]")
    }

    // MARK: Fields

    @inline(__always)
    mutating func text(_ key: StaticString, _ text: inout EventText) {
        self.key(key)
        value(text)
    }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        self.key(key)
        switch id {
        case .uuid(let id):
            literal("\"")
            id.write(to: at)
            at += 36
            literal("\"")
        case .text(let text):
            // Characters may be as they are: what a sender calls a UUID may be any text.
            guard text.needsEscapes else { return value(text) }
            let count = 6 * text.bytes.count + Self.room
            if limit - at < count { (at, limit) = output.moreRoom(count, from: at) }
            literal("\"")
            escape(text.bytes)
            literal("\"")
        }
    }

    @inline(__always)
    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) {
        self.key(key)
        var text = word.rawValue
        text.withUTF8 { value(EventText(UnsafeRawBufferPointer($0))) }
    }

    @inline(__always)
    mutating func time(_ key: StaticString, _ time: inout Int64?) {
        self.key(key)
        guard let time else { return literal("null") }
        let words = CivilTime.words(time)
        at.storeBytes(of: 0x22, as: UInt8.self)
        at.storeBytes(of: words.0.littleEndian, toByteOffset: 1, as: UInt64.self)
        at.storeBytes(of: words.1.littleEndian, toByteOffset: 9, as: UInt64.self)
        at.storeBytes(of: words.2.littleEndian, toByteOffset: 17, as: UInt64.self)
        at.storeBytes(of: 0x22, toByteOffset: 25, as: UInt8.self)
        at += 26
    }

    @inline(__always)
    mutating func milliseconds(_ key: StaticString, _ time: inout Int64?) { number(key, &time) }

    @inline(__always)
    mutating func number(_ key: StaticString, _ number: inout Int64?) {
        self.key(key)
        guard let number else { return literal("null") }
        at = DecimalText.write(number, to: at)
    }

    @inline(__always)
    mutating func truth(_ key: StaticString, _ truth: inout Bool?) {
        self.key(key)
        switch truth {
        case true?: literal("true")
        case false?: literal("false")
        case nil: literal("null")
        }
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) {
        self.key(key)
        guard let number = app.number else { return value(app.text) }
        literal("\"")
        at = DecimalText.write(number, to: at)
        literal("\"")
    }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) {
        self.key(key)
        value(pair)
    }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        self.key(key)
        if candidates.pairs.isEmpty, let decision = candidates.decision {
            list(decision.candidates.count) { $1.value(EventTable.current.names(decision.candidates[$0])) }
        } else {
            list(candidates.pairs.count) { $1.value(candidates.pairs[$0]) }
        }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) {
        self.key(key)
        literal("[")
        var isFirst = true
        for number in flags.known.numbers {
            makeRoom()
            if !isFirst { literal(",") }
            isFirst = false
            value(FlagTable.current.rows[number].text.text)
        }
        for flag in flags.named {
            makeRoom()
            if !isFirst { literal(",") }
            isFirst = false
            value(flag)
        }
        makeRoom()
        literal("]")
    }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        self.key(key)
        list(texts.count) { [texts] in $1.value(texts[$0]) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        self.key(key)
        guard !document.isEmpty else { return literal("null") }
        let count = document.count
        if limit - at < count + Self.room { (at, limit) = output.moreRoom(count + Self.room, from: at) }
        document.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { at.copyMemory(from: start, byteCount: count) }
        }
        at += count
    }

    @inline(__always)
    mutating func begin(_ key: StaticString) { self.key(key) }

    @inline(__always)
    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        self.key(key)
        if !isThere { literal("null") }
        return isThere
    }

    @inline(__always)
    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        isRequested || isThere ? begin(key, &isThere) : false
    }

    @inline(__always)
    mutating func end() {
        makeRoom()
        literal("}")
    }
}
