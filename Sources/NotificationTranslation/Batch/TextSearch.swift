/// Finds the text of a field by its key.
struct TextSearch: EventVisitor {
    let key: String
    private(set) var text = EventText.absent

    init(key: String) {
        self.key = key
    }

    private func isHere(_ key: StaticString) -> Bool {
        // A key as it is in a line: `,"id":`.
        key.description.dropFirst(2).dropLast(2) == self.key
    }

    mutating func text(_ key: StaticString, _ value: inout EventText) {
        if isHere(key) { text = value }
    }

    mutating func id(_ key: StaticString, _ value: inout EventDraft.ID) {
        if isHere(key), case .text(let id) = value { text = id }
    }

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool { isThere }
    mutating func begin(_ key: StaticString, _ presence: inout Presence) -> Bool { presence == .found }
    mutating func begin(_ key: StaticString) {}
    mutating func word<Word: EventWord>(_ key: StaticString, _ value: inout Word) {}
    mutating func time(_ key: StaticString, _ value: inout Int64?) {}
    mutating func milliseconds(_ key: StaticString, _ value: inout Int64?) {}
    mutating func number(_ key: StaticString, _ value: inout Int64?) {}
    mutating func line(_ key: StaticString, _ value: inout Int64?) {}
    mutating func truth(_ key: StaticString, _ value: inout Bool?) {}
    mutating func appID(_ key: StaticString, _ value: inout EventDraft.AppID) {}
    mutating func pair(_ key: StaticString, _ value: inout EventDraft.Pair) {}
    mutating func pairs(_ key: StaticString, _ value: inout EventDraft.Candidates) {}
    mutating func flags(_ key: StaticString, _ value: inout EventDraft.Flags) {}
    mutating func texts(_ key: StaticString, _ value: inout [EventText]) {}
    mutating func document(_ key: StaticString, _ value: inout [UInt8]) {}
    mutating func end() {}
}
