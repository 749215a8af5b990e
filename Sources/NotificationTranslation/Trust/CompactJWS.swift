import NotificationLibC

/// One compact JWS (RFC 7515) being judged: its three parts decoded strictly, its header and claims read on demand.
///
/// Everything is in one piece of memory that lives as long as the object. The bytes that the signature covers are
/// those that were received; nothing is written again to be verified.
package final class CompactJWS {
    /// The longest text that is read, in bytes.
    ///
    /// Apple's are 5 to 15 kB.
    package static let longest = 1 << 20
    /// The length of an ES256 signature: r and s, 32 bytes each.
    package static let signatureLength = 64

    /// What the payload is expected to be.
    package let kind: SignedPayloadKind
    /// The text as received.
    package let text: UnsafeRawBufferPointer
    /// The bytes that the signature covers: header, dot, payload, as received.
    package let signingInput: UnsafeRawBufferPointer
    /// r and s.
    package let signature: UnsafeRawBufferPointer
    /// The header's JSON, and the payload's, each followed by slack.
    private let header: UnsafeRawBufferPointer
    let payload: UnsafeRawBufferPointer
    private let memory: UnsafeMutableRawPointer
    private var claims: PayloadClaims?

    /// Cuts a text into its parts and decodes them.
    ///
    /// - Parameters:
    ///   - text: The text as received; must stay valid as long as the object is used.
    ///   - kind: What the payload is expected to be.
    /// - Throws: `jws.too-long`, `jws.malformed`.
    package init(_ text: UnsafeRawBufferPointer, as kind: SignedPayloadKind) throws(AuthenticityError) {
        guard text.count <= Self.longest else { throw AuthenticityError(.tooLong) }
        guard let parts = SignedPayload(text) else { throw AuthenticityError(.malformed) }
        let slack = JSONScanner.slack
        let headerRoom = StrictBase64.room(parts.header.count) + slack
        let payloadRoom = StrictBase64.room(parts.payload.count) + slack
        let room = headerRoom + payloadRoom + StrictBase64.room(parts.signature.count)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
        guard let headerCount = StrictBase64.decodeURL(parts.header, into: memory),
            let payloadCount = StrictBase64.decodeURL(parts.payload, into: memory + headerRoom),
            let signatureCount = StrictBase64.decodeURL(parts.signature, into: memory + headerRoom + payloadRoom)
        else {
            memory.deallocate()
            throw AuthenticityError(.malformed)
        }
        memset(memory + headerCount, 0, slack)
        memset(memory + headerRoom + payloadCount, 0, slack)
        self.kind = kind
        self.text = text
        self.memory = memory
        signingInput = UnsafeRawBufferPointer(
            rebasing: text[..<(parts.header.count + 1 + parts.payload.count)]
        )
        header = UnsafeRawBufferPointer(start: memory, count: headerCount)
        payload = UnsafeRawBufferPointer(start: memory + headerRoom, count: payloadCount)
        signature = UnsafeRawBufferPointer(start: memory + headerRoom + payloadRoom, count: signatureCount)
    }

    deinit {
        memory.deallocate()
    }

    /// Reads the header: algorithm, no demands, three certificates.
    ///
    /// Then checks the length of the signature, which follows from the algorithm: a text with `alg` of `none` is
    /// refused for its algorithm.
    ///
    /// - Throws: `jws.bad-header` and the other refusals of headers, `jws.signature-length`.
    package func readHeader() throws(AuthenticityError) -> JWSHeader {
        let header = try JWSHeader(header)
        try checkSignatureLength()
        return header
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
        var results: [Result] = []
        for part in try readClaims().parts {
            guard let memory = payload.baseAddress else { throw AuthenticityError(.badPayload) }
            do throws(AuthenticityError) {
                results.append(
                    try part.text.withCharacters(in: memory) { (text) throws(AuthenticityError) in
                        try body(try CompactJWS(text, as: part.kind))
                    }
                )
            } catch {
                throw error.inside(part.path)
            }
        }
        return results
    }
}
