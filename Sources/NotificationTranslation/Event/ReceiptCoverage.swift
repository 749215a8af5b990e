extension UnifiedEvent.ReceiptProof {
    /// How much a verified receipt proves.
    public enum Covers: String, Hashable, Sendable, Codable, CaseIterable {
        /// Bundle id, environment and every fact of the transaction that the event states; no other row of the body
        /// differs.
        case all
        /// The transaction is in the receipt, but not every fact is proven, or one is contradicted, or another row of
        /// the body is.
        case some
        /// Nothing; `none` in events.
        case nothing = "none"
    }
}

/// How far a verified receipt proves the transaction that an event is about.
///
/// Each fact of the transaction is compared with the record that Apple signed. What is not about the transaction is
/// never proven: the type of the notification, the status of renewal, billing retry, the grace period, the account.
package struct ReceiptCoverage {
    /// A fact of a transaction that receipts state.
    package enum Fact: CaseIterable {
        case transactionID, originalTransactionID, productID, webOrderLineItemID, quantity
        case purchasedAt, originalPurchasedAt, expiresAt, revokedAt
        /// A claimed free trial is compared with `is_trial_period`, another claimed introductory offer with either of
        /// the two signed values; promotional offers and offer codes stand in no receipt.
        case offerType
        case bundleID, environment
    }

    /// How much is proven.
    package var covers = UnifiedEvent.ReceiptProof.Covers.nothing
    /// Why nothing is: the receipt is of another app or environment, or has no place in the policy.
    package var refusal: AuthenticityError.Reason?
    /// Facts that differ from the signed record, or that the event leaves out although they limit access.
    package var contradicted: Set<Fact> = []
    /// Facts that the signed record does not speak of.
    package var unproven: Set<Fact> = []
    /// Whether the event names a transaction that the receipt does not have.
    ///
    /// Finished consumables vanish from receipts, so this alone does not show a forgery.
    package var lacksTransaction = false
}
