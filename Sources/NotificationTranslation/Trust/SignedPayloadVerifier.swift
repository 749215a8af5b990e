#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Says whether one compact JWS was signed by whom it should have been.
///
/// `PayloadVerification` has one that checks Apple's chain by itself. Your own plugs in with a few lines, for instance
/// around a library that already holds your roots and revocation settings:
///
/// ```swift
/// struct CompanyVerifier: SignedPayloadVerifier {
///     let keys: CompanyKeys
///
///     func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(VerificationError) -> VerificationTime {
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
    /// - Throws: ``VerificationError``, never with a value of the payload in it.
    func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(VerificationError) -> VerificationTime
}

/// What a JWS is expected to hold.
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

/// The time that a chain of certificates was judged at.
public struct VerificationTime: Hashable, Sendable {
    /// Where the time was taken from.
    public enum Basis: Hashable, Sendable {
        /// `signedDate` of the payload; of an app transaction, which has none, `receiptCreationDate`.
        case signedDate
        /// The latest such date of what is signed inside an undated notification, each part verified at its own date.
        case signedDateInside
        /// The time of the verified notification around an undated part.
        case signedDateAround
        /// The clock, as nothing names a time: neither the payload nor what is signed inside or around it.
        case now
    }

    /// Milliseconds since 1970.
    public var milliseconds: Int64
    /// Where the time was taken from.
    public var basis: Basis

    /// A time and where it was taken from.
    public init(milliseconds: Int64, basis: Basis) {
        self.milliseconds = milliseconds
        self.basis = basis
    }

    /// The system's time, in milliseconds since 1970; 0 where it has none, which makes every certificate not yet valid.
    public static func systemClock() -> Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A verifier that takes a JWS as it was read here, so that nothing is decoded twice.
package protocol CompactJWSVerifier: SignedPayloadVerifier {
    /// Returns if the signature and the chain of certificates hold, throws otherwise.
    ///
    /// - Parameters:
    ///   - jws: The JWS.
    ///   - notification: The time that the notification around it was verified at; `nil` for a notification.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: ``VerificationError`` with the first thing that is wrong.
    func verify(
        _ jws: CompactJWS,
        inside notification: VerificationTime?
    ) throws(VerificationError) -> VerificationTime
}
