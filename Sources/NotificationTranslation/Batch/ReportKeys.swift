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
        certainty = Certainty(place: packed >> 4 & 0xF)
        disposition = Disposition(place: packed & 0xF)
    }
}

/// Which app's notification it was, in one number.
struct SourceKey {
    var version: NotificationVersion
    /// The numbers of names.
    var environment: Int
    var bundleID: Int

    var packed: UInt64 {
        (version == .v2 ? 1 << 24 : 0) | UInt64(environment) << 12 | UInt64(bundleID)
    }

    /// The same without its names.
    var folded: Self {
        SourceKey(version: version, environment: ReportNames.other, bundleID: ReportNames.other)
    }

    func renumbered(_ numbers: [Int]) -> Self {
        SourceKey(version: version, environment: numbers[environment], bundleID: numbers[bundleID])
    }
}

extension SourceKey {
    init(_ packed: UInt64) {
        version = packed >> 24 & 1 == 1 ? .v2 : .v1
        environment = Int(truncatingIfNeeded: packed >> 12 & 0xFFF)
        bundleID = Int(truncatingIfNeeded: packed & 0xFFF)
    }
}

/// How long after it happened a notification was received.
enum Lateness: Int, CaseIterable {
    /// The archive does not say when it was received.
    case notReceived
    /// Nothing but the time of receipt says when it happened.
    case timedByReceipt
    case before, minute, hour, day, threeDays, week, month, later

    init(_ event: inout EventDraft) {
        guard let received = event.source.receivedAt, let occurred = event.occurredAt else {
            self = .notReceived
            return
        }
        guard !Self.isReceipt(event.occurredAtBasis) else {
            self = .timedByReceipt
            return
        }
        self.init(minutes: (received - occurred) / 60_000, isBefore: received < occurred)
    }

    private init(minutes: Int64, isBefore: Bool) {
        switch minutes {
        case _ where isBefore: self = .before
        case 0: self = .minute
        case 1..<60: self = .hour
        case 60..<1440: self = .day
        case 1440..<4320: self = .threeDays
        case 4320..<10_080: self = .week
        case 10_080..<43_200: self = .month
        default: self = .later
        }
    }

    /// Whether a basis is the time of receipt: no other of its length begins like it.
    private static func isReceipt(_ basis: EventText) -> Bool {
        let bytes = basis.bytes
        return bytes.count == 11 && bytes[0] == UInt8(ascii: "r")
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
