/// The constants of `parameters` in `Mappings/v1-to-v2.json`; milliseconds throughout.
struct Parameters: Hashable, Sendable {
    /// The beginning of each era, in order; the first has none.
    var eraStarts: [Int64] = []
    /// From here on, the beginning of an era, every CANCEL is a refund.
    var cancelsAreRefundsFrom: Int64 = 0
    /// From here on, the beginning of an era, a CANCEL that may be either is rather a refund.
    var cancelsLeadAsRefundsFrom: Int64 = 0
    var contiguous: Int64 = 0
    /// How far apart the end of a period and the upgrade that ended it may be, where a list does not mark it.
    var replacedWithin: Int64 = 0
    var sameTimeProduction: Int64 = 0
    var sameTimeSandbox: Int64 = 0
    var retryEnd: Int64 = 0
    var retryLastDay: Int64 = 0
    var justBeforeExpiry: Int64 = 0
    /// How much later than a purchase the auto-renew status changes that it switches on.
    var switchedWithPurchase: Int64 = 0
    var historyCap: Int64 = 0
    var familySharingSince: Int64 = 0
    var promotionalOffersSince: Int64 = 0
    var lateDelivery: Int64 = 0
    var extensionAtLeast: Int64 = 0
    /// What is earlier is not read as a date.
    var earliestDate: Int64 = 0
    var renewalsToldSince: Int64 = 0
    var failuresToldSince: Int64 = 0
    var switchesToldSince: Int64 = 0
    var reversalsToldSince: Int64 = 0
    var deliveryHorizon: Int64 = 0
    /// What was received longer after it happened was imported, or fetched later.
    var importedAfter: Int64 = 0
    /// How many months a period may have, and how many renewals are deduced at most.
    var periodMonths: [Int64] = []
    var deducedRenewalsMost: Int64 = 0
    /// When a notification is tried, counted from the first attempt.
    var deliveryAttempts: [Int64] = []
    var attemptSlack: Int64 = 0
    /// How much too early an attempt may seem, counted from another one.
    var attemptEarly: Int64 = 0
    /// Events closer together than this may be signed in another order than they happened in.
    var signedAtOnce: Int64 = 0
    /// How far a renewal may begin from the end of the period before.
    var atBoundary: Int64 = 0
    var longestGrace: Int64 = 0
    /// How long before a period begins the store may charge for it.
    var chargedAhead: Int64 = 0
    /// How long after the first body that shows a cancellation every body shows it.
    var shownWithin: Int64 = 0
    var shownWithinSandbox: Int64 = 0
    /// How much later a second cancellation of one transaction is dated than the first one, at least.
    var cancelledAgain: Int64 = 0
    /// How unlikely it is what may happen to a notification on its way.
    var penalties = Penalties()

    private typealias Field = WritableKeyPath<Parameters, Int64> & Sendable

    /// The whole numbers, by the name that the table has for each.
    private static let numbers: [(key: StaticString, field: any Field)] = [
        ("contiguous_ms", \.contiguous),
        ("replaced_within_ms", \.replacedWithin),
        ("same_time_production_ms", \.sameTimeProduction),
        ("same_time_sandbox_ms", \.sameTimeSandbox),
        ("retry_end_ms", \.retryEnd),
        ("retry_last_day_ms", \.retryLastDay),
        ("just_before_expiry_ms", \.justBeforeExpiry),
        ("switched_with_purchase_ms", \.switchedWithPurchase),
        ("history_cap", \.historyCap),
        ("late_delivery_ms", \.lateDelivery),
        ("delivery_horizon_ms", \.deliveryHorizon),
        ("imported_after_ms", \.importedAfter),
        ("extension_at_least_ms", \.extensionAtLeast),
        ("attempt_slack_ms", \.attemptSlack),
        ("attempt_early_ms", \.attemptEarly),
        ("signed_at_once_ms", \.signedAtOnce),
        ("at_boundary_ms", \.atBoundary),
        ("longest_grace_ms", \.longestGrace),
        ("charged_ahead_ms", \.chargedAhead),
        ("shown_within_ms", \.shownWithin),
        ("shown_within_sandbox_ms", \.shownWithinSandbox),
        ("cancelled_again_ms", \.cancelledAgain),
        ("deduced_renewals_most", \.deducedRenewalsMost),
        ("penalty_out_of_order", \.penalties.outOfOrder),
        ("penalty_late", \.penalties.late),
        ("penalty_at_retry", \.penalties.atRetry),
        ("penalty_again", \.penalties.again),
        ("penalty_at_retry_often", \.penalties.atRetryOften),
        ("penalty_again_often", \.penalties.againOften),
        ("penalty_kept_twice", \.penalties.keptTwice),
        ("penalty_coincidence", \.penalties.coincidence),
        ("penalty_at_odd_hours", \.penalties.atOddHours),
        ("penalty_untold", \.penalties.untold),
        ("penalty_unpaired", \.penalties.unpaired),
        ("penalty_reading", \.penalties.reading),
        ("penalty_clear", \.penalties.clear),
    ]

    /// The times, likewise.
    private static let instants: [(key: StaticString, field: any Field)] = [
        ("earliest_date", \.earliestDate),
        ("renewals_told_since", \.renewalsToldSince),
        ("failures_told_since", \.failuresToldSince),
        ("switches_told_since", \.switchesToldSince),
        ("reversals_told_since", \.reversalsToldSince),
        ("promotional_offers_since", \.promotionalOffersSince),
        ("family_sharing_since", \.familySharingSince),
    ]

    init(_ tree: JSONTree?, table: String) throws(TableError) {
        let row = try TableRow(
            constants: tree, table: table,
            keys: [
                "eras", "cancels_are_refunds_from", "cancels_lead_as_refunds_from", "period_months",
                "delivery_attempts_ms",
            ] + Self.numbers.map(\.key) + Self.instants.map(\.key))
        for (key, field) in Self.numbers { self[keyPath: field] = try row.number(key) }
        for (key, field) in Self.instants { self[keyPath: field] = try row.instant(key) }
        guard retryLastDay <= retryEnd else { throw row.error("retry ends before its last day") }
        periodMonths = try row.constant("period_months").elements?.compactMap(\.integer) ?? []
        deliveryAttempts = try row.constant("delivery_attempts_ms").elements?.compactMap(\.integer) ?? []
        guard deliveryAttempts == deliveryAttempts.sorted(), deliveryAttempts.first == 0 else {
            throw row.error("the attempts are not in order")
        }
        let eras = Array(try row.trees("eras"))
        let names = eras.map { $0.member("era")?.string ?? "?" }
        guard names + ["unknown"] == Fact.era.values else { throw row.error("the eras are not those of the fact") }
        var starts: [Int64] = []
        for era in eras.dropFirst() {
            guard let start = era.member("from")?.instant else {
                throw row.error("an era has no beginning")
            }
            starts.append(start)
        }
        guard starts == starts.sorted() else { throw row.error("the eras are not in order") }
        eraStarts = starts
        func start(_ key: StaticString) throws(TableError) -> Int64 {
            let name = try row.constant(key).string
            guard let era = names.dropFirst().firstIndex(where: { $0 == name }) else {
                throw row.error("\(key) names no era with a beginning")
            }
            return starts[era - 1]
        }
        cancelsAreRefundsFrom = try start("cancels_are_refunds_from")
        cancelsLeadAsRefundsFrom = try start("cancels_lead_as_refunds_from")
    }

    /// Whether two receptions are as far apart as two different attempts to deliver one notification.
    ///
    /// Attempts are late and hardly ever early.
    func isAttempt(_ distance: Int64) -> Bool {
        for (place, later) in deliveryAttempts.enumerated() {
            for earlier in deliveryAttempts[..<place]
            where -attemptEarly...attemptSlack ~= distance - (later - earlier) {
                return true
            }
        }
        return false
    }

    /// Whether a notification may be delivered this long after what it reports: soon, or soon after a later attempt.
    func mayDeliver(_ delay: Int64) -> Bool {
        delay <= lateDelivery || deliveryAttempts.contains { (-attemptEarly...lateDelivery).contains(delay - $0) }
    }

    /// How a period that begins at a distance from the end of another follows it.
    func gap(_ distance: Int64) -> FactValue.Gap {
        if abs(distance) <= contiguous { return .contiguous }
        if distance < 0 { return .overlap }
        return distance >= retryEnd ? .longLapse : .lapse
    }
}

/// How unlikely each way is in which a happening may reach an archive.
///
/// The `penalty_` constants of `Mappings/v1-to-v2.json`, natural logarithms.
struct Penalties: Hashable, Sendable {
    /// Received seconds after a later one.
    var outOfOrder: Int64 = 0
    /// Received up to an hour late.
    var late: Int64 = 0
    /// First received at a retry.
    var atRetry: Int64 = 0
    /// Delivered again at an hour of the retries.
    var again: Int64 = 0
    /// The same two where much else of the subscription was received at retries.
    var atRetryOften: Int64 = 0
    var againOften: Int64 = 0
    /// In the archive twice, received at once.
    var keptTwice: Int64 = 0
    /// One of its own, received when an equal one would be delivered again.
    var coincidence: Int64 = 0
    /// Delivered again at another hour.
    var atOddHours: Int64 = 0
    /// Made and not in the archive.
    var untold: Int64 = 0
    /// Reported by one version, and not by the other that reports the same state.
    var unpaired: Int64 = 0
    /// Reported by V2 as another pair than the likeliest of V1.
    var reading: Int64 = 0
    /// How much likelier an explanation must be to be clear.
    var clear: Int64 = 0
}

extension Parameters {
    /// Where a change of status that is so long after the end of its period is.
    func changedAt(_ distance: Int64) -> FactValue.ChangedAt {
        if distance >= retryEnd { return .retryEnd }
        if distance >= retryLastDay { return .retryLastDay }
        if distance >= 0 { return .afterExpiry }
        return distance >= -justBeforeExpiry ? .justBeforeExpiry : .beforeExpiry
    }
}
