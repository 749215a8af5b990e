/// Brings the fields of a ``UnifiedEvent`` together with those of an ``EventDraft``, one way or the other.
///
/// The only place where texts of an event become strings.
struct EventExchange {
    /// Keeps the texts of the draft, if that is filled in; `nil` if the value is.
    let texts: TextArena?

    /// An object that may be absent, and whether it is there.
    func part<Part, Draft>(
        _ part: inout Part?, _ isThere: inout Bool, _ draft: inout Draft, of empty: Part,
        _ exchange: (inout Part, inout Draft, EventExchange) -> Void
    ) {
        if texts != nil { isThere = part != nil }
        guard isThere else { return part = nil }
        var known = part ?? empty
        exchange(&known, &draft, self)
        part = known
    }

    /// The text that a value gets, which is its own where the draft is filled in.
    private func text(_ value: String?, _ draft: inout EventText) -> String? {
        guard let texts else { return draft.string }
        draft = texts.keep(value)
        return value
    }

    func value(_ value: inout String, _ draft: inout EventText) { value = text(value, &draft) ?? "" }
    func value(_ value: inout String?, _ draft: inout EventText) { value = text(value, &draft) }

    func value<Name: RawRepresentable<String>>(_ value: inout Name, _ draft: inout EventText) {
        value = text(value.rawValue, &draft).flatMap(Name.init(rawValue:)) ?? value
    }

    func value<Name: RawRepresentable<String>>(_ value: inout Name?, _ draft: inout EventText) {
        value = text(value?.rawValue, &draft).flatMap(Name.init(rawValue:))
    }

    func value(_ value: inout String, _ draft: inout EventDraft.ID) {
        if let texts { draft = .text(texts.keep(value)) } else { value = draft.string ?? "" }
    }

    func value(_ value: inout String?, _ draft: inout EventDraft.ID) {
        if let texts { draft = .text(texts.keep(value)) } else { value = draft.string }
    }

    func value<Same>(_ value: inout Same, _ draft: inout Same) {
        if texts != nil { draft = value } else { value = draft }
    }

    func value(_ value: inout EventTime?, _ draft: inout Int64?) {
        if texts != nil { draft = value?.milliseconds } else { value = draft.map(EventTime.init(milliseconds:)) }
    }

    func value<Code: RawRepresentable<Int64>>(_ value: inout Code?, _ draft: inout Int64?) {
        if texts != nil { draft = value?.rawValue } else { value = draft.flatMap(Code.init(rawValue:)) }
    }

    func value(_ value: inout String?, _ draft: inout EventDraft.AppID) {
        if let texts {
            draft = EventDraft.AppID(text: texts.keep(value))
        } else {
            value = draft.number.map { String($0) } ?? draft.text.string
        }
    }

    func value(_ value: inout NotificationPair, _ draft: inout EventDraft.Pair) {
        if let texts { draft = value.draft(texts) } else { value = NotificationPair(draft) }
    }

    func value(_ value: inout [NotificationPair], _ draft: inout EventDraft.Candidates) {
        if let texts {
            draft = EventDraft.Candidates(pairs: value.map { $0.draft(texts) })
        } else {
            value = draft.all.map(NotificationPair.init)
        }
    }

    func value(_ value: inout [AmbiguityFlag], _ draft: inout EventDraft.Flags) {
        if let texts {
            draft = EventDraft.Flags(named: value.map { texts.keep($0.rawValue) })
        } else {
            value = draft.known.names + draft.named.map { AmbiguityFlag(rawValue: $0.string ?? "") }
        }
    }

    func value(_ value: inout [String], _ draft: inout [EventText]) {
        if let texts { draft = value.map { texts.keep($0) } } else { value = draft.compactMap(\.string) }
    }

    func value(_ value: inout JSONValue?, _ draft: inout [UInt8]) {
        if texts != nil {
            draft = value?.bytes ?? []
        } else {
            value = draft.isEmpty ? nil : (try? JSONTree(draft)).map { JSONValue($0) }
        }
    }
}

/// Strings kept in memory of their own while an event is written from them.
package final class TextArena {
    private var texts: [OutputBuffer] = []

    package init() {}

    /// A text that was read back from evidence, where characters are as they are, escaped if JSON wants that.
    func keep(characters text: EventText) -> EventText { text.needsEscapes ? keep(text.string) : text }

    /// The text of a string, escaped as JSON wants it; absent for `nil`.
    func keep(_ text: String?) -> EventText {
        guard let text else { return .absent }
        let output = OutputBuffer(capacity: text.utf8.count)
        JSONEscapes.escape(text, into: output)
        texts.append(output)
        return EventText(output.bytes, hasEscapes: true)
    }
}
