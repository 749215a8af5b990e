#if !canImport(CryptoKit)
import CNotificationLibcrypto
import NotificationTranslation

/// A public key on the curve P-256.
final class P256Key: @unchecked Sendable {
    // libcrypto's keys are counted by reference and read from any number of threads.
    private let key: OpaquePointer

    /// The key of a SubjectPublicKeyInfo in DER, `nil` if it is not a whole one on this curve.
    init?(publicKeyInfo der: [UInt8]) {
        guard let key = lc_key_new(LC_PAYLOAD, der, der.count) else { return nil }
        self.key = key
    }

    deinit {
        lc_key_free(key)
    }

    /// Whether `signature` (r and s, 32 bytes each) is the ECDSA signature of the message's SHA-256.
    func isValid(_ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
        guard signature.count == CompactJWS.signatureLength,
            let signature = signature.assumingMemoryBound(to: UInt8.self).baseAddress
        else { return false }
        return lc_key_verify(key, message.assumingMemoryBound(to: UInt8.self).baseAddress, message.count, signature)
            == 1
    }
}
#endif
