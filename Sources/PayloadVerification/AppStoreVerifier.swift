public import NotificationTranslation

/// How strictly certificates are read.
public enum CertificateProfile: Hashable, Sendable {
    /// All that RFC 5280 asks for, and a leaf that says its key is for signatures: Apple's certificates keep to it.
    case rfc5280
    /// Without the demands on key identifiers and key usage: for the test certificates of Apple's own libraries.
    case lenient
}

/// Checks that a JWS was signed by the App Store: the signature, and the chain up to a root that is trusted.
///
/// Offline and always the same answer for the same bytes. A chain is judged at `signedDate`, as an archive is read
/// years after its certificates expired; a payload without one is judged now. Whoever got hold of an expired key of
/// Apple's could therefore date back; what is dated ahead is refused.
///
/// ```swift
/// let verifier = try AppStoreVerifier()
/// let policy = TrustPolicy.verify(verifier, expecting: ExpectedApp(bundleID: "com.example.app"))
/// ```
///
/// On Linux it needs OpenSSL's `libcrypto.so.3` or `libcrypto.so.4` at run time, on Apple platforms nothing. One
/// verifier serves all threads and remembers the chains it found valid.
public final class AppStoreVerifier: SignedPayloadVerifier {
    /// How far ahead of the clock `signedDate` may be, in milliseconds: five minutes.
    public static let clockTolerance: Int64 = 5 * 60 * 1000

    private let roots: TrustedRoots
    private let rootCertificates: [[UInt8]]
    private let profile: CertificateProfile
    private let cache: ChainCache?
    private let clock: @Sendable () -> Int64

    /// A verifier that trusts these roots and no other.
    ///
    /// - Parameters:
    ///   - roots: Self-signed certificates in DER; Apple's if none are given.
    ///   - profile: How strictly certificates are read.
    ///   - clock: The time now, in milliseconds since 1970; the system's if none is given.
    /// - Throws: `verifier.unavailable` where there is nothing to verify with, `verifier.no-roots`,
    ///   `verifier.bad-root`.
    public convenience init(
        roots: [[UInt8]] = [AppleRoot.g3],
        profile: CertificateProfile = .rfc5280,
        clock: @escaping @Sendable () -> Int64 = VerificationTime.systemClock
    ) throws(VerificationError) {
        try self.init(roots: roots, profile: profile, clock: clock, cachesChains: true)
    }

    /// A verifier that may go without its memory, which must make no difference but time.
    init(
        roots: [[UInt8]],
        profile: CertificateProfile,
        clock: @escaping @Sendable () -> Int64,
        cachesChains: Bool
    ) throws(VerificationError) {
        self.roots = try TrustedRoots(roots, profile: profile)
        rootCertificates = roots
        self.profile = profile
        self.clock = clock
        cache = cachesChains ? ChainCache() : nil
    }

    /// Checks one JWS.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS as received.
    ///   - kind: What the payload is expected to be.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: ``VerificationError`` with the first thing that is wrong.
    public func verify(
        _ jws: UnsafeRawBufferPointer,
        as kind: SignedPayloadKind
    ) throws(VerificationError) -> VerificationTime {
        try verify(try CompactJWS(jws, as: kind))
    }

    /// Judges leaf, intermediate and what was sent as root, at one time in seconds since 1970.
    func key(of chain: [[UInt8]], at time: Int64) throws(VerificationError) -> P256Key {
        guard chain.count == JWSHeader.chainCount else { throw VerificationError(.chainCount, path: "x5c") }
        let (leaf, intermediate, sentRoot) = (chain[0], chain[1], chain[2])
        // What was sent as root proves nothing and is never asked; it must be a certificate all the same.
        if !rootCertificates.contains(sentRoot), CertificateFacts(sentRoot) == nil {
            throw VerificationError(.badCertificate, path: "x5c[2]")
        }
        if let key = cache?.key(leaf: leaf, intermediate: intermediate, at: time) { return key }
        guard let leafFacts = CertificateFacts(leaf) else { throw VerificationError(.badCertificate, path: "x5c[0]") }
        guard let middleFacts = CertificateFacts(intermediate) else {
            throw VerificationError(.badCertificate, path: "x5c[1]")
        }
        let (found, root) = try roots.judge(leaf: leaf, intermediate: intermediate, at: time)
        guard leafFacts.isReceiptSigner else { throw VerificationError(.leafMark, path: "x5c[0]") }
        guard middleFacts.isDeveloperAuthority else { throw VerificationError(.intermediateMark, path: "x5c[1]") }
        guard leafFacts.hasP256Key, let key = found else { throw VerificationError(.leafKey, path: "x5c[0]") }
        guard !leafFacts.isAuthority else { throw VerificationError(.leafIsAuthority, path: "x5c[0]") }
        guard leafFacts.signs ?? (profile == .lenient) else { throw VerificationError(.leafKeyUsage, path: "x5c[0]") }
        let first = max(leafFacts.notBefore, middleFacts.notBefore, root.notBefore)
        let last = min(leafFacts.notAfter, middleFacts.notAfter, root.notAfter)
        cache?.insert(
            ChainCache.Entry(
                leaf: leaf,
                intermediate: intermediate,
                validity: first..<max(first, last),
                key: key
            )
        )
        return key
    }
}

extension AppStoreVerifier: CompactJWSVerifier {
    /// Checks one JWS that was cut into its parts already.
    ///
    /// - Parameter jws: The JWS.
    /// - Returns: The time the certificates were judged at.
    /// - Throws: ``VerificationError`` with the first thing that is wrong.
    package func verify(_ jws: CompactJWS) throws(VerificationError) -> VerificationTime {
        let header = try jws.readHeader()
        let now = clock()
        var time = VerificationTime(milliseconds: now, basis: .now)
        if let signedDate = try jws.readClaims().signedDate {
            let (latest, overflows) = now.addingReportingOverflow(Self.clockTolerance)
            guard overflows || signedDate <= latest else {
                let field = jws.kind == .appTransaction ? "receiptCreationDate" : "signedDate"
                throw VerificationError(.signedInFuture, path: field)
            }
            time = VerificationTime(milliseconds: signedDate, basis: .signedDate)
        }
        let seconds = time.milliseconds / 1000 - (time.milliseconds % 1000 < 0 ? 1 : 0)
        let key = try key(of: header.chain, at: seconds)
        guard key.isValid(jws.signature, for: jws.signingInput) else { throw VerificationError(.signature) }
        return time
    }
}
