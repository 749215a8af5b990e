/// A table that is made of settled subscriptions in place of their events.
package enum SubscriptionTable: Hashable, Sendable {
    /// How each subscription stands at an instant, in milliseconds.
    case state(at: Int64)
    /// Every stretch of time of each subscription, up to an instant.
    case history(until: Int64)
    /// Every transaction; what runs, runs as of an instant.
    case transactions(asOf: Int64)
    /// What only Apple can say of how things stand at an instant.
    case worklist(asOf: Int64)

    /// The same at another instant.
    package func moved(to instant: Int64) -> SubscriptionTable {
        switch self {
        case .state: .state(at: instant)
        case .history: .history(until: instant)
        case .transactions: .transactions(asOf: instant)
        case .worklist: .worklist(asOf: instant)
        }
    }

    /// What the table is made for: later time is not looked at; the least number is the latest time of each
    /// subscription.
    package var asOf: Int64 {
        switch self {
        case .state(let instant), .history(let instant), .transactions(let instant), .worklist(let instant): instant
        }
    }
}

/// What a table of subscriptions holds, in numbers; parts add up.
package struct TableFigures: Sendable, Equatable {
    package var rows = 0
    /// Rows of a state with access, without, and where that is not known; of transactions those that are ambiguous.
    package var (entitled, notEntitled, unknown) = (0, 0, 0)
    /// Rows that would be other ones without Apple's answers, or none.
    package var answered = 0
    /// States that differ from a table, those where we give access and the table does not, the reverse, and those that
    /// were not compared because they are not known.
    package var (differing, lost, given, notCompared) = (0, 0, 0, 0)

    /// Subscriptions that were left out, because they are of another app or environment than was asked for.
    package var leftOut = 0

    package init() {}

    mutating func count(_ state: SubscriptionState) {
        switch state.isEntitled {
        case true?: entitled += 1
        case false?: notEntitled += 1
        case nil: unknown += 1
        }
    }

    mutating func count(_ differences: [StateDifference], ofKnown isKnown: Bool) {
        if !isKnown { notCompared += 1 }
        guard let first = differences.first else { return }
        differing += 1
        if first.accessLost { lost += 1 }
        if first.accessGiven { given += 1 }
    }

    private static let counts: [any WritableKeyPath<TableFigures, Int> & Sendable] = [
        \.rows, \.entitled, \.notEntitled, \.unknown, \.answered, \.differing, \.lost, \.given, \.notCompared,
        \.leftOut,
    ]

    package mutating func add(_ other: TableFigures) {
        for count in Self.counts { self[keyPath: count] += other[keyPath: count] }
    }
}

/// What the rows of a table are sorted by: the id as a number, then the environment and app, then their own order.
package struct RowOrder: Sendable {
    package var first: UInt64
    package var second: UInt64

    init() { (first, second) = (.max, .max) }

    /// Another row of the same subscription.
    func at(_ index: Int) -> RowOrder {
        var order = self
        order.second = second & ~0xFF_FFFF | UInt64(index & 0xFF_FFFF)
        return order
    }

    /// Whether a row with this first number is one of those that lead.
    package static func leads(_ first: UInt64) -> Bool { first < 1 << 63 }

    /// The same, after all rows that lead.
    func leading(_ leads: Bool, index: Int) -> RowOrder {
        var order = RowOrder()
        order.first = first >> 1 | (leads ? 0 : 1 << 63)
        // The last bit of the id counts too: 710 and 711 would be in the order in which they were settled.
        order.second = (first & 1) << 63 | second >> 1 & ~0xFF_FFFF | UInt64(index & 0xFF_FFFF)
        return order
    }

    init(_ id: String, _ environment: String?, _ bundleID: String?) {
        var (id, name) = (id, (environment ?? "") + " " + (bundleID ?? ""))
        first = id.withUTF8 { TimelineID.of(EventText(UnsafeRawBufferPointer($0))) }
        var hash = StableHash()
        name.withUTF8 { hash.addWords(UnsafeRawBufferPointer($0)) }
        second = hash.mixed << 24
    }
}
