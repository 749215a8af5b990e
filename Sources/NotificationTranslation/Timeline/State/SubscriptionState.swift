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
    /// Apple's number; `nil` where it is not known, and for a one-time purchase.
    public var status: UnifiedEvent.SubscriptionStatus?
    /// Whether the customer has access; `nil` where that is not known.
    public var isEntitled: Bool?
    /// The end of the access that was known; `nil` without access, and where Apple sets no end.
    public var accessUntil: EventTime?
    /// The transaction that gives access, or gave it last, with the end of its period as it was known.
    public var transaction = UnifiedEvent.Transaction()
    /// What was known of the next renewal.
    public var renewal = UnifiedEvent.Renewal()
    /// How sure status, product and automatic renewal are together.
    public var certainty = Certainty.exact
    /// Why it is not exact.
    public var flags: [AmbiguityFlag] = []
    /// The earliest instant of which status, product and automatic renewal are claimed; `nil` if they never are.
    public var knownFrom: EventTime?
    /// The latest event; if several happened at one instant, the one that changed the status.
    public var lastEventID: String?
    /// When that was first reported.
    public var lastReportedAt: EventTime?

    /// Whether another one says the same, whatever the time.
    func isSame(as other: SubscriptionState) -> Bool {
        var other = other
        (other.validFrom, other.validTo) = (validFrom, validTo)
        return self == other
    }

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
        .init("product_type", .text) { .text($0.transaction.productType?.rawValue) },
        .init("subscription_group_id", .text) { .text($0.transaction.subscriptionGroupID) },
        .init("status", .number) { .number($0.status?.rawValue) },
        .init("entitled", .truth) { .truth($0.isEntitled) },
        .init("access_until", .time) { .time($0.accessUntil) },
        .init("product_id", .text) { .text($0.transaction.productID) },
        .init("transaction_id", .text) { .text($0.transaction.transactionID) },
        .init("purchased_at", .time) { .time($0.transaction.purchasedAt) },
        .init("expires_at", .time) { .time($0.transaction.expiresAt) },
        .init("original_purchased_at", .time) { .time($0.transaction.originalPurchasedAt) },
        .init("ownership", .text) { .text($0.transaction.ownership?.rawValue) },
        .init("app_account_token", .text) { .text($0.transaction.appAccountToken) },
        .init("offer_type", .number) { .number($0.transaction.offerType?.rawValue) },
        .init("offer_id", .text) { .text($0.transaction.offerID) },
        .init("auto_renew_status", .number) { .number($0.renewal.autoRenewStatus?.rawValue) },
        .init("auto_renew_product_id", .text) { .text($0.renewal.autoRenewProductID) },
        .init("grace_period_expires_at", .time) { .time($0.renewal.gracePeriodExpiresAt) },
        .init("price_increase_status", .number) { .number($0.renewal.priceIncreaseStatus?.rawValue) },
        .init("expiration_intent", .number) { .number($0.renewal.expirationIntent?.rawValue) },
        .init("certainty", .text) { .text($0.certainty.rawValue) },
        .init("flags", .list) { .list($0.flags.map(\.rawValue)) },
        .init("known_from", .time) { .time($0.knownFrom) },
        .init("last_event_id", .text) { .text($0.lastEventID) },
        .init("last_reported_at", .time) { .time($0.lastReportedAt) },
    ]
}
