/// How far a notification's sender was checked.
@nonexhaustive
public enum Authenticity: String, Hashable, Sendable, Codable, CaseIterable {
    /// The V2 signature and its certificate chain were checked here.
    case verified
    /// The V1 body carried an accepted shared secret.
    case sharedSecret = "shared-secret"
    /// Nothing was checked.
    case unverified
}
