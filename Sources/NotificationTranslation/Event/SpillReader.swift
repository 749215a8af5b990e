/// Fills in the fields of a ``SpilledEvent``.
struct SpillReader: EventVisitor {
    var bytes: ByteReader

    init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    @inline(__always)
    private mutating func value() -> EventText {
        let first = bytes.byte()
        guard first != 0 else { return .absent }
        guard first != 254 else { return long() }
        return EventText(bytes.raw(Int(first) - 1))
    }

    private mutating func long() -> EventText {
        let measure = UInt32(truncatingIfNeeded: bytes.half())
        return EventText(bytes.raw(Int(measure & 0x7FFF_FFFF)), hasEscapes: measure & 0x8000_0000 != 0)
    }

    private mutating func pair() -> EventDraft.Pair {
        let type = value()
        return EventDraft.Pair(type: type, subtype: value())
    }

    /// The number of elements of a list, each of at least one byte.
    private mutating func count() -> Int {
        let count = Int(bytes.half())
        guard count <= bytes.left else {
            bytes.fail()
            return 0
        }
        return count
    }

    @inline(__always)
    mutating func text(_ key: StaticString, _ text: inout EventText) { text = value() }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        id = bytes.byte() == 0 ? .text(value()) : .uuid(bytes.id())
    }

    @inline(__always)
    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) {
        guard let known = Word(place: bytes.byte()) else { return bytes.fail() }
        word = known
    }

    @inline(__always)
    mutating func time(_ key: StaticString, _ time: inout Int64?) { number(key, &time) }

    @inline(__always)
    mutating func milliseconds(_ key: StaticString, _ time: inout Int64?) {}

    @inline(__always)
    mutating func number(_ key: StaticString, _ number: inout Int64?) {
        number = bytes.byte() == 0 ? nil : Int64(bitPattern: bytes.word())
    }

    mutating func line(_ key: StaticString, _ number: inout Int64?) { number = Int64(bitPattern: bytes.word()) }

    @inline(__always)
    mutating func truth(_ key: StaticString, _ truth: inout Bool?) {
        let byte = bytes.byte()
        truth = byte == 0 ? nil : byte == 2
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) {
        app.text = value()
        number(key, &app.number)
    }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) { pair = self.pair() }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        for _ in 0..<count() { candidates.pairs.append(pair()) }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) {
        flags.known = bytes.flags()
        texts(key, &flags.named)
    }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        for _ in 0..<count() { texts.append(value()) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        let count = count()
        if count > 0 { document = Array(bytes.raw(count)) }
    }

    mutating func begin(_ key: StaticString) {}

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        isThere = bytes.byte() != 0
        return isThere
    }

    @inline(__always)
    mutating func begin(_ key: StaticString, _ presence: inout Presence) -> Bool {
        guard let known = Presence(rawValue: bytes.byte()) else {
            bytes.fail()
            return false
        }
        presence = known
        return presence == .found
    }

    mutating func end() {}
}
