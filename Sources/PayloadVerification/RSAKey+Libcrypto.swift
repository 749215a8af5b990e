#if !canImport(CryptoKit)
import CNotificationLibcrypto

/// A public key of RSA.
final class RSAKey: @unchecked Sendable {
    // libcrypto's keys are counted by reference and read from any number of threads.
    private let key: OpaquePointer

    /// The key of a SubjectPublicKeyInfo in DER, `nil` if it is not a whole one of RSA.
    init?(publicKeyInfo der: [UInt8]) {
        guard let key = lc_key_new(LC_RECEIPT, der, der.count) else { return nil }
        self.key = key
    }

    deinit {
        lc_key_free(key)
    }

    /// Whether `signature` is the signature (PKCS #1 version 1.5) of the message's digest.
    func isValid(
        _ signature: UnsafeRawBufferPointer,
        for message: UnsafeRawBufferPointer,
        digest: ReceiptDigest
    ) -> Bool {
        lc_key_verify_rsa(
            key,
            digest == .sha256 ? 1 : 0,
            message.assumingMemoryBound(to: UInt8.self).baseAddress,
            message.count,
            signature.assumingMemoryBound(to: UInt8.self).baseAddress,
            signature.count
        ) == 1
    }
}
#endif
