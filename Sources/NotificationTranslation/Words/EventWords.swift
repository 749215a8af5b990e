/// What became of a notification.
public enum Disposition: String, Hashable, Sendable, Codable, CaseIterable {
    /// An event of its own.
    case event
    /// Part of another event; V2 sends nothing of its own for it.
    case companion
    /// The same notification, delivered again.
    case duplicate
    /// Never sent by V1; deduced from later evidence.
    case inferred
    /// A type this build does not know, passed through.
    case unmapped
}

/// How far a notification's sender was checked.
public enum Authenticity: String, Hashable, Sendable, Codable, CaseIterable {
    /// The V2 signature and its certificate chain were checked here.
    case verified
    /// The V1 body carried an accepted shared secret.
    case sharedSecret = "shared-secret"
    /// Nothing was checked.
    case unverified
}

/// The version of the notification an event was made of.
public enum NotificationVersion: String, Hashable, Sendable, Codable, CaseIterable {
    /// `notification_type`, unsigned, deprecated.
    case v1
    /// `notificationType` and `subtype`, signed.
    case v2
}
