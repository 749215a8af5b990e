/// Carries the answer of a verifier that cannot be asked from here, such as an asynchronous one.
///
/// Apple's Swift library checks revocation over the network and so answers asynchronously. Ask it first, for the
/// notification **and** for what is signed inside it (its check of a notification does not look there), then hand over
/// the texts it accepted. Exactly these are taken, byte for byte, and no other:
///
/// ```swift
/// guard case .valid(let notification) = await apple.verifyAndDecodeNotification(signedPayload: text) else { refuse() }
/// var accepted = [text]
/// if let part = notification.data?.signedTransactionInfo {
///     guard case .valid = await apple.verifyAndDecodeTransaction(signedTransaction: part) else { refuse() }
///     accepted.append(part)
/// }   // and so for signedRenewalInfo and signedAppTransactionInfo
/// let policy = TrustPolicy.verify(AlreadyVerified(accepted), expecting: app)
/// ```
public struct AlreadyVerified: SignedPayloadVerifier {
    private let accepted: Set<[UInt8]>

    /// A verifier of exactly these texts.
    ///
    /// - Parameter accepted: Each compact JWS whose signature and chain held.
    public init(_ accepted: [String]) {
        self.accepted = Set(accepted.map { Array($0.utf8) })
    }

    /// Returns if the text is one of those that were accepted.
    public func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
        try jws.withUnsafeBytes { (text) throws(AuthenticityError) in
            guard accepted.contains(Array(text)) else { throw .refused }
            if let signedDate = try CompactJWS(text, as: kind).readClaims().signedDate {
                return VerificationTime(milliseconds: signedDate, basis: .signedDate)
            }
            return VerificationTime(milliseconds: VerificationTime.systemClock(), basis: .now)
        }
    }
}
