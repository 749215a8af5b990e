// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension NotificationSubtype {
    /// `INITIAL_BUY`, a subtype of `SUBSCRIBED`, `OFFER_REDEEMED`.
    public static let initialBuy = Self(rawValue: "INITIAL_BUY")
    /// `RESUBSCRIBE`, a subtype of `SUBSCRIBED`, `OFFER_REDEEMED`.
    public static let resubscribe = Self(rawValue: "RESUBSCRIBE")
    /// `BILLING_RECOVERY`, a subtype of `DID_RENEW`.
    public static let billingRecovery = Self(rawValue: "BILLING_RECOVERY")
    /// `UPGRADE`, a subtype of `DID_CHANGE_RENEWAL_PREF`, `OFFER_REDEEMED`.
    public static let upgrade = Self(rawValue: "UPGRADE")
    /// `DOWNGRADE`, a subtype of `DID_CHANGE_RENEWAL_PREF`, `OFFER_REDEEMED`.
    public static let downgrade = Self(rawValue: "DOWNGRADE")
    /// `INCREASE_QUANTITY`, a subtype of `DID_CHANGE_RENEWAL_PREF`.
    public static let increaseQuantity = Self(rawValue: "INCREASE_QUANTITY")
    /// `DECREASE_QUANTITY`, a subtype of `DID_CHANGE_RENEWAL_PREF`.
    public static let decreaseQuantity = Self(rawValue: "DECREASE_QUANTITY")
    /// `AUTO_RENEW_ENABLED`, a subtype of `DID_CHANGE_RENEWAL_STATUS`.
    public static let autoRenewEnabled = Self(rawValue: "AUTO_RENEW_ENABLED")
    /// `AUTO_RENEW_DISABLED`, a subtype of `DID_CHANGE_RENEWAL_STATUS`.
    public static let autoRenewDisabled = Self(rawValue: "AUTO_RENEW_DISABLED")
    /// `GRACE_PERIOD`, a subtype of `DID_FAIL_TO_RENEW`.
    public static let gracePeriod = Self(rawValue: "GRACE_PERIOD")
    /// `VOLUNTARY`, a subtype of `EXPIRED`.
    public static let voluntary = Self(rawValue: "VOLUNTARY")
    /// `BILLING_RETRY`, a subtype of `EXPIRED`.
    public static let billingRetry = Self(rawValue: "BILLING_RETRY")
    /// `PRICE_INCREASE`, a subtype of `EXPIRED`.
    public static let priceIncrease = Self(rawValue: "PRICE_INCREASE")
    /// `PRODUCT_NOT_FOR_SALE`, a subtype of `EXPIRED`.
    public static let productNotForSale = Self(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// `PENDING`, a subtype of `PRICE_INCREASE`.
    public static let pending = Self(rawValue: "PENDING")
    /// `ACCEPTED`, a subtype of `PRICE_INCREASE`.
    public static let accepted = Self(rawValue: "ACCEPTED")
    /// `SEATS`, a subtype of `REFUND`.
    public static let seats = Self(rawValue: "SEATS")
    /// `SUMMARY`, a subtype of `RENEWAL_EXTENSION`.
    public static let summary = Self(rawValue: "SUMMARY")
    /// `FAILURE`, a subtype of `RENEWAL_EXTENSION`.
    public static let failure = Self(rawValue: "FAILURE")
    /// `UNREPORTED`, a subtype of `EXTERNAL_PURCHASE_TOKEN`.
    public static let unreported = Self(rawValue: "UNREPORTED")
    /// `CREATED`, a subtype of `EXTERNAL_PURCHASE_TOKEN`.
    public static let created = Self(rawValue: "CREATED")
    /// `ACTIVE_TOKEN_REMINDER`, a subtype of `EXTERNAL_PURCHASE_TOKEN`.
    public static let activeTokenReminder = Self(rawValue: "ACTIVE_TOKEN_REMINDER")
}
