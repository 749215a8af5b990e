/// Goes over the fields of an ``EventDraft`` in the order of the contract: writes them, or fills them in.
///
/// One method for each kind of value in `Mappings/event.json`. A key is handed over as it is in a line, with what
/// parts it from what came before: `{"schema_version":` or `,"id":`.
protocol EventVisitor {
    mutating func text(_ key: StaticString, _ value: inout EventText)
    mutating func id(_ key: StaticString, _ value: inout EventDraft.ID)
    mutating func word<Word: EventWord>(_ key: StaticString, _ value: inout Word)
    mutating func time(_ key: StaticString, _ value: inout Int64?)
    mutating func milliseconds(_ key: StaticString, _ value: inout Int64?)
    mutating func number(_ key: StaticString, _ value: inout Int64?)
    mutating func line(_ key: StaticString, _ value: inout Int64?)
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
    mutating func begin(_ key: StaticString, _ presence: inout Presence) -> Bool
    /// Ends an object.
    mutating func end()
}

/// One of a closed set of words of our own.
protocol EventWord: CaseIterable, Equatable where AllCases: RandomAccessCollection {
    /// The word as it is in a line.
    var text: EventText { get }
}

extension EventWord {
    /// Its place among all words, for a byte in a file of our own.
    @inline(__always) var place: UInt8 {
        // An enum without values is one byte that says which case it is; searching `allCases` instead costs 2 % of a
        // timeline of small bodies. A test compares both.
        withUnsafeBytes(of: self) { $0.first ?? 0 }
    }

    /// The word at a place; `nil` if there is none.
    @inline(__always)
    init?(place: UInt8) {
        let words = Self.allCases
        guard let index = words.index(words.startIndex, offsetBy: Int(place), limitedBy: words.endIndex),
            index != words.endIndex
        else { return nil }
        self = words[index]
    }
}

extension Disposition: EventWord {
    var text: EventText {
        switch self {
        case .event: EventText("event")
        case .companion: EventText("companion")
        case .duplicate: EventText("duplicate")
        case .inferred: EventText("inferred")
        case .unmapped: EventText("unmapped")
        }
    }
}

extension Entitlement: EventWord {
    var text: EventText {
        switch self {
        case .grant: EventText("grant")
        case .keep: EventText("keep")
        case .withdraw: EventText("withdraw")
        case .unaffected: EventText("none")
        case .undecided: EventText("undecided")
        }
    }
}

extension Certainty: EventWord {
    var text: EventText {
        switch self {
        case .exact: EventText("exact")
        case .inferred: EventText("inferred")
        case .ambiguous: EventText("ambiguous")
        case .unknown: EventText("unknown")
        }
    }
}

extension ReceiptCoverage.Covers: EventWord {
    var text: EventText {
        switch self {
        case .all: EventText("all")
        case .some: EventText("some")
        case .nothing: EventText("none")
        }
    }
}

extension Authenticity: EventWord {
    var text: EventText {
        switch self {
        case .verified: EventText("verified")
        case .sharedSecret: EventText("shared-secret")
        case .unverified: EventText("unverified")
        }
    }
}

extension NotificationVersion: EventWord {
    var text: EventText {
        switch self {
        case .v1: EventText("v1")
        case .v2: EventText("v2")
        }
    }
}
