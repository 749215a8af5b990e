/// Writes an event as one line of the contract to the end of an ``OutputBuffer``: every key in order, `null` where
/// nothing is known.
///
/// Its inlining attributes make constants of the keys: 5 % of the instructions of a small record.
struct LineWriter: EventVisitor {
    private let output: OutputBuffer

    /// Writes the line of an event; `inout` because visiting needs it; the event does not change.
    static func write(_ event: inout EventDraft, to output: OutputBuffer, endsLine: Bool = false) {
        var writer = LineWriter(output: output)
        event.visit(&writer)
        if endsLine { output.append(0x0A) }
    }

    // MARK: Values

    /// Appends a literal as it is; by itself it would become a `String` first.
    @inline(__always)
    private func literal(_ text: StaticString) { output.append(text) }

    /// Writes a string, or `null` if it is absent.
    private func value(_ text: EventText) {
        guard let start = text.bytes.baseAddress else { return literal("null") }
        guard text.hasEscapes, text.bytes.offset(of: 0x5C) != nil else { return output.append(quoted: text.bytes) }
        output.append(0x22)
        // As this package writes it, however it was written before.
        JSONEscapes.unescape(start, from: 0, to: text.bytes.count) { JSONEscapes.escape($0) { output.append($0) } }
        output.append(0x22)
    }

    private func value(_ pair: EventDraft.Pair) {
        literal("{\"type\":")
        value(pair.type)
        literal(",\"subtype\":")
        value(pair.subtype)
        output.append(0x7D)
    }

    // MARK: Fields

    @inline(__always)
    func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) {
        output.append(key)
        value(text)
    }

    func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        output.append(key)
        // Characters may be as they are: what a sender calls a UUID may be any text.
        if case .text(let text) = id, !text.needsEscapes { return value(text) }
        output.append(0x22)
        id.appendCharacters(to: output)
        output.append(0x22)
    }

    func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) {
        output.append(key)
        var text = word.rawValue
        text.withUTF8 { output.append(quoted: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) {
        output.append(key)
        guard let time else { return literal("null") }
        CivilTime.withText(time) { output.append(quoted: $0) }
    }

    @inline(__always)
    func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) {
        output.append(key)
        if let number { output.append(decimal: number) } else { literal("null") }
    }

    @inline(__always)
    func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        output.append(key)
        literal(truth.map { $0 ? "true" : "false" } ?? "null")
    }

    func appID(_ key: StaticString, _ app: inout EventDraft.AppID) {
        output.append(key)
        guard let number = app.number else { return value(app.text) }
        output.append(0x22)
        output.append(decimal: number)
        output.append(0x22)
    }

    func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) {
        output.append(key)
        value(pair)
    }

    func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        output.append(key)
        output.append(list: candidates.all) { value($0) }
    }

    func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) {
        output.append(key)
        let (known, named) = (flags.known.numbers, flags.named)
        output.append(list: 0..<known.count + named.count) { index in
            value(index < known.count ? FlagTable.current.rows[known[index]].text.text : named[index - known.count])
        }
    }

    func texts(_ key: StaticString, _ texts: inout [EventText]) {
        output.append(key)
        output.append(list: texts) { value($0) }
    }

    func document(_ key: StaticString, _ document: inout [UInt8]) {
        output.append(key)
        if document.isEmpty { literal("null") } else { document.withUnsafeBytes { output.append($0) } }
    }

    func begin(_ key: StaticString) { output.append(key) }

    func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        output.append(key)
        if !isThere { literal("null") }
        return isThere
    }

    func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        isRequested || isThere ? begin(key, &isThere) : false
    }

    func end() { output.append(0x7D) }
}
