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
    func isValid(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
        let start = message.assumingMemoryBound(to: UInt8.self).baseAddress
        return signature.count == CompactJWS.signatureLength
            && lc_key_verify(key, start, message.count, signature) == 1
    }
}

/// A private key on the curve P-256.
package final class P256SigningKey: @unchecked Sendable {
    private let key: OpaquePointer
    /// The key in DER (PKCS #8).
    let file: [UInt8]
    /// SubjectPublicKeyInfo, in DER.
    let publicKeyInfo: [UInt8]

    init?(file: [UInt8]) {
        guard Self.isKey(file), let key = lc_private_key_new(file, file.count) else { return nil }
        self.key = key
        self.file = file
        publicKeyInfo = [UInt8](unsafeUninitializedCapacity: 128) { room, written in
            written = lc_key_public(key, room.baseAddress, room.count)
        }
    }

    deinit {
        lc_key_free(key)
    }

    /// The ECDSA signature of the SHA-256 of some bytes, from any number of threads: r and s, 32 bytes each; zeros, which
    /// no verifier accepts, if libcrypto fails.
    package func signature(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: CompactJWS.signatureLength) { room, written in
            room.initialize(repeating: 0)
            _ = lc_key_sign(key, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, room.baseAddress)
            written = room.count
        }
    }
}

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
        _ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, digest: ReceiptDigest
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
