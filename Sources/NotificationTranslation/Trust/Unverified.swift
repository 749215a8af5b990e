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
        var said = PayloadClaims.Identity(
            bundleID: object.member("bid")?.string, environment: object.member("environment")?.string)
        if let signed = object.member("signedPayload")?.string {
            let claims = signed.utf8.withMemory { try? CompactJWS($0, as: .notification).readClaims() }
            guard let claims else { return nil }
            (unverifiedVersion, said) = (.v2, claims.identities.first ?? .init())
        } else if object.member("notification_type")?.string != nil {
            unverifiedVersion = .v1
        } else {
            return nil
        }
        unverifiedBundleID = said.bundleID
        unverifiedEnvironment = said.environment.map(NotificationEnvironment.init(received:))
    }
}
