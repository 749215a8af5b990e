/// A `notificationType` of a version 2 notification; open, as Apple adds some every year.
public struct NotificationType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The name as Apple writes it.
    public var rawValue: String

    /// The type of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A `subtype` of a version 2 notification; open: `"BILLING_RECOVERY"`.
public struct NotificationSubtype: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName,
    ExpressibleByStringLiteral
{
    /// The name as Apple writes it.
    public var rawValue: String

    /// The subtype of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The subtype of this name, known or not.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }
}

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

/// Words of Apple's V2 payloads that code writes or compares, each in this one place.
extension EventText {
    /// The environment of the App Store.
    static var production: EventText { EventText("Production") }
    /// The environment of tests.
    static var sandbox: EventText { EventText("Sandbox") }
    /// The type of a product that renews until it is cancelled.
    static var autoRenewable: EventText { EventText("Auto-Renewable Subscription") }
    /// The discount of an introductory offer that costs nothing.
    static var freeTrial: EventText { EventText("FREE_TRIAL") }
}
