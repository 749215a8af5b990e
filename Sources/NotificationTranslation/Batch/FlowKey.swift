/// What a type became, in one number.
struct FlowKey {
    var version: NotificationVersion
    /// The numbers of names.
    var type: Int
    var pairType: Int
    var subtype: Int
    var certainty: Certainty
    var disposition: Disposition

    var packed: UInt64 {
        let names = UInt64(type) << 32 | UInt64(pairType) << 20 | UInt64(subtype) << 8
        return (version == .v2 ? 1 << 44 : 0) | names | UInt64(certainty.place) << 4 | UInt64(disposition.place)
    }

    /// The same without its names.
    var folded: Self {
        var key = self
        (key.type, key.pairType, key.subtype) = (ReportNames.other, ReportNames.other, ReportNames.absent)
        return key
    }

    func renumbered(_ numbers: [Int]) -> Self {
        var key = self
        key.type = numbers[type]
        key.pairType = numbers[pairType]
        key.subtype = numbers[subtype]
        return key
    }
}

extension FlowKey {
    init(_ packed: UInt64) {
        version = packed >> 44 & 1 == 1 ? .v2 : .v1
        type = Int(truncatingIfNeeded: packed >> 32 & 0xFFF)
        pairType = Int(truncatingIfNeeded: packed >> 20 & 0xFFF)
        subtype = Int(truncatingIfNeeded: packed >> 8 & 0xFFF)
        certainty = Certainty(place: UInt8(packed >> 4 & 0xF)) ?? .unknown
        disposition = Disposition(place: UInt8(packed & 0xF)) ?? .unmapped
    }
}
