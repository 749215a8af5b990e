/// What an event says about access: the entitlement, and until when access is known to last.
struct Access: Equatable {
    var entitlement: Entitlement
    /// With a grant or keep only.
    var until: Int64?
    /// Why it is undecided, where no candidate says that.
    var flag = FlagSet()
    /// Whether it is known that no access is left, so that taking it away changes nothing.
    var isOver = false

    static let none = Access(entitlement: .unaffected)

    init(entitlement: Entitlement, until: Int64? = nil, flag: FlagSet = FlagSet()) {
        self.entitlement = entitlement
        self.until = until
        self.flag = flag
    }

    /// Whether an event would say the same.
    static func == (one: Access, other: Access) -> Bool {
        one.entitlement == other.entitlement && one.until == other.until && one.flag == other.flag
    }

    static func grant(_ until: Int64?) -> Access { Access(entitlement: .grant, until: until) }
    static func keep(_ until: Int64?) -> Access { Access(entitlement: .keep, until: until) }
    static let over = {
        var access = Access.none
        access.isOver = true
        return access
    }()
    static let withdraw = Access(entitlement: .withdraw)
    static let unknownPeriod = Access(entitlement: .undecided, flag: .runningPeriodUnknown)
    static let unknownEnd = Access(entitlement: .undecided, flag: .accessEndUnknown)
}
