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

/// The algorithms that certificates of receipts are signed with.
enum CertificateSignature {
    /// 1.2.840.113549.1.1.5, sha1WithRSAEncryption.
    static let sha1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    /// sha256WithRSAEncryption, and the same with SHA-384 and SHA-512: they differ in the last byte.
    static let sha2: [[UInt8]] = [0x0B, 0x0C, 0x0D].map { sha1.dropLast() + [$0] }
}
