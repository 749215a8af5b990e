import NotificationLibC

/// Fills in an event from a line that this package wrote.
///
/// Such a line has every key in the order of the contract and no whitespace, so a key is compared and not searched
/// for, and anything else is not such a line.
struct LineReader: EventVisitor {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0
    private var failed = false

    /// Fills in a new event from a line without its line end; returns false if the line is damaged.
    ///
    /// The texts of the event point into the memory of the line.
    static func read(_ line: UnsafeRawBufferPointer, into event: inout EventDraft) -> Bool {
        var reader = LineReader(bytes: line)
        event.visit(&reader)
        return !reader.failed && reader.at == line.count
    }

    // MARK: Bytes

    private var next: UInt8 { at < bytes.count ? bytes[at] : 0 }

    /// Passes these bytes, which have to be here.
    private mutating func expect(_ text: StaticString) {
        if !skip(text) { failed = true }
    }

    /// Passes these bytes if they are here.
    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard !failed, bytes.count - at >= count, let start = bytes.baseAddress,
            memcmp(start + at, text.utf8Start, count) == 0
        else { return false }
        at += count
        return true
    }

    /// A string, or absent for `null`.
    private mutating func value() -> EventText {
        if skip("null") { return .absent }
        expect("\"")
        let start = at
        var hasEscapes = false
        while at < bytes.count, bytes[at] != 0x22 {
            guard bytes[at] == 0x5C else {
                failed = failed || bytes[at] < 0x20
                at += 1
                continue
            }
            hasEscapes = true
            passEscape()
        }
        guard !failed, at < bytes.count else {
            failed = true
            return .absent
        }
        defer { at += 1 }
        return EventText(UnsafeRawBufferPointer(rebasing: bytes[start..<at]), hasEscapes: hasEscapes)
    }

    /// Passes a backslash and what it escapes, as JSON has it: a line may come from elsewhere.
    private mutating func passEscape() {
        at += 1
        guard at < bytes.count else { return }
        let isUnicode = bytes[at] == 0x75
        failed = failed || !(isUnicode || "\"\\/bfnrt".utf8.contains(bytes[at]))
        at += 1
        guard isUnicode else { return }
        for _ in 0..<4 {
            guard at < bytes.count, Hexadecimal.value(bytes[at]) != nil else { return failed = true }
            at += 1
        }
    }

    private mutating func wholeNumber() -> Int64? {
        if skip("null") { return nil }
        let start = at
        while at < bytes.count, bytes[at] == 0x2D || 0x30...0x39 ~= bytes[at] { at += 1 }
        guard !failed, let number = Int64(String(decoding: bytes[start..<at], as: UTF8.self)) else {
            failed = true
            return nil
        }
        return number
    }

    private mutating func pair() -> EventDraft.Pair {
        expect("{\"type\":")
        let type = value()
        expect(",\"subtype\":")
        let pair = EventDraft.Pair(type: type, subtype: value())
        expect("}")
        return pair
    }

    /// Reads the elements of an array.
    private mutating func list(_ element: (inout Self) -> Void) {
        expect("[")
        guard !skip("]") else { return }
        repeat { element(&self) } while skip(",")
        expect("]")
    }

    /// Passes a JSON object of any keys.
    private mutating func object() -> [UInt8] {
        guard !failed, next == 0x7B else {
            failed = true
            return []
        }
        let start = at
        var depth = 0
        repeat {
            switch next {
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D: depth -= 1
            case 0x22:
                _ = value()
                continue
            default: break
            }
            at += 1
        } while depth > 0 && at < bytes.count && !failed
        if depth != 0 || failed { failed = true }
        return failed ? [] : Array(bytes[start..<at])
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
        time = text.isAbsent ? nil : AppleDate.received(text.bytes)?.milliseconds
        if !text.isAbsent, time == nil { failed = true }
    }

    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) {
        expect(key)
        number = wholeNumber()
    }

    mutating func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        expect(key)
        if skip("null") {
            truth = nil
        } else {
            truth = skip("true")
            if truth == false { expect("false") }
        }
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

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        expect(key)
        if !skip("null") { document = object() }
    }

    mutating func begin(_ key: StaticString) { expect(key) }

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        expect(key)
        isThere = !skip("null")
        return isThere && !failed
    }

    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        guard skip(key) else { return false }
        isRequested = true
        isThere = !skip("null")
        return isThere && !failed
    }

    mutating func end() { expect("}") }
}

extension EventDraft {
    /// Fills in a new event from a line that this package wrote, without its end; false if the line is damaged.
    package mutating func read(line: UnsafeRawBufferPointer) -> Bool { LineReader.read(line, into: &self) }
}
