// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

/// An event on its way from a notification to a line: every field of the contract, texts by their place.
package struct EventDraft {
    package struct Transaction {
        package var originalTransactionID = EventText.absent
        package var transactionID = EventText.absent
        package var webOrderLineItemID = EventText.absent
        package var productID = EventText.absent
        package var subscriptionGroupID = EventText.absent
        package var productType = EventText.absent
        package var quantity: Int64?
        package var purchasedAt: Int64?
        package var originalPurchasedAt: Int64?
        package var expiresAt: Int64?
        package var revokedAt: Int64?
        package var revocationReason: Int64?
        package var isUpgraded: Bool?
        package var ownership = EventText.absent
        package var appAccountToken = EventText.absent
        package var offerType: Int64?
        package var offerID = EventText.absent
        package var offerDiscountType = EventText.absent
        package var storefront = EventText.absent
        package var price: Int64?
        package var currency = EventText.absent
    }

    package struct Renewal {
        package var autoRenewProductID = EventText.absent
        package var autoRenewStatus: Int64?
        package var expirationIntent: Int64?
        package var inBillingRetry: Bool?
        package var gracePeriodExpiresAt: Int64?
        package var priceIncreaseStatus: Int64?
        package var offerType: Int64?
        package var offerID = EventText.absent
        package var renewsAt: Int64?
    }

    package struct Source {
        package var version = NotificationVersion.v1
        package var type = EventText.absent
        package var subtype = EventText.absent
        package var authenticity = Authenticity.unverified
        package var receivedAt: Int64?
        package var rule = EventText.absent
        package var rulesVersion = EventText.absent
        package var input = EventText.absent
        package var line: Int64?
        package var offset: Int64?
        package var isReceiptRequested = false
        package var hasReceipt = false
        package var receiptFields = ReceiptProof()
    }

    package struct ReceiptProof {
        package var createdAt: Int64?
        package var covers = UnifiedEvent.ReceiptProof.Covers.nothing
        package var code = EventText.absent
    }

    package var schemaVersion = EventText("1")
    package var id = ID.text(.absent)
    package var type = EventText("unknown")
    package var disposition = Disposition.event
    package var occurredAt: Int64?
    package var occurredAtBasis = EventText.absent
    package var environment = EventText.absent
    package var bundleID = EventText.absent
    package var bundleVersion = EventText.absent
    package var appAppleID = AppID()
    package var entitlement = Entitlement.unaffected
    package var accessUntil: Int64?
    package var subscriptionStatus: Int64?
    package var v2 = Pair()
    package var certainty = Certainty.exact
    package var candidates = Candidates()
    package var flags = Flags()
    package var companionOf = ID.text(.absent)
    package var derivedFrom: [EventText] = []
    package var hasTransaction = false
    package var transactionFields = Transaction()
    package var hasRenewal = false
    package var renewalFields = Renewal()
    package var details: [UInt8] = []
    package var source = Source()
    /// When a version 2 payload was signed that is dated by something else; no part of the contract.
    package var signedAt: Int64?
    /// The text of a version 2 payload, where the output hands it on; no part of the contract.
    package var original: [UInt8] = []
    /// The auto-renew status after the event, where it differs from the body's; no part of the contract.
    var renewalAfter: Int64?
    /// What holds its texts, where it was read from a line.
    var holder: JSONTree?

    /// An event of which nothing is known.
    package init() {}
}
