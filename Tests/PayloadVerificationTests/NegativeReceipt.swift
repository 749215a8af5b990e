import NotificationTranslation
import PayloadVerification
import Testing

@testable import PayloadVerification

/// A receipt that must be refused, and the code it must be refused with.
struct NegativeReceipt: Sendable, CustomTestStringConvertible {
    typealias Reason = AuthenticityError.Reason
    typealias Make = @Sendable (ForgedChain) throws -> [UInt8]
    typealias Change<Value> = @Sendable (inout Value) throws -> Void

    var testDescription: String
    var reason: Reason
    var path: String
    /// Makes the receipt below the root that is trusted.
    var make: Make

    init(_ name: String, _ reason: Reason, _ path: String = "", _ make: @escaping Make) {
        (testDescription, self.reason, self.path, self.make) = (name, reason, path, make)
    }

    /// A receipt that differs in what `change` says.
    static func receipt(
        _ name: String, _ reason: Reason, _ path: String = "", _ change: @escaping Change<ForgedReceipt>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var receipt = ForgedReceipt(trusted)
            try change(&receipt)
            return try receipt.der()
        }
    }

    /// A receipt whose signed content differs in what `change` says.
    static func content(
        _ name: String, _ reason: Reason, _ path: String = "", _ change: @escaping Change<ReceiptContent>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var content = ReceiptContent()
            try change(&content)
            return try ForgedReceipt(trusted, content).der()
        }
    }

    /// A receipt below a chain that differs in what `change` says, from the trusted root.
    static func chain(
        _ name: String, _ reason: Reason, _ path: String, _ change: @escaping Change<ForgedChain.Wish>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var wish = ForgedChain.Wish.rsa
            try change(&wish)
            return try ForgedReceipt(try ForgedChain(below: trusted, wish, reusesKeys: true)).der()
        }
    }
}

extension NegativeReceipt {
    /// The container.
    static let containers: [NegativeReceipt] = [
        Self("no bytes", .receiptMalformed) { _ in [] },
        Self("a receipt of the old form", .receiptOldForm) { _ in Array("{\n\t\"signature\" = \"AAAA\";\n}".utf8) },
        Self("text", .receiptNotDER) { _ in Array("hello".utf8) },
        Self("a byte after the receipt", .receiptNotDER) { try ForgedReceipt($0).der() + [0] },
        Self("cut by a byte", .receiptNotDER) { Array(try ForgedReceipt($0).der().dropLast()) },
        Self("an indefinite length", .receiptNotDER) { trusted in
            // What openssl writes with -stream: 30 80 … 00 00.
            let der = try ForgedReceipt(trusted).der()
            return [0x30, 0x80] + der.dropFirst(4) + [0, 0]
        },
        Self("a length that is longer than needed", .receiptNotDER) { trusted in
            let der = try ForgedReceipt(trusted).der()
            return [0x30, 0x83, 0] + der.dropFirst(2)
        },
        Self("nested deeply", .receiptMalformed, "contentInfo") { _ in
            (0..<2000).reduce([0x30, 0x00]) { nested, _ in DERWriter.element(0x30, nested) }
        },
        Self("longer than any", .receiptTooLong) { _ in [UInt8](repeating: 0x30, count: (1 << 20) + 1) },
        .receipt("not signed data", .receiptMalformed, "contentInfo") { $0.signedData = "1.2.840.113549.1.7.3" },
        .receipt("version 3", .receiptVersion, "signedData") { $0.version = 3 },
        .receipt("no digest", .receiptDigest, "digestAlgorithms") { $0.digestAlgorithms = [] },
        .receipt("two digests", .receiptDigest, "digestAlgorithms") {
            $0.digestAlgorithms = [ForgedReceipt.algorithm("SHA1"), ForgedReceipt.algorithm("SHA256")]
        },
        .receipt("signed with MD5", .receiptDigest, "digestAlgorithms") { $0.digest = "MD5" },
        .receipt("signed with SHA-512", .receiptDigest, "digestAlgorithms") { $0.digest = "SHA512" },
        .receipt("another digest of the signer", .receiptDigest, "signerInfos[0].digestAlgorithm") {
            $0.signerDigest = "SHA1"
        },
        .receipt("content of another type", .receiptContentType, "contentInfo") {
            $0.contentType = "1.2.840.113549.1.9.16.1.4"
        },
        .receipt("content elsewhere", .receiptContentType, "contentInfo") { $0.wrapped = [] },
        .receipt("content in pieces", .receiptMalformed, "contentInfo") {
            $0.wrapped = DERWriter.element(0xA0, DERWriter.element(0x24, DERWriter.octets($0.content)))
        },
        .receipt("no certificates", .receiptCertificates, "certificates") { $0.certificates = [] },
        .receipt("five certificates", .receiptCertificates, "certificates") { receipt in
            receipt.certificates += receipt.certificates.suffix(2)
        },
        .receipt("something else among the certificates", .badCertificate, "certificates[1]") {
            $0.certificates[1] = DERWriter.sequence(DERWriter.null)
        },
        .receipt("revocation lists", .receiptRevocationLists, "crls") { $0.lists = DERWriter.element(0xA1, []) },
        .receipt("no signer", .receiptSigners, "signerInfos") { $0.signers = 0 },
        .receipt("two signers", .receiptSigners, "signerInfos") { $0.signers = 2 },
        .receipt("a signer by key id", .receiptVersion, "signerInfos[0]") { $0.signerVersion = 3 },
        .receipt("signed attributes", .receiptSignedAttributes, "signerInfos[0]") {
            $0.signedAttributes = DERWriter.element(0xA0, [])
        },
        .receipt("unsigned attributes", .receiptUnsignedAttributes, "signerInfos[0]") {
            $0.unsignedAttributes = DERWriter.element(0xA1, [])
        },
        .receipt("a signature of another kind", .receiptSignatureAlgorithm, "signerInfos[0].signatureAlgorithm") {
            $0.signatureAlgorithm = "1.2.840.10045.4.3.2"
        },
        .receipt(
            "a signature with its digest in the name",
            .receiptSignatureAlgorithm,
            "signerInfos[0].signatureAlgorithm"
        ) { $0.signatureAlgorithm = "1.2.840.113549.1.1.11" },
        .receipt("a signer whose certificate is not inside", .receiptNoLeaf, "certificates") { $0.serial = 9 },
        .receipt("a signer whose certificate is inside twice", .receiptNoLeaf, "certificates") {
            $0.certificates.append($0.certificates[0])
        },
        .receipt("no certificate of the issuer", .receiptNoIntermediate, "certificates") {
            $0.certificates.remove(at: 1)
        },
    ]

    /// The signature.
    static let signatures: [NegativeReceipt] = [
        .receipt("signed with another key", .receiptSignature) { $0.key = try SigningKey(.rsa) },
        Self("another content than was signed", .receiptSignature) { trusted in
            var content = ReceiptContent()
            content.records[0].expires = "2099-12-14T22:13:15Z"
            var receipt = ForgedReceipt(trusted)
            receipt.wrapped = DERWriter.element(0xA0, DERWriter.octets(content.bytes))
            return try receipt.der()
        },
    ]
}
