/// The values of facts, by kind.
///
/// Their numbers are their places; their names are those of the table.
enum FactValue {
    protocol Value: RawRepresentable<Int>, CaseIterable, Equatable {
        /// The names in the table, in the order of the numbers.
        static var names: [String] { get }
    }

    enum Subject: Int, Value {
        case certain, uncertain

        static let names = ["certain", "uncertain"]
    }

    enum Plain: Int, Value {
        case yes, no

        static let names = ["yes", "no"]
    }

    enum Answer: Int, Value {
        case yes, no, unknown

        static let names = ["yes", "no", "unknown"]
    }

    enum Beginning: Int, Value {
        case own, other, disputed

        static let names = ["own", "other", "disputed"]
    }

    enum Environment: Int, Value {
        case production, sandbox, unknown

        static let names = ["production", "sandbox", "unknown"]
    }

    enum Ownership: Int, Value {
        case purchased, family, unknown

        static let names = ["purchased", "family", "unknown"]
    }

    enum History: Int, Value {
        case rows, single, none

        static let names = ["rows", "single", "none"]
    }

    enum Product: Int, Value {
        case same, different, unknown

        static let names = ["same", "different", "unknown"]
    }

    enum Offer: Int, Value {
        case none, code, promotional, unknown

        static let names = ["none", "code", "promotional", "unknown"]
    }

    enum Switch: Int, Value {
        case on, off, unknown

        static let names = ["on", "off", "unknown"]
    }

    enum Grace: Int, Value {
        case running, none, unknown

        static let names = ["running", "none", "unknown"]
    }

    enum Consent: Int, Value {
        case absent, pending, agreed, unknown

        static let names = ["absent", "pending", "agreed", "unknown"]
    }

    enum CancelledRow: Int, Value {
        case upgraded, superseded, plain, unknown, over

        static let names = ["upgraded", "superseded", "plain", "unknown", "over"]
    }

    enum RefundedRows: Int, Value {
        case one, several, none, late

        static let names = ["one", "several", "none", "late"]
    }

    enum Notified: Int, Value {
        case latest, older, unknown

        static let names = ["latest", "older", "unknown"]
    }

    enum Reason: Int, Value {
        case issue, other, unknown

        static let names = ["issue", "other", "unknown"]
    }

    enum Gap: Int, Value {
        case first, overlap, contiguous, lapse, longLapse, unknown

        static let names = ["first", "overlap", "contiguous", "lapse", "long-lapse", "unknown"]
    }

    enum ChangedAt: Int, Value {
        case beforeExpiry, justBeforeExpiry, afterExpiry, retryEnd, unknown, retryLastDay

        static let names = [
            "before-expiry", "just-before-expiry", "after-expiry", "retry-end", "unknown", "retry-last-day",
        ]
    }

    enum Intent: Int, Value {
        case absent, voluntary, billingError, priceIncrease, productUnavailable, other, unknown

        static let names = [
            "absent", "voluntary", "billing-error",
            "price-increase", "product-unavailable", "other", "unknown",
        ]
    }

    enum PriorState: Int, Value {
        case activeSame, activeOther, lapsed, unknown

        static let names = ["active-same", "active-other", "lapsed", "unknown"]
    }

    enum Era: Int, Value {
        case toAugust2019, toMarch2021, toApril2021, toJanuary2022, fromFebruary2022, unknown

        static let names = [
            "to-2019-08", "to-2021-03-09", "to-2021-04-03", "to-2022-01", "from-2022-02", "unknown",
        ]
    }

    enum Upgraded: Int, Value {
        case yes, no, unknown, likely, refunded

        static let names = ["yes", "no", "unknown", "likely", "refunded"]
    }

    enum RowKind: Int, Value {
        case subscription, oneTime, unknown

        static let names = ["subscription", "one-time", "unknown"]
    }
    // Of a catalogue: `unknown` is the number 0 here, which evidence of before has in their places.

    enum PlanChange: Int, Value {
        case unknown, upgrade, downgrade, crossgradeSamePeriod, crossgradeOtherPeriod

        static let names = [
            "unknown", "upgrade", "downgrade", "crossgrade-same-period", "crossgrade-other-period",
        ]

        /// Whether it takes effect at the next renewal only, and so never ends a period.
        var isLater: Bool { self == .downgrade || self == .crossgradeOtherPeriod }
    }

    enum ProductKind: Int, Value {
        case unknown, consumable, nonConsumable, nonRenewing, autoRenewable

        static let names = ["unknown", "consumable", "non-consumable", "non-renewing", "auto-renewable"]
    }

    enum Listed: Int, Value {
        case unknown, yes, no

        static let names = ["unknown", "yes", "no"]
    }

    enum PriceIncrease: Int, Value {
        case unknown, near, none

        static let names = ["unknown", "near", "none"]
    }
}
