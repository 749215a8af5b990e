// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

/// An event on its way from a notification to a line: every field of the contract, texts by their place.
struct EventDraft {
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
        var version = NotificationVersion.v1
        var type = EventText.absent
        var subtype = EventText.absent
        var authenticity = Authenticity.unverified
        var receivedAt: Int64?
        var rule = EventText.absent
        var rulesVersion = EventText.absent
        var input = EventText.absent
        var line: Int64?
        var offset: Int64?
        var isReceiptRequested = false
        var hasReceipt = false
        var receiptFields = ReceiptProof()
    }

    struct ReceiptProof {
        var createdAt: Int64?
        var covers = UnifiedEvent.ReceiptProof.Covers.nothing
        var code = EventText.absent
    }

    var schemaVersion = EventText("1")
    var id = ID.text(.absent)
    var type = EventText("unknown")
    var disposition = Disposition.event
    var occurredAt: Int64?
    var occurredAtBasis = EventText.absent
    var environment = EventText.absent
    var bundleID = EventText.absent
    var bundleVersion = EventText.absent
    var appAppleID = AppID()
    var entitlement = Entitlement.unaffected
    var accessUntil: Int64?
    var subscriptionStatus: Int64?
    var v2 = Pair()
    var certainty = Certainty.exact
    var candidates = Candidates()
    var flags = Flags()
    var companionOf = ID.text(.absent)
    var derivedFrom: [EventText] = []
    var hasTransaction = false
    var transactionFields = Transaction()
    var hasRenewal = false
    var renewalFields = Renewal()
    var details: [UInt8] = []
    var source = Source()
    /// When a version 2 payload was signed that is dated by something else; no part of the contract.
    var signedAt: Int64?
    /// The text of a version 2 payload, where the output hands it on; no part of the contract.
    var original: [UInt8] = []
}
