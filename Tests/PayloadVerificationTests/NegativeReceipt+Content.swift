import NotificationTranslation

@testable import PayloadVerification

extension NegativeReceipt {
    /// The certificates.
    static let chains: [NegativeReceipt] = [
        Self("another root", .untrustedRoot, "intermediate") { _ in
            var wish = ForgedChain.Wish.rsa
            wish.root.subject = "Other Root"
            wish.root.issuer = "Other Root"
            wish.intermediate.issuer = "Other Root"
            return try ForgedReceipt(try ForgedChain(wish)).der()
        },
        Self("forged chain of the same names", .certificateSignature, "intermediate") { _ in
            try ForgedReceipt(try ForgedChain(.rsa)).der()
        },
        Self("forged chain, with the trusted root inside", .certificateSignature, "intermediate") { trusted in
            var forged = try ForgedChain(.rsa)
            forged.root = trusted.root
            return try ForgedReceipt(forged).der()
        },
        Self("forged leaf below the trusted intermediate", .certificateSignature, "leaf") { trusted in
            var forged = try ForgedChain(.rsa)
            (forged.intermediate, forged.root) = (trusted.intermediate, trusted.root)
            return try ForgedReceipt(forged).der()
        },
        Self("a leaf that the root itself signed", .chainLength, "certificates") { trusted in
            var wish = ForgedChain.Wish.rsa
            wish.leaf.issuer = "Invented Root"
            wish.leaf.extensions[1] = .issuerKey(1)
            wish.leaf.serial = 9
            wish.leafIssuer = trusted.rootKey
            let chain = try ForgedChain(below: trusted, wish, reusesKeys: true)
            var receipt = ForgedReceipt(chain)
            receipt.issuer = "Invented Root"
            receipt.serial = 9
            receipt.certificates = [chain.leaf, chain.root]
            return try receipt.der()
        },
        .chain("a developer's leaf, without Apple's mark", .leafMark, "leaf") { $0.leaf.extensions.removeLast() },
        .chain("intermediate without Apple's mark", .intermediateMark, "intermediate") {
            $0.intermediate.extensions.removeLast()
        },
        .chain("intermediate that is no authority", .notAnAuthority, "intermediate") {
            $0.intermediate.extensions[0] = .authority(false)
            $0.intermediate.extensions[3] = .signs
        },
        .chain("leaf that is an authority", .leafIsAuthority, "leaf") { wish in
            wish.intermediate.extensions[0] = .authority(true)
            wish.leaf.extensions[0] = .authority(true)
        },
        .chain("leaf that is not for signatures", .leafKeyUsage, "leaf") { $0.leaf.extensions[3] = .agreesOnly },
        .chain("unknown critical extension", .criticalExtension, "leaf") { $0.leaf.extensions.append(.unknown) },
        .chain("leaf with 1024 bits", .tooWeak, "leaf") { $0.leafKind = .rsa1024 },
        .chain("intermediate with 1024 bits", .tooWeak, "intermediate") { $0.intermediateKind = .rsa1024 },
        .chain("leaf signed with MD5", .tooWeak, "leaf") { $0.leaf.digest = "MD5" },
        .chain("intermediate signed with MD5", .tooWeak, "intermediate") { $0.intermediate.digest = "MD5" },
        Self("leaf on a curve", .leafKey, "leaf") { trusted in
            var wish = ForgedChain.Wish.rsa
            wish.leafKind = .p256
            var receipt = ForgedReceipt(try ForgedChain(below: trusted, wish, reusesKeys: true))
            receipt.key = trusted.leafKey
            return try receipt.der()
        },
        .chain("leaf that had expired when the receipt was made", .expired, "leaf") {
            $0.leaf.notAfter = "20231114221319Z"
        },
        .chain("leaf that was not valid yet when the receipt was made", .notYetValid, "leaf") {
            $0.leaf.notBefore = "20231114221321Z"
        },
        .chain("intermediate that had expired", .expired, "intermediate") {
            $0.intermediate.notAfter = "20230101000000Z"
        },
        .content("made before all certificates", .notYetValid, "root") { $0.created = "2013-09-18T10:00:00Z" },
        .content("made before 1970", .notYetValid, "root") { $0.created = "1969-12-31T23:59:59Z" },
        .content("made after all certificates", .expired, "root") { $0.created = "2041-01-01T00:00:00Z" },
    ]

    /// The content, signed as it is.
    static let contents: [NegativeReceipt] = [
        .receipt("empty content", .receiptContent) { $0.content = [] },
        .receipt("content of text", .receiptContent) { $0.content = Array("hello".utf8) },
        .receipt("a sequence for the set", .receiptContent) { $0.content[0] = 0x30 },
        .receipt("a byte after the set", .receiptContent) { $0.content.append(0) },
        .content("an attribute of one element", .receiptContent) { $0.more = [DERWriter.sequence(DERWriter.null)] },
        .content("an attribute of four elements", .receiptContent) {
            let parts = [DERWriter.number(7), DERWriter.number(1), DERWriter.octets([]), DERWriter.null]
            $0.more = [DERWriter.element(0x30, parts.flatMap { $0 })]
        },
        .content("a type of nine bytes", .receiptContent) {
            let type = DERWriter.element(0x02, [UInt8](repeating: 1, count: 9))
            $0.more = [DERWriter.sequence(type, DERWriter.number(1), DERWriter.octets([]))]
        },
        .content("a type that is written longer than needed", .receiptContent) {
            let type = DERWriter.element(0x02, [0, 2])
            $0.more = [DERWriter.sequence(type, DERWriter.number(1), DERWriter.octets([]))]
        },
        .content("no creation date", .receiptUndated) { $0.created = nil },
        .content("an empty creation date", .receiptUndated) { $0.created = "" },
        .content("two creation dates", .receiptDuplicate, "receipt_creation_date") {
            $0.more = [ReceiptContent.attribute(12, DERWriter.ia5("2023-11-14T22:13:20Z"))]
        },
        .content("a creation date without its zone", .receiptAttribute, "receipt_creation_date") {
            $0.created = "2023-11-14T22:13:20"
        },
        .content("a creation date with a fraction", .receiptAttribute, "receipt_creation_date") {
            $0.created = "2023-11-14T22:13:20.5Z"
        },
        .content("a creation date that no calendar has", .receiptAttribute, "receipt_creation_date") {
            $0.created = "2023-02-30T22:13:20Z"
        },
        .content("a creation date as a number", .receiptAttribute, "receipt_creation_date") {
            $0.created = nil
            $0.more = [ReceiptContent.attribute(12, DERWriter.number(1_700_000_000))]
        },
        .content("no type", .receiptContent, "receipt_type") { $0.kind = nil },
        .content("no bundle id", .receiptContent, "bundle_id") { $0.bundleID = nil },
        .content("an empty bundle id", .receiptContent, "bundle_id") { $0.bundleID = "" },
        .content("two bundle ids", .receiptDuplicate) {
            $0.more = [ReceiptContent.attribute(2, DERWriter.utf8("com.example.other"))]
        },
        .content("an unknown attribute twice", .receiptDuplicate) {
            $0.more = [ReceiptContent.attribute(99, []), ReceiptContent.attribute(99, [])]
        },
        .content("a bundle id that is no text", .receiptAttribute, "bundle_id") {
            $0.bundleID = nil
            $0.more = [ReceiptContent.attribute(2, DERWriter.number(1))]
        },
        .content("a bundle id that is not UTF-8", .receiptAttribute, "bundle_id") {
            $0.bundleID = nil
            $0.more = [ReceiptContent.attribute(2, DERWriter.element(0x0C, [0x63, 0xFF]))]
        },
        .content("a byte after a value", .receiptAttribute, "bundle_id") {
            $0.bundleID = nil
            $0.more = [ReceiptContent.attribute(2, DERWriter.utf8("com.example.app") + [0])]
        },
        .content("a record that is no set", .receiptContent, "in_app[1]") {
            $0.more = [ReceiptContent.attribute(17, DERWriter.null)]
        },
        .content("two transaction ids in one record", .receiptDuplicate, "in_app[0]") {
            $0.records[0].more = [ReceiptContent.attribute(1703, DERWriter.utf8("1"))]
        },
        .content("a date of a record that is none", .receiptAttribute, "in_app[0].expires_date") {
            $0.records[0].expires = "tomorrow"
        },
        .content("a quantity as text", .receiptAttribute, "in_app[0].quantity") {
            $0.records[0].without = [1701]
            $0.records[0].more = [ReceiptContent.attribute(1701, DERWriter.utf8("1"))]
        },
    ]
}
