public import NotificationTranslation

/// Checks that a JWS was signed by the App Store: the signature, and the chain up to a root that is trusted.
///
/// Offline and always the same answer for the same bytes. A chain is judged at `signedDate`, as an archive is read
/// years after its certificates expired. Whoever got hold of an expired key of Apple's could therefore date back; what
/// is dated ahead is refused.
///
/// Notifications of late 2021 and 2022 have no `signedDate` of their own, but what is signed inside them has. Each
/// dated part is then verified first, by itself and at its own date, and the notification is judged at the latest of
/// these dates: it holds the parts, so it was signed after them. A part without a date is judged at the time of the
/// notification around it. Only where nothing at all is dated, the clock decides. The chains of notification and parts
/// need not be the same: Apple changes leaves, and whoever holds a leaf's key could sign the parts with it, too.
///
/// ```swift
/// let verifier = try AppStoreVerifier()
/// let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890, environment: .production)
/// let policy = TrustPolicy.verify(verifier, expecting: app)
/// ```
///
/// On Linux it needs OpenSSL's `libcrypto.so.3` or `libcrypto.so.4` at run time, on Apple platforms nothing. One
/// verifier serves all threads and remembers the chains it found valid.
public final class AppStoreVerifier: SignedPayloadVerifier, CompactJWSVerifier {
    /// How far ahead of the clock `signedDate` may be, in milliseconds: five minutes.
    package static let clockTolerance: Int64 = 5 * 60 * 1000

    private let roots: TrustedRoots
    /// A root that was sent is read only if it is none of these: read each time, it makes a whole run 6 % longer.
    private let rootCertificates: [[UInt8]]
    private let profile: CertificateProfile
    private let cache = ChainCache<P256Key>()
    private let clock: @Sendable () -> Int64

    /// A verifier that trusts these roots and no other.
    ///
    /// - Parameters:
    ///   - roots: Self-signed certificates in DER; Apple's if none are given.
    ///   - profile: How strictly certificates are read.
    ///   - clock: The time now, in milliseconds since 1970; the system's if none is given.
    /// - Throws: `verifier.unavailable` where there is nothing to verify with, `verifier.no-roots`,
    ///   `verifier.bad-root`.
    public init(
        roots: [[UInt8]] = [AppleRoot.g3],
        profile: CertificateProfile = .rfc5280,
        clock: @escaping @Sendable () -> Int64 = VerificationTime.systemClock
    ) throws(AuthenticityError) {
        self.roots = try TrustedRoots(roots, profile: profile)
        rootCertificates = roots
        self.profile = profile
        self.clock = clock
    }

    /// Checks one JWS.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS as received.
    ///   - kind: What the payload is expected to be.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: `AuthenticityError` with the first thing that is wrong.
    public func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
        try jws.withUnsafeBytes { (text) throws(AuthenticityError) in try verify(try CompactJWS(text, as: kind)) }
    }

    /// Judges leaf, intermediate and what was sent as root, at one time in seconds since 1970.
    func key(of chain: [[UInt8]], at time: Int64) throws(AuthenticityError) -> P256Key {
        guard chain.count == CompactJWS.chainCount else { throw AuthenticityError(.chainCount, path: "x5c") }
        let key = try cache.key(
            leaf: chain[0], intermediate: chain[1], at: time, below: roots, signsIfNotSaid: profile == .lenient
        ) { (leaf, _, _) throws(AuthenticityError) in
            guard leaf.hasP256Key, let key = P256Key(publicKeyInfo: leaf.publicKeyInfo) else {
                throw AuthenticityError(.leafKey, path: "x5c[0]")
            }
            return key
        }
        // A root that is not a certificate would prove nothing and never be used.
        guard rootCertificates.contains(chain[2]) || CertificateFacts(chain[2]) != nil else {
            throw AuthenticityError(.badCertificate, path: "x5c[2]")
        }
        return key
    }

    /// Checks one JWS that was cut into its parts already, at the time of the notification around it if it is a part.
    package func verify(
        _ jws: CompactJWS, inside notification: VerificationTime? = nil
    ) throws(AuthenticityError) -> VerificationTime {
        let chain = try jws.readChain()
        let time = try time(of: jws, inside: notification)
        let seconds = time.milliseconds / 1000 - (time.milliseconds % 1000 < 0 ? 1 : 0)
        let key: P256Key
        do throws(AuthenticityError) {
            key = try self.key(of: chain, at: seconds)
        } catch {
            // Nobody knows when it was signed, so nobody knows whether the certificate was valid then.
            guard time.basis == .now, error.reason == .expired || error.reason == .notYetValid else { throw error }
            throw AuthenticityError(.notValidToday, path: error.path)
        }
        guard key.isValid(jws.signature, for: jws.signingInput) else { throw AuthenticityError(.signature) }
        return time
    }

    private func time(
        of jws: CompactJWS, inside notification: VerificationTime?
    ) throws(AuthenticityError) -> VerificationTime {
        let now = clock()
        let claims = try jws.readClaims()
        if let signedDate = claims.signedDate {
            let (latest, overflows) = now.addingReportingOverflow(Self.clockTolerance)
            guard overflows || signedDate <= latest else {
                let field = jws.kind == .appTransaction ? "receiptCreationDate" : "signedDate"
                throw AuthenticityError(.signedInFuture, path: field)
            }
            return VerificationTime(milliseconds: signedDate, basis: .signedDate)
        }
        if let notification, notification.basis != .now {
            return VerificationTime(milliseconds: notification.milliseconds, basis: .signedDateAround)
        }
        let dates = try jws.mapParts { (part) throws(AuthenticityError) -> Int64? in
            _ = try part.readChain()
            guard try part.readClaims().signedDate != nil else { return nil }
            return try verify(part).milliseconds
        }
        guard let latest = dates.compactMap({ $0 }).max() else {
            return VerificationTime(milliseconds: now, basis: .now)
        }
        return VerificationTime(milliseconds: latest, basis: .signedDateInside)
    }
}
