import NotificationTranslation

extension NegativeCase {
    /// The text, its header and its signature.
    static let texts: [NegativeCase] = [
        Self("junk", .malformed) { _ in "a.b.c" },
        Self("four parts", .malformed) { try Token($0).text() + ".AAAA" },
        Self("two parts", .malformed) { Token($0).signingInput },
        Self("empty", .malformed) { _ in "" },
        Self("no signature", .signatureLength) { Token($0).signingInput + "." },
        Self("longer than any", .tooLong) { try Token($0).text() + String(repeating: "A", count: 1 << 20) },
        Self("padding behind the signature", .malformed) { try Token($0).text() + "==" },
        Self("stray bits behind the signature", .malformed) { try Self.strayBits(in: Token($0).text()) },
        Self("standard alphabet", .malformed) { chain in
            var token = Token(chain)
            token.payload = Token.notification(extra: ",\"x\":\"\u{FF}\u{FE}\u{FB}????>>>>\"")
            return try token.text().replacing("_", with: "/").replacing("-", with: "+")
        },
        Self("white space", .malformed) { try Token($0).text() + "\n" },
        Self("signature cut", .signatureLength) { try Token($0).text { Array($0.dropLast()) } },
        Self("signature longer", .signatureLength) { try Token($0).text { $0 + [0] } },
        Self("signature in DER", .signatureLength) { chain in
            let token = Token(chain)
            let der = try token.key.sign(Array(token.signingInput.utf8))
            return token.signingInput + "." + Token.base64URL(der)
        },
        Self("signature of zeros", .signature) { try Token($0).text { $0.map { _ in 0 } } },
        Self("r of zero", .signature) { try Token($0).text { [UInt8](repeating: 0, count: 32) + $0.suffix(32) } },
        Self("s of zero", .signature) { try Token($0).text { $0.prefix(32) + [UInt8](repeating: 0, count: 32) } },
        Self("signature of ones", .signature) { try Token($0).text { $0.map { _ in 0xFF } } },
        Self("one bit of the signature", .signature) { try Token($0).text { [$0[0] ^ 1] + $0.dropFirst() } },
        Self("last bit of the signature", .signature) { try Token($0).text { $0.dropLast() + [$0[63] ^ 1] } },
        Self("r and s exchanged", .signature) { try Token($0).text { Array($0.suffix(32) + $0.prefix(32)) } },
        Self("payload changed", .signature) {
            try Token($0).text(withPayload: Token.notification(extra: ",\"more\":1"))
        },
        Self("header changed", .signature) { chain in
            let honest = try Token(chain).text().split(separator: ".")
            var token = Token(chain)
            token.headerExtra = ",\"typ\":\"JWT\""
            return "\(token.signingInput.split(separator: ".")[0]).\(honest[1]).\(honest[2])"
        },
        .token("signed with another key", .signature) { $0.key = try SigningKey(.p256) },
    ]

    /// The header.
    static let headers: [NegativeCase] = [
        .token("algorithm none", .algorithm, "alg") { $0.algorithm = "\"none\"" },
        .token("algorithm HS256", .algorithm, "alg") { $0.algorithm = "\"HS256\"" },
        .token("algorithm ES384", .algorithm, "alg") { $0.algorithm = "\"ES384\"" },
        .unsigned("algorithm none and no signature", .algorithm, "alg") { $0.algorithm = "\"none\"" },
        .unsigned("algorithm HS256 and its signature", .algorithm, "alg", bytes: 32) { $0.algorithm = "\"HS256\"" },
        .unsigned("algorithm ES384 and its signature", .algorithm, "alg", bytes: 96) { $0.algorithm = "\"ES384\"" },
        .unsigned("algorithm twice and no signature", .duplicateHeaderKey) { $0.headerExtra = ",\"alg\":\"none\"" },
        .unsigned("no chain and no signature", .noChain, "x5c") { $0.header = "{\"alg\":\"ES256\"}" },
        .unsigned("no signature and a payload that is no JSON", .signatureLength) { $0.payload = "hello" },
        .token("algorithm in small letters", .algorithm, "alg") { $0.algorithm = "\"es256\"" },
        .token("algorithm in an array", .algorithm, "alg") { $0.algorithm = "[\"ES256\"]" },
        .token("no algorithm", .algorithm, "alg") { $0.header = "{\"x5c\":[]}" },
        .token("a demand", .criticalHeader, "crit") { $0.headerExtra = ",\"crit\":[\"exp\"],\"exp\":1" },
        .token("an empty demand", .criticalHeader, "crit") { $0.headerExtra = ",\"crit\":[]" },
        .token("algorithm twice", .duplicateHeaderKey) { $0.headerExtra = ",\"alg\":\"ES256\"" },
        .token("algorithm twice, once escaped", .duplicateHeaderKey) { $0.headerExtra = ",\"\\u0061lg\":\"none\"" },
        .token("unknown key twice", .duplicateHeaderKey) { $0.headerExtra = ",\"k\":1,\"k\":2" },
        .token("header no JSON", .badHeader) { $0.header = "{\"alg\":\"ES256\"" },
        .token("header with a comma too many", .badHeader) { $0.header = "{\"alg\":\"ES256\",}" },
        .token("header no object", .badHeader) { $0.header = "[\"ES256\"]" },
        .token("something behind the header", .badHeader) { $0.header = $0.headerText + "{}" },
        .token("chain under another name", .noChain, "x5c") {
            $0.header = $0.headerText.replacing("x5c", with: "x5cwrong")
        },
        .token("chain as one string", .noChain, "x5c") { $0.header = "{\"alg\":\"ES256\",\"x5c\":\"\($0.chain[0])\"}" },
        .token("key in the header", .noChain, "x5c") {
            $0.header = "{\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\"},\"kid\":\"k\"}"
        },
        .token("no certificates", .chainCount, "x5c") { $0.chain = [] },
        .token("two certificates", .chainCount, "x5c") { $0.chain.removeLast() },
        .token("four certificates", .chainCount, "x5c") { $0.chain.append($0.chain[2]) },
        .token("a number among the certificates", .chainCount, "x5c") {
            $0.header = $0.headerText.replacing("]", with: ",1]")
        },
        .token("bad base64", .badBase64, "x5c[0]") { $0.chain[0] = "abc" },
        .token("base64 without padding", .badBase64, "x5c[1]") { $0.chain[1] = unpadded($0.chain[1]) },
        .token("white space in base64", .badBase64, "x5c[0]") { $0.chain[0] += "\\n" },
        .token("base64url for base64", .badBase64, "x5c[2]") { $0.chain[2] = "-_-_" },
        .token("empty certificate", .badBase64, "x5c[0]") { $0.chain[0] = "" },
    ]

    /// A token that nobody signed, with so many bytes in the place of the signature.
    private static func unsigned(
        _ name: String, _ reason: Reason, _ path: String = "", bytes: Int = 0, _ change: @escaping Change<Token>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var token = Token(trusted)
            try change(&token)
            return token.signingInput + "." + Token.base64URL([UInt8](repeating: 7, count: bytes))
        }
    }

    /// A certificate whose base64 needs padding, without it.
    private static func unpadded(_ text: String) -> String {
        let bytes = StrictBase64.decoded(standard: text.utf8) ?? []
        return Token.base64(bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 3) % 3)).replacing("=", with: "")
    }

    /// The text with a bit set that its last character has no use for.
    private static func strayBits(in text: String) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = text.last, let place = letters.firstIndex(of: last) else { return text }
        return text.dropLast() + String(letters[place ^ 1])
    }
}
