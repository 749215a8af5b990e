/// The version of the notification an event was made of.
@nonexhaustive
public enum NotificationVersion: String, Hashable, Sendable, Codable, CaseIterable {
    /// `notification_type`, unsigned, deprecated.
    case v1
    /// `notificationType` and `subtype`, signed.
    case v2
}
