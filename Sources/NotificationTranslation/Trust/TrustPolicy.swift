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
public struct TrustPolicy: Sendable {
    let verifier: (any SignedPayloadVerifier)?
    /// The same verifier, if it takes a JWS that was cut into parts already.
    let compactVerifier: (any CompactJWSVerifier)?
    let secrets: SharedSecrets?
    /// Whom notifications have to be for, whatever their version.
    let expected: ExpectedApp
    /// Whether what carries no proof is taken.
    private(set) var trustsUnproven = false

    private init(
        _ verifier: (any SignedPayloadVerifier)?,
        _ secrets: SharedSecrets?,
        _ expected: ExpectedApp
    ) {
        self.verifier = verifier
        compactVerifier = verifier as? any CompactJWSVerifier
        self.secrets = secrets
        self.expected = expected
    }

    /// Version 2 only, signed: signatures are checked, the notification's and those inside it.
    ///
    /// - Parameters:
    ///   - verifier: Who checks signatures: `AppStoreVerifier` of `PayloadVerification`, or your own.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: The policy.
    public static func verify(_ verifier: any SignedPayloadVerifier, expecting expected: ExpectedApp) -> TrustPolicy {
        TrustPolicy(verifier, nil, expected)
    }

    /// Version 1 only: the body must carry an accepted secret.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that are accepted.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: The policy.
    public static func sharedSecrets(_ secrets: SharedSecrets, expecting expected: ExpectedApp) -> TrustPolicy {
        TrustPolicy(nil, secrets, expected)
    }

    /// Both versions, for a server between them: version 2 must verify, version 1 must carry an accepted secret.
    ///
    /// - Parameters:
    ///   - verifier: Who checks signatures.
    ///   - secrets: The secrets that are accepted.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: The policy.
    public static func verify(
        _ verifier: any SignedPayloadVerifier,
        sharedSecrets secrets: SharedSecrets,
        expecting expected: ExpectedApp
    ) -> TrustPolicy {
        TrustPolicy(verifier, secrets, expected)
    }

    /// Nothing is checked and every event says `unverified`: for bodies whose way here cannot be entered by others, such
    /// as an archive of your own.
    public static let trustingTheSource: TrustPolicy = {
        var policy = TrustPolicy(nil, nil, .any)
        policy.trustsUnproven = true
        return policy
    }()

    /// The same policy, which also takes what carries no proof at all.
    ///
    /// That is a payload without its signature, a body without a secret, a version that nothing was set up for. Such
    /// events say `unverified`.
    public func trustingTheSourceWhereUnproven() -> TrustPolicy {
        var policy = self
        policy.trustsUnproven = true
        return policy
    }

    /// Whether nothing is checked at all, so that whoever reads bodies need not ask.
    package var checksNothing: Bool { trustsUnproven && verifier == nil && secrets == nil && expected == .any }
}
