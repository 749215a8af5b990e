/// Fills in an event from the tree of a line that this package wrote; a key that is missing counts as `null`.
struct LineReader: EventVisitor {
    /// The objects that are open, the innermost last.
    private var objects: [JSONTree.MemberCursor]
    private var failed = false

    /// Fills in a new event from a line without its line end; returns false if the line is damaged.
    ///
    /// The event holds the memory that its texts point into.
    static func read(_ line: UnsafeRawBufferPointer, into event: inout EventDraft) -> Bool {
        let text = OutputBuffer(capacity: line.count + JSONScanner.slack)
        text.append(line)
        guard let tree = try? JSONTree(UnsafeRawPointer(text.memory), 0..<line.count, text, repeating: keys),
            tree.kind == .object, tree.range.count == line.count
        else { return false }
        var reader = LineReader(objects: [JSONTree.MemberCursor(of: tree)])
        event.visit(&reader)
        event.holder = tree
        return !reader.failed
    }

    /// The keys of the event itself and of its transaction.
    private static let keys = KeyTable(keeping: EventFieldTable.current.objects.prefix(2).flatMap(\.fields).map(\.key))

    // MARK: Values

    /// The member of the innermost object, `null` included; `nil` for one that is missing.
    private mutating func stated(_ key: StaticString) -> JSONTree? {
        guard let last = objects.indices.last else { return nil }
        // Drops the `{"` or `,"` before the key and the `":` after it.
        return objects[last].member(UnsafeBufferPointer(rebasing: key.bytes.dropFirst(2).dropLast(2)))
    }

    /// The same; `nil` for `null` too.
    private mutating func member(_ key: StaticString) -> JSONTree? {
        stated(key).flatMap { $0.kind == .null ? nil : $0 }
    }

    /// A value of a kind; anything else is damaged.
    private mutating func checked(_ value: JSONTree?, _ kind: JSONWalker.Kind) -> JSONTree? {
        if let value, value.kind != kind { failed = true }
        return failed ? nil : value
    }

    private mutating func text(_ value: JSONTree?) -> EventText {
        let value = checked(value.flatMap { $0.kind == .null ? nil : $0 }, .string)
        return value.map { EventText($0.bytes, hasEscapes: $0.range.hasEscapes) } ?? .absent
    }

    private mutating func pair(_ value: JSONTree?) -> EventDraft.Pair {
        let pair = checked(value, .object)
        return EventDraft.Pair(type: text(pair?["type"]), subtype: text(pair?["subtype"]))
    }

    private mutating func elements(_ key: StaticString) -> [JSONTree] { checked(member(key), .array)?.parts ?? [] }

    // MARK: Fields

    mutating func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) { text = self.text(member(key)) }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) { id = .text(text(member(key))) }

    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) {
        guard let known = text(member(key)).string.flatMap(Word.init(rawValue:)) else { return failed = true }
        word = known
    }

    mutating func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) {
        let text = text(member(key))
        time = text.isAbsent ? nil : AppleDate.received(text.bytes)?.milliseconds
        if !text.isAbsent, time == nil { failed = true }
    }

    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) {
        let value = member(key)
        number = value?.integer
        if value != nil, number == nil { failed = true }
    }

    mutating func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        switch member(key)?.kind {
        case nil: truth = nil
        case .true: truth = true
        case .false: truth = false
        default: failed = true
        }
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) { app.text = text(member(key)) }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) { pair = self.pair(member(key)) }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        for element in elements(key) { candidates.pairs.append(pair(element)) }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) { texts(key, &flags.named) }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        for element in elements(key) { texts.append(text(element)) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        if let object = checked(member(key), .object) { document = Array(object.bytes) }
    }

    mutating func begin(_ key: StaticString) {
        var isThere = false
        if begin(key, &isThere) { return }
        failed = true
        objects += objects.suffix(1)
    }

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        let object = checked(member(key), .object)
        isThere = object != nil
        if let object { objects.append(JSONTree.MemberCursor(of: object)) }
        return isThere
    }

    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        isRequested = stated(key) != nil
        return begin(key, &isThere)
    }

    mutating func end() { objects.removeLast() }
}

extension EventDraft {
    /// Fills in a new event from a line that this package wrote, without its end; false if the line is damaged.
    package mutating func read(line: UnsafeRawBufferPointer) -> Bool { LineReader.read(line, into: &self) }
}
