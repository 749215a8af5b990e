/// Whose story a notification belongs to: one subscription, or one purchase made once.
///
/// Notifications with the same key share a ``SubscriptionTimeline``. Apple's transaction ids are unique within an
/// environment only, so that is part of the key.
public struct SubscriptionKey: Hashable, Sendable {
    /// `Production`, `Sandbox`, or as given.
    public var environment: String?
    /// The app's bundle id.
    public var bundleID: String?
    /// The first transaction of the subscription, or the purchase itself.
    public var originalTransactionID: String

    /// A key of its three parts.
    public init(environment: String?, bundleID: String?, originalTransactionID: String) {
        self.environment = environment
        self.bundleID = bundleID
        self.originalTransactionID = originalTransactionID
    }
}
