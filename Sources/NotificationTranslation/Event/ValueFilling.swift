/// Fills in the value; the only place where texts of an event become strings.
struct ValueFilling: EventExchange {
    let names: EventNames

    func begins(_ draft: inout Bool, _ isThere: Bool) -> Bool { draft }
    func presence(_ value: Presence, _ draft: inout Presence) {}
    func value(_ value: inout String, _ draft: inout EventText) { value = draft.string ?? "" }
    func value(_ value: inout String?, _ draft: inout EventText) { value = draft.string }

    func value<Name: RawRepresentable<String>>(_ value: inout Name, _ draft: inout EventText) {
        if let name = draft.string.flatMap(Name.init(rawValue:)) { value = name }
    }

    func value<Name: RawRepresentable<String>>(_ value: inout Name?, _ draft: inout EventText) {
        value = draft.string.flatMap(Name.init(rawValue:))
    }

    func value(_ value: inout String, _ draft: inout EventDraft.ID) { value = draft.string ?? "" }
    func value(_ value: inout String?, _ draft: inout EventDraft.ID) { value = draft.string }
    func value<Word: EventWord>(_ value: inout Word, _ draft: inout Word) { value = draft }

    func value(_ value: inout EventTime?, _ draft: inout Int64?) {
        value = draft.map(EventTime.init(milliseconds:))
    }

    func value(_ value: inout Int64?, _ draft: inout Int64?) { value = draft }

    func value<Code: RawRepresentable<Int64>>(_ value: inout Code?, _ draft: inout Int64?) {
        value = draft.flatMap(Code.init(rawValue:))
    }

    func value(_ value: inout Bool?, _ draft: inout Bool?) { value = draft }

    func value(_ value: inout String?, _ draft: inout EventDraft.AppID) {
        value = draft.number.map { String($0) } ?? draft.text.string
    }

    func value(_ value: inout NotificationPair, _ draft: inout EventDraft.Pair) { value = NotificationPair(draft) }

    func value(_ value: inout [NotificationPair], _ draft: inout EventDraft.Candidates) {
        value =
            if draft.pairs.isEmpty, let decision = draft.decision {
                decision.candidates.map { NotificationPair(names.pair($0)) }
            } else {
                draft.pairs.map(NotificationPair.init)
            }
    }

    func value(_ value: inout [AmbiguityFlag], _ draft: inout EventDraft.Flags) {
        value =
            draft.known.numbers.map { AmbiguityFlag(rawValue: names.flags[$0].text.string ?? "") }
            + draft.named.map { AmbiguityFlag(rawValue: $0.string ?? "") }
    }

    func value(_ value: inout [String], _ draft: inout [EventText]) { value = draft.compactMap(\.string) }

    func value(_ value: inout JSONValue?, _ draft: inout [UInt8]) {
        value = draft.isEmpty ? nil : (try? JSONTree(draft)).map { JSONValue($0) }
    }
}
