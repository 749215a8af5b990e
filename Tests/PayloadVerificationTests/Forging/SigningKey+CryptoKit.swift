#if canImport(CryptoKit)
import CryptoKit
import Foundation

func makeSigner(_ kind: SigningKey.Kind) throws -> any MessageSigner {
    switch kind {
    case .p256: P256Signer()
    case .p384: P384Signer()
    case .p521, .rsa, .rsa1024: throw ForgeFailure(what: kind.rawValue)
    }
}

private struct P256Signer: MessageSigner {
    private let key = P256.Signing.PrivateKey()
    var publicKeyInfo: [UInt8] { Array(key.publicKey.derRepresentation) }

    func sign(_ message: [UInt8], _ digest: String) throws -> [UInt8] {
        guard digest != "SHA1" else { throw ForgeFailure(what: digest) }
        return Array(try key.signature(for: Data(message)).derRepresentation)
    }
}

private struct P384Signer: MessageSigner {
    private let key = P384.Signing.PrivateKey()
    var publicKeyInfo: [UInt8] { Array(key.publicKey.derRepresentation) }

    func sign(_ message: [UInt8], _ digest: String) throws -> [UInt8] {
        guard digest != "SHA1" else { throw ForgeFailure(what: digest) }
        return Array(try key.signature(for: Data(message)).derRepresentation)
    }
}
#endif
