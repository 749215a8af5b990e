/// A compact JWS (RFC 7515): three parts of base64url with dots between them, as Apple sends `signedPayload`,
/// `signedTransactionInfo` and `signedRenewalInfo`.
///
/// Nothing is decoded and nothing is trusted yet.
package struct SignedPayload {
    /// The first part: the header, with the certificate chain in it.
    package let header: UnsafeRawBufferPointer
    /// The second part.
    package let payload: UnsafeRawBufferPointer
    /// The third part.
    package let signature: UnsafeRawBufferPointer

    /// The parts of `text`, or `nil` if there are not exactly three.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard let first = text.offset(of: 0x2E, from: 0), first > 0,
            let second = text.offset(of: 0x2E, from: first + 1),
            second > first + 1, text.offset(of: 0x2E, from: second + 1) == nil
        else { return nil }
        header = UnsafeRawBufferPointer(rebasing: text[..<first])
        payload = UnsafeRawBufferPointer(rebasing: text[(first + 1)..<second])
        signature = UnsafeRawBufferPointer(rebasing: text[(second + 1)...])
    }

    /// Appends the bytes that a part represents; false if it is not strict base64url.
    static func decode(_ part: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        StrictBase64.decode(part, StrictBase64.url, into: output)
    }

    /// Whether a text is three parts that begin and end as base64url, so that it may be what was signed; a redacted one is
    /// not.
    static func isWhole(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let parts = SignedPayload(text) else { return false }
        return [parts.header, parts.payload, parts.signature].allSatisfy { part in
            part.prefix(32).allSatisfy(CompactToken.isPart) && part.suffix(32).allSatisfy(CompactToken.isPart)
        }
    }

    /// Whether a text begins as every JWS with a JSON header does: with the base64url of `{"`, and has a dot.
    ///
    /// Base64 of JSON begins the same and has none: Google's messages are such.
    static func looksLikeOne(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count > 16 && text[0] == 0x65 && text[1] == 0x79 && text.offset(of: 0x2E, from: 2) != nil
            && text.prefix(16).allSatisfy { $0 > 0x20 }
    }
}

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

    /// Apple's key of it.
    var key: String {
        switch self {
        case .notification: "signedPayload"
        case .transaction: "signedTransactionInfo"
        case .renewal: "signedRenewalInfo"
        case .appTransaction: "signedAppTransactionInfo"
        }
    }
}

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

/// A verifier that takes a JWS as it was read here, so that nothing is decoded twice.
package protocol CompactJWSVerifier: SignedPayloadVerifier {
    /// Returns if the signature and the chain of certificates hold, throws otherwise.
    ///
    /// - Parameters:
    ///   - jws: The JWS.
    ///   - notification: The time that the notification around it was verified at; `nil` for a notification.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: ``AuthenticityError`` with the first thing that is wrong.
    func verify(_ jws: CompactJWS, inside notification: VerificationTime?) throws(AuthenticityError) -> VerificationTime
}

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
    public init(_ accepted: [String]) { self.accepted = Set(accepted.map { Array($0.utf8) }) }

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
