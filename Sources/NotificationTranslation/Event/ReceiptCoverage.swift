/// How far a verified receipt proves the transaction that an event is about.
///
/// Each fact of the transaction is compared with the record that Apple signed. What is not about the transaction is
/// never proven: the type of the notification, the status of renewal, billing retry, the grace period, the account.
public struct ReceiptCoverage: Hashable, Sendable {
    /// How much is proven.
    public enum Covers: String, Hashable, Sendable, Codable, CaseIterable {
        /// Bundle id, environment and every ``Fact`` of the transaction that the event states; no other row of the body
        /// differs.
        case all
        /// The transaction is in the receipt, but not every fact is proven, or one is contradicted, or another row of
        /// the body is.
        case some
        /// Nothing; `none` in events.
        case nothing = "none"
    }

    /// A fact of a transaction, by its name in the event.
    @nonexhaustive
    public enum Fact: String, Hashable, Sendable, CaseIterable {
        /// The transaction.
        case transactionID = "transaction_id"
        /// The first transaction.
        case originalTransactionID = "original_transaction_id"
        /// The product.
        case productID = "product_id"
        /// The line of the order.
        case webOrderLineItemID = "web_order_line_item_id"
        /// How many.
        case quantity
        /// The purchase.
        case purchasedAt = "purchased_at"
        /// The first purchase.
        case originalPurchasedAt = "original_purchased_at"
        /// The end of the period.
        case expiresAt = "expires_at"
        /// The refund or revocation.
        case revokedAt = "revoked_at"
        /// A claimed free trial is compared with `is_trial_period`, another claimed introductory offer with either of the
        /// two signed values; promotional offers and offer codes stand in no receipt.
        case offerType = "offer_type"
        /// The app.
        case bundleID = "bundle_id"
        /// The environment.
        case environment
    }

    /// How much is proven.
    public internal(set) var covers = Covers.nothing
    /// Why nothing is: the receipt is of another app or environment, or has no place in the policy.
    public var code: NotificationError.Code? { refusal.map { NotificationError.Code(rawValue: $0.rawValue) } }
    /// ``code`` as a closed enumeration, for this package.
    package internal(set) var refusal: AuthenticityError.Reason?
    /// Facts that equal the signed record.
    public internal(set) var proven: Set<Fact> = []
    /// Facts that differ from the signed record, or that the event leaves out although they limit access.
    public internal(set) var contradicted: Set<Fact> = []
    /// Facts that the signed record does not speak of.
    public internal(set) var unproven: Set<Fact> = []
    /// Whether the event names a transaction that the receipt does not have.
    ///
    /// Finished consumables vanish from receipts, so this alone does not show a forgery.
    public internal(set) var lacksTransaction = false
}
