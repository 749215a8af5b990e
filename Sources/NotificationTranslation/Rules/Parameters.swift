/// The constants of `parameters` in `Mappings/v1-to-v2.json`; milliseconds throughout.
struct Parameters: Hashable, Sendable {
    /// The beginning of each era, in order; the first has none.
    var eraStarts: [Int64]
    /// From here on, the beginning of an era, every CANCEL is a refund.
    var cancelsAreRefundsFrom: Int64
    /// From here on, the beginning of an era, a CANCEL that may be either is rather a refund.
    var cancelsLeadAsRefundsFrom: Int64
    var contiguous: Int64
    /// How far apart the end of a period and the upgrade that ended it may be, where a list does not mark it.
    var replacedWithin: Int64
    var sameTimeProduction: Int64
    var sameTimeSandbox: Int64
    var retryEnd: Int64
    var retryLastDay: Int64
    var justBeforeExpiry: Int64
    /// How much later than a purchase the auto-renew status changes that it switches on.
    var switchedWithPurchase: Int64
    var historyCap: Int
    var familySharingSince: Int64
    var promotionalOffersSince: Int64
    var lateDelivery: Int64
    var extensionAtLeast: Int64
    /// What is earlier is not read as a date.
    var earliestDate: Int64
    var renewalsToldSince: Int64
    var failuresToldSince: Int64
    var switchesToldSince: Int64
    var reversalsToldSince: Int64
    var deliveryHorizon: Int64
    /// What was received longer after it happened was imported, or fetched later.
    var importedAfter: Int64
    /// How many months a period may have, and how many renewals are deduced at most.
    var periodMonths: [Int64]
    var deducedRenewalsMost: Int64
    /// When a notification is tried, counted from the first attempt.
    var deliveryAttempts: [Int64]
    var attemptSlack: Int64
    /// How much too early an attempt may seem, counted from another one.
    var attemptEarly: Int64
    /// Events closer together than this may be signed in another order than they happened in.
    var signedAtOnce: Int64
    /// How far a renewal may begin from the end of the period before.
    var atBoundary: Int64
    var longestGrace: Int64
    /// How long before a period begins the store may charge for it.
    var chargedAhead: Int64
    /// How long after the first body that shows a cancellation every body shows it.
    var shownWithin: Int64
    var shownWithinSandbox: Int64
    /// How much later a second cancellation of one transaction is dated than the first one, at least.
    var cancelledAgain: Int64
    /// How unlikely it is what may happen to a notification on its way.
    var penalties: Penalties

    init(_ tree: JSONTree?, table: String) throws(TableError) {
        let row = try TableRow(
            constants: tree, table: table,
            keys: [
                "eras", "cancels_are_refunds_from", "cancels_lead_as_refunds_from", "contiguous_ms",
                "replaced_within_ms", "same_time_production_ms",
                "same_time_sandbox_ms",
                "retry_end_ms", "retry_last_day_ms",
                "just_before_expiry_ms", "switched_with_purchase_ms", "history_cap", "family_sharing_since",
                "promotional_offers_since",
                "late_delivery_ms", "extension_at_least_ms", "earliest_date",
                "renewals_told_since", "failures_told_since", "switches_told_since",
                "reversals_told_since",
                "delivery_horizon_ms", "imported_after_ms",
                "period_months", "deduced_renewals_most",
                "delivery_attempts_ms", "attempt_slack_ms", "attempt_early_ms", "signed_at_once_ms",
                "at_boundary_ms", "longest_grace_ms", "charged_ahead_ms", "shown_within_ms",
                "shown_within_sandbox_ms",
                "cancelled_again_ms",
                "penalty_out_of_order", "penalty_late", "penalty_at_retry", "penalty_again", "penalty_at_retry_often",
                "penalty_again_often", "penalty_kept_twice",
                "penalty_coincidence", "penalty_at_odd_hours", "penalty_untold", "penalty_unpaired", "penalty_reading",
                "penalty_clear",
            ])
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
        contiguous = try row.number("contiguous_ms")
        replacedWithin = try row.number("replaced_within_ms")
        sameTimeProduction = try row.number("same_time_production_ms")
        sameTimeSandbox = try row.number("same_time_sandbox_ms")
        retryEnd = try row.number("retry_end_ms")
        retryLastDay = try row.number("retry_last_day_ms")
        guard retryLastDay <= retryEnd else { throw row.error("retry ends before its last day") }
        justBeforeExpiry = try row.number("just_before_expiry_ms")
        switchedWithPurchase = try row.number("switched_with_purchase_ms")
        historyCap = Int(try row.number("history_cap"))
        lateDelivery = try row.number("late_delivery_ms")
        deliveryHorizon = try row.number("delivery_horizon_ms")
        importedAfter = try row.number("imported_after_ms")
        extensionAtLeast = try row.number("extension_at_least_ms")
        attemptSlack = try row.number("attempt_slack_ms")
        attemptEarly = try row.number("attempt_early_ms")
        signedAtOnce = try row.number("signed_at_once_ms")
        atBoundary = try row.number("at_boundary_ms")
        longestGrace = try row.number("longest_grace_ms")
        chargedAhead = try row.number("charged_ahead_ms")
        shownWithin = try row.number("shown_within_ms")
        shownWithinSandbox = try row.number("shown_within_sandbox_ms")
        cancelledAgain = try row.number("cancelled_again_ms")
        penalties = Penalties(
            outOfOrder: try row.number("penalty_out_of_order"), late: try row.number("penalty_late"),
            atRetry: try row.number("penalty_at_retry"), again: try row.number("penalty_again"),
            atRetryOften: try row.number("penalty_at_retry_often"), againOften: try row.number("penalty_again_often"),
            keptTwice: try row.number("penalty_kept_twice"), coincidence: try row.number("penalty_coincidence"),
            atOddHours: try row.number("penalty_at_odd_hours"), untold: try row.number("penalty_untold"),
            unpaired: try row.number("penalty_unpaired"), reading: try row.number("penalty_reading"),
            clear: try row.number("penalty_clear"))
        periodMonths = try row.constant("period_months").elements?.compactMap(\.integer) ?? []
        deducedRenewalsMost = try row.number("deduced_renewals_most")
        deliveryAttempts = try row.constant("delivery_attempts_ms").elements?.compactMap(\.integer) ?? []
        guard deliveryAttempts == deliveryAttempts.sorted(), deliveryAttempts.first == 0 else {
            throw row.error("the attempts are not in order")
        }
        earliestDate = try row.instant("earliest_date")
        renewalsToldSince = try row.instant("renewals_told_since")
        failuresToldSince = try row.instant("failures_told_since")
        switchesToldSince = try row.instant("switches_told_since")
        reversalsToldSince = try row.instant("reversals_told_since")
        promotionalOffersSince = try row.instant("promotional_offers_since")
        familySharingSince = try row.instant("family_sharing_since")
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
    var outOfOrder: Int64
    /// Received up to an hour late.
    var late: Int64
    /// First received at a retry.
    var atRetry: Int64
    /// Delivered again at an hour of the retries.
    var again: Int64
    /// The same two where much else of the subscription was received at retries.
    var atRetryOften: Int64
    var againOften: Int64
    /// In the archive twice, received at once.
    var keptTwice: Int64
    /// One of its own, received when an equal one would be delivered again.
    var coincidence: Int64
    /// Delivered again at another hour.
    var atOddHours: Int64
    /// Made and not in the archive.
    var untold: Int64
    /// Reported by one version, and not by the other that reports the same state.
    var unpaired: Int64
    /// Reported by V2 as another pair than the likeliest of V1.
    var reading: Int64
    /// How much likelier an explanation must be to be clear.
    var clear: Int64
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
