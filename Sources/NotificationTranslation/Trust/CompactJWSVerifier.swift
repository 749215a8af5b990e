/// A verifier that takes a JWS as it was read here, so that nothing is decoded twice.
package protocol CompactJWSVerifier: SignedPayloadVerifier {
    /// Returns if the signature and the chain of certificates hold, throws otherwise.
    ///
    /// - Parameters:
    ///   - jws: The JWS.
    ///   - notification: The time that the notification around it was verified at; `nil` for a notification.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: ``AuthenticityError`` with the first thing that is wrong.
    func verify(
        _ jws: CompactJWS,
        inside notification: VerificationTime?
    ) throws(AuthenticityError) -> VerificationTime
}
