/// What an app receipt says of itself, read **without** verifying it: good for nothing but a time that is marked as
/// unproven.
///
/// Whoever writes a body writes its receipt as well, so nothing here may be believed; ``AppReceipt`` is what Apple
/// signed.
public struct UnverifiedReceipt: Hashable, Sendable {
    /// The environment it claims to be of.
    public var unverifiedKind: AppReceipt.Kind
    /// The app it claims to be of.
    public var unverifiedBundleID: String
    /// When it claims to have been made.
    public var unverifiedCreatedAt: EventTime

    /// A receipt that says this.
    public init(kind: AppReceipt.Kind, bundleID: String, createdAt: EventTime) {
        unverifiedKind = kind
        unverifiedBundleID = bundleID
        unverifiedCreatedAt = createdAt
    }

    /// Reads the content of a container, its transactions left out.
    ///
    /// - Throws: `receipt.content`, `receipt.duplicate-attribute`, `receipt.bad-attribute`, `receipt.no-creation-date`.
    package init(_ bytes: [UInt8], in content: Range<Int>) throws(AuthenticityError) {
        let head = try AppReceipt(headOf: bytes, in: content)
        self.init(kind: head.kind, bundleID: head.bundleID, createdAt: head.createdAt)
    }

    /// Whether it may belong to a body that says this of itself.
    func fits(bundleID: String?, environment: String?) -> Bool {
        guard let claimed = unverifiedKind.environment else { return false }
        return environment.map { NotificationEnvironment(received: $0) == claimed } ?? true
            && bundleID.map { $0 == unverifiedBundleID } ?? true
    }
}
