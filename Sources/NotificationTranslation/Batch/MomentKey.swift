/// When an event happened, of what kind it is and what it says, in one number.
struct MomentKey {
    /// Months since the year 1 began, from 1; 0 for no time.
    var month: Int
    /// The number of a name.
    var kind: Int
    var certainty: Certainty
    var entitlement: Entitlement
    var disposition: Disposition

    /// The month of those that are counted together.
    static let beyond = 0xF_FFFF

    /// The same without its month.
    var folded: Self {
        var key = self
        key.month = Self.beyond
        return key
    }

    var packed: UInt64 {
        UInt64(month) << 24 | UInt64(kind) << 12 | UInt64(certainty.place) << 8 | UInt64(entitlement.place) << 4
            | UInt64(disposition.place)
    }

    /// A packed key, with a month in place of none.
    static func packed(_ packed: UInt64, month: Int) -> UInt64 { packed | UInt64(month) << 24 }

    /// A packed key with the new number of its kind.
    static func renumbered(_ packed: UInt64, _ numbers: [Int]) -> UInt64 {
        let kind = numbers[Int(truncatingIfNeeded: packed >> 12 & 0xFFF)]
        return packed & ~(0xFFF << 12) | UInt64(kind) << 12
    }
}

extension MomentKey {
    init(_ packed: UInt64) {
        month = Int(truncatingIfNeeded: packed >> 24)
        kind = Int(truncatingIfNeeded: packed >> 12 & 0xFFF)
        certainty = Certainty(place: packed >> 8 & 0xF)
        entitlement = Entitlement(place: packed >> 4 & 0xF)
        disposition = Disposition(place: packed & 0xF)
    }
}

// Places of cases, without the arrays that `allCases` makes.

extension Certainty {
    var place: Int {
        switch self {
        case .exact: 0
        case .inferred: 1
        case .ambiguous: 2
        case .unknown: 3
        }
    }

    init(place: UInt64) {
        self = place == 0 ? .exact : place == 1 ? .inferred : place == 2 ? .ambiguous : .unknown
    }
}

extension Entitlement {
    var place: Int {
        switch self {
        case .grant: 0
        case .keep: 1
        case .withdraw: 2
        case .unaffected: 3
        case .undecided: 4
        }
    }

    init(place: UInt64) {
        self = place == 0 ? .grant : place == 1 ? .keep : place == 2 ? .withdraw : place == 3 ? .unaffected : .undecided
    }
}

extension Disposition {
    var place: Int {
        switch self {
        case .event: 0
        case .companion: 1
        case .duplicate: 2
        case .inferred: 3
        case .unmapped: 4
        }
    }

    init(place: UInt64) {
        self =
            place == 0 ? .event : place == 1 ? .companion : place == 2 ? .duplicate : place == 3 ? .inferred : .unmapped
    }
}
