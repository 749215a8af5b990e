/// What the rules of ``SilentTable`` may ask of an observation.
///
/// The names and values are those of `facts` in `Mappings/silent-events.json`, which says what each means; loading the
/// table checks that both lists are the same.
enum SilentFact: Int, FactKey {
    case observation, told, inView, next, complete, status, failure, gaveUp, retryOver, intent, ended, follows
    case recovered, seenLater, replaced, answer, renewals, family, version2, continued, failures, plan, redeems

    static let list = FactList(names, allCases.map(\.namesOfValues))

    private static let names: [StaticString] = [
        "observation", "told", "inView", "next", "complete", "status", "failure", "gaveUp", "retryOver", "intent",
        "ended", "follows", "recovered", "seenLater", "replaced", "answer", "renewals", "family", "version2",
        "continued", "failures", "plan", "redeems",
    ]

    private var namesOfValues: [String] {
        switch self {
        case .observation: SilentValue.Observation.names
        case .next: SilentValue.Next.names
        case .status: SilentValue.Status.names
        case .intent: SilentValue.Intent.names
        case .ended: SilentValue.Ended.names
        case .follows: SilentValue.Follows.names
        case .recovered: SilentValue.Recovered.names
        case .answer: SilentValue.Answer.names
        case .renewals, .failures: SilentValue.Telling.names
        case .gaveUp: SilentValue.GaveUp.names
        case .plan: FactValue.PlanChange.names
        case .told, .inView, .complete, .failure, .retryOver, .seenLater, .replaced, .family, .version2, .continued,
            .redeems:
            FactValue.Plain.names
        }
    }
}

/// The facts of one observation; a condition on a fact that was not looked at does not hold.
typealias SilentFacts = FactValues<SilentFact>

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
