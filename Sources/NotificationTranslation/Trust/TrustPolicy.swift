/// What makes a notification worth believing.
///
/// There is no default: a server says which of these it wants.
///
/// | | version 2, signed | version 2, signature lost | version 1 |
/// |---|---|---|---|
/// | ``verify(_:expecting:)`` | must verify | refused | refused |
/// | ``sharedSecrets(_:expecting:)`` | refused | refused | must carry an accepted secret |
/// | ``verify(_:sharedSecrets:expecting:)`` | must verify | refused | must carry an accepted secret |
/// | ``trustingTheSource`` | `unverified` | `unverified` | `unverified` |
///
/// With ``trustingTheSourceWhereUnproven()`` what carries no proof is taken as `unverified` too; a proof that does not
/// hold is refused all the same.
///
/// A version 1 body carries a receipt that Apple signed. ``verifyingReceipts(with:age:completesRows:acceptsReceipts:)``
/// compares the event with it and writes what it proves into ``UnifiedEvent/Source-swift.struct/receipt``; if asked to, it
/// takes a body without a secret where that is everything. See <doc:ServerIntegration>.
public struct TrustPolicy: Sendable {
    let verifier: (any SignedPayloadVerifier)?
    let secrets: SharedSecrets?
    /// Whom notifications have to be for, whatever their version.
    let expected: ExpectedApp
    /// Whether what carries no proof is taken.
    private(set) var trustsUnproven = false
    /// Who checks the receipts of version 1 bodies; `nil` leaves them alone.
    private(set) var receiptVerifier: (any ReceiptVerifier)?
    /// How old a receipt may be; `nil` for any age.
    private(set) var receiptAge: ReceiptAge?
    /// Whether the transactions of a verified receipt complete those of the body.
    private(set) var completesRows = false
    /// Whether a receipt that covers the event is proof enough.
    private(set) var acceptsReceipts = false

    /// Version 2 only, signed: signatures are checked, the notification's and those inside it.
    ///
    /// - Parameters:
    ///   - verifier: Who checks signatures: `AppStoreVerifier` of `PayloadVerification`, or your own.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: The policy.
    public static func verify(_ verifier: any SignedPayloadVerifier, expecting expected: ExpectedApp) -> TrustPolicy {
        TrustPolicy(verifier: verifier, secrets: nil, expected: expected)
    }

    /// Version 1 only: the body must carry an accepted secret.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that are accepted.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: The policy.
    public static func sharedSecrets(_ secrets: SharedSecrets, expecting expected: ExpectedApp) -> TrustPolicy {
        TrustPolicy(verifier: nil, secrets: secrets, expected: expected)
    }

    /// Both versions, for a server between them: version 2 must verify, version 1 must carry an accepted secret.
    ///
    /// - Parameters:
    ///   - verifier: Who checks signatures.
    ///   - secrets: The secrets that are accepted.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: The policy.
    public static func verify(
        _ verifier: any SignedPayloadVerifier, sharedSecrets secrets: SharedSecrets, expecting expected: ExpectedApp
    ) -> TrustPolicy { TrustPolicy(verifier: verifier, secrets: secrets, expected: expected) }

    /// Nothing is checked and every event says `unverified`: for bodies whose way here cannot be entered by others, such
    /// as an archive of your own.
    public static let trustingTheSource = TrustPolicy(verifier: nil, secrets: nil, expected: .any)
        .trustingTheSourceWhereUnproven()

    /// Version 1 only: the body must carry a receipt that covers the event.
    ///
    /// - Parameters:
    ///   - verifier: Who checks receipts: `AppReceiptVerifier` of `PayloadVerification`, or your own.
    ///   - expected: Whom notifications have to be for.
    ///   - age: How old a receipt may be, compared with the clock; `nil` for any age.
    /// - Returns: The policy.
    public static func receipts(
        _ verifier: any ReceiptVerifier, expecting expected: ExpectedApp, age: ReceiptAge? = nil
    ) -> TrustPolicy {
        TrustPolicy(verifier: nil, secrets: nil, expected: expected)
            .verifyingReceipts(with: verifier, age: age, acceptsReceipts: true)
    }

    /// The same policy, which also says what the receipt in a version 1 body proves of its event.
    ///
    /// It refuses nothing because of a receipt: that is for your own rules on ``UnifiedEvent/ReceiptProof``.
    ///
    /// - Parameters:
    ///   - verifier: Who checks receipts: `AppReceiptVerifier` of `PayloadVerification`, or your own.
    ///   - age: How old a receipt may be, compared with the clock; `nil` for any age, as for archives.
    ///   - completesRows: Whether the transactions of a body are completed by those that its receipt has. Such an event
    ///     has the flag `RECEIPT_ROWS`; its id is that of the body alone.
    ///   - acceptsReceipts: Whether a body without an accepted secret is taken where its receipt covers the event. It
    ///     stays `unverified`, as a receipt says nothing about the sender; a secret that is wrong is refused all the
    ///     same.
    /// - Returns: The policy.
    public func verifyingReceipts(
        with verifier: any ReceiptVerifier, age: ReceiptAge? = nil, completesRows: Bool = false,
        acceptsReceipts: Bool = false
    ) -> TrustPolicy {
        var policy = self
        policy.receiptVerifier = verifier
        policy.receiptAge = age
        policy.completesRows = completesRows
        policy.acceptsReceipts = acceptsReceipts
        return policy
    }

    /// The same policy, which also takes what carries no proof at all.
    ///
    /// That is a payload without its signature, a body without a secret, a version that nothing was set up for. Such
    /// events say `unverified`.
    public func trustingTheSourceWhereUnproven() -> TrustPolicy {
        var policy = self
        policy.trustsUnproven = true
        return policy
    }

    /// Whether a version 1 body without an accepted secret is judged by its receipt, once its event is known.
    var needsReceipt: Bool { acceptsReceipts && receiptVerifier != nil && !trustsUnproven }

    /// Whether nothing is checked before a body is read, so that a reader of bodies need not ask.
    var checksNothing: Bool { trustsUnproven && verifier == nil && secrets == nil && expected == .any }
}
