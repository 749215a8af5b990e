public import NotificationTranslation

/// Checks that an app receipt was signed by Apple: its form, the chain up to a root that is trusted, the signature.
///
/// Offline and always the same answer for the same bytes: the chain is judged at the creation date in the receipt, and no
/// clock is asked. `source.receipt` of an event says what a receipt proves of the notification around it; that it is
/// genuine proves nothing by itself, as genuine receipts circulate.
///
/// ```swift
/// let verifier = try AppReceiptVerifier()
/// let receipt = try verifier.verify(base64: text)
/// ```
///
/// Apple signed receipts with SHA-1 until January 2024 at least, so SHA-1 is taken here, but no key below 2,048 bits.
/// On Linux it needs OpenSSL's `libcrypto.so.3` or `libcrypto.so.4` at run time, and a system that does not refuse
/// SHA-1 (`receipt.sha1-refused`). One verifier serves all threads and remembers the chains it found valid.
public final class AppReceiptVerifier: ReceiptVerifier {
    private let roots: TrustedRoots
    private let cache = ChainCache<RSAKey>()
    private let takesSHA1: Bool

    /// The smallest key of RSA that is taken, in bits.
    static let smallestKey = 2048

    /// A verifier that trusts these roots and no other.
    ///
    /// - Parameter roots: Self-signed certificates in DER; Apple's if none are given.
    /// - Throws: `verifier.unavailable` where there is nothing to verify with, `verifier.no-roots`,
    ///   `verifier.bad-root`.
    public convenience init(roots: [[UInt8]] = [AppleRoot.ca]) throws(AuthenticityError) {
        try self.init(roots: roots, takesSHA1: Self.systemTakesSHA1)
    }

    /// A verifier that accepts or refuses SHA-1 signatures, whatever the system does.
    init(roots: [[UInt8]], takesSHA1: Bool) throws(AuthenticityError) {
        self.roots = try TrustedRoots(roots, profile: .rfc5280, isForReceipts: true)
        self.takesSHA1 = takesSHA1
    }

    /// Verifies a receipt and reads it.
    ///
    /// - Parameter receipt: The base64 text as it is in a body, without escapes.
    /// - Returns: What Apple signed.
    /// - Throws: `AuthenticityError` with the first thing that is wrong.
    public func verify(_ receipt: RawSpan) throws(AuthenticityError) -> AppReceipt {
        try verify(
            der: receipt.withUnsafeBytes { (text) throws(AuthenticityError) in
                try ReceiptContainer.der(base64: text)
            })
    }

    /// Verifies a receipt and reads it.
    ///
    /// - Parameter text: The base64 text as it is in a body.
    /// - Returns: What Apple signed.
    /// - Throws: `AuthenticityError` with the first thing that is wrong.
    public func verify(base64 text: String) throws(AuthenticityError) -> AppReceipt {
        try verify(Array(text.utf8).span.bytes)
    }

    /// Verifies a receipt and reads it.
    ///
    /// - Parameter der: The container, as an app keeps it on a device.
    /// - Returns: What Apple signed.
    /// - Throws: `AuthenticityError` with the first thing that is wrong.
    public func verify(der: [UInt8]) throws(AuthenticityError) -> AppReceipt {
        let container = try ReceiptContainer(der)
        let receipt = try AppReceipt(der, in: container.content)
        if container.digest == .sha1, !takesSHA1 {
            throw AuthenticityError(.receiptSHA1, path: "signerInfos[0].digestAlgorithm")
        }
        // Receipts know whole seconds only, and none from before 1970 has a valid certificate.
        let key = try key(of: container, at: receipt.createdAt.milliseconds / 1000)
        let holds = der.withUnsafeBytes { bytes in
            key.isValid(
                UnsafeRawBufferPointer(rebasing: bytes[container.signature]),
                for: UnsafeRawBufferPointer(rebasing: bytes[container.content]),
                digest: container.digest)
        }
        guard holds else { throw AuthenticityError(.receiptSignature) }
        return receipt
    }

    /// Judges the certificates of a container, at a time in seconds since 1970.
    private func key(of container: ReceiptContainer, at time: Int64) throws(AuthenticityError) -> RSAKey {
        let leaf = Array(container.bytes[container.leaf.whole])
        let intermediate = Array(container.bytes[container.intermediate.whole])
        try checkAlgorithm(of: container.leaf, in: container.bytes, "leaf")
        try checkAlgorithm(of: container.intermediate, in: container.bytes, "intermediate")
        do throws(AuthenticityError) {
            return try cache.key(leaf: leaf, intermediate: intermediate, at: time, below: roots, signsIfNotSaid: true) {
                (leaf, intermediate, root) throws(AuthenticityError) in
                try checkSize(leaf, "leaf")
                try checkSize(intermediate, "intermediate")
                try checkSize(root, "root")
                guard let key = RSAKey(publicKeyInfo: leaf.publicKeyInfo) else {
                    throw AuthenticityError(.leafKey, path: "leaf")
                }
                return key
            }
        } catch {
            // The certificates of a receipt have names, not places.
            let names = ["x5c[0]": "leaf", "x5c[1]": "intermediate", "x5c[2]": "root", "x5c": "certificates"]
            throw AuthenticityError(error.reason, path: names[error.path] ?? error.path)
        }
    }

    /// Refuses certificates that are signed with something else than RSA and SHA-1 or better.
    private func checkAlgorithm(
        of certificate: CertificateNames, in bytes: [UInt8], _ path: String
    ) throws(AuthenticityError) {
        let algorithm = bytes[certificate.algorithm]
        if algorithm.elementsEqual(ObjectID.sha1WithRSA) {
            guard takesSHA1 else { throw AuthenticityError(.receiptSHA1, path: path) }
        } else if !ObjectID.sha2WithRSA.contains(where: { algorithm.elementsEqual($0) }) {
            throw AuthenticityError(.tooWeak, path: path)
        }
    }

    private func checkSize(_ facts: CertificateFacts, _ path: String) throws(AuthenticityError) {
        guard let bits = facts.bitsOfRSA, bits >= Self.smallestKey else {
            throw AuthenticityError(facts.bitsOfRSA == nil ? .leafKey : .tooWeak, path: path)
        }
    }

    /// Whether this system verifies SHA-1 at all: Fedora 41, RHEL 9 and their like refuse it by policy.
    ///
    /// Apple's root is signed with SHA-1 by its own key. ``TrustedRoots`` checks that signature, and fails where the system
    /// refuses SHA-1.
    static let systemTakesSHA1 = (try? TrustedRoots([AppleRoot.ca], profile: .rfc5280)) != nil
}
