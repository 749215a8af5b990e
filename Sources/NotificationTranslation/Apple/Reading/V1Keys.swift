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

        /// Objects of a version 2 payload, one of which is its data, and the parts that are in such an object or beside it.
        static let objectsOfVersion2 = allCases.filter { v2Data.rawValue...v2UnclaimInfo.rawValue ~= $0.rawValue }
        static let partsOfVersion2 = allCases.filter { $0.rawValue >= v2TransactionInfo.rawValue }
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
    enum Unified: Int, CaseIterable {
        case environment, status, latestReceipt, latestReceiptInfo, pendingRenewalInfo
    }

    static let unified = KeyTable(Unified.self, spelling: BodyReshaper.snakeCase)

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

    static let row = KeyTable(Row.self, spelling: BodyReshaper.snakeCase)

    /// Keys of one entry of `pending_renewal_info`.
    enum Pending: Int, CaseIterable {
        case autoRenewProductID, autoRenewStatus, expirationIntent
        case gracePeriodExpiresDate, gracePeriodExpiresDateMs, gracePeriodExpiresDatePst
        case isInBillingRetryPeriod, offerCodeRefName, originalTransactionID
        case priceConsentStatus, priceIncreaseStatus, productID, promotionalOfferID
    }

    static let pending = KeyTable(Pending.self, spelling: BodyReshaper.snakeCase)
}
