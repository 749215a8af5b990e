package enum StoreEnvironment: Sendable {
    case production, sandbox
}

enum Ownership: String, Sendable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
}

/// One transaction as a receipt shows it.
struct ReceiptRow: Sendable {
    var productId: String
    var transactionId: String
    var originalTransactionId: String
    var webOrderLineItemId: String?
    var purchase: Instant
    var originalPurchase: Instant
    var expires: Instant?
    var cancellation: Instant?
    var cancellationReason: String?
    var isUpgraded = false
    /// Whether the store renewed it, and the customer did not buy it.
    var isRenewal = false
    var isTrial = false
    var isIntroductory = false
    var promotionalOfferId: String?
    var offerCode: String?
    var group: String?
    var ownership = Ownership.purchased
    var appAccountToken: String?

    /// When the period ended or will end, refunds and upgrades considered.
    var end: Instant { min(expires ?? .max, cancellation ?? .max) }
}

/// An entry of `pending_renewal_info`.
struct RenewalState: Sendable {
    var autoRenews = true
    var nextProductId = ""
    var expirationIntent: String?
    var isInRetry: Bool?
    var graceUntil: Instant?
    var priceConsent: String?
    var promotionalOfferId: String?
    var offerCode: String?
}

/// One subscription, or one one-time purchase, as Apple's books have it at an instant; rows oldest first.
struct SubscriptionState: Sendable {
    var originalTransactionId: String
    var rows: [ReceiptRow] = []
    var renewal: RenewalState?
    var hiddenFromReceipt = false
}

/// What a receipt of the whole account showed from an instant on.
struct StateVersion: Sendable {
    let since: Instant
    let state: SubscriptionState
}

/// One notification that Apple made, before it is written and posted.
struct Notice: Sendable {
    /// What only version 2 has.
    struct Signed: Sendable {
        let pair: V2Pair
        let uuid: String
        /// The time whose state the payload reports: that of the happening, some seconds before the signature.
        let statedAt: Instant
    }

    var type: String
    var at: Instant
    var happening: Int
    var leads: Bool
    var also: [V2Pair]
    var state: SubscriptionState
    var statusChangedAt: Instant?
    var cancelled: ReceiptRow?
    var transactionId: String
    var shape = BodyShape.unified
    /// Which rows of the account the body lists.
    var listing = RowListing.all
    /// Set in a notification of version 2.
    var signed: Signed?
    /// A companion that speaks for its lost leader.
    var isPromoted = false
}

extension Notice {
    /// The rows that its body shows, the earliest first.
    func rows(in account: Account) -> [ReceiptRow] {
        let single = (cancelled ?? state.rows.last).map { [$0] } ?? []
        guard shape.hasHistory else { return single }
        let listed = listing.rows(of: account.rows(with: state, at: at))
        guard shape == .both, let row = single.first,
            !listed.contains(where: { $0.transactionId == row.transactionId })
        else { return listed }
        return listed.filter { $0.purchase < row.purchase } + [row] + listed.filter { $0.purchase >= row.purchase }
    }
}

enum BodyShape: Sendable {
    case legacy, both, unified

    var hasHistory: Bool { self != .legacy }
}
