/// What Apple answered to a question of a server: no notification, and evidence of what happened all the same.
///
/// What it does not show proves nothing. Apple removes the revocation of a refund that was reversed, a history may have
/// been filtered, and verifyReceipt may have been asked without old transactions.
package struct StoreAnswer {
    /// Which question it answers.
    ///
    /// The words are those that evidence keeps, and of `ask` in a worklist.
    enum Form: String, Sendable {
        /// Get Transaction History: a page of it.
        case history = "transaction-history"
        /// Get All Subscription Statuses.
        case statuses = "subscription-status"
        /// Get Refund History: a page of it, which holds refunds alone.
        case refunds = "refund-history"
        /// Get Transaction Info.
        case transaction
        /// Look Up Order ID.
        case order
        /// verifyReceipt.
        case receipt
    }

    /// A transaction as one answer shows it.
    struct Transaction {
        /// What an event says of it; texts live as long as the answer.
        var shown = EventDraft.Transaction()
        var originalTransactionID: String?
        var bundleID: String?
        var environment: String?
        /// Whether only a part was refunded.
        var isRefundedInPart = false
        var isTrial: Bool?
        /// `PURCHASE` or `RENEWAL`.
        var reason = EventText.absent
        var signedAt: Int64?
    }

    /// What is to come of a subscription, and how it stood.
    struct Renewal {
        var shown = EventDraft.Renewal()
        var originalTransactionID: String?
        var environment: String?
        /// Apple's number, 1 to 5; `nil` where the answer gives none.
        var status: Int64?
        var signedAt: Int64?
    }

    /// What the texts of all answers of a record are in.
    let texts: TextArena
    var form: Form
    var environment: String?
    var bundleID: String?
    var appAppleID: Int64?
    /// When it was asked for, as far as it says itself.
    var askedAt: Int64?
    /// Whether more pages follow; `nil` for what has no pages.
    var hasMore: Bool?
    var transactions: [Transaction] = []
    var renewals: [Renewal] = []
    /// Parts that carry no proof where one is required, and are not used.
    package var unproven = 0

    /// Whether no newer transaction is missing, as far as an unfiltered history tells.
    var isComplete: Bool { form == .history && hasMore == false && bundleID != nil }

    /// Takes in another page of the same answer.
    mutating func add(page: StoreAnswer) {
        transactions += page.transactions
        renewals += page.renewals
        unproven += page.unproven
        hasMore = hasMore == false || page.hasMore == false ? false : page.hasMore
    }

    /// Whether another answer may be a page of the same one.
    func isContinued(by page: StoreAnswer) -> Bool {
        form == page.form && (form == .history || form == .refunds) && bundleID == page.bundleID
            && environment == page.environment
    }
}

extension StoreAnswer.Transaction {
    /// A `JWSTransactionDecodedPayload`.
    init(payload: JSONTree, _ texts: TextArena) {
        func text(_ key: StaticString) -> EventText { texts.keep(payload.text(key)) }
        originalTransactionID = payload.text("originalTransactionId")
        bundleID = payload.text("bundleId")
        environment = payload.text("environment")
        shown.originalTransactionID = texts.keep(originalTransactionID)
        shown.transactionID = text("transactionId")
        shown.webOrderLineItemID = text("webOrderLineItemId")
        shown.productID = text("productId")
        shown.subscriptionGroupID = text("subscriptionGroupIdentifier")
        shown.purchasedAt = payload.time("purchaseDate")
        shown.originalPurchasedAt = payload.time("originalPurchaseDate")
        shown.expiresAt = payload.time("expiresDate")
        shown.revokedAt = payload.time("revocationDate")
        shown.revocationReason = payload.number("revocationReason")
        shown.isUpgraded = payload.truth("isUpgraded") == true ? true : nil
        shown.quantity = payload.number("quantity")
        shown.productType = text("type")
        shown.ownership = text("inAppOwnershipType")
        shown.appAccountToken = text("appAccountToken")
        shown.offerType = payload.number("offerType")
        shown.offerID = text("offerIdentifier")
        shown.offerDiscountType = text("offerDiscountType")
        shown.storefront = text("storefront")
        shown.price = payload.number("price")
        shown.currency = text("currency")
        isRefundedInPart = payload.text("revocationType") == "REFUND_PRORATED"
        isTrial = payload.text("offerDiscountType").map { $0 == "FREE_TRIAL" }
        reason = text("transactionReason")
        signedAt = payload.time("signedDate")
    }

    /// A row of `latest_receipt_info` or `in_app`.
    init(row: JSONTree, _ texts: TextArena) {
        func text(_ key: StaticString) -> EventText { texts.keep(row.text(key)) }
        originalTransactionID = row.text("original_transaction_id")
        bundleID = row.text("bid")
        shown.originalTransactionID = texts.keep(originalTransactionID)
        shown.transactionID = text("transaction_id")
        shown.webOrderLineItemID = text("web_order_line_item_id")
        shown.productID = text("product_id")
        shown.subscriptionGroupID = text("subscription_group_identifier")
        shown.purchasedAt = row.time("purchase_date_ms", "purchase_date")
        shown.originalPurchasedAt = row.time("original_purchase_date_ms", "original_purchase_date")
        // In receipts of the oldest kind `expires_date` is in milliseconds.
        shown.expiresAt = row.time("expires_date_ms", "expires_date")
        shown.revokedAt = row.time("cancellation_date_ms", "cancellation_date")
        shown.revocationReason = row.number("cancellation_reason")
        shown.isUpgraded = row.truth("is_upgraded") == true ? true : nil
        shown.quantity = row.number("quantity")
        shown.ownership = text("in_app_ownership_type")
        shown.appAccountToken = text("app_account_token")
        isTrial = row.truth("is_trial_period")
        if row.text("offer_code_ref_name") != nil {
            (shown.offerType, shown.offerID) = (3, text("offer_code_ref_name"))
        } else if row.text("promotional_offer_id") != nil {
            (shown.offerType, shown.offerID) = (2, text("promotional_offer_id"))
        } else if isTrial == true || row.truth("is_in_intro_offer_period") == true {
            shown.offerType = 1
        }
    }
}

extension StoreAnswer.Renewal {
    /// A `JWSRenewalInfoDecodedPayload`.
    init(payload: JSONTree, _ texts: TextArena) {
        originalTransactionID = payload.text("originalTransactionId")
        environment = payload.text("environment")
        shown.autoRenewProductID = texts.keep(payload.text("autoRenewProductId"))
        shown.autoRenewStatus = payload.number("autoRenewStatus")
        shown.expirationIntent = payload.number("expirationIntent")
        shown.inBillingRetry = payload.truth("isInBillingRetryPeriod")
        shown.gracePeriodExpiresAt = payload.time("gracePeriodExpiresDate")
        shown.priceIncreaseStatus = payload.number("priceIncreaseStatus")
        shown.offerType = payload.number("offerType")
        shown.offerID = texts.keep(payload.text("offerIdentifier"))
        shown.renewsAt = payload.time("renewalDate")
        signedAt = payload.time("signedDate")
    }

    /// An entry of `pending_renewal_info`.
    init(pending row: JSONTree, _ texts: TextArena) {
        originalTransactionID = row.text("original_transaction_id")
        shown.autoRenewProductID = texts.keep(row.text("auto_renew_product_id"))
        shown.autoRenewStatus = row.number("auto_renew_status")
        shown.expirationIntent = row.number("expiration_intent")
        shown.inBillingRetry = row.truth("is_in_billing_retry_period")
        shown.gracePeriodExpiresAt = row.time("grace_period_expires_date_ms", "grace_period_expires_date")
        shown.priceIncreaseStatus = row.number("price_consent_status")
        shown.offerID = texts.keep(row.text("promotional_offer_id"))
        if !shown.offerID.isAbsent { shown.offerType = 2 }
    }
}
