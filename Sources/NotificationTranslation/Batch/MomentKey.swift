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
        certainty = Certainty(place: UInt8(packed >> 8 & 0xF)) ?? .unknown
        entitlement = Entitlement(place: UInt8(packed >> 4 & 0xF)) ?? .undecided
        disposition = Disposition(place: UInt8(packed & 0xF)) ?? .unmapped
    }
}
