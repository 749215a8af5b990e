/// The block `timeline` of `Mappings/v1-to-v2.json`: which notifications belong together, and what pairs do to a
/// subscription.
///
/// It says what timeline facts are computed from; what follows from them is in the rules.
struct TimelineRules: Sendable {
    /// How two notifications are recognised as parts of one act.
    enum Bond: String, Sendable {
        /// The same transaction.
        case transaction
        /// The same instant.
        case instant
        /// The same transaction, or the same instant.
        case act
        /// The same transaction and the same product to come.
        case preference
    }

    /// Where a fact `partner…` is looked for.
    struct Partner: Sendable {
        var fact: Int
        /// The types the fact is computed for.
        var of: TypeSet
        /// The types of the partner.
        var types: TypeSet
        /// The V2 pairs that are as good, by place.
        var pairs: [Int]
        /// What must hold of a V1 partner.
        var conditions: [Rule.Condition]
        var bond: Bond
    }

    /// Which events a companion can be part of.
    struct Leader: Sendable {
        var flag: FlagSet
        /// The likeliest first.
        var pairs: [Int]
        var bond: Bond
    }

    /// What a pair does to a subscription; a closed set.
    enum Role: String, CaseIterable, Sendable {
        case begins, fails, ends, refunds, restores, switches, plans, asks, offers
    }

    let partners: [Partner]
    let leaders: [Leader]
    /// The types that the store sends again for the same act.
    let askedAgain: TypeSet
    /// The types whose equal bodies may be about several purchases if they name none.
    let severalUnnamed: TypeSet
    /// The types that report what the customer did.
    let byHand: TypeSet
    /// The types that report a purchase made when the period before ended.
    let onTime: TypeSet
    /// The types that report a renewal that had failed; its period may have begun long before.
    let recovers: TypeSet
    private let roles: [Role?]
    private let onceRoles: [Role]

    /// The role of a pair, by its place.
    func role(ofPair place: Int) -> Role? { roles.indices.contains(place) ? roles[place] : nil }

    /// Whether what has a role happens once for each transaction.
    func isOnce(_ role: Role) -> Bool { onceRoles.contains(role) }

    init(
        _ tree: JSONTree, _ rows: RuleReader, types: NameIndex
    ) throws(TableError) {
        let file = rows.file
        let top = try TableRow(
            tree, table: file, named: .fixed("timeline"),
            keys: [
                "partners", "leaders", "roles", "asked_again", "several_unnamed", "by_hand", "on_time", "recovers",
                "source",
            ])
        let reader = Reader(types: types)
        var partners: [Partner] = []
        for tree in try top.trees("partners") {
            let row = try TableRow(
                tree, table: file, named: .member("fact"),
                keys: ["fact", "of", "types", "pairs", "when", "by"])
            guard let fact = rows.facts.place(of: try row.text("fact")),
                rows.facts.values[fact] == FactValue.Answer.names
            else {
                throw row.error("no such fact")
            }
            partners.append(
                Partner(
                    fact: fact, of: try reader.types(row, "of"), types: try reader.types(row, "types"),
                    pairs: try rows.pairs(row, "pairs"), conditions: try rows.conditions(row),
                    bond: try reader.bond(row)))
        }
        self.partners = partners
        var leaders: [Leader] = []
        for tree in try top.trees("leaders") {
            let row = try TableRow(
                tree, table: file, named: .member("flag"), keys: ["flag", "pairs", "by"])
            guard let number = rows.flags.number(try row.text("flag")) else { throw row.error("no such flag") }
            leaders.append(
                Leader(
                    flag: FlagSet(number: number), pairs: try rows.pairs(row, "pairs"),
                    bond: try reader.bond(row)))
        }
        self.leaders = leaders
        askedAgain = try reader.types(top, "asked_again")
        severalUnnamed = try reader.types(top, "several_unnamed")
        byHand = try reader.types(top, "by_hand")
        onTime = try reader.types(top, "on_time")
        recovers = try reader.types(top, "recovers")
        var roles = [Role?](repeating: nil, count: rows.events.pairs.count)
        var onceRoles: [Role] = []
        for tree in try top.trees("roles") {
            let row = try TableRow(
                tree, table: file, named: .member("role"), keys: ["role", "pairs", "once", "meaning"])
            guard let role = Role(rawValue: try row.string("role")) else { throw row.error("no such role") }
            switch row["once"]?.kind {
            case .true: onceRoles.append(role)
            case .false: break
            default: throw row.error("\"once\" is neither true nor false")
            }
            for place in try rows.pairs(row, "pairs") {
                guard roles[place] == nil else { throw row.error("a pair has two roles") }
                roles[place] = role
            }
        }
        self.roles = roles
        self.onceRoles = onceRoles
    }

    private struct Reader {
        let types: NameIndex

        func types(_ row: TableRow, _ key: StaticString) throws(TableError) -> TypeSet {
            var set = TypeSet()
            for name in try row.texts(key) {
                guard let place = types.number(of: name, exactly: true), place < 64 else {
                    throw row.error("no such type \"\(name.characters)\"")
                }
                set.insert(place)
            }
            return set
        }

        func bond(_ row: TableRow) throws(TableError) -> Bond {
            guard let bond = Bond(rawValue: try row.string("by")) else { throw row.error("no such bond") }
            return bond
        }
    }
}

/// Some of the V1 types, by their places.
struct TypeSet: Sendable {
    private var bits: UInt64 = 0

    mutating func insert(_ type: Int) { bits |= 1 << UInt64(type) }

    /// Whether a type is among them; -1, for V2 and unknown types, never is.
    func contains(_ type: Int) -> Bool { type >= 0 && bits >> UInt64(type) & 1 == 1 }
}
