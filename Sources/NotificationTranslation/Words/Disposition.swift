/// What became of a notification.
@nonexhaustive
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
