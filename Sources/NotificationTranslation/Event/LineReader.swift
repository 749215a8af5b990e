import NotificationLibC

/// Fills in an event from a line that this package wrote: every key in the order of the contract, and no whitespace.
///
/// Keys are compared in that order, not looked up; anything else counts as damage. With a tree of every line that a
/// timeline changes, an archive of simulated lives took 8 % longer. The event points into the memory of the line.
struct LineReader: EventVisitor {
    private let line: UnsafeRawBufferPointer
    private var at = 0
    private var failed = false

    /// Fills in a new event from a line without its line end; returns false if the line is damaged.
    static func read(_ line: UnsafeRawBufferPointer, into event: inout EventDraft) -> Bool {
        var reader = LineReader(line: line)
        event.visit(&reader)
        guard let memory = line.baseAddress, !reader.failed, reader.at == line.count else { return false }
        var bits: UInt8 = 0
        for byte in line { bits |= byte }
        return bits < 0x80 || UTF8Check.firstFault(in: memory, from: 0, to: line.count) == nil
    }

    // MARK: Values

    /// Skips these bytes if they come next; returns whether it did.
    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard !failed, line.count - at >= count, let memory = line.baseAddress,
            memcmp(memory + at, text.utf8Start, count) == 0
        else { return false }
        at += count
        return true
    }

    /// Skips these bytes, which have to come next.
    private mutating func expect(_ text: StaticString) {
        if !skip(text) { failed = true }
    }

    /// Passes bytes as long as a condition holds for them.
    private mutating func pass(while holds: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
        let start = at
        while at < line.count, holds(line[at]) { at += 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<at])
    }

    private mutating func value() -> EventText {
        if skip("null") { return .absent }
        expect("\"")
        var (isEscaped, hasEscapes) = (false, false)
        let bytes = pass { byte in
            if byte < 0x20 || byte == 0x22, !isEscaped { return false }
            isEscaped = byte == 0x5C && !isEscaped
            hasEscapes = hasEscapes || isEscaped
            return true
        }
        expect("\"")
        if hasEscapes, JSONTree.parsed([0x22] + bytes + [0x22]) == nil { failed = true }
        return failed ? .absent : EventText(bytes, hasEscapes: hasEscapes)
    }

    private mutating func pair() -> EventDraft.Pair {
        expect("{\"type\":")
        let type = value()
        expect(",\"subtype\":")
        let pair = EventDraft.Pair(type: type, subtype: value())
        expect("}")
        return pair
    }

    private mutating func list(_ element: (inout Self) -> Void) {
        expect("[")
        if skip("]") { return }
        repeat { element(&self) } while skip(",")
        expect("]")
    }

    // MARK: Fields

    mutating func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) {
        expect(key)
        text = value()
    }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        expect(key)
        id = .text(value())
    }

    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) {
        expect(key)
        guard let known = value().string.flatMap(Word.init(rawValue:)) else { return failed = true }
        word = known
    }

    mutating func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) {
        expect(key)
        let text = value()
        time = text.isAbsent ? nil : CivilTime.milliseconds(rfc3339: text.bytes)
        if !text.isAbsent, time == nil { failed = true }
    }

    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) {
        expect(key)
        if skip("null") { return number = nil }
        guard !failed, let memory = line.baseAddress,
            let end = try? JSONNumber.end(memory, from: at, to: line.count),
            let value = JSONNumber.integer(UnsafeRawBufferPointer(rebasing: line[at..<end]))
        else { return failed = true }
        (number, at) = (value, end)
    }

    mutating func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        expect(key)
        truth = skip("null") ? nil : skip("true")
        if truth == false { expect("false") }
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) { text(key, &app.text, nil) }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) {
        expect(key)
        pair = self.pair()
    }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        expect(key)
        list { candidates.pairs.append($0.pair()) }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) { texts(key, &flags.named) }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        expect(key)
        list { texts.append($0.value()) }
    }

    /// Copies an object up to its closing brace; whether what is in it is JSON is not checked.
    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        expect(key)
        if skip("null") { return }
        let start = at
        var depth = 0
        guard at < line.count, line[at] == 0x7B else { return failed = true }
        repeat {
            _ = pass { $0 != 0x22 && $0 != 0x7B && $0 != 0x7D }
            if skip("{") { depth += 1 } else if skip("}") { depth -= 1 } else { _ = value() }
        } while depth > 0 && !failed
        if !failed { document = Array(line[start..<at]) }
    }

    mutating func begin(_ key: StaticString) { expect(key) }

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        expect(key)
        isThere = !failed && !skip("null")
        return isThere
    }

    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        isRequested = skip(key)
        isThere = isRequested && !skip("null")
        return isThere
    }

    mutating func end() { expect("}") }
}

extension EventDraft {
    /// Fills in a new event from a line that this package wrote, without its end, and that was kept elsewhere since;
    /// false if the line is damaged.
    ///
    /// The event points into the memory of the line.
    package mutating func read(line: UnsafeRawBufferPointer) -> Bool {
        LineReader.read(line, into: &self) && (details.isEmpty || JSONTree.parsed(details) != nil)
    }
}
