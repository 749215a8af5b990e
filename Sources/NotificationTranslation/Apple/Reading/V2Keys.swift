/// The keys of a version 2 payload that are read, by the object they are in.
enum V2Keys {
    /// Keys of `data`, `summary`, `appData`, `externalPurchaseToken` and `unclaimInfo`: one list, as they share most.
    enum Data: Int, CaseIterable {
        case environment, appAppleId, bundleId, bundleVersion, status
        case signedTransactionInfo, signedRenewalInfo, transactionInfo, renewalInfo
        case consumptionRequestReason, productId, externalPurchaseId, tokenCreationDate
        case originalTransactionId, requestIdentifier, signedAppTransactionInfo, appTransactionInfo
    }

    /// Keys that several parts have, and an event has one field for.
    enum Shared: Int, CaseIterable {
        case environment, receiptType, appAppleId, bundleId, bundleVersion, applicationVersion, originalTransactionId
        case productId, appAccountToken
    }

    static let shared = KeyTable(Shared.self)

    /// Slots of `data` that hold parts, which are long texts.
    static let parts = [
        Data.signedTransactionInfo, .signedRenewalInfo, .transactionInfo, .renewalInfo, .signedAppTransactionInfo,
        .appTransactionInfo,
    ].map(\.rawValue)
    static let shortTexts = Data.allCases.indices.filter { !parts.contains($0) }

    static let data = KeyTable(Data.self)

    /// Keys of `JWSTransactionDecodedPayload`.
    enum Transaction: Int, CaseIterable {
        case transactionId, originalTransactionId, webOrderLineItemId, bundleId, productId
        case subscriptionGroupIdentifier, purchaseDate, originalPurchaseDate, expiresDate, quantity, type
        case appAccountToken, inAppOwnershipType, signedDate, environment, revocationDate, revocationReason
        case isUpgraded, offerType, offerIdentifier, offerDiscountType, price, currency, storefront
        case revocationType, revocationPercentage
    }

    static let transaction = KeyTable(Transaction.self)

    /// Keys of an app transaction: of these alone an event has a place for.
    enum AppTransaction: Int, CaseIterable {
        case receiptType, appAppleId, bundleId, applicationVersion
    }

    static let appTransaction = KeyTable(AppTransaction.self)

    /// Keys of `JWSRenewalInfoDecodedPayload`.
    enum Renewal: Int, CaseIterable {
        case originalTransactionId, autoRenewProductId, productId, autoRenewStatus, expirationIntent
        case isInBillingRetryPeriod, gracePeriodExpiresDate, priceIncreaseStatus, offerType, offerIdentifier
        case signedDate, environment, renewalDate, appAccountToken
    }

    static let renewal = KeyTable(Renewal.self)
}
