/// How strictly certificates are read.
@nonexhaustive
public enum CertificateProfile: Hashable, Sendable {
    /// All that RFC 5280 asks for, and a leaf that says its key is for signatures: Apple's certificates keep to it.
    case rfc5280
    /// Without the demands on key identifiers and key usage: for the test certificates of Apple's own libraries.
    case lenient
}
