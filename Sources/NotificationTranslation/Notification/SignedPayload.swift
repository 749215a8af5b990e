/// A compact JWS (RFC 7515): three parts of base64url with dots between them, as Apple sends `signedPayload`,
/// `signedTransactionInfo` and `signedRenewalInfo`. Nothing is decoded and nothing is trusted yet.
package struct SignedPayload {
    /// The first part: the header, with the certificate chain in it.
    package let header: UnsafeRawBufferPointer
    /// The second part.
    package let payload: UnsafeRawBufferPointer
    /// The third part.
    package let signature: UnsafeRawBufferPointer

    /// The parts of `text`, or `nil` if there are not exactly three.
    package init?(_ text: UnsafeRawBufferPointer) {
        guard let first = text.firstIndex(of: 0x2E),
            let second = text[(first + 1)...].firstIndex(of: 0x2E),
            !text[(second + 1)...].contains(0x2E), first > 0, second > first + 1
        else { return nil }
        header = UnsafeRawBufferPointer(rebasing: text[..<first])
        payload = UnsafeRawBufferPointer(rebasing: text[(first + 1)..<second])
        signature = UnsafeRawBufferPointer(rebasing: text[(second + 1)...])
    }

    /// Whether a text begins as every JWS with a JSON header does: with the base64url of `{"`, and has a dot.
    ///
    /// Base64 of JSON begins the same and has none: Google's messages are such.
    static func looksLikeOne(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count > 16 && text[0] == 0x65 && text[1] == 0x79 && text.contains(0x2E)
            && text.prefix(16).allSatisfy { $0 > 0x20 }
    }
}
