/// A `notificationType` of a version 2 notification; open, as Apple adds some every year.
public struct NotificationType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The name as Apple writes it.
    public var rawValue: String

    /// The type of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
