import NotificationMappings

/// A `notificationType` of a version 2 notification; open, as Apple adds some every year: `"DID_RENEW"`.
public struct NotificationType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenLiteral,
    ExpressibleByStringLiteral
{
    /// The name as Apple writes it.
    public var rawValue: String

    /// The type of this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A `subtype` of a version 2 notification; open: `"BILLING_RECOVERY"`.
public struct NotificationSubtype: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenLiteral,
    ExpressibleByStringLiteral
{
    /// The name as Apple writes it.
    public var rawValue: String

    /// The subtype of this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A `notification_type` of a version 1 notification.
///
/// Open: any text is a value, and a name this build does not know survives every round trip.
public struct V1NotificationType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The name as Apple writes it.
    public var rawValue: String

    /// The type of this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Names of types, subtypes and fields, as the tables of this build have them; asked where a body is in doubt.
enum KnownNames {
    /// The types of `v1-to-v2.json`.
    static let typesOfVersion1 = names("type", in: rows("types", of: Mappings.v1ToV2))
    /// The types of `v2-to-event.json`.
    static let typesOfVersion2 = names("type", in: rows("types", of: Mappings.v2ToEvent))
    /// The subtypes of `v2-to-event.json`.
    static let subtypes = names("subtype", in: rows("pairs", of: Mappings.v2ToEvent))

    static func rows(_ list: StaticString, of table: StaticString) -> [JSONTree] {
        JSONTree(embedded: table).member(list)?.elements ?? []
    }

    static func names(_ key: StaticString, in rows: [JSONTree]) -> Set<String> {
        Set(rows.compactMap { $0.member(key)?.string })
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
