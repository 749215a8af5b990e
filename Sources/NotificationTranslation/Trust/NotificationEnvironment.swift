/// Where a transaction took place; open, as Apple may add one.
public struct NotificationEnvironment: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName
{
    /// The name as version 2 writes it.
    public var rawValue: String

    /// The environment of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The App Store.
    public static let production = Self(rawValue: "Production")
    /// Purchases that cost nothing, signed with the same keys.
    public static let sandbox = Self(rawValue: "Sandbox")
    /// StoreKit testing in Xcode; not signed by Apple.
    public static let xcode = Self(rawValue: "Xcode")
    /// StoreKit testing in unit tests; not signed by Apple.
    public static let localTesting = Self(rawValue: "LocalTesting")

    /// Whether Apple does not sign the payloads of this environment.
    var isLocal: Bool { self == .xcode || self == .localTesting }

    /// The environment that version 1 or 2 means by a name: version 1 writes `PROD` where version 2 writes
    /// `Production`.
    init(received name: String) {
        rawValue = name == "PROD" ? Self.production.rawValue : name
    }
}
