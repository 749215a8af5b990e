/// What Apple answered to a question of a server: no notification, and evidence of what happened all the same.
///
/// What it does not show proves nothing. Apple removes the revocation of a refund that was reversed, a history may have
/// been filtered, and verifyReceipt may have been asked without old transactions.
struct Answer: Sendable {
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

    /// A transaction as one answer shows it; dates in milliseconds since 1970.
    struct Transaction: Sendable {
        var transactionID: String?
        var originalTransactionID: String?
        var webOrderLineItemID: String?
        var bundleID: String?
        var environment: String?
        var productID: String?
        var groupID: String?
        var purchasedAt: Int64?
        var originalPurchasedAt: Int64?
        var expiresAt: Int64?
        var revokedAt: Int64?
        var revocationReason: Int64?
        /// Whether only a part was refunded.
        var isRefundedInPart = false
        var isUpgraded = false
        var quantity: Int64?
        /// Apple's word: `Auto-Renewable Subscription`.
        var type: String?
        var ownership: String?
        var appAccountToken: String?
        var offerType: Int64?
        var offerID: String?
        var offerDiscountType: String?
        var isTrial: Bool?
        var storefront: String?
        /// `PURCHASE` or `RENEWAL`.
        var reason: String?
        /// In milliunits of the currency.
        var price: Int64?
        var currency: String?
        var signedAt: Int64?
    }

    /// What is to come of a subscription, and how it stood.
    struct Renewal: Sendable {
        var originalTransactionID: String?
        var environment: String?
        /// Apple's number, 1 to 5; `nil` where the answer gives none.
        var status: Int64?
        var productID: String?
        var autoRenewProductID: String?
        var autoRenewStatus: Int64?
        var expirationIntent: Int64?
        var isInBillingRetry: Bool?
        var graceUntil: Int64?
        var consent: Int64?
        var offerType: Int64?
        var offerID: String?
        var renewsAt: Int64?
        var signedAt: Int64?
    }

    var form: Form
    var environment: String?
    var bundleID: String?
    var appAppleID: Int64?
    /// When it was asked for, as far as it says itself.
    var askedAt: Int64?
    /// Whether more pages follow; `nil` for what has no pages.
    var hasMore: Bool?
    /// What the next page is asked for with.
    var revision: String?
    var transactions: [Transaction] = []
    var renewals: [Renewal] = []
    /// Parts that carry no proof where one is required, and are not used.
    var unproven = 0

    /// Whether no newer transaction is missing, as far as an unfiltered history tells.
    var isComplete: Bool { form == .history && hasMore == false && bundleID != nil }

    /// The newest date in it.
    var newestDate: Int64? {
        let dates = transactions.map { max($0.purchasedAt ?? .min, $0.revokedAt ?? .min) }
        return dates.max().flatMap { $0 == .min ? nil : $0 }
    }

    /// Takes in another page of the same answer.
    mutating func add(page: Answer) {
        transactions += page.transactions
        renewals += page.renewals
        unproven += page.unproven
        hasMore = hasMore == false || page.hasMore == false ? false : page.hasMore
        revision = page.revision
    }

    /// Whether another answer may be a page of the same one.
    func isContinued(by page: Answer) -> Bool {
        form == page.form && (form == .history || form == .refunds) && bundleID == page.bundleID
            && environment == page.environment
    }
}

extension Answer.Transaction {
    /// A `JWSTransactionDecodedPayload`.
    init(payload: JSONTree) {
        transactionID = payload.text("transactionId")
        originalTransactionID = payload.text("originalTransactionId")
        webOrderLineItemID = payload.text("webOrderLineItemId")
        bundleID = payload.text("bundleId")
        environment = payload.text("environment")
        productID = payload.text("productId")
        groupID = payload.text("subscriptionGroupIdentifier")
        purchasedAt = payload.time("purchaseDate")
        originalPurchasedAt = payload.time("originalPurchaseDate")
        expiresAt = payload.time("expiresDate")
        revokedAt = payload.time("revocationDate")
        revocationReason = payload.number("revocationReason")
        isRefundedInPart = payload.text("revocationType") == "REFUND_PRORATED"
        isUpgraded = payload.truth("isUpgraded") ?? false
        quantity = payload.number("quantity")
        type = payload.text("type")
        ownership = payload.text("inAppOwnershipType")
        appAccountToken = payload.text("appAccountToken")
        offerType = payload.number("offerType")
        offerID = payload.text("offerIdentifier")
        offerDiscountType = payload.text("offerDiscountType")
        isTrial = offerDiscountType.map { $0 == "FREE_TRIAL" }
        storefront = payload.text("storefront")
        reason = payload.text("transactionReason")
        price = payload.number("price")
        currency = payload.text("currency")
        signedAt = payload.time("signedDate")
    }

    /// A row of `latest_receipt_info` or `in_app`.
    init(row: JSONTree) {
        transactionID = row.text("transaction_id")
        originalTransactionID = row.text("original_transaction_id")
        webOrderLineItemID = row.text("web_order_line_item_id")
        bundleID = row.text("bid")
        productID = row.text("product_id")
        groupID = row.text("subscription_group_identifier")
        purchasedAt = row.time("purchase_date_ms", "purchase_date")
        originalPurchasedAt = row.time("original_purchase_date_ms", "original_purchase_date")
        // In receipts of the oldest kind `expires_date` is in milliseconds.
        expiresAt = row.time("expires_date_ms", "expires_date")
        revokedAt = row.time("cancellation_date_ms", "cancellation_date")
        revocationReason = row.number("cancellation_reason")
        isUpgraded = row.truth("is_upgraded") ?? false
        quantity = row.number("quantity")
        ownership = row.text("in_app_ownership_type")
        appAccountToken = row.text("app_account_token")
        isTrial = row.truth("is_trial_period")
        if let code = row.text("offer_code_ref_name") {
            (offerType, offerID) = (3, code)
        } else if let offer = row.text("promotional_offer_id") {
            (offerType, offerID) = (2, offer)
        } else if isTrial == true || row.truth("is_in_intro_offer_period") == true {
            offerType = 1
        }
    }
}

extension Answer.Renewal {
    /// A `JWSRenewalInfoDecodedPayload`.
    init(payload: JSONTree) {
        originalTransactionID = payload.text("originalTransactionId")
        environment = payload.text("environment")
        productID = payload.text("productId")
        autoRenewProductID = payload.text("autoRenewProductId")
        autoRenewStatus = payload.number("autoRenewStatus")
        expirationIntent = payload.number("expirationIntent")
        isInBillingRetry = payload.truth("isInBillingRetryPeriod")
        graceUntil = payload.time("gracePeriodExpiresDate")
        consent = payload.number("priceIncreaseStatus")
        offerType = payload.number("offerType")
        offerID = payload.text("offerIdentifier")
        renewsAt = payload.time("renewalDate")
        signedAt = payload.time("signedDate")
    }

    /// An entry of `pending_renewal_info`.
    init(pending row: JSONTree) {
        originalTransactionID = row.text("original_transaction_id")
        productID = row.text("product_id")
        autoRenewProductID = row.text("auto_renew_product_id")
        autoRenewStatus = row.number("auto_renew_status")
        expirationIntent = row.number("expiration_intent")
        isInBillingRetry = row.truth("is_in_billing_retry_period")
        graceUntil = row.time("grace_period_expires_date_ms", "grace_period_expires_date")
        consent = row.number("price_consent_status")
        offerID = row.text("promotional_offer_id")
        if offerID != nil { offerType = 2 }
    }
}
