#if canImport(CryptoKit)
import CryptoKit
import NotificationTranslation

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
#endif
