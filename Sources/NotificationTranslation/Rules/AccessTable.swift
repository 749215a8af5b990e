/// The block `access` of `Mappings/v2-to-event.json`.
struct AccessTable: Sendable {
    /// What a value of `data.status` says.
    enum Status: String, Sendable {
        case runs, over, revoked
    }

    private let statuses: [(value: Int64, access: Status)]
    /// The `data.status` that holds when a pair was sent, by the name of the pair.
    let statusesAfter: [String: Int64]
    /// What the renewal info that Apple sends with a pair says, by the name of the pair.
    let renewalsAfter: [String: (autoRenewStatus: Int64, expirationIntent: Int64?)]
    /// The value while a paid period runs, while a grace period runs, and after access was revoked.
    private(set) var (active, grace, revoked): (Int64?, Int64?, Int64?)
    private let effects: [(effect: AccessEffect, pairs: [String])]
    /// Each `revocationType` of a refund that is of a part only.
    private let partialTypes: [String]
    /// The `revocationPercentage` of the whole, in thousandths of a percent.
    private let whole: Int64

    init(_ tree: JSONTree?, _ file: String) throws(TableError) {
        guard let tree else { throw TableError(table: file, row: "access", problem: "is missing") }
        let top = try TableRow(
            tree, table: file, named: .fixed("access"),
            keys: ["about", "effects", "statuses", "after", "partial", "source"])
        try top.checkStrings("about")
        var effects: [(effect: AccessEffect, pairs: [String])] = []
        for tree in try top.trees("effects") {
            let row = try TableRow(
                tree, table: file, named: .member("effect"), keys: ["effect", "pairs", "meaning", "source"])
            guard let effect = AccessEffect(named: try row.string("effect")) else { throw row.error("no such effect") }
            let pairs = try row.strings("pairs")
            for (place, pair) in pairs.enumerated()
            where pairs[..<place].contains(pair) || effects.contains(where: { $0.pairs.contains(pair) }) {
                throw row.error("a pair has two effects")
            }
            try row.checkStrings("meaning")
            effects.append((effect, pairs))
        }
        self.effects = effects
        var statuses: [(value: Int64, access: Status)] = []
        for tree in try top.trees("statuses") {
            let row = try TableRow(
                tree, table: file, named: .fixed("statuses"), keys: ["status", "access", "until", "meaning"])
            guard let number = tree.member("status")?.integer, let status = Status(rawValue: try row.string("access"))
            else { throw row.error("no such status") }
            statuses.append((number, status))
            switch tree.member("until")?.string {
            case "expiresDate": active = number
            case "gracePeriodExpiresDate": grace = number
            default: if status == .revoked { revoked = number }
            }
        }
        self.statuses = statuses
        var statusesAfter: [String: Int64] = [:]
        var renewalsAfter: [String: (autoRenewStatus: Int64, expirationIntent: Int64?)] = [:]
        for tree in try top.trees("after") {
            let row = try TableRow(
                tree, table: file, named: .fixed("after"),
                keys: ["status", "pairs"],
                optional: ["autoRenewStatus", "expirationIntent"])
            guard let number = tree.member("status")?.integer, statuses.contains(where: { $0.value == number }) else {
                throw row.error("no such status")
            }
            for pair in try row.strings("pairs") {
                guard statusesAfter.updateValue(number, forKey: pair) == nil else {
                    throw row.error("a pair has two statuses")
                }
                renewalsAfter[pair] = tree.member("autoRenewStatus")?.integer.map {
                    ($0, tree.member("expirationIntent")?.integer)
                }
            }
        }
        self.statusesAfter = statusesAfter
        self.renewalsAfter = renewalsAfter
        guard let tree = top["partial"] else { throw top.error("`partial` is missing") }
        let row = try TableRow(
            tree, table: file, named: .fixed("partial"), keys: ["revocationTypes", "whole", "meaning", "source"])
        partialTypes = try row.strings("revocationTypes")
        whole = try row.number("whole")
        try row.checkStrings("meaning", "source")
    }

    /// What a value of `data.status` says; `nil` for one that this build does not know.
    func status(_ value: Int64?) -> Status? { statuses.first { $0.value == value }?.access }

    /// Whether only a part of a transaction was refunded; a percentage of 0 is how typed languages write that there is
    /// none.
    func isPartial(revocationType: String, revocationPercentage: Int64?) -> Bool {
        partialTypes.contains(revocationType) || revocationPercentage.map { 1..<whole ~= $0 } ?? false
    }

    /// The effect that the table names for a pair; `nil` where it follows from the entitlement of the pair.
    func effect(ofPair name: String) -> AccessEffect? { effects.first { $0.pairs.contains(name) }?.effect }
}
