/// The values of the facts of ``SilentTable`` that are more than yes and no.
enum SilentValue {
    enum Observation: Int, FactValue.Value {
        case periodEnd, graceEnd, begun, cancelled, restored, extended, consent, offer
    }

    /// In the order of Apple's numbers, which begin with 1.
    enum Intent: Int, FactValue.Value {
        case absent, voluntary, billingError, priceIncrease, productUnavailable, other
    }

    enum Next: Int, FactValue.Value { case returned, none }
    enum Status: Int, FactValue.Value { case off, on, unknown, offAfter, offOrEnded }
    enum Ended: Int, FactValue.Value { case expired, refunded, upgraded }
    enum Follows: Int, FactValue.Value { case first, overlap, boundary, near, lapse, unseen }
    enum GaveUp: Int, FactValue.Value { case no, inGrace, inRetry, atRetryEnd }
    enum Recovered: Int, FactValue.Value { case inGrace, afterGrace, no }
    enum Answer: Int, FactValue.Value { case agreed, renewed, none }
    enum Telling: Int, FactValue.Value { case told, silent }
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
