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

    /// Takes roots in DER.
    ///
    /// - Parameters:
    ///   - roots: At least one certificate.
    ///   - profile: Of no effect here: Security decides by itself how strictly it reads RFC 5280.
    ///   - purpose: Of no effect here either: Security decides by itself whether it takes SHA-1.
    /// - Throws: `verifier.no-roots`, `verifier.bad-root`.
    init(
        _ roots: [[UInt8]],
        profile: CertificateProfile,
        purpose: ChainPurpose = .payload
    ) throws(VerificationError) {
        guard !roots.isEmpty else { throw VerificationError(.noRoots) }
        var certificates: [SecCertificate] = []
        var known: [(der: [UInt8], facts: CertificateFacts)] = []
        for (place, root) in roots.enumerated() {
            guard let facts = CertificateFacts(root), let certificate = Self.certificate(root) else {
                throw VerificationError(.badRoot, path: "roots[\(place)]")
            }
            certificates.append(certificate)
            known.append((root, facts))
        }
        self.roots = certificates
        facts = known
    }

    /// Judges the chain of a payload at one time.
    ///
    /// - Parameters:
    ///   - leaf: DER of the signing certificate.
    ///   - intermediate: DER of its issuer.
    ///   - time: Seconds since 1970.
    /// - Returns: The leaf's key, and the facts of the root that the chain leads to.
    /// - Throws: `x509.…`
    func judge(
        leaf: [UInt8],
        intermediate: [UInt8],
        at time: Int64
    ) throws(VerificationError) -> (key: P256Key?, root: CertificateFacts) {
        let root = try root(of: leaf, intermediate, time)
        return (CertificateFacts(leaf).flatMap { P256Key(publicKeyInfo: $0.publicKeyInfo) }, root)
    }

    /// Judges the chain of a receipt at one time.
    ///
    /// - Parameters:
    ///   - leaf: DER of the signing certificate.
    ///   - intermediate: DER of its issuer.
    ///   - time: Seconds since 1970.
    /// - Returns: The leaf's key, and the facts of the root that the chain leads to.
    /// - Throws: `x509.…`
    func judgeReceipt(
        leaf: [UInt8],
        intermediate: [UInt8],
        at time: Int64
    ) throws(VerificationError) -> (key: RSAKey?, root: CertificateFacts) {
        let root = try root(of: leaf, intermediate, time)
        return (CertificateFacts(leaf).flatMap { RSAKey(publicKeyInfo: $0.publicKeyInfo) }, root)
    }

    private func root(
        of leaf: [UInt8],
        _ intermediate: [UInt8],
        _ time: Int64
    ) throws(VerificationError) -> CertificateFacts {
        guard let first = Self.certificate(leaf) else { throw VerificationError(.badCertificate, path: "x5c[0]") }
        guard let second = Self.certificate(intermediate) else {
            throw VerificationError(.badCertificate, path: "x5c[1]")
        }
        guard let built = Self.chain([first, second], anchors: roots, at: time) else {
            throw refusal(leaf, intermediate, time)
        }
        guard built.count == JWSHeader.chainCount, built[1] == intermediate,
            let root = facts.first(where: { $0.der == built[2] })
        else { throw VerificationError(.chainLength, path: "x5c") }
        return root.facts
    }

    /// Why a chain was refused, as far as it is known: Security's own reasons differ from system to system.
    private func refusal(_ leaf: [UInt8], _ intermediate: [UInt8], _ time: Int64) -> VerificationError {
        for (place, der) in [leaf, intermediate].enumerated() {
            guard let facts = CertificateFacts(der) else { continue }
            if time < facts.notBefore { return VerificationError(.notYetValid, path: "x5c[\(place)]") }
            if time > facts.notAfter { return VerificationError(.expired, path: "x5c[\(place)]") }
            if place == 1, !facts.isAuthority { return VerificationError(.notAnAuthority, path: "x5c[1]") }
        }
        return VerificationError(.chain, path: "x5c")
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

/// A public key on the curve P-256.
final class P256Key: Sendable {
    private let key: P256.Signing.PublicKey

    /// The key of a SubjectPublicKeyInfo in DER, `nil` if it is not a whole one on this curve.
    init?(publicKeyInfo der: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: der) else { return nil }
        self.key = key
    }

    /// Whether `signature` (r and s, 32 bytes each) is the ECDSA signature of the message's SHA-256.
    func isValid(_ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
        guard signature.count == CompactJWS.signatureLength,
            let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(ecdsa, for: message)
    }
}

/// A public key of RSA.
final class RSAKey: @unchecked Sendable {
    // Keys of Security are immutable and may be used from any thread.
    private let key: SecKey

    /// The key of a SubjectPublicKeyInfo in DER, `nil` if it is not a whole one of RSA.
    init?(publicKeyInfo der: [UInt8]) {
        guard let content = RSAPublicKey(publicKeyInfo: der)?.pkcs1,
            let data = CFDataCreate(nil, content, content.count),
            let names = CFDictionaryCreateMutable(nil, 2, nil, nil)
        else { return nil }
        func set(_ name: CFString, _ value: CFString) {
            CFDictionarySetValue(
                names,
                Unmanaged.passUnretained(name).toOpaque(),
                Unmanaged.passUnretained(value).toOpaque()
            )
        }
        set(kSecAttrKeyType, kSecAttrKeyTypeRSA)
        set(kSecAttrKeyClass, kSecAttrKeyClassPublic)
        guard let key = SecKeyCreateWithData(data, names, nil) else { return nil }
        self.key = key
    }

    /// Whether `signature` is the signature (PKCS #1 version 1.5) of the message's digest.
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        for message: UnsafeRawBufferPointer,
        digest: ReceiptDigest
    ) -> Bool {
        guard let message = Self.data(message), let signature = Self.data(signature) else { return false }
        let algorithm: SecKeyAlgorithm =
            digest == .sha256 ? .rsaSignatureMessagePKCS1v15SHA256 : .rsaSignatureMessagePKCS1v15SHA1
        return SecKeyVerifySignature(key, algorithm, message, signature, nil)
    }

    private static func data(_ bytes: UnsafeRawBufferPointer) -> CFData? {
        CFDataCreate(nil, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
    }
}
#endif
