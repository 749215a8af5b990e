/// A `notification_type` of a version 1 notification.
///
/// Open: any text is a value, and a name this build does not know survives every round trip.
public struct V1NotificationType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The name as Apple writes it.
    public var rawValue: String

    /// The type of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
