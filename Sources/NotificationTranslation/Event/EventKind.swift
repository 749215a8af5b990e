/// What happened, in one word for both versions: `subscription.renewed`, `refund.issued` and so on.
///
/// The list is `kinds` in `Mappings/v2-to-event.json`; open, as it grows with Apple's.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The kind as it is in the event.
    public var rawValue: String

    /// The kind of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A type this build does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// The kinds this build knows, in the order of the table.
    public static var allKnown: [EventKind] {
        EventTable.current.kinds.map { EventKind(rawValue: $0.kind) }
    }
}
