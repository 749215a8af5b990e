import NotificationTranslation
import PayloadVerification

/// The content of an app receipt: a set of attributes, right unless a test asks for something else.
struct ReceiptContent: Sendable {
    /// One record.
    struct Record: Sendable {
        var transaction = "1000000710000002"
        var original = "1000000710000001"
        var product = "com.example.app.month"
        var purchased = "2023-11-14T22:13:15Z"
        var originalPurchased = "2023-10-14T22:13:15Z"
        var expires = "2023-12-14T22:13:15Z"
        var cancelled = ""
        var quantity: Int64 = 1
        var line: Int64 = 1_000_000_056_000_002
        /// More attributes, or others of the same types.
        var more: [[UInt8]] = []
        /// The types that are left out.
        var without: Set<Int64> = []

        var bytes: [UInt8] {
            let attributes: [(Int64, [UInt8])] = [
                (1701, DERWriter.number(quantity)), (1702, DERWriter.utf8(product)),
                (1703, DERWriter.utf8(transaction)), (1704, DERWriter.ia5(purchased)),
                (1705, DERWriter.utf8(original)), (1706, DERWriter.ia5(originalPurchased)),
                (1708, DERWriter.ia5(expires)), (1711, DERWriter.number(line)), (1712, DERWriter.ia5(cancelled)),
                (1713, DERWriter.number(0)), (1719, DERWriter.number(1)),
                (1707, [0x04, 0x00]),
            ]
            let kept = attributes.filter { !without.contains($0.0) }.map { ReceiptContent.attribute($0.0, $0.1) }
            return DERWriter.set(kept + more)
        }
    }

    /// 2023-11-14, as ``Token/signedDate``.
    static let created = "2023-11-14T22:13:20Z"

    var kind: String? = "Production"
    var bundleID: String? = "com.example.app"
    var created: String? = ReceiptContent.created
    var records = [Record()]
    /// More attributes.
    var more: [[UInt8]] = []

    static func attribute(_ type: Int64, _ value: [UInt8], version: Int64 = 1) -> [UInt8] {
        DERWriter.sequence(DERWriter.number(type), DERWriter.number(version), DERWriter.octets(value))
    }

    var bytes: [UInt8] {
        var parts = records.map { Self.attribute(17, $0.bytes) }
        parts.insert(Self.attribute(4, [7, 7, 7, 7]), at: 0)
        if let kind { parts.append(Self.attribute(0, DERWriter.utf8(kind))) }
        if let bundleID { parts.append(Self.attribute(2, DERWriter.utf8(bundleID))) }
        if let created { parts.append(Self.attribute(12, DERWriter.ia5(created))) }
        parts.append(Self.attribute(3, DERWriter.utf8("41")))
        parts.append(Self.attribute(19, DERWriter.utf8("1.0")))
        parts.append(Self.attribute(21, DERWriter.ia5("")))
        return DERWriter.set(parts + more)
    }
}

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
    static let receiptChain = Result { try ForgedChain(.rsa) }
    static let receiptVerifier = Result { try AppReceiptVerifier(roots: [try receiptChain.get().root]) }

    /// What becomes of a receipt.
    static func outcome(of der: [UInt8], _ verifier: AppReceiptVerifier) -> Result<AppReceipt, VerificationError> {
        do throws(VerificationError) { return .success(try verifier.verify(der: der)) } catch { return .failure(error) }
    }
}
