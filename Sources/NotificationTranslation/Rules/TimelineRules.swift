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
        /// The same transaction at about the same time, the transaction that followed it, or the same instant.
        case act
        /// The same transaction and the same product to come.
        case preference
    }

    /// Where a fact `partner…` is looked for.
    struct Partner: Sendable {
        var fact: Int
        /// The types the fact is computed for.
        var of: Set<Int>
        /// The types of the partner.
        var types: Set<Int>
        /// The V2 pairs that are as good, by index.
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

        /// Whether it changes the status of a subscription.
        var changesStatus: Bool {
            switch self {
            case .begins, .fails, .ends, .refunds, .restores: true
            case .switches, .plans, .asks, .offers: false
            }
        }
    }

    let partners: [Partner]
    let leaders: [Leader]
    // Types are given by their indices; -1, for V2 and unknown types, is never among them.
    /// The types that the store sends again for the same act.
    let askedAgain: Set<Int>
    /// The types whose equal bodies may be about several purchases if they name none.
    let severalUnnamed: Set<Int>
    /// The types that report what the customer did.
    let byHand: Set<Int>
    /// The types that report a purchase made when the period before ended.
    let onTime: Set<Int>
    /// The types that report a renewal that had failed; its period may have begun long before.
    let recovers: Set<Int>
    private let roles: [Role?]
    private let onceRoles: [Role]

    func role(ofPair index: Int) -> Role? { roles.indices.contains(index) ? roles[index] : nil }

    /// Whether what has a role happens once for each transaction.
    func isOnce(_ role: Role) -> Bool { onceRoles.contains(role) }

    init(_ top: TableRow, _ reader: RuleReader, types: [String: Int]) throws {
        func typeSet(_ row: TableRow, _ key: StaticString) throws -> Set<Int> {
            try row.strings(key).reduce(into: []) { set, name in
                guard let index = types[name] else { throw row.error("no such type \"\(name)\"") }
                set.insert(index)
            }
        }
        partners = try top.rows("partners", naming: "fact") { row in
            guard let fact = reader.facts.index(of: try row.string("fact")),
                reader.facts.values[fact] == [FactValue.Answer.yes, .no, .unknown].map(\.name)
            else { throw row.error("no such fact") }
            return Partner(
                fact: fact, of: try typeSet(row, "of"), types: try typeSet(row, "types"),
                pairs: try reader.pairs(row, "pairs"), conditions: try reader.conditions(row),
                bond: try row.word("by", "bond"))
        }
        leaders = try top.rows("leaders", naming: "flag") { row in
            Leader(
                flag: try reader.flag(row.text("flag"), row), pairs: try reader.pairs(row, "pairs"),
                bond: try row.word("by", "bond"))
        }
        var roles = [Role?](repeating: nil, count: EventTable.current.pairs.count)
        var onceRoles: [Role] = []
        _ = try top.rows("roles", naming: "role") { row in
            let role: Role = try row.word("role")
            for index in try reader.pairs(row, "pairs") {
                guard roles[index] == nil else { throw row.error("a pair has two roles") }
                roles[index] = role
            }
            switch row["once"]?.kind {
            case .true: onceRoles.append(role)
            case .false: break
            default: throw row.error("\"once\" is neither true nor false")
            }
            try row.prose("meaning")
        }
        (self.roles, self.onceRoles) = (roles, onceRoles)
        askedAgain = try typeSet(top, "asked_again")
        severalUnnamed = try typeSet(top, "several_unnamed")
        byHand = try typeSet(top, "by_hand")
        onTime = try typeSet(top, "on_time")
        recovers = try typeSet(top, "recovers")
        try top.prose("source")
    }
}
