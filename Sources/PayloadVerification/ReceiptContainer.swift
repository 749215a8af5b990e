import NotificationTranslation

enum ReceiptDigest: Hashable, Sendable {
    /// In production until January 2024 at least.
    case sha1
    /// Since 2023.
    case sha256
}

/// The container of an app receipt: PKCS #7 SignedData (RFC 2315) in the one shape that Apple gives it, read strictly.
///
///     SEQUENCE  signedData
///        [0] SEQUENCE  version 1
///           SET        digest algorithms: exactly one
///           SEQUENCE   data, [0] OCTET STRING: the content
///           [0]        certificates: one to four
///           SET        signers: exactly one
///              SEQUENCE  version 1, issuer and serial number, digest algorithm, rsaEncryption, OCTET STRING: signature
///
/// All of 256 genuine receipts from 2014 to 2025 have it; what differs is refused. Above all there are no signed
/// attributes: with them the signature would cover a digest that is in the container, instead of the content itself.
/// Nothing here is verified.
struct ReceiptContainer {
    /// DER of all.
    let bytes: [UInt8]
    let content: Range<Int>
    /// The signer's certificate.
    let leaf: CertificateNames
    /// The certificate of the signer's issuer.
    let intermediate: CertificateNames
    let digest: ReceiptDigest
    let signature: Range<Int>

    /// The longest container that is read, in bytes.
    ///
    /// Apple's are 5 to 80 kB; 187 transactions take 79 kB.
    static let longest = 1 << 20
    /// Apple sends three certificates.
    static let mostCertificates = 4

    /// The bytes of a container from its text in a body.
    static func der(base64 text: UnsafeRawBufferPointer) throws(AuthenticityError) -> [UInt8] {
        // Three bytes in four characters.
        guard text.count <= (longest + 2) / 3 * 4 else { throw AuthenticityError(.receiptTooLong) }
        guard let der = StrictBase64.decoded(standard: text) else { throw AuthenticityError(.receiptBase64) }
        return der
    }

    init(_ der: [UInt8]) throws(AuthenticityError) {
        guard der.count <= Self.longest else { throw AuthenticityError(.receiptTooLong) }
        // Receipts of iOS 6 are property lists in the old form, which begin with a brace.
        if der.first == 0x7B { throw AuthenticityError(.receiptOldForm) }
        var outer = ContainerReader(DERReader(der), "")
        var info = try outer.enter(.sequence, "contentInfo")
        try outer.finish()
        try info.identifier(ObjectID.signedData, else: .receiptMalformed)
        var wrapper = try info.enter(.context0, "signedData")
        try info.finish()
        var signed = try wrapper.enter(.sequence, "signedData")
        try wrapper.finish()
        guard try der[signed.element(.integer).content] == [1] else {
            throw AuthenticityError(.receiptVersion, path: "signedData")
        }
        let digests = try signed.enter(.set, "digestAlgorithms")
        content = try Self.content(&signed)
        let certificates = try Self.certificates(&signed)
        if signed.nextTag == .context1 { throw AuthenticityError(.receiptRevocationLists, path: "crls") }
        var signers = try signed.enter(.set, "signerInfos")
        try signed.finish()
        guard !signers.isAtEnd else { throw AuthenticityError(.receiptSigners, path: "signerInfos") }
        var signer = try signers.enter(.sequence, "signerInfos[0]")
        guard signers.isAtEnd else { throw AuthenticityError(.receiptSigners, path: "signerInfos") }
        digest = try Self.digest(digests)

        guard try der[signer.element(.integer).content] == [1] else {
            throw AuthenticityError(.receiptVersion, path: "signerInfos[0]")
        }
        var identity = try signer.enter(.sequence, "signerInfos[0].issuerAndSerialNumber")
        let issuer = try identity.element(.sequence).whole
        let serial = try identity.element(.integer).content
        try identity.finish()
        var ownDigest = try signer.enter(.sequence, "signerInfos[0].digestAlgorithm")
        guard try Self.digest(named: &ownDigest) == digest else {
            throw AuthenticityError(.receiptDigest, path: "signerInfos[0].digestAlgorithm")
        }
        if signer.nextTag == .context0 {
            throw AuthenticityError(.receiptSignedAttributes, path: "signerInfos[0]")
        }
        var encryption = try signer.enter(.sequence, "signerInfos[0].signatureAlgorithm")
        try encryption.identifier(ObjectID.rsaEncryption, else: .receiptSignatureAlgorithm)
        signature = try signer.element(.octetString).content
        if signer.nextTag == .context1 {
            throw AuthenticityError(.receiptUnsignedAttributes, path: "signerInfos[0]")
        }
        try signer.finish()

        let leaves = certificates.filter {
            der[$0.serial] == der[serial] && der[$0.issuer] == der[issuer]
        }
        guard let leaf = leaves.first, leaves.count == 1 else {
            throw AuthenticityError(.receiptNoLeaf, path: "certificates")
        }
        let above = certificates.first { $0.whole != leaf.whole && der[$0.subject] == der[leaf.issuer] }
        guard let intermediate = above else { throw AuthenticityError(.receiptNoIntermediate, path: "certificates") }
        bytes = der
        self.leaf = leaf
        self.intermediate = intermediate
    }

    /// The content, which must be inside and plain data.
    private static func content(_ signed: inout ContainerReader) throws(AuthenticityError) -> Range<Int> {
        var info = try signed.enter(.sequence, "contentInfo")
        try info.identifier(ObjectID.data, else: .receiptContentType)
        guard !info.isAtEnd else { throw AuthenticityError(.receiptContentType, path: "contentInfo") }
        var wrapper = try info.enter(.context0, "contentInfo")
        try info.finish()
        let content = try wrapper.element(.octetString).content
        try wrapper.finish()
        return content
    }

    /// The certificates, in any order.
    private static func certificates(_ signed: inout ContainerReader) throws(AuthenticityError) -> [CertificateNames] {
        guard signed.nextTag == .context0 else { throw AuthenticityError(.receiptCertificates, path: "certificates") }
        var list = try signed.enter(.context0, "certificates")
        var certificates: [CertificateNames] = []
        while !list.isAtEnd {
            guard certificates.count < mostCertificates else {
                throw AuthenticityError(.receiptCertificates, path: "certificates")
            }
            let place = certificates.count
            let element = try list.element(.sequence)
            guard let names = CertificateNames(list.bytes, element) else {
                throw AuthenticityError(.badCertificate, path: "certificates[\(place)]")
            }
            certificates.append(names)
        }
        guard !certificates.isEmpty else { throw AuthenticityError(.receiptCertificates, path: "certificates") }
        return certificates
    }

    /// The one digest of a set of algorithms.
    private static func digest(_ algorithms: ContainerReader) throws(AuthenticityError) -> ReceiptDigest {
        var algorithms = algorithms
        guard !algorithms.isAtEnd else { throw AuthenticityError(.receiptDigest, path: "digestAlgorithms") }
        var algorithm = try algorithms.enter(.sequence, "digestAlgorithms")
        guard algorithms.isAtEnd else { throw AuthenticityError(.receiptDigest, path: "digestAlgorithms") }
        return try digest(named: &algorithm)
    }

    private static func digest(named algorithm: inout ContainerReader) throws(AuthenticityError) -> ReceiptDigest {
        let name = try algorithm.element(.identifier).content
        if algorithm.bytes[name].elementsEqual(ObjectID.sha1) { return .sha1 }
        if algorithm.bytes[name].elementsEqual(ObjectID.sha256) { return .sha256 }
        throw AuthenticityError(.receiptDigest, path: algorithm.path)
    }
}

/// Reads a container and says what is wrong with it: bytes that are not DER, or DER of something else.
struct ContainerReader {
    private var reader: DERReader
    /// Where it is, in the names of RFC 2315.
    let path: String

    init(_ reader: DERReader, _ path: String) {
        self.reader = reader
        self.path = path
    }

    var bytes: [UInt8] { reader.bytes }
    var isAtEnd: Bool { reader.isAtEnd }
    var nextTag: DERReader.Tag? { reader.nextTag }

    /// The next element, which must have this tag.
    mutating func element(_ tag: DERReader.Tag) throws(AuthenticityError) -> DERReader.Element {
        guard !reader.isAtEnd else { throw AuthenticityError(.receiptMalformed, path: path) }
        guard let element = reader.next() else { throw AuthenticityError(.receiptNotDER, path: path) }
        guard element.tag == tag else { throw AuthenticityError(.receiptMalformed, path: path) }
        return element
    }

    /// A reader of the content of the next element, which must have this tag.
    mutating func enter(_ tag: DERReader.Tag, _ name: String) throws(AuthenticityError) -> ContainerReader {
        ContainerReader(DERReader(reader.bytes, in: try element(tag).content), name)
    }

    /// Reads an object identifier, which must be this one.
    mutating func identifier(_ name: [UInt8], else reason: AuthenticityError.Reason) throws(AuthenticityError) {
        let found = try element(.identifier).content
        guard reader.bytes[found].elementsEqual(name) else { throw AuthenticityError(reason, path: path) }
    }

    /// Refuses what is left.
    func finish() throws(AuthenticityError) {
        guard reader.isAtEnd else {
            throw AuthenticityError(path.isEmpty ? .receiptNotDER : .receiptMalformed, path: path)
        }
    }
}
