import NotificationTranslation

extension NegativeCase {
    /// The certificates.
    static let chains: [NegativeCase] = [
        .token("bad DER", .badCertificate, "x5c[0]") { $0.chain[0] = Token.base64(Array("abc".utf8)) },
        .token("bad DER in the middle", .badCertificate, "x5c[1]") { $0.chain[1] = "AAAA" },
        .token("garbage for a root", .badCertificate, "x5c[2]") { $0.chain[2] = "AAAA" },
        .token("garbage for all three", .badCertificate, "x5c[0]") { $0.chain = ["AAAA", "AAAA", "AAAA"] },
        .token("byte behind the leaf", .badCertificate, "x5c[0]") { $0.chain[0] = longer($0.chain[0]) },
        .token("byte behind the intermediate", .badCertificate, "x5c[1]") { $0.chain[1] = longer($0.chain[1]) },
        .token("byte behind the root", .badCertificate, "x5c[2]") { $0.chain[2] = longer($0.chain[2]) },
        Self("another root", .untrustedRoot, "x5c[1]") { _ in
            var wish = ForgedChain.Wish()
            wish.root.subject = "Other Root"
            wish.root.issuer = "Other Root"
            wish.intermediate.issuer = "Other Root"
            return try Token(try ForgedChain(wish)).text()
        },
        Self("forged chain of the same names", .certificateSignature, "x5c[1]") { _ in
            try Token(try ForgedChain()).text()
        },
        Self("forged chain, with the trusted root sent along", .certificateSignature, "x5c[1]") { trusted in
            var forged = try ForgedChain()
            forged.root = trusted.root
            return try Token(forged).text()
        },
        .chain("forged intermediate", .certificateSignature, "x5c[1]") {
            $0.intermediateIssuer = try SigningKey(.p384)
        },
        .chain("forged leaf", .certificateSignature, "x5c[0]") { $0.leafIssuer = try SigningKey(.p384) },
        Self("forged leaf below the trusted intermediate", .certificateSignature, "x5c[0]") { trusted in
            var forged = try ForgedChain()
            (forged.intermediate, forged.root) = (trusted.intermediate, trusted.root)
            return try Token(forged).text()
        },
        .token("leaf and intermediate exchanged", .chainLength, "x5c") { $0.chain.swapAt(0, 1) },
        .token("root for an intermediate", .untrustedRoot, "x5c[0]") { $0.chain[1] = $0.chain[2] },
        .token("leaf for an intermediate", .untrustedRoot, "x5c[0]") { $0.chain[1] = $0.chain[0] },
        Self("leaf signed by the root itself", .chainLength, "x5c") { trusted in
            var wish = ForgedChain.Wish()
            wish.leaf.issuer = "Invented Root"
            wish.leaf.extensions[1] = .issuerKey(1)
            wish.leafIssuer = trusted.rootKey
            return try Token(try ForgedChain(below: trusted, wish)).text()
        },
        Self("leaf issued by a leaf", .notAnAuthority, "x5c[1]") { trusted in
            var wish = ForgedChain.Wish()
            wish.intermediate.extensions = [
                .authority(false), .issuerKey(1), .subjectKey(2), .signs, .receiptSigner, .developerAuthority,
            ]
            return try Token(try ForgedChain(below: trusted, wish)).text()
        },
        Self("leaf issued by Apple's leaf", .untrustedRoot, "x5c[0]") { trusted in
            var wish = ForgedChain.Wish()
            wish.leaf.issuer = "Invented Receipt Signing"
            wish.leaf.extensions[1] = .issuerKey(3)
            wish.leafIssuer = trusted.leafKey
            var forged = try ForgedChain(below: trusted, wish)
            forged.intermediate = trusted.leaf
            return try Token(forged).text()
        },
        .chain("intermediate is no authority", .notAnAuthority, "x5c[1]") { wish in
            wish.intermediate.extensions[0] = .authority(false)
            wish.intermediate.extensions[3] = .signs
        },
        .chain("intermediate says nothing about authority", .notAnAuthority, "x5c[1]") {
            $0.intermediate.extensions.remove(at: 0)
        },
        .chain("intermediate may not sign certificates", .notAnAuthority, "x5c[1]") {
            $0.intermediate.extensions[3] = .signs
        },
        .chain("intermediate without Apple's mark", .intermediateMark, "x5c[1]") {
            $0.intermediate.extensions.removeLast()
        },
        .chain("intermediate with the leaf's mark", .intermediateMark, "x5c[1]") {
            $0.intermediate.extensions[4] = .receiptSigner
        },
        .chain("leaf without Apple's mark", .leafMark, "x5c[0]") { $0.leaf.extensions.removeLast() },
        .chain("leaf with another mark", .leafMark, "x5c[0]") { $0.leaf.extensions[4] = .developerAuthority },
        .chain("leaf on P-384", .leafKey, "x5c[0]") { $0.leafKind = .p384 },
        .chain("leaf is an authority", .leafIsAuthority, "x5c[0]") { wish in
            wish.leaf.extensions[0] = .authority(true)
            wish.leaf.extensions[3] = .signsCertificates
        },
        .chain("leaf is an authority and signs", .leafIsAuthority, "x5c[0]") { wish in
            wish.intermediate.extensions[0] = .authority(true)
            wish.leaf.extensions[0] = .authority(true)
        },
        .chain("leaf not for signatures", .leafKeyUsage, "x5c[0]") { $0.leaf.extensions[3] = .agreesOnly },
        .chain("leaf without key usage", .leafKeyUsage, "x5c[0]") { $0.leaf.extensions.remove(at: 3) },
        .chain("unknown critical extension in the leaf", .criticalExtension, "x5c[0]") {
            $0.leaf.extensions.append(.unknown)
        },
        .chain("unknown critical extension in the middle", .criticalExtension, "x5c[1]") {
            $0.intermediate.extensions.append(.unknown)
        },
        .chain("an extension twice", .badCertificate, "x5c[0]") { $0.leaf.extensions.append(.receiptSigner) },
        .chain("leaf without its issuer's key id", .profile, "x5c[0]") { $0.leaf.extensions.remove(at: 1) },
        .chain("leaf expired", .expired, "x5c[0]") { $0.leaf.notAfter = "20231114221319Z" },
        .chain("leaf not yet valid", .notYetValid, "x5c[0]") { $0.leaf.notBefore = "20231114221321Z" },
        .chain("intermediate expired", .expired, "x5c[1]") { $0.intermediate.notAfter = "20230101000000Z" },
        .chain("intermediate not yet valid", .notYetValid, "x5c[1]") { $0.intermediate.notBefore = "20240101000000Z" },
        .token("chain expired by signedDate", .signedInFuture, "signedDate") {
            $0.payload = Token.notification(signedDate: "2280946846000")
        },
        .token("chain not yet valid by signedDate", .notYetValid, "x5c[2]") {
            $0.payload = Token.notification(signedDate: "1500000000000")
        },
        .token("signed before 1970", .notYetValid, "x5c[2]") { $0.payload = Token.notification(signedDate: "-1") },
    ]

    /// A certificate with a byte behind it.
    private static func longer(_ text: String) -> String {
        Token.base64((StrictBase64.decoded(standard: text.utf8) ?? []) + [0])
    }
}
