/// The block `access` of `Mappings/v2-to-event.json`.
struct AccessTable: Sendable {
    /// What a value of `data.status` says.
    enum Status: String, Sendable {
        case runs, over, revoked
    }

    /// What the renewal info says that Apple sends with a pair.
    typealias RenewalAfter = (autoRenewStatus: Int64?, expirationIntent: Int64?, priceIncreaseStatus: Int64?)

    private let statuses: [(value: Int64, access: Status, until: String?)]
    /// The `data.status` that holds when a pair was sent, by the name of the pair.
    private(set) var statusesAfter: [String: Int64] = [:]
    /// What the renewal info that Apple sends with a pair says, by the name of the pair.
    private(set) var renewalsAfter: [String: RenewalAfter] = [:]
    /// By the name of a pair the effect that does not follow from its entitlement.
    private(set) var effects: [String: AccessEffect] = [:]
    /// Each `revocationType` of a refund that is of a part only.
    private var partialTypes: [String] = []
    /// The `revocationPercentage` of the whole, in thousandths of a percent.
    private var whole: Int64 = 0

    init(_ top: TableRow) throws {
        try top.prose("about", "source")
        statuses = try top.rows("statuses", naming: "access") { row in
            try row.prose("meaning")
            guard let value = row["status"]?.integer else { throw row.error("no such status") }
            return (value, try row.word("access", "status"), try row.optional("until"))
        }
        try readEffects(top)
        try readStatesAfter(top)
        try top.row("partial") { row in
            partialTypes = try row.strings("revocationTypes")
            try row.prose("meaning", "source")
            whole = try row.row("whole") { constant in
                try constant.prose("meaning", "source")
                guard let value = constant["value"]?.integer else { throw constant.error("not a whole number") }
                return value
            }
        }
    }

    private mutating func readEffects(_ top: TableRow) throws {
        _ = try top.rows("effects", naming: "effect") { row in
            let name = try row.string("effect")
            guard let effect = AccessEffect.allCases.first(where: { "\($0)" == name }) else {
                throw row.error("no such effect")
            }
            for pair in try row.strings("pairs") where effects.updateValue(effect, forKey: pair) != nil {
                throw row.error("a pair has two effects")
            }
            try row.prose("meaning", "source")
        }
    }

    private mutating func readStatesAfter(_ top: TableRow) throws {
        _ = try top.rows("after", naming: "status") { row in
            let renewal = (
                row["autoRenewStatus"]?.integer, row["expirationIntent"]?.integer, row["priceIncreaseStatus"]?.integer
            )
            let number = row["status"]?.integer
            guard number == nil || status(number) != nil else { throw row.error("no such status") }
            for pair in try row.strings("pairs") {
                guard renewalsAfter.updateValue(renewal, forKey: pair) == nil else {
                    throw row.error("a pair is listed twice")
                }
                statusesAfter[pair] = number
            }
        }
    }

    /// The value of `data.status` while a paid period runs.
    var active: Int64? { statuses.first { $0.until == "expiresDate" }?.value }
    /// The value while a grace period runs.
    var grace: Int64? { statuses.first { $0.until == "gracePeriodExpiresDate" }?.value }
    /// The value after access was revoked.
    var revoked: Int64? { statuses.first { $0.access == .revoked }?.value }

    /// What a value of `data.status` says; `nil` for one that this build does not know.
    func status(_ value: Int64?) -> Status? { statuses.first { $0.value == value }?.access }

    /// Whether only a part of a transaction was refunded; a percentage of 0 is how typed languages write that there is
    /// none.
    func isPartial(revocationType: String, revocationPercentage: Int64?) -> Bool {
        partialTypes.contains(revocationType) || revocationPercentage.map { 1..<whole ~= $0 } ?? false
    }
}
