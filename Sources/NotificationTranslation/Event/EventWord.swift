/// One of a closed set of words of our own.
protocol EventWord: CaseIterable, Equatable where AllCases: RandomAccessCollection {
    /// The word as it is in a line.
    var text: EventText { get }
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
