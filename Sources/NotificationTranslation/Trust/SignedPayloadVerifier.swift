/// Says whether one compact JWS was signed by whom it should have been.
///
/// `PayloadVerification` has one that checks Apple's chain by itself. Your own plugs in with a few lines, for instance
/// around a library that already holds your roots and revocation settings:
///
/// ```swift
/// struct CompanyVerifier: SignedPayloadVerifier {
///     let keys: CompanyKeys
///
///     func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
///         let text = jws.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
///         guard let signedDate = keys.signedDate(ofValid: text) else { throw .refused }
///         return VerificationTime(milliseconds: signedDate, basis: .signedDate)
///     }
/// }
/// ```
///
/// It is asked once for the notification and once for each JWS inside it; bundle id, app and environment are compared
/// by ``TrustPolicy`` and need not be compared again. A library that answers asynchronously is asked first, and
/// ``AlreadyVerified`` then carries what it said.
public protocol SignedPayloadVerifier: Sendable {
    /// Returns if the signature and the chain of certificates hold, throws otherwise.
    ///
    /// Called from any number of threads at a time.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS, byte for byte as received; valid only during the call.
    ///   - kind: What the payload is expected to be.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: ``AuthenticityError``, never with a value of the payload in it.
    func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime
}
