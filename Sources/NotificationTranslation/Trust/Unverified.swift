/// Where a request body says it belongs, read **before** anything is verified: good for choosing a configuration (which
/// secrets, which app), never for believing.
///
/// Whoever can reach the server writes these words as they like. After choosing, judge the body with the
/// ``TrustPolicy`` that was chosen; it compares the same words again, then verified.
public struct UnverifiedRoute: Hashable, Sendable {
    /// The version whose shape the body has.
    public var unverifiedVersion: NotificationVersion
    /// The bundle id it claims, `nil` if none.
    public var unverifiedBundleID: String?
    /// The environment it claims, in the words of version 2; `nil` if none.
    public var unverifiedEnvironment: NotificationEnvironment?

    /// Reads where a body says it belongs; `nil` if it is not a notification of either version.
    ///
    /// - Parameter body: The body as posted: a version 1 object, or `{"signedPayload":…}`.
    public init?(body: some Collection<UInt8>) {
        guard let object = try? JSONTree(object: body, else: .badPayload, twice: .badPayload) else { return nil }
        if let signed = object.member("signedPayload")?.string {
            let claims = signed.utf8.withMemory { try? CompactJWS($0, as: .notification).readClaims() }
            guard let claims else { return nil }
            self.init(.v2, claims.identities.first?.bundleID, claims.identities.first?.environment)
        } else if object.member("notification_type")?.string != nil {
            self.init(.v1, object.member("bid")?.string, object.member("environment")?.string)
        } else {
            return nil
        }
    }

    private init(_ version: NotificationVersion, _ bundleID: String?, _ environment: String?) {
        unverifiedVersion = version
        unverifiedBundleID = bundleID
        unverifiedEnvironment = environment.map(NotificationEnvironment.init(received:))
    }
}
