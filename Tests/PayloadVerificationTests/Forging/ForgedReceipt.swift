import NotificationTranslation
import PayloadVerification

@testable import PayloadVerification

/// An app receipt in Apple's container, right unless a test asks for something else: keys and names are of this run.
struct ForgedReceipt {
    var content: [UInt8]
    var certificates: [[UInt8]]
    var key: SigningKey
    var digest = "SHA256"
    var signedData = "1.2.840.113549.1.7.2"
    var version: UInt8 = 1
    /// The set of digest algorithms, if not just the one.
    var digestAlgorithms: [[UInt8]]?
    var contentType = "1.2.840.113549.1.7.1"
    /// The wrapped content, if another than the content.
    var wrapped: [UInt8]?
    /// Revocation lists.
    var lists: [UInt8] = []
    var signerVersion: UInt8 = 1
    var issuer = "Invented Authority"
    var serial: UInt8 = 1
    var signerDigest: String?
    var signedAttributes: [UInt8] = []
    var signatureAlgorithm = "1.2.840.113549.1.1.1"
    var unsignedAttributes: [UInt8] = []
    /// How often the signer stands there.
    var signers = 1

    init(_ chain: ForgedChain, _ content: ReceiptContent = ReceiptContent()) {
        self.content = content.bytes
        certificates = chain.certificates
        key = chain.leafKey
    }

    /// The identifier of a digest, as an algorithm.
    static func algorithm(_ digest: String) -> [UInt8] {
        let name =
            switch digest {
            case "MD5": "1.2.840.113549.2.5"
            case "SHA1": "1.3.14.3.2.26"
            case "SHA512": "2.16.840.1.101.3.4.2.3"
            default: "2.16.840.1.101.3.4.2.1"
            }
        return DERWriter.sequence(DERWriter.identifier(name), DERWriter.null)
    }

    func der() throws -> [UInt8] {
        let signer = DERWriter.sequence(
            DERWriter.integer(signerVersion),
            DERWriter.sequence(DERWriter.name(issuer), DERWriter.integer(serial)),
            Self.algorithm(signerDigest ?? digest),
            signedAttributes,
            DERWriter.sequence(DERWriter.identifier(signatureAlgorithm), DERWriter.null),
            DERWriter.octets(try key.sign(content, digest: digest)),
            unsignedAttributes
        )
        let signed = DERWriter.sequence(
            DERWriter.integer(version),
            DERWriter.set(digestAlgorithms ?? [Self.algorithm(digest)]),
            DERWriter.sequence(
                DERWriter.identifier(contentType),
                wrapped ?? DERWriter.element(0xA0, DERWriter.octets(content))
            ),
            certificates.isEmpty ? [] : DERWriter.element(0xA0, certificates.flatMap { $0 }),
            lists,
            DERWriter.set(Array(repeating: signer, count: signers))
        )
        return DERWriter.sequence(DERWriter.identifier(signedData), DERWriter.element(0xA0, signed))
    }
}

extension ForgedChain.Wish {
    /// All keys of RSA, as the certificates of receipts have them.
    static var rsa: ForgedChain.Wish {
        var wish = ForgedChain.Wish()
        (wish.rootKind, wish.intermediateKind, wish.leafKind) = (.rsa, .rsa, .rsa)
        wish.root.digest = "SHA1"
        return wish
    }
}

extension Forged {
    /// Root, intermediate and leaf of receipts.
    private static let madeReceiptChain = Result { try ForgedChain(.rsa) }
    private static let madeReceiptVerifier = Result { try AppReceiptVerifier(roots: [receiptChain.root]) }
    static var receiptChain: ForgedChain { get throws { try madeReceiptChain.get() } }
    static var receiptVerifier: AppReceiptVerifier { get throws { try madeReceiptVerifier.get() } }

    /// What becomes of a receipt.
    static func outcome(of der: [UInt8], _ verifier: AppReceiptVerifier) -> Result<AppReceipt, AuthenticityError> {
        do throws(AuthenticityError) { return .success(try verifier.verify(der: der)) } catch { return .failure(error) }
    }
}

extension DERWriter {
    static func set(_ parts: [[UInt8]]) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
    static func utf8(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }

    /// An INTEGER in its shortest form.
    static func number(_ value: Int64) -> [UInt8] {
        var bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }
        while bytes.count > 1, bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80 {
            bytes.removeFirst()
        }
        return element(0x02, bytes)
    }
}
