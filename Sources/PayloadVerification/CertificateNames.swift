import NotificationTranslation

/// Whose a certificate is and who issued it: what is needed to find it among others.
struct CertificateNames {
    let whole: Range<Int>
    /// Where the number is that its issuer gave it.
    let serial: Range<Int>
    /// Where the issuer's name is, tag and length included.
    let issuer: Range<Int>
    /// Where its own name is, tag and length included.
    let subject: Range<Int>
    /// Where the object identifier of the algorithm is that it is signed with.
    let algorithm: Range<Int>

    /// The names of the certificate at a place, `nil` if there is none.
    init?(_ bytes: [UInt8], _ certificate: DERReader.Element) {
        var outer = DERReader(bytes, in: certificate.content)
        guard certificate.tag == .sequence, var body = outer.enter() else { return nil }
        _ = body.next(.context0)
        guard let serial = body.next(.integer), var algorithm = body.enter(),
            let identifier = algorithm.next(.identifier),
            let issuer = body.next(.sequence), body.next(.sequence) != nil,
            let subject = body.next(.sequence)
        else { return nil }
        whole = certificate.whole
        self.serial = serial.content
        self.issuer = issuer.whole
        self.subject = subject.whole
        self.algorithm = identifier.content
    }
}

/// Object identifiers as DER writes them, without tag and length.
enum ObjectID {
    static let basicConstraints = identifier("2.5.29.19")
    static let keyUsage = identifier("2.5.29.15")
    static let ecPublicKey = identifier("1.2.840.10045.2.1")
    static let p256 = identifier("1.2.840.10045.3.1.7")
    static let rsaEncryption = identifier("1.2.840.113549.1.1.1")
    /// Apple's marks of leaf and intermediate.
    static let receiptSigner = identifier("1.2.840.113635.100.6.11.1")
    static let developerAuthority = identifier("1.2.840.113635.100.6.2.1")
    /// What certificates of receipts are signed with: RSA and SHA-1, or SHA-256, SHA-384 and SHA-512.
    static let sha1WithRSA = identifier("1.2.840.113549.1.1.5")
    static let sha2WithRSA = ["11", "12", "13"].map { identifier("1.2.840.113549.1.1." + $0) }
    /// What PKCS #7 holds, and its digests.
    static let data = identifier("1.2.840.113549.1.7.1")
    static let signedData = identifier("1.2.840.113549.1.7.2")
    static let sha1 = identifier("1.3.14.3.2.26")
    static let sha256 = identifier("2.16.840.1.101.3.4.2.1")

    /// The bytes of a dotted text.
    static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { Int($0) }
        // The first two numbers share a byte.
        return ([40 * numbers[0] + numbers[1]] + numbers.dropFirst(2)).flatMap { number in
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            return groups
        }
    }
}
