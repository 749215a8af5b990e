/// When a server received a notification, as far as something around it says.
struct ReceiveTime: Hashable, Sendable {
    /// Milliseconds since 1970.
    var milliseconds: Int64
    /// Whether the text named its zone; a time without one is read as UTC, and counted.
    var hasZone = true
}
