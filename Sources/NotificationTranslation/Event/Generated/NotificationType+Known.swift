// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension NotificationType {
    /// A customer or family member started or restarted a subscription.
    public static let subscribed = Self(rawValue: "SUBSCRIBED")
    /// A renewal was paid and a new period began.
    public static let didRenew = Self(rawValue: "DID_RENEW")
    /// The customer changed what the subscription renews into; without a known subtype it is not known whether the
    /// change takes effect at once, so only the choice is reported.
    public static let didChangeRenewalPref = Self(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Auto-renewal was turned on or off; without a known subtype it is read as renewal.auto_renew_status says, and
    /// without that like Apple's only row without one, a cancellation.
    public static let didChangeRenewalStatus = Self(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// A renewal charge failed and billing retry began; the grace period decides about access.
    public static let didFailToRenew = Self(rawValue: "DID_FAIL_TO_RENEW")
    /// The subscription ended.
    public static let expired = Self(rawValue: "EXPIRED")
    /// The billing grace period ended without a renewal.
    public static let gracePeriodExpired = Self(rawValue: "GRACE_PERIOD_EXPIRED")
    /// The customer redeemed a subscription offer; since 2024-01-23 only for an active subscription.
    public static let offerRedeemed = Self(rawValue: "OFFER_REDEEMED")
    /// The customer was notified of a price increase.
    public static let priceIncrease = Self(rawValue: "PRICE_INCREASE")
    /// The App Store refunded a transaction or a part of it; without a known subtype it is not known whether access
    /// ends.
    public static let refund = Self(rawValue: "REFUND")
    /// The App Store declined a refund request.
    public static let refundDeclined = Self(rawValue: "REFUND_DECLINED")
    /// The App Store reversed a refund that it had granted.
    public static let refundReversed = Self(rawValue: "REFUND_REVERSED")
    /// The App Store asks for consumption data because a customer asked for a refund; subscriptions since 2024-04-11.
    public static let consumptionRequest = Self(rawValue: "CONSUMPTION_REQUEST")
    /// Access through Family Sharing, or through an organization or a group, ended.
    public static let revoke = Self(rawValue: "REVOKE")
    /// The App Store extended the renewal date of one subscription.
    public static let renewalExtended = Self(rawValue: "RENEWAL_EXTENDED")
    /// The App Store reports on a mass extension of renewal dates; the payload is summary with SUMMARY and data with
    /// FAILURE.
    public static let renewalExtension = Self(rawValue: "RENEWAL_EXTENSION")
    /// A test notification that you asked for; it names no transaction.
    public static let test = Self(rawValue: "TEST")
    /// A message about an External Purchase token; without a known subtype it is read like the first one Apple
    /// defined, so that the report is checked.
    public static let externalPurchaseToken = Self(rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// A purchase that is not an auto-renewable subscription; sandbox only until 2025-05-27.
    public static let oneTimeCharge = Self(rawValue: "ONE_TIME_CHARGE")
    /// You changed subscription metadata; Advanced Commerce API only.
    public static let metadataUpdate = Self(rawValue: "METADATA_UPDATE")
    /// You moved a subscription to the Advanced Commerce API.
    public static let migration = Self(rawValue: "MIGRATION")
    /// You changed the price of a subscription; Advanced Commerce API only.
    public static let priceChange = Self(rawValue: "PRICE_CHANGE")
    /// A parent or guardian withdrew consent for a child's use of the app.
    public static let rescindConsent = Self(rawValue: "RESCIND_CONSENT")
    /// The App Store released claimed seats of a group subscription with developer-hosted invitations.
    public static let unclaimSeats = Self(rawValue: "UNCLAIM_SEATS")
}
