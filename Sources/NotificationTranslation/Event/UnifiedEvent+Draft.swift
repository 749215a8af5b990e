extension UnifiedEvent {
    init(_ draft: EventDraft) {
        self.init(id: "", type: .unknown)
        var draft = draft
        exchange(&draft, EventExchange(texts: nil))
    }

    /// The event of a line that ``line()`` or the command wrote, with every digit of its numbers.
    ///
    /// - Parameter line: One line, with or without its line end; a database may have changed the order of its keys.
    /// - Throws: ``NotificationError`` with the code `event.bad-line` where it is anything else.
    public init(line: some Collection<UInt8>) throws(NotificationError) {
        var bytes = Array(line)
        if bytes.last == 0x0A { bytes.removeLast() }
        guard let event = Self.read(bytes) else {
            throw NotificationError(
                code: NotificationError.Code(rawValue: "event.bad-line"),
                sentence: "not a line that UnifiedEvent.line() or the command wrote")
        }
        self = event
    }

    /// The line of the contract, without a line end: every key in order, compact, UTF-8.
    public func line() -> [UInt8] {
        withDraft { draft in
            let output = OutputBuffer(capacity: 2048)
            LineWriter.write(&draft, to: output)
            return Array(output.bytes)
        }
    }

    /// Reads the form of the contract; a key that is missing counts as `null`.
    public init(from decoder: any Decoder) throws {
        guard let event = Self.read(try JSONValue(from: decoder).bytes) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not an event of this package"))
        }
        self = event
    }

    /// The event of a line; `nil` for anything else.
    private static func read(_ line: [UInt8]) -> UnifiedEvent? {
        line.withUnsafeBytes { memory in
            var draft = EventDraft()
            return draft.read(line: memory) ? UnifiedEvent(draft) : nil
        }
    }

    /// Writes every key of the contract, `null` where nothing is known.
    public func encode(to encoder: any Encoder) throws {
        try JSONTree.parsed(line()).map { JSONValue($0) }.encode(to: encoder)
    }

    /// Calls `body` with the event as a draft, whose texts live during the call.
    func withDraft<Result>(_ body: (inout EventDraft) -> Result) -> Result {
        let texts = TextArena()
        return withExtendedLifetime(texts) {
            var draft = EventDraft()
            var copy = self
            copy.exchange(&draft, EventExchange(texts: texts))
            return body(&draft)
        }
    }
}
