/// What Apple says in an app receipt: which transactions this app has, as of the day it was made.
///
/// Version 1 bodies carry one (`unified_receipt.latest_receipt`; until March 2021 also `latest_receipt` and
/// `latest_expired_receipt`). A receipt that was verified proves what is here, for this app and as of
/// ``createdAt``. It proves nothing about the notification around it: neither its type, nor who sent it, nor whose
/// account it is about. Genuine receipts circulate, so a policy compares each fact of an event with it.
public struct AppReceipt: Hashable, Sendable {
    /// The environment a receipt is of; open, as Apple may add one.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// Apple's word.
        public var rawValue: String

        /// The kind of this name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The App Store.
        public static let production = Self(rawValue: "Production")
        /// The sandbox.
        public static let sandbox = Self(rawValue: "ProductionSandbox")
        /// The App Store, bought by an organisation.
        package static let volume = Self(rawValue: "ProductionVPP")
        /// The sandbox, bought by an organisation.
        package static let volumeSandbox = Self(rawValue: "ProductionVPPSandbox")

        /// The environment of version 2 that it belongs to, `nil` for `Xcode`, which Apple does not sign, and for names this build does not know.
        package var environment: NotificationEnvironment? {
            switch self {
            case .production, .volume: .production
            case .sandbox, .volumeSandbox: .sandbox
            default: nil
            }
        }
    }

    /// One transaction as Apple signed it; what the record does not say is absent.
    public struct Transaction: Hashable, Sendable {
        /// How many were bought.
        public var quantity: Int64?
        /// The product, as you named it.
        public var productID: String?
        /// The transaction.
        public var transactionID: String?
        /// When this period was bought or began.
        public var purchasedAt: EventTime?
        /// The first transaction of the subscription.
        public var originalTransactionID: String?
        /// When the first transaction was bought.
        public var originalPurchasedAt: EventTime?
        /// When the period ends; subscriptions only.
        public var expiresAt: EventTime?
        /// The line of the order; subscriptions only.
        public var webOrderLineItemID: Int64?
        /// When it was refunded, revoked or upgraded.
        public var cancelledAt: EventTime?
        /// Whether it is a free trial.
        public var isTrialPeriod: Bool?
        /// Whether it has an introductory price.
        public var isInIntroOfferPeriod: Bool?

        /// A record that says nothing.
        public init() {}
    }

    /// The environment it is of.
    public var kind: Kind
    /// The app it is of.
    public var bundleID: String
    /// `CFBundleVersion` (on macOS `CFBundleShortVersionString`) of the app.
    public var applicationVersion: String?
    /// The version that was bought first.
    public var originalApplicationVersion: String?
    /// When Apple made it; the certificates are judged at this time.
    public var createdAt: EventTime
    /// When it expires; volume purchases only.
    public var expiresAt: EventTime?
    /// All transactions, in no order.
    ///
    /// Finished consumables vanish from receipts.
    public var transactions: [Transaction] = []

    /// A receipt without transactions.
    public init(kind: Kind, bundleID: String, createdAt: EventTime) {
        self.kind = kind
        self.bundleID = bundleID
        self.createdAt = createdAt
    }

    /// Why the receipt cannot prove anything about what claims to be of an environment and an app.
    func refusal(
        environment claimedEnvironment: String?, bundleID claimedBundleID: String?, _ expected: ExpectedApp
    ) -> AuthenticityError.Reason? {
        guard let environment = kind.environment else { return .receiptKind }
        if let claimed = claimedEnvironment, NotificationEnvironment(received: claimed) != environment {
            return .receiptKind
        }
        if let wanted = expected.environment, wanted != environment { return .receiptKind }
        if let claimed = claimedBundleID, !claimed.utf8.elementsEqual(bundleID.utf8) { return .receiptBundleID }
        if let wanted = expected.bundleIDs, !wanted.contains(bundleID) { return .receiptBundleID }
        return nil
    }
}
