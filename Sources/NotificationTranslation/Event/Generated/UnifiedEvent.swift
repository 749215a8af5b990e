// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

/// One thing that happened to a subscription or purchase, the same whether V1 or V2 reported it.
///
/// Codable in the form of the contract: snake_case, every key present, times in RFC 3339. Decoding a line of
/// the command gives the value, and ``line()`` gives the line back byte for byte.
public struct UnifiedEvent: Hashable, Sendable, Codable, Identifiable {
    /// The version of this shape.
    public var schemaVersion: String = "1"
    /// The `notificationUUID` of V2 as received.
    ///
    /// For V1 a UUID made of what the notification says, so that every run gives the same.
    public var id: String
    /// What happened.
    public var type: EventKind
    /// Whether it is an event of its own.
    public var disposition: Disposition = .event
    /// When it happened, in UTC; `nil` where the body has no date at all.
    public var occurredAt: EventTime?
    /// The field the time was taken from; `nil` where the body has no date at all.
    public var occurredAtBasis: String?
    /// `Production`, `Sandbox`, or as given; `nil` where it is not given.
    public var environment: NotificationEnvironment?
    /// The app's bundle id; `nil` where it is not given.
    public var bundleID: String?
    /// The app's version; `nil` where it is not given.
    public var bundleVersion: String?
    /// The app's number in the App Store; `nil` where it is not given.
    public var appAppleID: String?
    /// What a backend should do about access.
    public var entitlement: Entitlement = .unaffected
    /// The end of the access that is known after this event: the expiry or, later, the end of the grace period; `nil`
    /// where `entitlement` is neither `grant` nor `keep`, or Apple sets no end to what it grants.
    public var accessUntil: EventTime?
    /// Apple's `data.status`: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; `nil` where it is not
    /// given, so for all of V1.
    public var subscriptionStatus: SubscriptionStatus?
    /// The V2 pair; both parts are null for companions.
    public var v2: NotificationPair = NotificationPair(type: nil)
    /// How sure the pair is.
    public var certainty: Certainty = .exact
    /// Every pair that is possible, the chosen one first; empty when exact.
    public var candidates: [NotificationPair] = []
    /// Remarks, in the order of `Mappings/flags.json`.
    public var flags: [AmbiguityFlag] = []
    /// The id of the event this is part of, or a repeat of; `nil` where it is neither a companion nor a duplicate, or
    /// its event is not known.
    public var companionOf: String?
    /// The ids of the events that a deduced one (disposition `inferred`) follows from; empty for all others.
    ///
    /// They may be of companions and duplicates that `--companions drop` and `--duplicates drop` leave out.
    public var derivedFrom: [String] = []
    /// The transaction it is about; `nil` where the notification names none.
    public var transaction: Transaction?
    /// What was known about the next renewal; `nil` where the notification says nothing about it.
    public var renewal: Renewal?
    /// What only some V2 types carry, keys in snake_case, values as Apple wrote them; `nil` where there is nothing
    /// more.
    public var details: JSONValue?
    /// Where it came from and how it was judged.
    public var source: Source = Source()

    /// An event of which nothing else is known; fill in what your test or your own source needs.
    ///
    /// - Parameters:
    ///   - id: The id, unique among events and companions.
    ///   - type: What happened.
    public init(id: String, type: EventKind) {
        self.id = id
        self.type = type
    }
}

extension UnifiedEvent {
    /// The transaction an event is about; what the notification does not say is null.
    public struct Transaction: Hashable, Sendable {
        /// The first transaction of the subscription, or the purchase itself.
        public var originalTransactionID: String?
        /// The transaction.
        public var transactionID: String?
        /// The line of the order; subscriptions only.
        public var webOrderLineItemID: String?
        /// The product, as you named it.
        public var productID: String?
        /// The subscription group.
        public var subscriptionGroupID: String?
        /// Apple's word for the kind of product; of V1 only auto-renewable subscriptions are known, and what Apple's
        /// answer says.
        public var productType: ProductType?
        /// How many; seats of a multiseat purchase.
        public var quantity: Int64?
        /// When this period was bought or began.
        public var purchasedAt: EventTime?
        /// When the first transaction was bought.
        public var originalPurchasedAt: EventTime?
        /// When the period ends; subscriptions only.
        public var expiresAt: EventTime?
        /// When it was refunded or revoked.
        public var revokedAt: EventTime?
        /// Why it was refunded: 0 other, 1 an issue with the app.
        public var revocationReason: RevocationReason?
        /// Whether an upgrade replaced it; unknown where a body holds a single receipt, as most did before March
        /// 2021.
        public var isUpgraded: Bool?
        /// `PURCHASED`, `FAMILY_SHARED`, `ASSIGNED`, or what Apple adds; unknown before late 2020.
        public var ownership: Ownership?
        /// Your own account id, if you gave one with the purchase.
        public var appAccountToken: String?
        /// 1 introductory, 2 promotional, 3 code, 4 win-back.
        public var offerType: OfferType?
        /// The id or reference name of the offer; introductory offers have none.
        public var offerID: String?
        /// `FREE_TRIAL`, `PAY_AS_YOU_GO` and so on.
        public var offerDiscountType: OfferDiscountType?
        /// Three-letter country code; of V1 only where Apple's answer says it.
        public var storefront: String?
        /// Thousandths of the currency unit; of V1 only where Apple's answer says it.
        public var price: Int64?
        /// ISO 4217; of V1 only where Apple's answer says it.
        public var currency: String?

        /// A value of which nothing is known.
        public init() {}
    }

    /// What a notification says about the next renewal; what it does not say is null.
    public struct Renewal: Hashable, Sendable {
        /// The product of the next period.
        public var autoRenewProductID: String?
        /// Whether it will renew: 0 off, 1 on.
        public var autoRenewStatus: AutoRenewStatus?
        /// Why it expired: 1 customer, 2 billing, 3 price, 4 product, 5 other.
        public var expirationIntent: ExpirationIntent?
        /// Whether Apple is retrying the charge.
        public var inBillingRetry: Bool?
        /// When the billing grace period ends.
        public var gracePeriodExpiresAt: EventTime?
        /// 0 not answered yet, 1 agreed or informed.
        public var priceIncreaseStatus: PriceIncreaseStatus?
        /// The offer of the next period, as in the transaction.
        public var offerType: OfferType?
        /// The id or reference name of that offer.
        public var offerID: String?
        /// When it renews; V2 only.
        public var renewsAt: EventTime?

        /// A value of which nothing is known.
        public init() {}
    }

    /// Where an event came from and how it was judged.
    public struct Source: Hashable, Sendable {
        /// The version of the notification.
        public var version: NotificationVersion = .v1
        /// The type as received; `nil` where the event was deduced (`disposition` is `inferred`).
        public var type: String?
        /// The subtype as received; V2 only; `nil` where there is none.
        public var subtype: String?
        /// How far the sender was checked.
        public var authenticity: Authenticity = .unverified
        /// When the server received it; `nil` where the envelope does not say so.
        public var receivedAt: EventTime?
        /// The id of the rule that decided; `nil` where the notification is V2, which needs no rule, or the event was
        /// deduced.
        public var rule: String?
        /// The version of the rules.
        public var rulesVersion: String?
        /// The file it came from, as given; `-` for standard input; `nil` where the library made it.
        package var input: String?
        /// The line of the record, or its ordinal where the input is not a file of lines; counted from 1; `nil` where
        /// the library made it.
        package var line: Int64?
        /// The byte offset of the record in the uncompressed input; `nil` where the library made it.
        package var offset: Int64?
        /// What the receipt in a V1 body proves of the event; only where receipts are verified (`--verify-receipts`);
        /// `nil` where the notification is V2, or V1 without a receipt, or the event was deduced.
        public var receipt: ReceiptProof? {
            didSet { if receipt != nil { isReceiptRequested = true } }
        }
        /// Whether a line has the key even where it is null.
        package var isReceiptRequested = false

        /// A value of which nothing is known.
        public init() {}
    }

    /// What the receipt that a V1 body carries proves of the event.
    public struct ReceiptProof: Hashable, Sendable {
        /// When Apple made the receipt; `nil` where the receipt does not verify.
        public var createdAt: EventTime?
        /// How much it proves.
        ///
        /// `all`: the app, the environment and every fact of the transaction, and no other row of the body differs.
        /// `some`: the transaction is in the receipt, but one of its facts or another row differs or cannot be
        /// compared. `none`: nothing.
        public var covers: UnifiedEvent.ReceiptProof.Covers = .nothing
        /// Why it proves nothing: a code such as `receipt.bad-signature`; `nil` where the receipt verifies and is of
        /// this app and environment.
        public var code: String?

        /// A value of which nothing is known.
        public init() {}
    }
}
