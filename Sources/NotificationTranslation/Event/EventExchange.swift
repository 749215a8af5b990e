/// Brings the fields of a ``UnifiedEvent`` together with those of an ``EventDraft``: one way or the other.
protocol EventExchange {
    /// A field that says whether an object is there.
    mutating func begins(_ draft: inout Bool, _ isThere: Bool) -> Bool
    /// A field that says whether an object was requested and is there.
    mutating func presence(_ value: Presence, _ draft: inout Presence)
    mutating func value(_ value: inout String, _ draft: inout EventText)
    mutating func value(_ value: inout String?, _ draft: inout EventText)
    mutating func value<Name: RawRepresentable<String>>(_ value: inout Name, _ draft: inout EventText)
    mutating func value<Name: RawRepresentable<String>>(_ value: inout Name?, _ draft: inout EventText)
    mutating func value(_ value: inout String, _ draft: inout EventDraft.ID)
    mutating func value(_ value: inout String?, _ draft: inout EventDraft.ID)
    mutating func value<Word: EventWord>(_ value: inout Word, _ draft: inout Word)
    mutating func value(_ value: inout EventTime?, _ draft: inout Int64?)
    mutating func value(_ value: inout Int64?, _ draft: inout Int64?)
    mutating func value<Code: RawRepresentable<Int64>>(_ value: inout Code?, _ draft: inout Int64?)
    mutating func value(_ value: inout Bool?, _ draft: inout Bool?)
    mutating func value(_ value: inout String?, _ draft: inout EventDraft.AppID)
    mutating func value(_ value: inout NotificationPair, _ draft: inout EventDraft.Pair)
    mutating func value(_ value: inout [NotificationPair], _ draft: inout EventDraft.Candidates)
    mutating func value(_ value: inout [AmbiguityFlag], _ draft: inout EventDraft.Flags)
    mutating func value(_ value: inout [String], _ draft: inout [EventText])
    mutating func value(_ value: inout JSONValue?, _ draft: inout [UInt8])
}
