/// A `subtype` of a version 2 notification; open.
public struct NotificationSubtype: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The name as Apple writes it.
    public var rawValue: String

    /// The subtype of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
