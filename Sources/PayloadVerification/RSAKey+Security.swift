#if canImport(CryptoKit)
import CoreFoundation
import Security

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
