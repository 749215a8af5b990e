extension UnifiedEvent {
    /// The transaction an event is about; what the notification does not say is absent.
    public struct Transaction: Hashable, Sendable, Codable {
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
        /// Apple's word for the kind of product; of V1 only auto-renewable subscriptions are known.
        public var productType: String?
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
        /// 0 other, 1 an issue with the app.
        public var revocationReason: Int64?
        /// Whether an upgrade replaced it; unknown in receipts of the first era.
        public var isUpgraded: Bool?
        /// `PURCHASED`, `FAMILY_SHARED`, or what Apple adds; unknown before late 2020.
        public var ownership: String?
        /// Your own account id, if you gave one with the purchase.
        public var appAccountToken: String?
        /// 1 introductory, 2 promotional, 3 code, 4 win-back.
        public var offerType: Int64?
        /// The id or reference name of the offer; none for introductory ones.
        public var offerID: String?
        /// `FREE_TRIAL`, `PAY_AS_YOU_GO` and so on.
        public var offerDiscountType: String?
        /// Three-letter country code; V2 only.
        public var storefront: String?
        /// Thousandths of the currency unit; V2 only.
        public var price: Int64?
        /// ISO 4217; V2 only.
        public var currency: String?

        enum CodingKeys: String, CodingKey {
            case originalTransactionID = "original_transaction_id"
            case transactionID = "transaction_id"
            case webOrderLineItemID = "web_order_line_item_id"
            case productID = "product_id"
            case subscriptionGroupID = "subscription_group_id"
            case productType = "product_type"
            case quantity
            case purchasedAt = "purchased_at"
            case originalPurchasedAt = "original_purchased_at"
            case expiresAt = "expires_at"
            case revokedAt = "revoked_at"
            case revocationReason = "revocation_reason"
            case isUpgraded = "is_upgraded"
            case ownership
            case appAccountToken = "app_account_token"
            case offerType = "offer_type"
            case offerID = "offer_id"
            case offerDiscountType = "offer_discount_type"
            case storefront
            case price
            case currency
        }

        /// Writes every key, `null` where nothing is known.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(originalTransactionID, forKey: .originalTransactionID)
            try container.encode(transactionID, forKey: .transactionID)
            try container.encode(webOrderLineItemID, forKey: .webOrderLineItemID)
            try container.encode(productID, forKey: .productID)
            try container.encode(subscriptionGroupID, forKey: .subscriptionGroupID)
            try container.encode(productType, forKey: .productType)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(purchasedAt, forKey: .purchasedAt)
            try container.encode(originalPurchasedAt, forKey: .originalPurchasedAt)
            try container.encode(expiresAt, forKey: .expiresAt)
            try container.encode(revokedAt, forKey: .revokedAt)
            try container.encode(revocationReason, forKey: .revocationReason)
            try container.encode(isUpgraded, forKey: .isUpgraded)
            try container.encode(ownership, forKey: .ownership)
            try container.encode(appAccountToken, forKey: .appAccountToken)
            try container.encode(offerType, forKey: .offerType)
            try container.encode(offerID, forKey: .offerID)
            try container.encode(offerDiscountType, forKey: .offerDiscountType)
            try container.encode(storefront, forKey: .storefront)
            try container.encode(price, forKey: .price)
            try container.encode(currency, forKey: .currency)
        }
    }

    /// What a notification says about the next renewal.
    public struct Renewal: Hashable, Sendable, Codable {
        /// The product of the next period.
        public var autoRenewProductID: String?
        /// 0 off, 1 on.
        public var autoRenewStatus: Int64?
        /// Why it expired: 1 customer, 2 billing, 3 price, 4 product, 5 other.
        public var expirationIntent: Int64?
        /// Whether Apple is retrying the charge.
        public var inBillingRetry: Bool?
        /// When the billing grace period ends.
        public var gracePeriodExpiresAt: EventTime?
        /// 0 not answered yet, 1 agreed or informed.
        public var priceIncreaseStatus: Int64?
        /// The offer of the next period, as in the transaction.
        public var offerType: Int64?
        /// The id or reference name of that offer.
        public var offerID: String?
        /// When it renews; V2 only.
        public var renewsAt: EventTime?

        enum CodingKeys: String, CodingKey {
            case autoRenewProductID = "auto_renew_product_id"
            case autoRenewStatus = "auto_renew_status"
            case expirationIntent = "expiration_intent"
            case inBillingRetry = "in_billing_retry"
            case gracePeriodExpiresAt = "grace_period_expires_at"
            case priceIncreaseStatus = "price_increase_status"
            case offerType = "offer_type"
            case offerID = "offer_id"
            case renewsAt = "renews_at"
        }

        /// Writes every key, `null` where nothing is known.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(autoRenewProductID, forKey: .autoRenewProductID)
            try container.encode(autoRenewStatus, forKey: .autoRenewStatus)
            try container.encode(expirationIntent, forKey: .expirationIntent)
            try container.encode(inBillingRetry, forKey: .inBillingRetry)
            try container.encode(gracePeriodExpiresAt, forKey: .gracePeriodExpiresAt)
            try container.encode(priceIncreaseStatus, forKey: .priceIncreaseStatus)
            try container.encode(offerType, forKey: .offerType)
            try container.encode(offerID, forKey: .offerID)
            try container.encode(renewsAt, forKey: .renewsAt)
        }
    }

    /// Where an event came from and how it was judged.
    public struct Source: Hashable, Sendable, Codable {
        /// The version of the notification.
        public var version: NotificationVersion
        /// The type as received.
        public var type: String?
        /// The subtype as received; V2 only.
        public var subtype: String?
        /// How far the sender was checked.
        public var authenticity: Authenticity
        /// When the server received it, if the envelope says so.
        public var receivedAt: EventTime?
        /// The id of the rule that decided; none for V2.
        public var rule: String?
        /// The version of the rules.
        public var rulesVersion: String?
        /// The file it came from; `-` for standard input, none in a server.
        public var input: String?
        /// The line or the ordinal of the record, from 1.
        public var line: Int64?
        /// The byte offset of the record in the uncompressed input.
        public var offset: Int64?

        enum CodingKeys: String, CodingKey {
            case version
            case type
            case subtype
            case authenticity
            case receivedAt = "received_at"
            case rule
            case rulesVersion = "rules_version"
            case input
            case line
            case offset
        }

        /// Writes every key, `null` where nothing is known.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(version, forKey: .version)
            try container.encode(type, forKey: .type)
            try container.encode(subtype, forKey: .subtype)
            try container.encode(authenticity, forKey: .authenticity)
            try container.encode(receivedAt, forKey: .receivedAt)
            try container.encode(rule, forKey: .rule)
            try container.encode(rulesVersion, forKey: .rulesVersion)
            try container.encode(input, forKey: .input)
            try container.encode(line, forKey: .line)
            try container.encode(offset, forKey: .offset)
        }
    }
}
