#if !canImport(CryptoKit)
import CNotificationLibcrypto
import NotificationTranslation

/// The roots that are trusted, and the check of chains against them: OpenSSL's, found at run time.
final class TrustedRoots: @unchecked Sendable {
    // The store is filled in `init` and only read afterwards; libcrypto locks what it counts.
    private let store: OpaquePointer
    private let facts: [CertificateFacts]
    private let profile: CertificateProfile
    private let isForReceipts: Bool

    /// Takes roots in DER, at least one, each signed by itself, for chains of payloads or of app receipts.
    ///
    /// Roots of receipts are signed with SHA-1, which some systems refuse, so their own signature is not checked; it proves
    /// nothing.
    ///
    /// - Throws: `verifier.unavailable` without libcrypto, `verifier.no-roots`, `verifier.bad-root`.
    init(_ roots: [[UInt8]], profile: CertificateProfile, isForReceipts: Bool = false) throws(AuthenticityError) {
        guard lc_available() == 1, let store = lc_store_new() else { throw AuthenticityError(.unavailable) }
        var facts: [CertificateFacts] = []
        var refusal: AuthenticityError? = roots.isEmpty ? AuthenticityError(.noRoots) : nil
        let checks: CInt = isForReceipts ? 0 : 1
        for (place, root) in roots.enumerated() {
            if let known = CertificateFacts(root), lc_store_add(store, root, root.count, checks) == 1 {
                facts.append(known)
            } else if refusal == nil {
                refusal = AuthenticityError(.badRoot, path: "roots[\(place)]")
            }
        }
        self.store = store
        self.facts = facts
        self.profile = profile
        self.isForReceipts = isForReceipts
        if let refusal { throw refusal }
    }

    deinit {
        lc_store_free(store)
    }

    /// The facts of the root that a chain leads to, judged at one time in seconds since 1970.
    ///
    /// Chains of receipts may be signed with SHA-1 and have keys of any size, which the caller has to judge.
    func judge(leaf: [UInt8], intermediate: [UInt8], at time: Int64) throws(AuthenticityError) -> CertificateFacts {
        var chain = lc_chain()
        lc_chain_verify(
            store,
            isForReceipts ? LC_RECEIPT : LC_PAYLOAD,
            leaf,
            leaf.count,
            intermediate,
            intermediate.count,
            time,
            profile == .rfc5280 ? 1 : 0,
            &chain)
        guard chain.error == 0 else { throw Self.refusal(chain) }
        guard chain.length == CompactJWS.chainCount, chain.uses_intermediate == 1,
            facts.indices.contains(Int(chain.root))
        else { throw AuthenticityError(.chainLength, path: "x5c") }
        return facts[Int(chain.root)]
    }

    /// The refusal that OpenSSL's error represents (`X509_V_ERR_`…).
    private static func refusal(_ chain: lc_chain) -> AuthenticityError {
        let reason: AuthenticityError.Reason =
            switch chain.error {
            case -1: .badCertificate
            case 2, 18, 19, 20, 21, 27, 29, 30, 31: .untrustedRoot
            case 4, 6, 7, 77, 78: .certificateSignature
            case 9: .notYetValid
            case 10: .expired
            case 22: .chainLength
            case 24, 37, 79: .notAnAuthority
            case 25: .pathLength
            case 32: .authorityKeyUsage
            case 34: .criticalExtension
            case 66, 67, 68: .tooWeak
            case 41, 80...94: .profile
            default: .chain
            }
        return AuthenticityError(reason, path: "x5c[\(min(max(Int(chain.depth), 0), CompactJWS.chainCount - 1))]")
    }
}

#endif
