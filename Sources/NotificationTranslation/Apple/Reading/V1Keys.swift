/// The keys of a version 1 body that are read, by the object they are in; a slot is a key's place in its list.
enum V1Keys {
    /// Keys of the outermost object: those of V1, of V2 and of nothing else.
    enum Root: Int, CaseIterable {
        case notificationType, environment, password, autoRenewStatus, autoRenewProductID
        case statusChangeDate, statusChangeDateMs, statusChangeDatePst
        case originalTransactionID, webOrderLineItemID, cancellationDate, cancellationDateMs, cancellationDatePst
        case expirationIntent, bid, bvrs, productID
        case latestReceipt, latestExpiredReceipt
        case unifiedReceipt, latestReceiptInfo, latestExpiredReceiptInfo
        case signedPayload, v2Type, v2Subtype, v2UUID, v2Version, v2SignedDate
        case v2Data, v2Summary, v2ExternalPurchaseToken, v2AppData, v2UnclaimInfo
        case notificationHistory
        case pendingRenewalInfo
        case v2TransactionInfo, v2RenewalInfo, v2AppTransactionInfo
        case v2SignedTransactionInfo, v2SignedRenewalInfo, v2SignedAppTransactionInfo
    }

    static let root = KeyTable([
        "notification_type", "environment", "password", "auto_renew_status", "auto_renew_product_id",
        "auto_renew_status_change_date", "auto_renew_status_change_date_ms", "auto_renew_status_change_date_pst",
        "original_transaction_id", "web_order_line_item_id", "cancellation_date", "cancellation_date_ms",
        "cancellation_date_pst", "expiration_intent", "bid", "bvrs", "product_id", "latest_receipt",
        "latest_expired_receipt", "unified_receipt", "latest_receipt_info", "latest_expired_receipt_info",
        "signedPayload", "notificationType", "subtype", "notificationUUID", "version", "signedDate", "data", "summary",
        "externalPurchaseToken", "appData", "unclaimInfo", "notificationHistory", "pending_renewal_info",
        "transactionInfo", "renewalInfo", "appTransactionInfo", "signedTransactionInfo", "signedRenewalInfo",
        "signedAppTransactionInfo",
    ])

    /// Keys of `unified_receipt`.
    enum Unified: Int {
        case environment, status, latestReceipt, latestReceiptInfo, pendingRenewalInfo
    }

    static let unified = KeyTable([
        "environment", "status", "latest_receipt", "latest_receipt_info", "pending_renewal_info",
    ])

    /// Keys of one transaction, of either era.
    enum Row: Int, CaseIterable {
        case quantity, productID, transactionID, originalTransactionID, webOrderLineItemID
        case purchaseDate, purchaseDateMs, purchaseDatePst
        case originalPurchaseDate, originalPurchaseDateMs, originalPurchaseDatePst
        case expiresDate, expiresDateMs, expiresDatePst, expiresDateFormatted, expiresDateFormattedPst
        case cancellationDate, cancellationDateMs, cancellationDatePst, cancellationReason
        case isTrialPeriod, isInIntroOfferPeriod, isUpgraded, inAppOwnershipType
        case subscriptionGroupIdentifier, offerCodeRefName, promotionalOfferID, appAccountToken
        case bid, bvrs, appItemID
    }

    static let row = KeyTable([
        "quantity", "product_id", "transaction_id", "original_transaction_id", "web_order_line_item_id",
        "purchase_date", "purchase_date_ms", "purchase_date_pst",
        "original_purchase_date", "original_purchase_date_ms", "original_purchase_date_pst",
        "expires_date", "expires_date_ms", "expires_date_pst", "expires_date_formatted", "expires_date_formatted_pst",
        "cancellation_date", "cancellation_date_ms", "cancellation_date_pst", "cancellation_reason",
        "is_trial_period", "is_in_intro_offer_period", "is_upgraded", "in_app_ownership_type",
        "subscription_group_identifier", "offer_code_ref_name", "promotional_offer_id", "app_account_token",
        "bid", "bvrs", "app_item_id",
    ])

    /// Keys of one entry of `pending_renewal_info`.
    enum Pending: Int, CaseIterable {
        case autoRenewProductID, autoRenewStatus, expirationIntent
        case gracePeriodExpiresDate, gracePeriodExpiresDateMs, gracePeriodExpiresDatePst
        case isInBillingRetryPeriod, offerCodeRefName, originalTransactionID
        case priceConsentStatus, priceIncreaseStatus, productID, promotionalOfferID
    }

    static let pending = KeyTable([
        "auto_renew_product_id", "auto_renew_status", "expiration_intent",
        "grace_period_expires_date", "grace_period_expires_date_ms", "grace_period_expires_date_pst",
        "is_in_billing_retry_period", "offer_code_ref_name", "original_transaction_id",
        "price_consent_status", "price_increase_status", "product_id", "promotional_offer_id",
    ])
}
