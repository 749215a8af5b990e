// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension EventKind {
    /// A customer or family member gained a subscription of this group for the first time.
    public static let subscriptionStarted = Self(rawValue: "subscription.started")
    /// A customer or family member came back to the group after the subscription had lapsed.
    public static let subscriptionResubscribed = Self(rawValue: "subscription.resubscribed")
    /// The subscription renewed into a new period.
    public static let subscriptionRenewed = Self(rawValue: "subscription.renewed")
    /// A renewal that had failed before was finally paid, and the subscription runs again.
    public static let subscriptionRecovered = Self(rawValue: "subscription.recovered")
    /// The subscription ended; the V2 subtype says why.
    public static let subscriptionExpired = Self(rawValue: "subscription.expired")
    /// You moved the subscription to the Advanced Commerce API.
    public static let subscriptionMigrated = Self(rawValue: "subscription.migrated")
    /// A renewal charge failed and the App Store keeps trying; whether access continues depends on the grace period.
    public static let billingFailed = Self(rawValue: "billing.failed")
    /// The billing grace period ended without a payment; the App Store keeps trying.
    public static let billingGraceEnded = Self(rawValue: "billing.grace_ended")
    /// Auto-renewal was turned off; the current period continues to its end.
    public static let renewalDisabled = Self(rawValue: "renewal.disabled")
    /// Auto-renewal was turned on again.
    public static let renewalEnabled = Self(rawValue: "renewal.enabled")
    /// The renewal date of one subscription was moved to a later day at your request.
    public static let renewalExtended = Self(rawValue: "renewal.extended")
    /// The App Store finished a mass extension of renewal dates and reports the counts.
    public static let extensionSummary = Self(rawValue: "extension.summary")
    /// A mass extension of renewal dates failed for one subscription.
    public static let extensionFailed = Self(rawValue: "extension.failed")
    /// The customer moved to another product of the group with immediate effect.
    public static let planChanged = Self(rawValue: "plan.changed")
    /// The customer chose another product of the group for the next renewal.
    public static let planChangeScheduled = Self(rawValue: "plan.change_scheduled")
    /// The customer cancelled a scheduled change and stays with the current product.
    public static let planChangeReverted = Self(rawValue: "plan.change_reverted")
    /// The customer redeemed an offer for the subscription that is already active.
    public static let offerRedeemed = Self(rawValue: "offer.redeemed")
    /// The customer was notified of a price increase that needs consent and has not answered yet.
    public static let priceIncreasePending = Self(rawValue: "price.increase_pending")
    /// The customer agreed to a price increase, or was notified of one that needs no consent.
    public static let priceIncreaseAccepted = Self(rawValue: "price.increase_accepted")
    /// You changed the price of a subscription with the Advanced Commerce API.
    public static let priceChanged = Self(rawValue: "price.changed")
    /// The App Store refunded a transaction, or a part of it (flag REFUND_PARTIAL).
    public static let refundIssued = Self(rawValue: "refund.issued")
    /// The App Store declined a refund request.
    public static let refundDeclined = Self(rawValue: "refund.declined")
    /// The App Store reversed a refund that it had granted.
    public static let refundReversed = Self(rawValue: "refund.reversed")
    /// A customer asked for a refund, and the App Store asks you for consumption data.
    public static let refundInfoRequested = Self(rawValue: "refund.info_requested")
    /// A member of a family, an organization or a group lost access that somebody else's purchase had given.
    public static let accessRevoked = Self(rawValue: "access.revoked")
    /// A customer bought something that is not an auto-renewable subscription, or a family member gained a
    /// non-consumable.
    public static let purchaseOneTime = Self(rawValue: "purchase.one_time")
    /// The number of seats that renew rose.
    public static let seatsIncreased = Self(rawValue: "seats.increased")
    /// The number of seats that renew fell; it takes effect at the next renewal.
    public static let seatsDecreased = Self(rawValue: "seats.decreased")
    /// Some seats of a multiseat purchase were refunded; the transaction stays valid for the others.
    public static let seatsRefunded = Self(rawValue: "seats.refunded")
    /// The App Store released seats that you had claimed for members of a group.
    public static let seatsUnclaimed = Self(rawValue: "seats.unclaimed")
    /// Apple created a custom link token for an external purchase.
    public static let externalTokenCreated = Self(rawValue: "external_token.created")
    /// A custom link token is still active; Apple says so every month.
    public static let externalTokenReminder = Self(rawValue: "external_token.reminder")
    /// Apple created an external purchase token and received no report about it.
    public static let externalTokenUnreported = Self(rawValue: "external_token.unreported")
    /// A parent or guardian withdrew consent for a child's use of the app.
    public static let consentRescinded = Self(rawValue: "consent.rescinded")
    /// You changed the metadata of a subscription with the Advanced Commerce API.
    public static let metadataUpdated = Self(rawValue: "metadata.updated")
    /// A test notification that you asked for.
    public static let test = Self(rawValue: "test")
}
