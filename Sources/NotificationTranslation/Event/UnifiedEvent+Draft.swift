extension UnifiedEvent {
    /// An event of which nothing is known yet.
    init() {
        self.init(id: "", type: .unknown)
    }

    /// The value of a draft.
    init(_ draft: EventDraft, _ names: EventNames) {
        self.init()
        var draft = draft
        var filling = ValueFilling(names: names)
        exchange(&draft, &filling)
    }

    /// The line of the contract, without a line end: every key in order, compact, UTF-8.
    public func line() -> [UInt8] {
        withDraft { draft in
            let output = OutputBuffer(capacity: 2048)
            LineWriter.write(&draft, to: output, .current)
            return Array(output.bytes)
        }
    }

    /// Calls `body` with the event as a draft, whose texts live during the call.
    func withDraft<Result>(_ body: (inout EventDraft) -> Result) -> Result {
        let texts = TextArena()
        return withExtendedLifetime(texts) {
            var draft = EventDraft()
            var filling = DraftFilling(texts: texts)
            var copy = self
            copy.exchange(&draft, &filling)
            return body(&draft)
        }
    }
}
