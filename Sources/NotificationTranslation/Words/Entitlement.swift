/// What a backend should do about the access that the event's subscription gives; for a one-time purchase, about the
/// access that the transaction gives.
///
/// Everything is judged by what is known to have happened until the event was reported. A backend that stores the end
/// of access and follows these words, in the order of ``UnifiedEvent/occurredAt``, never takes access away wrongly.
public enum Entitlement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Give access until ``UnifiedEvent/accessUntil``; without one Apple sets no end.
    case grant
    /// Access continues, no less than until ``UnifiedEvent/accessUntil``.
    case keep
    /// End access.
    case withdraw
    /// The event says nothing about access; in a line `none`.
    case unaffected = "none"
    /// The pairs that are still possible differ in it, or what it depends on is not known; a flag says which.
    case undecided
}
