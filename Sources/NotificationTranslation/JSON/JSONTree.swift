import NotificationLibC

/// A whole JSON text, taken apart once: tables, which are small, and records in which a notification is searched.
///
/// A row of marks represents the text, one for each key and each value in the order of the text, and a tree is a place
/// in that row: a table is one array and not thousands of them. Strings are made only where one is asked for, as most
/// of a table is prose that only `explain` and `mapping` read.
///
///     {"id":"a","when":[1],"x":2}
///     0 object, ends before 8 · 1 "id" · 2 "a" · 3 "when" · 4 array, ends before 6 · 5 number · 6 "x" · 7 number
///
/// A body that is found in a record is then read by a ``JSONWalker``.
package struct JSONTree: Sendable {
    /// A key or a value: where it is in the text, and before which mark its parts end.
    fileprivate struct Mark {
        var text: JSONText
        var end: Int32
        var kind: JSONWalker.Kind
    }

    /// The text with its marks, which all trees of it share; nothing in it changes after it was made.
    fileprivate final class Text: @unchecked Sendable {
        let memory: UnsafeRawPointer
        let range: Range<Int>
        /// What holds the memory; `nil` where it outlives the tree.
        private let owner: OutputBuffer?
        let marks: [Mark]

        /// Takes a text apart.
        init(_ memory: UnsafeRawPointer, _ range: Range<Int>, _ owner: OutputBuffer?) throws(JSONFault) {
            (self.memory, self.range, self.owner) = (memory, range, owner)
            var marks: [Mark] = []
            marks.reserveCapacity(range.count / 8 + 1)
            var scanner = JSONScanner()
            // The walker reads the scanner's index: the scanner must live until the walk is over.
            defer { _ = scanner.end }
            scanner.scan(memory, from: range.lowerBound, to: range.upperBound, stopsAtLineFeed: false)
            if let fault = scanner.fault { throw fault }
            var walker = scanner.walker(memory)
            try Self.take(walker.root(), &walker, into: &marks)
            try walker.finish()
            self.marks = marks
        }

        private static func take(
            _ value: JSONWalker.Value, _ walker: inout JSONWalker, into marks: inout [Mark]
        ) throws(JSONFault) {
            let place = marks.count
            marks.append(
                Mark(text: value.text, end: Int32(truncatingIfNeeded: place + 1), kind: value.kind))
            guard !value.kind.isScalar else { return }
            if value.kind == .object {
                var object = try walker.enter()
                while let member = try walker.nextMember(of: &object, known: noKeys) {
                    marks.append(
                        Mark(text: member.key, end: Int32(truncatingIfNeeded: marks.count + 1), kind: .string))
                    try take(member.value, &walker, into: &marks)
                }
            } else {
                var array = try walker.enter()
                while let element = try walker.nextElement(of: &array) {
                    try take(element, &walker, into: &marks)
                }
            }
            marks[place].text = JSONText(value.text.start, walker.at, escaped: false)
            marks[place].end = Int32(truncatingIfNeeded: marks.count)
        }
    }

    private let text: Text
    private let place: Int

    static let noKeys = KeyTable([])
}

extension JSONTree {
    /// The tree of a text.
    ///
    /// - Throws: What is wrong with the text first.
    init(_ text: [UInt8]) throws(JSONFault) {
        let buffer = OutputBuffer(capacity: text.count + JSONScanner.slack)
        text.withUnsafeBytes { buffer.append($0) }
        try self.init(UnsafeRawPointer(buffer.memory), 0..<text.count, buffer)
    }

    /// The tree of a text in memory, with ``JSONScanner/slack`` readable bytes after it; `owner` holds the memory, and is
    /// `nil` where that outlives the tree.
    ///
    /// - Throws: What is wrong with the text first.
    init(
        _ memory: UnsafeRawPointer, _ range: Range<Int>, _ owner: OutputBuffer? = nil
    ) throws(JSONFault) { self.init(text: try Text(memory, range, owner), place: 0) }

    /// The tree of a text; `nil` if it is not JSON.
    package static func parsed(_ text: [UInt8]) -> JSONTree? { try? JSONTree(text) }

    var kind: JSONWalker.Kind { text.marks[place].kind }

    /// Where it is in the text; of a string, after the quote.
    var offset: Int { Int(text.marks[place].text.start) }

    /// Its range in ``memory``; of a string, what is between the quotes.
    var range: JSONText { text.marks[place].text }

    /// The memory that ranges belong to.
    var memory: UnsafeRawPointer { text.memory }

    /// The range of the whole text in ``memory``.
    var wholeRange: Range<Int> { text.range }

    /// The range of a scalar that is read.
    ///
    /// - Throws: `json.number-overflow`; a number that nobody reads may be of any size.
    func read() throws(JSONFault) -> JSONText { try JSONWalker.Value(kind: kind, text: range).read(in: memory) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory + offset, count: range.count) }

    /// The characters of a string, `nil` of anything else.
    package var string: String? { kind == .string ? characters : nil }

    /// The text of a string, a number, `true` or `false`; `nil` of `null`, arrays and objects.
    package var scalarText: String? {
        switch kind {
        case .string, .number: characters
        case .true: "true"
        case .false: "false"
        default: nil
        }
    }

    /// The number of a whole number, `nil` of anything else.
    var integer: Int64? { kind == .number ? Int64(characters) : nil }

    /// The characters of a string, the literal of a number as it is in the text.
    package var characters: String { withCharacters { String(decoding: $0, as: UTF8.self) } }

    /// Hands ``characters`` to `body` as bytes.
    func withCharacters<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result { try range.withCharacters(in: memory, body) }

    /// Whether it is a string of these characters, byte by byte.
    func says(_ word: StaticString) -> Bool { says(word.bytes) }

    /// Whether it is a string of these characters, byte by byte.
    func says(_ word: String) -> Bool { says(word.utf8) }

    private func says(_ word: some Collection<UInt8>) -> Bool {
        guard kind == .string, range.count == word.count || range.hasEscapes else { return false }
        return withCharacters { $0.elementsEqual(word) }
    }

    // MARK: Parts

    /// The values of an array, or the keys and values of an object in turn; nothing of anything else.
    var parts: [JSONTree] {
        let places = sequence(first: place + 1) { Int(text.marks[$0].end) }
        return places.prefix { $0 < Int(text.marks[place].end) }.map { JSONTree(text: text, place: $0) }
    }

    /// The members of an object, in the order of the text; none of anything else.
    var pairs: some Sequence<(key: JSONTree, value: JSONTree)> {
        sequence(state: kind == .object ? place + 1 : Int.max) { at in
            guard at < Int(text.marks[place].end) else { return nil }
            defer { at = Int(text.marks[at + 1].end) }
            return (JSONTree(text: text, place: at), JSONTree(text: text, place: at + 1))
        }
    }

    /// ``pairs`` with the characters of the keys.
    var members: [(key: String, value: JSONTree)] { pairs.map { ($0.key.characters, $0.value) } }

    /// The slot in a table of the key that this is; -1 if it is none of its keys.
    func slot(in table: KeyTable) -> Int { table.slot(of: range, memory) }

    /// The values of an array, `nil` of anything else.
    package var elements: [JSONTree]? { kind == .array ? parts : nil }

    /// The characters of the keys of an object, in the order of the text; none of anything else.
    package var keys: [String] { pairs.map(\.key.characters) }

    /// The member of an object, `nil` if it is not there or this is not an object.
    func member(_ key: StaticString) -> JSONTree? { member(key.bytes) }

    /// The member of an object, `nil` if it is not there or this is not an object.
    package subscript(key: String) -> JSONTree? {
        var key = key
        return key.withUTF8 { member($0) }
    }

    /// The member or element of that name or number, as a JSON pointer names it.
    func child(_ step: String) -> JSONTree? {
        kind == .array ? parts.enumerated().first { String($0.offset) == step }?.element : self[step]
    }

    /// The member of an object, `nil` if it is not there or this is not an object.
    func member(_ key: UnsafeBufferPointer<UInt8>) -> JSONTree? {
        guard kind == .object else { return nil }
        let characters = key.baseAddress.map { UnsafeRawPointer($0) } ?? memory
        let end = Int(text.marks[place].end)
        var at = place + 1
        // The objects of tables have a dozen, for which looking through a list is faster than any hashing.
        while at < end {
            let name = text.marks[at].text
            let isMeant =
                name.hasEscapes
                ? JSONTree(text: text, place: at).says(key)
                : name.count == key.count && memcmp(memory + name.start, characters, key.count) == 0
            if isMeant { return JSONTree(text: text, place: at + 1) }
            at = Int(text.marks[at + 1].end)
        }
        return nil
    }
}
