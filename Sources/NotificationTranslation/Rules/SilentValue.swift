/// The values of the facts of ``SilentTable`` that are more than yes and no.
enum SilentValue {
    enum Observation: Int, FactValue.Value {
        case periodEnd, graceEnd, begun, cancelled, restored, extended, consent, offer

        static let names = [
            "period-end", "grace-end", "begun", "cancelled", "restored", "extended", "consent", "offer",
        ]
    }

    enum Next: Int, FactValue.Value {
        case returned, none

        static let names = ["returned", "none"]
    }

    enum Status: Int, FactValue.Value {
        case off, on, unknown, offAfter

        static let names = ["off", "on", "unknown", "off-after"]
    }

    /// In the order of Apple's numbers, which begin with 1.
    enum Intent: Int, FactValue.Value {
        case absent, voluntary, billingError, priceIncrease, productUnavailable, other

        static let names = ["absent", "voluntary", "billing-error", "price-increase", "product-unavailable", "other"]
    }

    enum Ended: Int, FactValue.Value {
        case expired, refunded, upgraded

        static let names = ["expired", "refunded", "upgraded"]
    }

    enum Follows: Int, FactValue.Value {
        case first, overlap, boundary, near, lapse, unseen

        static let names = ["first", "overlap", "boundary", "near", "lapse", "unseen"]
    }

    enum GaveUp: Int, FactValue.Value {
        case no, inGrace, inRetry, atRetryEnd

        static let names = ["no", "in-grace", "in-retry", "at-retry-end"]
    }

    enum Recovered: Int, FactValue.Value {
        case inGrace, afterGrace, no

        static let names = ["in-grace", "after-grace", "no"]
    }

    enum Answer: Int, FactValue.Value {
        case agreed, renewed, none

        static let names = ["agreed", "renewed", "none"]
    }

    enum Telling: Int, FactValue.Value {
        case told, silent

        static let names = ["told", "silent"]
    }
}
