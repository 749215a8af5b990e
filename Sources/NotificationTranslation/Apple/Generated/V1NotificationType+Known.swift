// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension V1NotificationType {
    /// First purchase of a subscription.
    public static let initialBuy = Self(rawValue: "INITIAL_BUY")
    /// The customer renewed by hand: an upgrade, or a return after a lapse.
    public static let interactiveRenewal = Self(rawValue: "INTERACTIVE_RENEWAL")
    /// A refund by Apple; until spring 2021 also the subscription that an upgrade replaced.
    public static let cancel = Self(rawValue: "CANCEL")
    /// A renewal that succeeded after a failure.
    public static let didRecover = Self(rawValue: "DID_RECOVER")
    /// The name of DID_RECOVER until 10 March 2021.
    public static let renewal = Self(rawValue: "RENEWAL")
    /// An ordinary renewal; sent since 29 October 2020.
    public static let didRenew = Self(rawValue: "DID_RENEW")
    /// The plan of the next period changed.
    public static let didChangeRenewalPref = Self(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Auto-renewal was switched on or off, by the customer or by the App Store.
    public static let didChangeRenewalStatus = Self(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// The first attempt to renew a period failed.
    public static let didFailToRenew = Self(rawValue: "DID_FAIL_TO_RENEW")
    /// The customer is asked to agree to a price increase.
    public static let priceIncreaseConsent = Self(rawValue: "PRICE_INCREASE_CONSENT")
    /// Something other than an auto-renewable subscription was refunded.
    public static let refund = Self(rawValue: "REFUND")
    /// A family member lost access.
    public static let revoke = Self(rawValue: "REVOKE")
    /// A refund of a consumable was asked for.
    public static let consumptionRequest = Self(rawValue: "CONSUMPTION_REQUEST")
}
