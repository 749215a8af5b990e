/// One of a closed set of words of our own.
typealias EventWord = CaseIterable & RawRepresentable<String>

/// Goes over the fields of an ``EventDraft`` in the order of the contract: writes them, or fills them in.
///
/// One method for each kind of value in `Mappings/event.json`. A key is handed over as it is in a line, with what
/// parts it from what came before: `{"schema_version":` or `,"id":`.
protocol EventVisitor {
    mutating func text(_ key: StaticString, _ value: inout EventText)
    mutating func id(_ key: StaticString, _ value: inout EventDraft.ID)
    mutating func word<Word: EventWord>(_ key: StaticString, _ value: inout Word)
    mutating func time(_ key: StaticString, _ value: inout Int64?)
    mutating func number(_ key: StaticString, _ value: inout Int64?)
    mutating func truth(_ key: StaticString, _ value: inout Bool?)
    mutating func appID(_ key: StaticString, _ value: inout EventDraft.AppID)
    mutating func pair(_ key: StaticString, _ value: inout EventDraft.Pair)
    mutating func pairs(_ key: StaticString, _ value: inout EventDraft.Candidates)
    mutating func flags(_ key: StaticString, _ value: inout EventDraft.Flags)
    mutating func texts(_ key: StaticString, _ value: inout [EventText])
    mutating func document(_ key: StaticString, _ value: inout [UInt8])
    /// Begins an object that is always there.
    mutating func begin(_ key: StaticString)
    /// Begins an object that may be absent; its members follow if it returns true.
    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool
    /// Begins an object whose key is there only on request; its members follow if it returns true.
    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool
    /// Ends an object.
    mutating func end()
}
