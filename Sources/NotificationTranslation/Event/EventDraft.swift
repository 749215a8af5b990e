/// An event before it is a line or a ``UnifiedEvent``: every field of the contract, in its order, texts by place.
struct EventDraft {
    /// A V2 pair by its names; both absent for "no event of its own".
    struct Pair {
        var type = EventText.absent
        var subtype = EventText.absent
    }

    /// The id: made of bytes, or as received.
    enum ID {
        case uuid(EventID)
        case text(EventText)
    }

    struct Transaction {
        var originalTransactionID = EventText.absent
        var transactionID = EventText.absent
        var webOrderLineItemID = EventText.absent
        var productID = EventText.absent
        var subscriptionGroupID = EventText.absent
        var productType = EventText.absent
        var quantity: Int64?
        var purchasedAt: Int64?
        var originalPurchasedAt: Int64?
        var expiresAt: Int64?
        var revokedAt: Int64?
        var revocationReason: Int64?
        var isUpgraded: Bool?
        var ownership = EventText.absent
        var appAccountToken = EventText.absent
        var offerType: Int64?
        var offerID = EventText.absent
        var offerDiscountType = EventText.absent
        var storefront = EventText.absent
        var price: Int64?
        var currency = EventText.absent
    }

    struct Renewal {
        var autoRenewProductID = EventText.absent
        var autoRenewStatus: Int64?
        var expirationIntent: Int64?
        var inBillingRetry: Bool?
        var gracePeriodExpiresAt: Int64?
        var priceIncreaseStatus: Int64?
        var offerType: Int64?
        var offerID = EventText.absent
        var renewsAt: Int64?
    }

    struct Source {
        var version: NotificationVersion = .v1
        var type = EventText.absent
        var subtype = EventText.absent
        var authenticity: Authenticity = .unverified
        var receivedAt: Int64?
        var rule = EventText.absent
        var rulesVersion = EventText.absent
        var input = EventText.absent
        var line: Int64?
        var offset: Int64?
    }

    var schemaVersion = EventText("1")
    var id: ID = .text(.absent)
    var type = EventText("unknown")
    var disposition: Disposition = .event
    var occurredAt: Int64?
    var occurredAtBasis = EventText.absent
    var environment = EventText.absent
    var bundleID = EventText.absent
    var bundleVersion = EventText.absent
    var appAppleID = EventText.absent
    /// The same as a number, where its text is not its digits.
    var appAppleNumber: Int64?
    var entitlement: Entitlement = .none
    var accessUntil: Int64?
    /// What the pairs that are possible do to access; no field of the contract.
    var effects = AccessEffects(rawValue: 0)
    var subscriptionStatus: Int64?
    var v2 = Pair()
    var certainty: Certainty = .exact
    /// Candidates of a decision of this build's table, by place; used where `candidates` is empty.
    var decision: Decision?
    var candidates: [Pair] = []
    var flags = FlagSet(rawValue: 0)
    /// Flags by name, for events that came from elsewhere.
    var namedFlags: [EventText] = []
    var companionOf = EventText.absent
    var derivedFrom: [EventText] = []
    /// What ``transaction`` and ``renewal`` are made of where there is one.
    ///
    /// Not optionals, as the hundreds of bytes in one cannot be filled in or read but by copying them all.
    var transactionFields = Transaction()
    var renewalFields = Renewal()
    var hasTransaction = false
    var hasRenewal = false
    /// The text of a JSON object; empty for none.
    var details: [UInt8] = []
    var source = Source()

    @inline(__always)
    var transaction: Transaction? {
        get { hasTransaction ? transactionFields : nil }
        set {
            hasTransaction = newValue != nil
            if let newValue { transactionFields = newValue }
        }
    }

    @inline(__always)
    var renewal: Renewal? {
        get { hasRenewal ? renewalFields : nil }
        set {
            hasRenewal = newValue != nil
            if let newValue { renewalFields = newValue }
        }
    }

    /// Makes it as new; what never was filled in keeps its memory.
    mutating func clear() {
        schemaVersion = EventText("1")
        id = .text(.absent)
        type = EventText("unknown")
        disposition = .event
        occurredAt = nil
        occurredAtBasis = .absent
        environment = .absent
        bundleID = .absent
        bundleVersion = .absent
        appAppleID = .absent
        appAppleNumber = nil
        entitlement = .none
        accessUntil = nil
        effects = AccessEffects(rawValue: 0)
        subscriptionStatus = nil
        v2 = Pair()
        certainty = .exact
        decision = nil
        if !candidates.isEmpty { candidates = [] }
        flags = FlagSet(rawValue: 0)
        if !namedFlags.isEmpty { namedFlags = [] }
        companionOf = .absent
        if !derivedFrom.isEmpty { derivedFrom = [] }
        hasTransaction = false
        hasRenewal = false
        if !details.isEmpty { details = [] }
        source = Source()
    }

    /// Begins a transaction of which nothing is known.
    mutating func beginTransaction() {
        transactionFields = Transaction()
        hasTransaction = true
    }

    /// Makes the time of receipt that of the event, whose own date lies after it: nothing is told before it happens.
    mutating func happenedByReceipt(_ receivedAt: Int64) {
        occurredAt = receivedAt
        occurredAtBasis = EventText("received_at")
        flags.formUnion(.timeAfterReceipt)
    }

    /// Takes in what a decision says.
    mutating func take(_ decision: Decision, _ judgement: Judgement) {
        self.decision = decision
        certainty = decision.certainty
        flags.formUnion(decision.flags)
        source.rule = judgement.rule
        disposition = judgement.disposition
        type = judgement.type
        effects = judgement.effects
        v2 = judgement.pair
    }

    /// Takes in what the event says about access.
    mutating func take(_ access: Access) {
        entitlement = access.entitlement
        accessUntil = access.until
        flags.formUnion(access.flag)
    }
}
