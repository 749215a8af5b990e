package import NotificationTranslation

/// Reads files of certificates, such as a root of your own.
package enum CertificateFile {
    /// The certificates of a file, DER each: the file is one in DER (`.cer` as Apple gives it out), or text with one or
    /// more between `-----BEGIN CERTIFICATE-----` and `-----END CERTIFICATE-----` (PEM, RFC 7468).
    ///
    /// - Throws: `verifier.bad-root` if the file holds something else, `verifier.no-roots` if it is empty.
    package static func certificates(in bytes: [UInt8]) throws(AuthenticityError) -> [[UInt8]] {
        guard !bytes.isEmpty else { throw AuthenticityError(.noRoots) }
        if bytes.first == DERReader.Tag.sequence.rawValue {
            guard CertificateFacts(bytes) != nil else { throw AuthenticityError(.badRoot) }
            return [bytes]
        }
        var certificates: [[UInt8]] = []
        let parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: "-----BEGIN CERTIFICATE-----", omittingEmptySubsequences: false)
        // Outside of certificates anything may be: tools write what they hold in words.
        for part in parts.dropFirst() {
            let text = part.split(separator: "-----END CERTIFICATE-----", omittingEmptySubsequences: false)
            guard text.count == 2, let der = StrictBase64.decoded(standard: text[0].utf8.filter { $0 > 0x20 }),
                CertificateFacts(der) != nil
            else { throw AuthenticityError(.badRoot) }
            certificates.append(der)
        }
        guard !certificates.isEmpty else { throw AuthenticityError(.badRoot) }
        return certificates
    }
}

/// How strictly certificates are read.
@nonexhaustive
public enum CertificateProfile: Hashable, Sendable {
    /// All that RFC 5280 asks for, and a leaf that says its key is for signatures: Apple's certificates keep to it.
    case rfc5280
    /// Without the demands on key identifiers and key usage: for the test certificates of Apple's own libraries.
    case lenient
}
