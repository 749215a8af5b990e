/// Whom notifications have to be for.
///
/// Anyone's app is signed by Apple with the same keys, and so is the sandbox: a
/// signature that holds says nothing without this.
public struct ExpectedApp: Hashable, Sendable {
    /// The bundle ids that are taken, `nil` for every one.
    ///
    /// An empty set takes none.
    package var bundleIDs: Set<String>?
    /// The Apple ids (`appAppleId`) that are taken, `nil` for every one.
    ///
    /// Compared in production only, as the sandbox leaves it out.
    package var appAppleIDs: Set<Int64>?
    /// The environment that is taken, `nil` for production and sandbox alike.
    ///
    /// With ``NotificationEnvironment/xcode`` or ``NotificationEnvironment/localTesting`` signatures are **not** checked, as
    /// Apple does not sign there; never set it from what a payload says.
    package var environment: NotificationEnvironment?

    /// No Apple id was given, and in production it is what tells apps with one bundle id apart.
    public struct MissingAppAppleID: Error, Hashable, Sendable, CustomStringConvertible {
        /// One sentence.
        public var description: String { "production needs appAppleID, the Apple ID in App Store Connect" }
    }

    /// One app in one environment.
    ///
    /// - Parameters:
    ///   - bundleID: Its bundle id.
    ///   - appAppleID: Its Apple id.
    ///   - environment: The environment this server is for.
    public init(bundleID: String, appAppleID: Int64, environment: NotificationEnvironment) {
        self.init(bundleIDs: [bundleID], appAppleIDs: [appAppleID], environment: environment)
    }

    /// One app in one environment, whose Apple id may be missing where it is not production.
    ///
    /// - Parameters:
    ///   - bundleID: Its bundle id.
    ///   - appAppleID: Its Apple id, if known.
    ///   - environment: The environment this server is for.
    /// - Throws: ``MissingAppAppleID`` for production without the Apple id.
    public init(
        bundleID: String, appAppleID: Int64? = nil, environment: NotificationEnvironment
    ) throws(MissingAppAppleID) {
        guard appAppleID != nil || environment != .production else { throw MissingAppAppleID() }
        self.init(bundleIDs: [bundleID], appAppleIDs: appAppleID.map { [$0] }, environment: environment)
    }

    /// Several apps, or what is left open on purpose.
    ///
    /// - Parameters:
    ///   - bundleIDs: The bundle ids, `nil` for every one.
    ///   - appAppleIDs: The Apple ids, `nil` for every one.
    ///   - environment: The environment, `nil` for production and sandbox alike.
    public init(bundleIDs: Set<String>?, appAppleIDs: Set<Int64>?, environment: NotificationEnvironment?) {
        self.bundleIDs = bundleIDs
        self.appAppleIDs = appAppleIDs
        self.environment = environment
    }

    /// Every app, in production and sandbox: for archives of which only the signatures are in question.
    public static let any = ExpectedApp(bundleIDs: nil, appAppleIDs: nil, environment: nil)

    /// Whether payloads are taken that Apple does not sign.
    var isLocal: Bool { environment?.isLocal ?? false }

    /// Compares what a notification says, the environment in the words of either version, with what is expected; version 1
    /// says no `appAppleId`.
    ///
    /// - Throws: `payload.bundle-id`, `payload.app-apple-id`, `payload.environment`, `payload.local-environment`.
    func check(_ said: PayloadClaims.Identity, comparesApp: Bool = true) throws(AuthenticityError) {
        let received = said.environment.map(NotificationEnvironment.init(received:))
        if let bundleIDs {
            guard let bundleID = said.bundleID, bundleIDs.contains(bundleID) else { throw AuthenticityError(.bundleID) }
        }
        if let appAppleIDs, comparesApp, (environment ?? received ?? .production) == .production {
            guard let id = said.appAppleID, appAppleIDs.contains(id) else { throw AuthenticityError(.appAppleID) }
        }
        try check(received)
    }

    func check(_ environment: NotificationEnvironment?) throws(AuthenticityError) {
        if let expected = self.environment {
            guard environment == expected else { throw AuthenticityError(.environment) }
        } else if let environment, environment.isLocal {
            throw AuthenticityError(.localEnvironment)
        }
    }
}

/// Where a transaction took place; open, as Apple may add one.
public struct NotificationEnvironment: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName
{
    /// The name as version 2 writes it.
    public var rawValue: String

    /// The environment of this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

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
    init(received name: String) { rawValue = name == "PROD" ? Self.production.rawValue : name }
}
