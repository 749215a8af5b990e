/// How a subscription, or a one-time purchase, stood during a stretch of time.
///
/// By everything that is known of it, whenever that was told; it holds nothing that happened later.
public struct SubscriptionState: Hashable, Sendable {
    /// The id of the subscription or purchase.
    public var originalTransactionID: String
    /// The instant that was asked for; `nil` in a history.
    public var at: EventTime?
    /// From when on it stood so.
    public var validFrom: EventTime
    /// Until when; `nil` if nothing that is known ends it.
    public var validTo: EventTime?
    /// `Production`, `Sandbox`, or as given.
    public var environment: String?
    /// The app.
    public var bundleID: String?
    /// The number of the app in App Store Connect.
    public var appAppleID: String?
    /// Apple's word for the kind of product, as `Auto-Renewable Subscription`.
    public var productType: String?
    /// The group of the subscription.
    public var subscriptionGroupID: String?
    /// Apple's number; `nil` where it is not known, and for a one-time purchase.
    public var status: UnifiedEvent.SubscriptionStatus?
    /// Whether the customer has access; `nil` where that is not known.
    public var isEntitled: Bool?
    /// The end of the access that was known; `nil` without access, and where Apple sets no end.
    public var accessUntil: EventTime?
    /// The product of the transaction.
    public var productID: String?
    /// The transaction that gives access, or gave it last.
    public var transactionID: String?
    /// When its period began, or it was bought.
    public var purchasedAt: EventTime?
    /// When its period ends, as it was known.
    public var expiresAt: EventTime?
    /// When the first transaction was bought.
    public var originalPurchasedAt: EventTime?
    /// `PURCHASED`, `FAMILY_SHARED`, or as given.
    public var ownership: String?
    /// The token that the app gave to the purchase.
    public var appAccountToken: String?
    /// Apple's number of the offer: 1 introductory, 2 promotional, 3 code, 4 win-back.
    public var offerType: Int64?
    /// The id of the offer.
    public var offerID: String?
    /// 1 for on, 0 for off.
    public var autoRenewStatus: Int64?
    /// The product of the next period.
    public var autoRenewProductID: String?
    /// The end of the grace period.
    public var gracePeriodExpiresAt: EventTime?
    /// 1 if the customer agreed to a higher price, 0 if not yet.
    public var priceIncreaseStatus: Int64?
    /// Why it expired, in Apple's numbers.
    public var expirationIntent: Int64?
    /// How sure status, product and automatic renewal are together.
    public var certainty = Certainty.exact
    /// Why it is not exact.
    public var flags: [AmbiguityFlag] = []
    /// The earliest instant of which status, product and automatic renewal are claimed; `nil` if they never are.
    public var knownFrom: EventTime?
    /// The event that happened last.
    public var lastEventID: String?
    /// When that was first reported.
    public var lastReportedAt: EventTime?

    init(originalTransactionID: String, validFrom: EventTime) {
        self.originalTransactionID = originalTransactionID
        self.validFrom = validFrom
    }
}

extension SubscriptionState: TableRecord {
    /// The columns in the order of the contract.
    package static let columns: [TableColumn<SubscriptionState>] = [
        .init("schema_version", .text) { _ in .text("1") },
        .init("original_transaction_id", .text) { .text($0.originalTransactionID) },
        .init("at", .time) { .time($0.at) },
        .init("valid_from", .time) { .time($0.validFrom) },
        .init("valid_to", .time) { .time($0.validTo) },
        .init("environment", .text) { .text($0.environment) },
        .init("bundle_id", .text) { .text($0.bundleID) },
        .init("app_apple_id", .text) { .text($0.appAppleID) },
        .init("product_type", .text) { .text($0.productType) },
        .init("subscription_group_id", .text) { .text($0.subscriptionGroupID) },
        .init("status", .number) { .number($0.status?.rawValue) },
        .init("entitled", .truth) { .truth($0.isEntitled) },
        .init("access_until", .time) { .time($0.accessUntil) },
        .init("product_id", .text) { .text($0.productID) },
        .init("transaction_id", .text) { .text($0.transactionID) },
        .init("purchased_at", .time) { .time($0.purchasedAt) },
        .init("expires_at", .time) { .time($0.expiresAt) },
        .init("original_purchased_at", .time) { .time($0.originalPurchasedAt) },
        .init("ownership", .text) { .text($0.ownership) },
        .init("app_account_token", .text) { .text($0.appAccountToken) },
        .init("offer_type", .number) { .number($0.offerType) },
        .init("offer_id", .text) { .text($0.offerID) },
        .init("auto_renew_status", .number) { .number($0.autoRenewStatus) },
        .init("auto_renew_product_id", .text) { .text($0.autoRenewProductID) },
        .init("grace_period_expires_at", .time) { .time($0.gracePeriodExpiresAt) },
        .init("price_increase_status", .number) { .number($0.priceIncreaseStatus) },
        .init("expiration_intent", .number) { .number($0.expirationIntent) },
        .init("certainty", .text) { .text($0.certainty.rawValue) },
        .init("flags", .list) { .list($0.flags.map(\.rawValue)) },
        .init("known_from", .time) { .time($0.knownFrom) },
        .init("last_event_id", .text) { .text($0.lastEventID) },
        .init("last_reported_at", .time) { .time($0.lastReportedAt) },
    ]
}
