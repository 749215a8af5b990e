/// Fills in an event from the tree of a line that this package wrote.
///
/// Its keys may be in any order, as databases change that; one that is missing counts as `null`, and one that is not of
/// the contract as damage.
struct LineReader: EventVisitor {
    /// The objects that are open, the innermost last, with how many of their members were read.
    fileprivate var objects: [(tree: JSONTree, read: Int)]
    fileprivate var failed = false

    // MARK: Values

    /// The member of the innermost object, `null` included; `nil` for one that is missing.
    private mutating func stated(_ key: StaticString) -> JSONTree? {
        guard let last = objects.indices.last else { return nil }
        // Without the `{"` or `,"` before the key and the `":` after it.
        let value = objects[last].tree.member(UnsafeBufferPointer(rebasing: key.bytes.dropFirst(2).dropLast(2)))
        if value != nil { objects[last].read += 1 }
        return value
    }

    /// The same, of a kind; `nil` for `null` too, and anything else is damage.
    private mutating func member(_ key: StaticString, _ kind: JSONWalker.Kind) -> JSONTree? {
        checked(stated(key), kind)
    }

    private mutating func checked(_ value: JSONTree?, _ kind: JSONWalker.Kind) -> JSONTree? {
        guard let value, value.kind != .null else { return nil }
        if value.kind != kind { failed = true }
        return failed ? nil : value
    }

    private mutating func text(_ value: JSONTree?) -> EventText {
        checked(value, .string).map { EventText($0.bytes, hasEscapes: $0.range.hasEscapes) } ?? .absent
    }

    private mutating func pair(_ value: JSONTree?) -> EventDraft.Pair {
        guard let value = checked(value, .object) else { return EventDraft.Pair() }
        objects.append((value, 0))
        let pair = EventDraft.Pair(type: text(stated(",\"type\":")), subtype: text(stated(",\"subtype\":")))
        end()
        return pair
    }

    private mutating func elements(_ key: StaticString) -> [JSONTree] { member(key, .array)?.parts ?? [] }

    // MARK: Fields

    mutating func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) { text = self.text(stated(key)) }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) { id = .text(text(stated(key))) }

    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) {
        guard let known = text(stated(key)).string.flatMap(Word.init(rawValue:)) else { return failed = true }
        word = known
    }

    mutating func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) {
        let text = text(stated(key))
        time = text.isAbsent ? nil : CivilTime.milliseconds(rfc3339: text.bytes)
        if !text.isAbsent, time == nil { failed = true }
    }

    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) {
        let value = member(key, .number)
        number = value?.integer
        if value != nil, number == nil { failed = true }
    }

    mutating func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        switch stated(key)?.kind {
        case nil, .null: truth = nil
        case .true: truth = true
        case .false: truth = false
        default: failed = true
        }
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) { app.text = text(stated(key)) }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) { pair = self.pair(stated(key)) }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        for element in elements(key) { candidates.pairs.append(pair(element)) }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) { texts(key, &flags.named) }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        for element in elements(key) { texts.append(text(element)) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        if let object = member(key, .object) { document = Array(object.bytes) }
    }

    mutating func begin(_ key: StaticString) {
        var isThere = false
        if begin(key, &isThere) { return }
        failed = true
        objects += objects.suffix(1)
    }

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        let object = member(key, .object)
        isThere = object != nil
        if let object { objects.append((object, 0)) }
        return isThere
    }

    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        let before = objects.last?.read
        let isOpen = begin(key, &isThere)
        isRequested = isOpen || objects.last?.read != before
        return isOpen
    }

    mutating func end() {
        guard let object = objects.popLast() else { return failed = true }
        if object.tree.pairs.count(where: { _ in true }) != object.read { failed = true }
    }
}

extension EventDraft {
    /// Fills in a new event from a line that this package wrote, without its end, and that was kept elsewhere since;
    /// false if the line is damaged.
    ///
    /// The event holds the memory that its texts point into.
    package mutating func read(line: UnsafeRawBufferPointer) -> Bool {
        let text = OutputBuffer(capacity: line.count + JSONScanner.slack)
        text.append(line)
        let tree = try? JSONTree(UnsafeRawPointer(text.memory), 0..<line.count, text)
        guard let tree, tree.kind == .object, tree.range.count == line.count else { return false }
        var reader = LineReader(objects: [(tree, 0)])
        visit(&reader)
        holder = tree
        return !reader.failed
    }
}
