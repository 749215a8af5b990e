/// A compact JWS (RFC 7515): three parts of base64url with dots between them, as Apple sends `signedPayload`,
/// `signedTransactionInfo` and `signedRenewalInfo`.
///
/// Nothing is decoded and nothing is trusted yet.
package struct SignedPayload {
    /// The first part: the header, with the certificate chain in it.
    package let header: UnsafeRawBufferPointer
    /// The second part.
    package let payload: UnsafeRawBufferPointer
    /// The third part.
    package let signature: UnsafeRawBufferPointer

    /// The parts of `text`, or `nil` if there are not exactly three.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard let first = text.place(of: 0x2E, from: 0), first > 0, let second = text.place(of: 0x2E, from: first + 1),
            second > first + 1, text.place(of: 0x2E, from: second + 1) == nil
        else { return nil }
        header = UnsafeRawBufferPointer(rebasing: text[..<first])
        payload = UnsafeRawBufferPointer(rebasing: text[(first + 1)..<second])
        signature = UnsafeRawBufferPointer(rebasing: text[(second + 1)...])
    }

    /// Whether a text is three parts that begin and end as base64url, so that it may be what was signed; a redacted one is
    /// not.
    static func isWhole(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let parts = SignedPayload(text) else { return false }
        return [parts.header, parts.payload, parts.signature].allSatisfy { part in
            part.prefix(32).allSatisfy(CompactToken.isPart) && part.suffix(32).allSatisfy(CompactToken.isPart)
        }
    }

    /// Whether a text begins as every JWS with a JSON header does: with the base64url of `{"`, and has a dot.
    ///
    /// Base64 of JSON begins the same and has none: Google's messages are such.
    static func looksLikeOne(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count > 16 && text[0] == 0x65 && text[1] == 0x79 && text.place(of: 0x2E, from: 2) != nil
            && text.prefix(16).allSatisfy { $0 > 0x20 }
    }
}
