/// What a backend should do about access when an event arrives.
public enum Entitlement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Give access, or extend it.
    case grant
    /// Access continues; nothing to do.
    case keep
    /// End access.
    case withdraw
    /// The event says nothing about access.
    case none
    /// The pairs that are still possible differ in it.
    case undecided
}
