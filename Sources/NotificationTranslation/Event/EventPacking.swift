/// Goes over the fields of an event through a ``ByteCoder``: writes them without their keys, or fills them in.
///
/// A timeline keeps its events so, a third of the lines that they become. With lines an archive of small bodies took
/// 17 % longer, one of simulated lives 6 %.
struct EventPacking<Coder: ByteCoder>: EventVisitor {
    var coder: Coder
    /// Has the escapes of texts as this package writes them, however they were written before; `nil` where it reads.
    let texts: TextArena?

    private mutating func value(_ text: inout EventText) { coder.text(&text, texts) }

    // MARK: Fields

    mutating func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) { value(&text) }
    mutating func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) { coder.signed(&time) }
    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) { coder.signed(&number) }
    mutating func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) { coder.truth(&truth) }
    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) { coder.word(&word) }
    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) { coder.pair(&pair, texts) }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        switch id {
        case .uuid(let known):
            known.characters.withUnsafeBytes { characters in
                var text = EventText(characters)
                value(&text)
            }
        case .text(var text):
            value(&text)
            id = .text(text)
        }
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) {
        coder.signed(&app.number)
        value(&app.text)
    }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        var pairs = candidates.all
        coder.list(&pairs, of: EventDraft.Pair()) { [texts] in $0.pair(&$1, texts) }
        if texts == nil { candidates.pairs = pairs }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) {
        coder.flags(&flags.known)
        texts(key, &flags.named)
    }

    mutating func texts(_ key: StaticString, _ list: inout [EventText]) {
        coder.list(&list, of: .absent) { [texts] in $0.text(&$1, texts) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        document = document.withUnsafeBytes { bytes in
            var text = EventText(bytes)
            coder.text(&text)
            return Array(text.bytes)
        }
    }

    mutating func begin(_ key: StaticString) {}

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        coder.truth(&isThere)
        return isThere
    }

    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool {
        coder.truth(&isRequested)
        return begin(key, &isThere)
    }

    mutating func end() {}
}

extension ByteCoder {
    /// A text with its escapes, if it has any; one without characters is not an absent one.
    fileprivate mutating func text(_ text: inout EventText, _ texts: TextArena?) {
        var form: UInt8 = text.isAbsent ? 0 : text.hasEscapes ? 2 : 1
        byte(&form)
        guard form > 0 else { return text = .absent }
        var bytes = EventText(text.bytes)
        if let texts, text.hasEscapes { bytes = EventText(texts.keep(text.string).bytes) }
        self.text(&bytes)
        if texts != nil { return }
        // Escapes are taken apart later, where they have to be whole.
        if form > 2 || form == 2 && JSONTree.parsed([0x22] + bytes.bytes + [0x22]) == nil { fail() }
        text = bytes.isAbsent ? "" : EventText(bytes.bytes, hasEscapes: form == 2)
    }

    fileprivate mutating func pair(_ pair: inout EventDraft.Pair, _ texts: TextArena?) {
        text(&pair.type, texts)
        text(&pair.subtype, texts)
    }
}
