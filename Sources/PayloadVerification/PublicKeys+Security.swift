#if canImport(CryptoKit)
import CoreFoundation
import CryptoKit
import NotificationTranslation
import Security

/// A public key on the curve P-256.
final class P256Key: Sendable {
    private let key: P256.Signing.PublicKey

    /// The key of a SubjectPublicKeyInfo in DER, `nil` if it is not a whole one on this curve.
    init?(publicKeyInfo der: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: der) else { return nil }
        self.key = key
    }

    /// Whether `signature` (r and s, 32 bytes each) is the ECDSA signature of the message's SHA-256.
    func isValid(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
        guard signature.count == CompactJWS.signatureLength,
            let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(ecdsa, for: message)
    }
}

/// A private key on the curve P-256.
package final class P256SigningKey: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The key in DER (PKCS #8).
    let file: [UInt8]
    /// SubjectPublicKeyInfo, in DER.
    var publicKeyInfo: [UInt8] { Array(key.publicKey.derRepresentation) }

    /// The key of a file, whose last 32 bytes it is.
    init?(file: [UInt8]) {
        guard Self.isKey(file), let key = try? P256.Signing.PrivateKey(rawRepresentation: file.suffix(32)) else {
            return nil
        }
        self.key = key
        self.file = file
    }

    /// The ECDSA signature of the SHA-256 of some bytes, from any number of threads: r and s, 32 bytes each; zeros, which
    /// no verifier accepts, if CryptoKit fails.
    package func signature(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard let signature = try? key.signature(for: bytes) else { return [UInt8](repeating: 0, count: 64) }
        return Array(signature.rawRepresentation)
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
                names, Unmanaged.passUnretained(name).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
        }
        set(kSecAttrKeyType, kSecAttrKeyTypeRSA)
        set(kSecAttrKeyClass, kSecAttrKeyClassPublic)
        guard let key = SecKeyCreateWithData(data, names, nil) else { return nil }
        self.key = key
    }

    /// Whether `signature` is the signature (PKCS #1 version 1.5) of the message's digest.
    func isValid(
        _ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, digest: ReceiptDigest
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
