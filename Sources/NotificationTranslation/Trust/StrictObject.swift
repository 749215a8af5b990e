/// Reads a whole text as one strict JSON object, in one walk, for as long as the reading takes.
enum StrictObject {
    /// Walks the members of the outermost object.
    ///
    /// Everything in the text is checked, also keys that are not needed: a key twice in any object is a fault.
    ///
    /// - Parameters:
    ///   - text: Bytes followed by ``JSONScanner/slack`` readable ones.
    ///   - keys: The keys whose slots `take` gets.
    ///   - take: Called with each member; must skip or enter a value that is not a scalar.
    /// - Throws: What is wrong with the text, or what `take` throws.
    static func read(
        _ text: UnsafeRawBufferPointer,
        keys: KeyTable,
        _ take: (JSONWalker.Member, inout JSONWalker) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard let memory = text.baseAddress else { throw JSONFault(code: .unexpectedEnd, offset: 0) }
        var scanner = JSONScanner()
        // The walker reads the scanner's index: the scanner must live until the walk is over.
        defer { _ = scanner.end }
        scanner.scan(memory, from: 0, to: text.count, stopsAtLineFeed: false)
        if let fault = scanner.fault { throw fault }
        var walker = scanner.walker(memory)
        guard try walker.root().kind == .object else { throw JSONFault(code: .syntax, offset: 0) }
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: keys) { try take(member, &walker) }
        try walker.finish()
    }

    /// Calls `body` with a copy of some bytes, which has what ``read(_:keys:_:)`` needs after it.
    static func withSlack<Result, Failure: Error>(
        after bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let padded = Array(bytes) + repeatElement(0, count: JSONScanner.slack)
        return try padded.span.bytes.withUnsafeBytes { (memory) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: memory.dropLast(JSONScanner.slack)))
        }
    }

    /// The characters of a string as a `String`.
    static func string(_ text: JSONText, _ memory: UnsafeRawPointer) -> String {
        if text.hasEscapes { return String(decoding: KeyLog.characters(text, memory), as: UTF8.self) }
        return String(decoding: bytes(text, memory), as: UTF8.self)
    }

    /// The bytes of a scalar as they are in the text.
    static func bytes(_ text: JSONText, _ memory: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + text.start, count: text.count)
    }
}
