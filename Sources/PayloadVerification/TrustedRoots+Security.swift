#if canImport(CryptoKit)
import CoreFoundation
import CryptoKit
import NotificationTranslation
import Security

/// The roots that are trusted, and the check of chains against them: the system's, without network.
final class TrustedRoots: @unchecked Sendable {
    // Certificates of Security are immutable and may be used from any thread.
    private let roots: [SecCertificate]
    private let facts: [(der: [UInt8], facts: CertificateFacts)]

    /// Takes roots in DER; Security decides by itself how strictly it reads RFC 5280, and whether it takes SHA-1.
    ///
    /// - Throws: `verifier.no-roots`, `verifier.bad-root`.
    init(_ roots: [[UInt8]], profile: CertificateProfile, isForReceipts: Bool = false) throws(AuthenticityError) {
        guard !roots.isEmpty else { throw AuthenticityError(.noRoots) }
        var certificates: [SecCertificate] = []
        var known: [(der: [UInt8], facts: CertificateFacts)] = []
        for (place, root) in roots.enumerated() {
            guard let facts = CertificateFacts(root), let certificate = Self.certificate(root) else {
                throw AuthenticityError(.badRoot, path: "roots[\(place)]")
            }
            certificates.append(certificate)
            known.append((root, facts))
        }
        self.roots = certificates
        facts = known
    }

    /// The facts of the root that a chain leads to, judged at one time in seconds since 1970.
    func judge(leaf: [UInt8], intermediate: [UInt8], at time: Int64) throws(AuthenticityError) -> CertificateFacts {
        guard let first = Self.certificate(leaf) else { throw AuthenticityError(.badCertificate, path: "x5c[0]") }
        guard let second = Self.certificate(intermediate) else {
            throw AuthenticityError(.badCertificate, path: "x5c[1]")
        }
        guard let built = Self.chain([first, second], anchors: roots, at: time) else {
            throw refusal(leaf, intermediate, time)
        }
        guard built.count == CompactJWS.chainCount, built[1] == intermediate,
            let root = facts.first(where: { $0.der == built[2] })
        else { throw AuthenticityError(.chainLength, path: "x5c") }
        return root.facts
    }

    /// Why a chain was refused, as far as it is known: Security's own reasons differ from system to system.
    private func refusal(_ leaf: [UInt8], _ intermediate: [UInt8], _ time: Int64) -> AuthenticityError {
        for (place, der) in [leaf, intermediate].enumerated() {
            guard let facts = CertificateFacts(der) else { continue }
            if time < facts.notBefore { return AuthenticityError(.notYetValid, path: "x5c[\(place)]") }
            if time > facts.notAfter { return AuthenticityError(.expired, path: "x5c[\(place)]") }
            if place == 1, !facts.isAuthority { return AuthenticityError(.notAnAuthority, path: "x5c[1]") }
        }
        return AuthenticityError(.chain, path: "x5c")
    }

    /// The chain that Security builds, DER of each certificate; `nil` if it does not hold.
    private static func chain(_ sent: [SecCertificate], anchors: [SecCertificate], at time: Int64) -> [[UInt8]]? {
        withExtendedLifetime((sent, anchors)) {
            var made: SecTrust?
            guard let certificates = array(sent), let roots = array(anchors),
                let date = CFDateCreate(nil, Double(time) - kCFAbsoluteTimeIntervalSince1970),
                SecTrustCreateWithCertificates(certificates, SecPolicyCreateBasicX509(), &made) == errSecSuccess,
                let trust = made,
                SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess,
                SecTrustSetNetworkFetchAllowed(trust, false) == errSecSuccess,
                SecTrustSetVerifyDate(trust, date) == errSecSuccess,
                SecTrustEvaluateWithError(trust, nil),
                let chain = SecTrustCopyCertificateChain(trust)
            else { return nil }
            var built: [[UInt8]] = []
            for place in 0..<CFArrayGetCount(chain) {
                guard let pointer = CFArrayGetValueAtIndex(chain, place) else { return nil }
                let certificate = Unmanaged<SecCertificate>.fromOpaque(pointer).takeUnretainedValue()
                let data = SecCertificateCopyData(certificate)
                guard let start = CFDataGetBytePtr(data) else { return nil }
                built.append(Array(UnsafeBufferPointer(start: start, count: CFDataGetLength(data))))
            }
            return built
        }
    }

    /// An array that does not own its elements; whoever makes it keeps them.
    private static func array(_ certificates: [SecCertificate]) -> CFArray? {
        var values: [UnsafeRawPointer?] = certificates.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
        return CFArrayCreate(nil, &values, values.count, nil)
    }

    private static func certificate(_ der: [UInt8]) -> SecCertificate? {
        CFDataCreate(nil, der, der.count).flatMap { SecCertificateCreateWithData(nil, $0) }
    }
}

#endif
