/// Reads JSON texts one after the other with the same memory: index first, then a walk.
///
/// Strict RFC 8259 with two rules more: no key twice in one object (after unescaping), no more than 64 levels.
/// Nothing is copied and nothing is allocated for a text that looks like the ones before it.
struct JSONScanner: ~Copyable {
    private var index = JSONIndex()
    private let log = KeyLog()
    private var start = 0

    /// Bytes that must be readable after the memory given.
    static let slack = JSONIndex.slack

    /// Offset after the text scanned last: its line feed, or its end.
    var end: Int { index.end }

    /// What is wrong with the text scanned last, as far as it shows without grammar.
    var fault: JSONFault? { index.fault }

    /// Indexes the text that begins at `start` and ends before `limit`, or at the first line feed before it.
    mutating func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        self.start = start
        index.scan(memory, from: start, to: limit, stopsAtLineFeed: stopsAtLineFeed)
    }

    /// A walker over the text scanned last.
    ///
    /// Only one at a time.
    func walker(_ memory: UnsafeRawPointer) -> JSONWalker {
        log.removeAll()
        return JSONWalker(memory, index, log, from: start)
    }

    /// Checks a whole text, followed by ``slack`` readable bytes, and nothing else.
    mutating func check(_ text: UnsafeRawBufferPointer) throws(JSONFault) {
        guard let memory = text.baseAddress else { throw JSONFault(code: .unexpectedEnd, offset: 0) }
        scan(memory, from: 0, to: text.count, stopsAtLineFeed: false)
        if let fault { throw fault }
        var walker = walker(memory)
        try walker.skip(walker.root())
        try walker.finish()
    }
}
