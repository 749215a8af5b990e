import NotificationTranslation

@testable import PayloadVerification

/// A key made for one test run, to sign certificates and tokens with.
struct SigningKey: Sendable {
    enum Kind: String, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"
        case rsa = "RSA"
        case rsa1024 = "RSA-1024"
    }

    let kind: Kind
    /// SubjectPublicKeyInfo, in DER.
    let publicKeyInfo: [UInt8]
    private let signer: any MessageSigner

    init(_ kind: Kind) throws {
        self.kind = kind
        signer = try makeSigner(kind)
        publicKeyInfo = signer.publicKeyInfo
    }

    /// The DER signature of a message, with the digest of the key's kind.
    func sign(_ message: [UInt8]) throws -> [UInt8] { try signer.sign(message, kind == .p384 ? "SHA384" : "SHA256") }

    /// The signature of a message with a digest by its name.
    func sign(_ message: [UInt8], digest: String) throws -> [UInt8] { try signer.sign(message, digest) }

    /// The 64 bytes of an ES256 signature.
    func signES256(_ message: [UInt8]) throws -> [UInt8] {
        var reader = DERReader(try signer.sign(message, "SHA256"))
        guard var pair = reader.enter(), let r = pair.next(.integer), let s = pair.next(.integer) else {
            throw ForgeFailure(what: "signature")
        }
        return [r, s].flatMap { element in
            let number = pair.bytes[element.content].drop { $0 == 0 }
            return [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number.suffix(32)
        }
    }
}

/// Something a test needs could not be made.
struct ForgeFailure: Error {
    var what: String
}

/// What a key must be able to do.
protocol MessageSigner: Sendable {
    var publicKeyInfo: [UInt8] { get }
    func sign(_ message: [UInt8], _ digest: String) throws -> [UInt8]
}
