/// What a JWS is expected to hold.
@nonexhaustive
public enum SignedPayloadKind: Hashable, Sendable, CaseIterable {
    /// `signedPayload`: a notification.
    case notification
    /// `signedTransactionInfo`.
    case transaction
    /// `signedRenewalInfo`.
    case renewal
    /// `signedAppTransactionInfo`: how the app itself came to its user; in notifications about consent.
    case appTransaction
}
