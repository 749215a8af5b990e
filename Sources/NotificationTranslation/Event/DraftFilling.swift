/// Fills in the draft; its texts are kept by `texts`.
struct DraftFilling: EventExchange {
    let texts: TextArena

    func begins(_ draft: inout Bool, _ isThere: Bool) -> Bool {
        draft = isThere
        return isThere
    }

    func presence(_ value: Presence, _ draft: inout Presence) { draft = value }

    func value(_ value: inout String, _ draft: inout EventText) { draft = texts.keep(value) }
    func value(_ value: inout String?, _ draft: inout EventText) { draft = texts.keep(value) }

    func value<Name: RawRepresentable<String>>(_ value: inout Name, _ draft: inout EventText) {
        draft = texts.keep(value.rawValue)
    }

    func value<Name: RawRepresentable<String>>(_ value: inout Name?, _ draft: inout EventText) {
        draft = texts.keep(value?.rawValue)
    }

    func value(_ value: inout String, _ draft: inout EventDraft.ID) { draft = .text(texts.keep(value)) }
    func value(_ value: inout String?, _ draft: inout EventDraft.ID) { draft = .text(texts.keep(value)) }
    func value<Word: EventWord>(_ value: inout Word, _ draft: inout Word) { draft = value }
    func value(_ value: inout EventTime?, _ draft: inout Int64?) { draft = value?.milliseconds }
    func value(_ value: inout Int64?, _ draft: inout Int64?) { draft = value }

    func value<Code: RawRepresentable<Int64>>(_ value: inout Code?, _ draft: inout Int64?) {
        draft = value?.rawValue
    }

    func value(_ value: inout Bool?, _ draft: inout Bool?) { draft = value }

    func value(_ value: inout String?, _ draft: inout EventDraft.AppID) {
        draft = EventDraft.AppID(text: texts.keep(value))
    }

    func value(_ value: inout NotificationPair, _ draft: inout EventDraft.Pair) { draft = value.draft(texts) }

    func value(_ value: inout [NotificationPair], _ draft: inout EventDraft.Candidates) {
        draft = EventDraft.Candidates(pairs: value.map { $0.draft(texts) })
    }

    func value(_ value: inout [AmbiguityFlag], _ draft: inout EventDraft.Flags) {
        draft = EventDraft.Flags(named: value.map { texts.keep($0.rawValue) })
    }

    func value(_ value: inout [String], _ draft: inout [EventText]) { draft = value.map { texts.keep($0) } }

    func value(_ value: inout JSONValue?, _ draft: inout [UInt8]) {
        guard let value else {
            draft = []
            return
        }
        let output = OutputBuffer(capacity: 256)
        value.append(to: output)
        draft = Array(output.bytes)
    }
}

/// Strings kept in memory of their own while an event is written from them.
final class TextArena {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A text that was read back from evidence, where characters are as they are, escaped if JSON wants that.
    func keep(characters text: EventText) -> EventText {
        text.needsEscapes ? keep(text.string) : text
    }

    /// The text of a string, escaped as JSON wants it; absent for `nil`.
    func keep(_ text: String?) -> EventText {
        guard let text else { return .absent }
        let output = OutputBuffer(capacity: 64)
        JSONEscapes.escape(text, into: output)
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, output.count), alignment: 1)
        block.copyMemory(from: output.bytes)
        blocks.append(block)
        return EventText(
            UnsafeRawBufferPointer(start: block.baseAddress, count: output.count), hasEscapes: true)
    }
}
