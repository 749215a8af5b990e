/// An event kept on disk for a while, in bytes that only the same build reads back.
///
///     length   four bytes, the lowest first: of all that follows, the line number included
///     fields   in the order of the contract, then the payload that is passed on
///
///     text         0 absent · 1…253 its length + 1 · 254 and four bytes of length and mark; then the characters
///     id           0 and a text · 1 and sixteen bytes
///     word         its place among all words
///     time, number 0 absent · 1 and eight bytes
///     line         eight bytes
///     truth        0 absent · 1 false · 2 true
///     list         four bytes of count, then the elements
///     object       0 absent · 1 and its fields; without that byte where it is always there
///     option       0 not requested · 1 nothing · 2 and its fields
package enum SpilledEvent {
    /// Bytes of the length.
    package static let headerSize = 4
    /// Bytes of the line number.
    package static let lineSize = 8

    /// How many bytes the event that begins `record` takes, its length included; `nil` if the length is not whole.
    package static func size(_ record: UnsafeRawBufferPointer) -> Int? {
        guard record.count >= headerSize else { return nil }
        return headerSize + Int(UInt32(littleEndian: record.loadUnaligned(as: UInt32.self)))
    }

    /// Appends an event.
    ///
    /// - Returns: The positions in the output where the id and the line number are or belong.
    static func append(
        _ event: inout EventDraft, to output: OutputBuffer, _ names: EventNames, marksLine: Bool
    ) -> EventPlaces {
        let start = output.count
        output.append(count: headerSize) { $0.storeBytes(of: 0, as: UInt32.self) }
        var writer = SpillWriter(output, names, marksLine: marksLine)
        event.visit(&writer)
        writer.document("", &event.original)
        let length = output.count - start - headerSize + (marksLine ? lineSize : 0)
        output.overwrite(at: start, count: headerSize) {
            $0.storeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, as: UInt32.self)
        }
        return writer.places
    }

    /// Reads an event back; its texts are in the memory of `record`.
    ///
    /// - Parameters:
    ///   - record: The event with its length.
    ///   - event: What is filled in; new.
    /// - Returns: False if the bytes are damaged.
    static func read(_ record: UnsafeRawBufferPointer, into event: inout EventDraft) -> Bool {
        guard size(record) == record.count else { return false }
        var reader = SpillReader(ByteReader(UnsafeRawBufferPointer(rebasing: record[headerSize...])))
        event.visit(&reader)
        reader.document("", &event.original)
        return !reader.bytes.failed && reader.bytes.isAtEnd
    }
}

/// Writes the fields of a ``SpilledEvent``.
private struct SpillWriter: EventVisitor {
    private let output: OutputBuffer
    private let names: EventNames
    private let marksLine: Bool
    private(set) var places = EventPlaces()

    init(_ output: OutputBuffer, _ names: EventNames, marksLine: Bool) {
        self.output = output
        self.names = names
        self.marksLine = marksLine
    }

    @inline(__always)
    private func value(_ text: EventText) {
        let count = text.bytes.count
        guard let start = text.bytes.baseAddress else { return output.append(0) }
        guard count <= 252, !text.hasEscapes else { return long(text) }
        output.append(count: count + 1) { target in
            target.storeBytes(of: UInt8(truncatingIfNeeded: count + 1), as: UInt8.self)
            (target + 1).copyMemory(from: start, byteCount: count)
        }
    }

    private func long(_ text: EventText) {
        output.append(254)
        output.append(count: 4) { $0.storeBytes(of: text.measure.littleEndian, as: UInt32.self) }
        output.append(text.bytes)
    }

    private func value(_ pair: EventDraft.Pair) {
        value(pair.type)
        value(pair.subtype)
    }

    private func count(_ count: Int) {
        output.append(count: 4) { $0.storeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian, as: UInt32.self) }
    }

    @inline(__always)
    mutating func text(_ key: StaticString, _ text: inout EventText) { value(text) }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        switch id {
        case .text(let text):
            output.append(0)
            value(text)
        case .uuid(let id):
            output.append(1)
            if places.id < 0 { places.id = output.count }
            output.append(id)
        }
    }

    @inline(__always)
    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) { output.append(word.place) }

    @inline(__always)
    mutating func time(_ key: StaticString, _ time: inout Int64?) { number(key, &time) }

    @inline(__always)
    mutating func milliseconds(_ key: StaticString, _ time: inout Int64?) {}

    @inline(__always)
    mutating func number(_ key: StaticString, _ number: inout Int64?) {
        guard let number else { return output.append(0) }
        output.append(count: 9) { target in
            target.storeBytes(of: 1, as: UInt8.self)
            target.storeBytes(of: number.littleEndian, toByteOffset: 1, as: Int64.self)
        }
    }

    mutating func line(_ key: StaticString, _ number: inout Int64?) {
        places.line = output.count
        if marksLine { return }
        output.append(count: SpilledEvent.lineSize) { [number] in
            $0.storeBytes(of: (number ?? 0).littleEndian, as: Int64.self)
        }
    }

    @inline(__always)
    mutating func truth(_ key: StaticString, _ truth: inout Bool?) {
        output.append(truth.map { $0 ? 2 : 1 } ?? 0)
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) {
        value(app.text)
        number(key, &app.number)
    }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) { value(pair) }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        if candidates.pairs.isEmpty, let decision = candidates.decision {
            count(decision.candidates.count)
            for candidate in decision.candidates { value(names.pair(candidate)) }
        } else {
            count(candidates.pairs.count)
            for pair in candidates.pairs { value(pair) }
        }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) {
        output.append(flags: flags.known)
        texts(key, &flags.named)
    }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        count(texts.count)
        for text in texts { value(text) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        count(document.count)
        document.withUnsafeBytes { output.append($0) }
    }

    mutating func begin(_ key: StaticString) {}

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        output.append(isThere ? 1 : 0)
        return isThere
    }

    @inline(__always)
    mutating func begin(_ key: StaticString, _ presence: inout Presence) -> Bool {
        output.append(presence.rawValue)
        return presence == .found
    }

    mutating func end() {}
}

/// Fills in the fields of a ``SpilledEvent``.
private struct SpillReader: EventVisitor {
    private(set) var bytes: ByteReader

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
