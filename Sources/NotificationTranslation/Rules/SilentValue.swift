/// The values of the facts of ``SilentTable`` that are more than yes and no.
enum SilentValue {
    enum Observation: String, FactValue.Value {
        case periodEnd = "period-end", graceEnd = "grace-end", begun, cancelled, restored, extended, consent, offer
    }

    enum Next: String, FactValue.Value {
        case returned, none
    }

    enum Status: String, FactValue.Value {
        case off, on, unknown, offAfter = "off-after", offOrEnded = "off-or-ended"
    }

    /// In the order of Apple's numbers, which begin with 1.
    enum Intent: String, FactValue.Value {
        case absent, voluntary, billingError = "billing-error", priceIncrease = "price-increase",
            productUnavailable = "product-unavailable", other
    }

    enum Ended: String, FactValue.Value {
        case expired, refunded, upgraded
    }

    enum Follows: String, FactValue.Value {
        case first, overlap, boundary, near, lapse, unseen
    }

    enum GaveUp: String, FactValue.Value {
        case no, inGrace = "in-grace", inRetry = "in-retry", atRetryEnd = "at-retry-end"
    }

    enum Recovered: String, FactValue.Value {
        case inGrace = "in-grace", afterGrace = "after-grace", no
    }

    enum Answer: String, FactValue.Value {
        case agreed, renewed, none
    }

    enum Telling: String, FactValue.Value {
        case told, silent
    }
}

/// What the rules of ``SilentTable`` may ask of an observation: `facts` in `Mappings/silent-events.json`, as with ``Fact``.
enum SilentFact: Int, FactKey {
    case observation, told, inView, next, complete, status, failure, gaveUp, retryOver, intent, ended, follows
    case recovered, seenLater, replaced, answer, renewals, family, version2, continued, failures, redeems
    case consentOpen

    static var list: FactList { SilentTable.current.facts }
}

/// The facts of one observation; a condition on a fact that was not looked at does not hold.
typealias SilentFacts = FactValues<SilentFact>
