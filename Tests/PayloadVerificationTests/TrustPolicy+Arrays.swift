@testable import NotificationTranslation

extension TrustPolicy {
    /// Judges a signed notification that is in an array.
    func authenticity(ofSignedPayload text: [UInt8]) throws(AuthenticityError) -> Authenticity {
        try text.span.bytes.withUnsafeBytes { (text) throws(AuthenticityError) in
            try authenticity(ofSignedPayload: text)
        }
    }
}

extension SharedSecrets {
    /// Whether a body's password is accepted for its app.
    func accepts(_ password: String?, bundleID: String?) -> Bool {
        guard let password else { return compare(nil, bundleID: bundleID) == .accepted }
        return Array(password.utf8).withUnsafeBytes { compare($0, bundleID: bundleID) } == .accepted
    }
}
