/// The keys of a version 2 payload that are read, by the object they are in.
enum V2Keys {
    /// Keys of `data`, `summary`, `appData`, `externalPurchaseToken` and `unclaimInfo`: one list, as they share most.
    enum Data: Int, CaseIterable {
        case environment, appAppleId, bundleId, bundleVersion, status
        case signedTransactionInfo, signedRenewalInfo, transactionInfo, renewalInfo
        case consumptionRequestReason, productId, externalPurchaseId, tokenCreationDate
        case originalTransactionId, requestIdentifier, signedAppTransactionInfo, appTransactionInfo
    }

    /// Slots of `data` that hold parts, which are long texts.
    static let parts = [
        Data.signedTransactionInfo, .signedRenewalInfo, .transactionInfo, .renewalInfo, .signedAppTransactionInfo,
        .appTransactionInfo,
    ].map(\.rawValue)

    static let data = KeyTable([
        "environment", "appAppleId", "bundleId", "bundleVersion", "status", "signedTransactionInfo",
        "signedRenewalInfo", "transactionInfo", "renewalInfo", "consumptionRequestReason", "productId",
        "externalPurchaseId", "tokenCreationDate", "originalTransactionId", "requestIdentifier",
        "signedAppTransactionInfo", "appTransactionInfo",
    ])

    /// Keys of `JWSTransactionDecodedPayload`.
    enum Transaction: Int, CaseIterable {
        case transactionId, originalTransactionId, webOrderLineItemId, bundleId, productId
        case subscriptionGroupIdentifier, purchaseDate, originalPurchaseDate, expiresDate, quantity, type
        case appAccountToken, inAppOwnershipType, signedDate, environment, revocationDate, revocationReason
        case isUpgraded, offerType, offerIdentifier, offerDiscountType, price, currency, storefront
        case revocationType, revocationPercentage
    }

    static let transaction = KeyTable([
        "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
        "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity", "type",
        "appAccountToken", "inAppOwnershipType", "signedDate", "environment", "revocationDate", "revocationReason",
        "isUpgraded", "offerType", "offerIdentifier", "offerDiscountType", "price", "currency", "storefront",
        "revocationType", "revocationPercentage",
    ])

    /// Keys of an app transaction: of these alone an event has a place for.
    enum AppTransaction: Int, CaseIterable {
        case receiptType, appAppleId, bundleId, applicationVersion
    }

    static let appTransaction = KeyTable(["receiptType", "appAppleId", "bundleId", "applicationVersion"])

    /// Keys of `JWSRenewalInfoDecodedPayload`.
    enum Renewal: Int, CaseIterable {
        case originalTransactionId, autoRenewProductId, productId, autoRenewStatus, expirationIntent
        case isInBillingRetryPeriod, gracePeriodExpiresDate, priceIncreaseStatus, offerType, offerIdentifier
        case signedDate, environment, renewalDate, appAccountToken
    }

    static let renewal = KeyTable([
        "originalTransactionId", "autoRenewProductId", "productId", "autoRenewStatus", "expirationIntent",
        "isInBillingRetryPeriod", "gracePeriodExpiresDate", "priceIncreaseStatus", "offerType", "offerIdentifier",
        "signedDate", "environment", "renewalDate", "appAccountToken",
    ])
}
