// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

extension UnifiedEvent {
    /// A value of `subscription_status`; a value that this build does not know is kept as it is.
    public struct SubscriptionStatus: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: Int64

        /// The value, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// Active.
        public static let active = Self(rawValue: 1)
        /// Expired.
        public static let expired = Self(rawValue: 2)
        /// In billing retry.
        public static let billingRetry = Self(rawValue: 3)
        /// In the billing grace period.
        public static let gracePeriod = Self(rawValue: 4)
        /// Revoked.
        public static let revoked = Self(rawValue: 5)
    }

    /// A value of `product_type`; a value that this build does not know is kept as it is.
    public struct ProductType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: String

        /// The value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Renews until it is cancelled.
        public static let autoRenewableSubscription = Self(rawValue: "Auto-Renewable Subscription")
        /// Bought once, for ever.
        public static let nonConsumable = Self(rawValue: "Non-Consumable")
        /// Bought and used up; the app decides what it is worth.
        public static let consumable = Self(rawValue: "Consumable")
        /// Bought for a time that the app decides.
        public static let nonRenewingSubscription = Self(rawValue: "Non-Renewing Subscription")
    }

    /// A value of `revocation_reason`; a value that this build does not know is kept as it is.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: Int64

        /// The value, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// Refunded for another reason, for example an accidental purchase.
        public static let other = Self(rawValue: 0)
        /// Refunded because of an actual or perceived issue within the app.
        public static let appIssue = Self(rawValue: 1)
    }

    /// A value of `ownership`; a value that this build does not know is kept as it is.
    public struct Ownership: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: String

        /// The value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought it.
        public static let purchased = Self(rawValue: "PURCHASED")
        /// A family member has it by Family Sharing.
        public static let familyShared = Self(rawValue: "FAMILY_SHARED")
        /// An organization or a group assigned it to the customer; V2 only.
        public static let assigned = Self(rawValue: "ASSIGNED")
    }

    /// A value of `offer_type`; a value that this build does not know is kept as it is.
    public struct OfferType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: Int64

        /// The value, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// Introductory offer.
        public static let introductory = Self(rawValue: 1)
        /// Promotional offer.
        public static let promotional = Self(rawValue: 2)
        /// Offer code.
        public static let code = Self(rawValue: 3)
        /// Win-back offer.
        public static let winBack = Self(rawValue: 4)
    }

    /// A value of `offer_discount_type`; a value that this build does not know is kept as it is.
    public struct OfferDiscountType: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: String

        /// The value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A free trial.
        public static let freeTrial = Self(rawValue: "FREE_TRIAL")
        /// Several periods at a lower price.
        public static let payAsYouGo = Self(rawValue: "PAY_AS_YOU_GO")
        /// One payment for the time of the offer.
        public static let payUpFront = Self(rawValue: "PAY_UP_FRONT")
        /// One payment at a lower price, for a code of a purchase made once.
        public static let oneTime = Self(rawValue: "ONE_TIME")
    }

    /// A value of `auto_renew_status`; a value that this build does not know is kept as it is.
    public struct AutoRenewStatus: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: Int64

        /// The value, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// Renewal is off: the subscription ends with its period.
        public static let off = Self(rawValue: 0)
        /// Renewal is on.
        public static let on = Self(rawValue: 1)
    }

    /// A value of `expiration_intent`; a value that this build does not know is kept as it is.
    public struct ExpirationIntent: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
        /// As Apple writes it.
        public var rawValue: Int64

        /// The value, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// The customer cancelled.
        public static let cancelled = Self(rawValue: 1)
        /// Billing failed.
        public static let billingFailed = Self(rawValue: 2)
        /// The customer did not agree to a price increase.
        public static let priceIncrease = Self(rawValue: 3)
        /// The product was not for sale at the time of renewal.
        public static let productUnavailable = Self(rawValue: 4)
        /// Another reason.
        public static let other = Self(rawValue: 5)
    }

    /// A value of `price_increase_status`; a value that this build does not know is kept as it is.
    public struct PriceIncreaseStatus: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName
    {
        /// As Apple writes it.
        public var rawValue: Int64

        /// The value, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// The customer has not answered yet.
        public static let pending = Self(rawValue: 0)
        /// The customer agreed, or was informed where no answer is needed.
        public static let agreed = Self(rawValue: 1)
    }
}
