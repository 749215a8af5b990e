/// Writes the pieces of one event line to the end of an ``OutputBuffer``.
///
/// An event is a hundred and fifty pieces of known keys and short values. So that none of them has to ask whether there
/// is room for it, ``room`` bytes are made free before the first: more than all keys and short values of an event
/// take. What is long makes the same room free behind it, and so does whatever may come any number of times
/// (``makeRoom()``). Between ``init(_:isCompact:)`` and ``finish()`` no other face of the buffer may be used.
struct LineWriter {
    /// Bytes that are free wherever an event begins, and behind a long text or an element of a list.
    private static var room: Int { 4096 }
    /// The longest text that counts as short.
    private static var shortest: UInt32 { 32 }

    private let output: OutputBuffer
    /// Whether keys are left out for later; see ``CompactLine``.
    private let isCompact: Bool
    private var at: UnsafeMutableRawPointer

    init(_ output: OutputBuffer, isCompact: Bool) {
        self.output = output
        self.isCompact = isCompact
        output.reserve(Self.room)
        at = output.room.start
    }

    /// Makes what was written part of the buffer.
    func finish() {
        assert(at <= output.room.end, "an event takes more room than there is")
        output.end(at: at)
    }

    /// The position in the buffer of the next byte.
    var position: Int { output.position(of: at) }

    /// Makes room for all that comes, however much came before.
    mutating func makeRoom() {
        if output.room.end - at < Self.room { at = output.moreRoom(Self.room, from: at).start }
    }

    // MARK: Keys and other fixed texts

    /// Writes what is JSON already.
    @inline(__always)
    mutating func literal(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        assert(output.room.end - at >= count, "an event takes more room than there is")
        at.copyMemory(from: text.utf8Start, byteCount: count)
        at += count
    }

    /// Writes what stands between one value of an event and the next, or the mark for it.
    @inline(__always)
    mutating func key(_ text: StaticString) {
        if isCompact { mark(CompactLine.key) } else { literal(text) }
    }

    /// Writes the key of an object that is absent, and `null`, or the mark for both.
    mutating func absentObject(_ text: StaticString) {
        if isCompact { return mark(CompactLine.absentObject) }
        literal(text)
        literal("null")
    }

    @inline(__always)
    private mutating func mark(_ byte: UInt8) {
        at.storeBytes(of: byte, as: UInt8.self)
        at += 1
    }

    /// Writes `null`; nothing in a compact event, where an empty place says the same.
    @inline(__always)
    private mutating func null() {
        if !isCompact { literal("null") }
    }

    // MARK: Values

    /// Writes a string, or `null` if it is absent.
    @inline(__always)
    mutating func text(_ text: EventText) {
        guard let start = text.bytes.baseAddress else {
            null()
            return
        }
        guard text.measure <= Self.shortest else {
            at = Self.long(text, start, output, at)
            return
        }
        let count = Int(text.measure)
        at.storeBytes(of: 0x22, as: UInt8.self)
        JSONWriter.copyShort(start, count, to: at + 1)
        at.storeBytes(of: 0x22, toByteOffset: 1 &+ count, as: UInt8.self)
        at += 2 &+ count
    }

    /// Writes a string that is long or has escapes; returns the place behind it, where room is as before.
    @inline(never)
    private static func long(
        _ text: EventText, _ start: UnsafeRawPointer, _ output: OutputBuffer, _ target: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        let count = text.bytes.count
        var at = target
        if output.room.end - at < count + 2 + room { at = output.moreRoom(count + 2 + room, from: at).start }
        at.storeBytes(of: 0x22, as: UInt8.self)
        at += 1
        if text.hasEscapes {
            at = JSONWriter.rewrite(start, count, to: at)
        } else {
            at.copyMemory(from: start, byteCount: count)
            at += count
        }
        at.storeBytes(of: 0x22, as: UInt8.self)
        return at + 1
    }

    /// Writes a whole number, or `null`.
    @inline(__always)
    mutating func number(_ value: Int64?) {
        guard let value else {
            null()
            return
        }
        at = DecimalText.write(value, to: at)
    }

    /// Writes a whole number as a string of digits.
    mutating func digits(_ value: Int64) {
        literal("\"")
        number(value)
        literal("\"")
    }

    /// Writes the text of an object, or `null` if there is none.
    @inline(__always)
    mutating func object(_ text: [UInt8]) {
        guard !text.isEmpty else {
            null()
            return
        }
        at = Self.long(object: text, output, at)
    }

    @inline(never)
    private static func long(
        object text: [UInt8], _ output: OutputBuffer, _ target: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var at = target
        if output.room.end - at < text.count + room { at = output.moreRoom(text.count + room, from: at).start }
        text.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { at.copyMemory(from: start, byteCount: bytes.count) }
        }
        return at + text.count
    }

    /// Writes a truth value, or `null`.
    @inline(__always)
    mutating func bool(_ value: Bool?) {
        switch value {
        case true?: literal("true")
        case false?: literal("false")
        case nil: null()
        }
    }

    /// Writes an instant in RFC 3339 form, or `null`.
    @inline(__always)
    mutating func time(_ milliseconds: Int64?) {
        guard let milliseconds else {
            null()
            return
        }
        at =
            isCompact
            ? CompactLine.write(time: milliseconds, to: at) : JSONWriter.write(time: milliseconds, to: at)
    }

    /// Writes a UUID.
    mutating func uuid(_ id: EventID) {
        at = isCompact ? CompactLine.write(id: id, to: at) : JSONWriter.write(id: id, to: at)
    }
}
