/// One compact JWS (RFC 7515) being judged: its three parts decoded strictly, its header and claims read on demand.
///
/// The bytes that the signature covers are those that were received; nothing is written again to be verified.
package final class CompactJWS {
    /// The longest text that is read, in bytes.
    ///
    /// Apple's are 5 to 15 kB.
    package static let longest = 1 << 20
    /// The length of an ES256 signature: r and s, 32 bytes each.
    package static let signatureLength = 64
    /// How many certificates Apple sends: leaf, intermediate, root.
    package static let chainCount = 3

    /// What the payload is expected to be.
    package let kind: SignedPayloadKind
    /// The text as received.
    package let text: UnsafeRawBufferPointer
    /// The bytes that the signature covers: header, dot, payload, as received.
    package let signingInput: UnsafeRawBufferPointer
    /// r and s.
    package let signature: [UInt8]
    private let header: [UInt8]
    let payload: [UInt8]
    private var claims: PayloadClaims?

    /// Cuts a text into its parts and decodes them.
    ///
    /// - Parameters:
    ///   - text: The text as received; must stay valid as long as the object is used.
    ///   - kind: What the payload is expected to be.
    /// - Throws: `jws.too-long`, `jws.malformed`.
    package init(_ text: UnsafeRawBufferPointer, as kind: SignedPayloadKind) throws(AuthenticityError) {
        guard text.count <= Self.longest else { throw AuthenticityError(.tooLong) }
        guard let parts = SignedPayload(text), let header = StrictBase64.decoded(url: parts.header),
            let payload = StrictBase64.decoded(url: parts.payload),
            let signature = StrictBase64.decoded(url: parts.signature)
        else { throw AuthenticityError(.malformed) }
        self.kind = kind
        self.text = text
        signingInput = UnsafeRawBufferPointer(rebasing: text[..<(parts.header.count + 1 + parts.payload.count)])
        (self.header, self.payload, self.signature) = (header, payload, signature)
    }

    /// Reads the header: the algorithm, no demands, and three certificates, DER as sent, the leaf first.
    ///
    /// The third proves nothing: roots are the verifier's own. `kid`, `jwk`, `jku` and `x5u` are not even looked at: a key
    /// that a token brings along proves nothing but itself. Then checks the length of the signature, which follows from
    /// the algorithm: a text with `alg` of `none` is refused for its algorithm.
    ///
    /// - Throws: `jws.bad-header`, `jws.duplicate-key`, `jws.algorithm`, `jws.crit`, `jws.no-chain`, `jws.chain-count`,
    ///   `jws.bad-base64`, `jws.signature-length`.
    package func readChain() throws(AuthenticityError) -> [[UInt8]] {
        let header = try JSONTree(object: header, else: .badHeader, twice: .duplicateHeaderKey)
        guard header.member("alg")?.says("ES256") == true else { throw AuthenticityError(.algorithm, path: "alg") }
        guard header.member("crit") == nil else { throw AuthenticityError(.criticalHeader, path: "crit") }
        guard let entries = header.member("x5c")?.elements else { throw AuthenticityError(.noChain, path: "x5c") }
        guard entries.count == Self.chainCount, entries.allSatisfy({ $0.kind == .string }) else {
            throw AuthenticityError(.chainCount, path: "x5c")
        }
        let chain = try entries.enumerated().map { index, entry throws(AuthenticityError) in
            let der = entry.withCharacters { StrictBase64.decoded(standard: $0) }
            guard let der else { throw AuthenticityError(.badBase64, path: "x5c[\(index)]") }
            return der
        }
        try checkSignatureLength()
        return chain
    }

    /// Refuses a signature of another length than that of ES256.
    ///
    /// - Throws: `jws.signature-length`.
    func checkSignatureLength() throws(AuthenticityError) {
        guard signature.count == Self.signatureLength else { throw AuthenticityError(.signatureLength) }
    }

    /// Reads what the payload says about itself, once.
    ///
    /// Called before the signature is checked, this must serve for nothing but ``PayloadClaims/signedDate``.
    ///
    /// - Throws: `payload.malformed` and the other refusals of payloads.
    package func readClaims() throws(AuthenticityError) -> PayloadClaims {
        if let claims { return claims }
        let read = try PayloadClaims(payload, as: kind)
        claims = read
        return read
    }

    /// Calls `body` with each JWS inside the payload, in its order; there is none but in a notification.
    package func mapParts<Result>(
        _ body: (CompactJWS) throws(AuthenticityError) -> Result
    ) throws(AuthenticityError) -> [Result] {
        try readClaims().parts.map { part throws(AuthenticityError) in
            try AuthenticityError.inside(part.path) { () throws(AuthenticityError) in
                try part.text.span.bytes.withUnsafeBytes { (text) throws(AuthenticityError) in
                    try body(try CompactJWS(text, as: part.kind))
                }
            }
        }
    }
}

extension JSONTree {
    /// The tree of a strict JSON object.
    ///
    /// Everything in the text is checked, also keys that are not needed: a key twice in any object is a fault, and refused
    /// for a reason of its own.
    init(
        object text: some Collection<UInt8>, else reason: AuthenticityError.Reason, twice: AuthenticityError.Reason
    ) throws(AuthenticityError) {
        do throws(JSONFault) {
            try self.init(Array(text))
        } catch {
            throw AuthenticityError(error.code == .duplicateKey ? twice : reason)
        }
        guard kind == .object else { throw AuthenticityError(reason) }
    }
}
