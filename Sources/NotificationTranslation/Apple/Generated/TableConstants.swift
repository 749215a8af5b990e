// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension AppleDate {
    /// `earliest_date` of `v1-to-v2.json`, in milliseconds since 1970: what is earlier is not read as a date.
    static let opening: Int64 = 1199145600000
}

extension V1NotificationType {
    /// The types of `v1-to-v2.json` that version 2 never had.
    static let onlyVersion1: Set<V1NotificationType> = [
        Self(rawValue: "INITIAL_BUY"),
        Self(rawValue: "INTERACTIVE_RENEWAL"),
        Self(rawValue: "CANCEL"),
        Self(rawValue: "DID_RECOVER"),
        Self(rawValue: "RENEWAL"),
        Self(rawValue: "PRICE_INCREASE_CONSENT"),
    ]
}

extension NotificationType {
    /// The types of `v2-to-event.json`.
    static let all: Set<NotificationType> = [
        Self(rawValue: "SUBSCRIBED"),
        Self(rawValue: "DID_RENEW"),
        Self(rawValue: "DID_CHANGE_RENEWAL_PREF"),
        Self(rawValue: "DID_CHANGE_RENEWAL_STATUS"),
        Self(rawValue: "DID_FAIL_TO_RENEW"),
        Self(rawValue: "EXPIRED"),
        Self(rawValue: "GRACE_PERIOD_EXPIRED"),
        Self(rawValue: "OFFER_REDEEMED"),
        Self(rawValue: "PRICE_INCREASE"),
        Self(rawValue: "REFUND"),
        Self(rawValue: "REFUND_DECLINED"),
        Self(rawValue: "REFUND_REVERSED"),
        Self(rawValue: "CONSUMPTION_REQUEST"),
        Self(rawValue: "REVOKE"),
        Self(rawValue: "RENEWAL_EXTENDED"),
        Self(rawValue: "RENEWAL_EXTENSION"),
        Self(rawValue: "TEST"),
        Self(rawValue: "EXTERNAL_PURCHASE_TOKEN"),
        Self(rawValue: "ONE_TIME_CHARGE"),
        Self(rawValue: "METADATA_UPDATE"),
        Self(rawValue: "MIGRATION"),
        Self(rawValue: "PRICE_CHANGE"),
        Self(rawValue: "RESCIND_CONSENT"),
        Self(rawValue: "UNCLAIM_SEATS"),
    ]

    /// Those that version 1 never had.
    static let onlyVersion2: Set<NotificationType> = [
        Self(rawValue: "SUBSCRIBED"),
        Self(rawValue: "EXPIRED"),
        Self(rawValue: "GRACE_PERIOD_EXPIRED"),
        Self(rawValue: "OFFER_REDEEMED"),
        Self(rawValue: "PRICE_INCREASE"),
        Self(rawValue: "REFUND_DECLINED"),
        Self(rawValue: "REFUND_REVERSED"),
        Self(rawValue: "RENEWAL_EXTENDED"),
        Self(rawValue: "RENEWAL_EXTENSION"),
        Self(rawValue: "TEST"),
        Self(rawValue: "EXTERNAL_PURCHASE_TOKEN"),
        Self(rawValue: "ONE_TIME_CHARGE"),
        Self(rawValue: "METADATA_UPDATE"),
        Self(rawValue: "MIGRATION"),
        Self(rawValue: "PRICE_CHANGE"),
        Self(rawValue: "RESCIND_CONSENT"),
        Self(rawValue: "UNCLAIM_SEATS"),
    ]
}

extension NotificationSubtype {
    /// The subtypes of `v2-to-event.json`.
    static let all: Set<NotificationSubtype> = [
        Self(rawValue: "INITIAL_BUY"),
        Self(rawValue: "RESUBSCRIBE"),
        Self(rawValue: "BILLING_RECOVERY"),
        Self(rawValue: "UPGRADE"),
        Self(rawValue: "DOWNGRADE"),
        Self(rawValue: "INCREASE_QUANTITY"),
        Self(rawValue: "DECREASE_QUANTITY"),
        Self(rawValue: "AUTO_RENEW_ENABLED"),
        Self(rawValue: "AUTO_RENEW_DISABLED"),
        Self(rawValue: "GRACE_PERIOD"),
        Self(rawValue: "VOLUNTARY"),
        Self(rawValue: "BILLING_RETRY"),
        Self(rawValue: "PRICE_INCREASE"),
        Self(rawValue: "PRODUCT_NOT_FOR_SALE"),
        Self(rawValue: "PENDING"),
        Self(rawValue: "ACCEPTED"),
        Self(rawValue: "SEATS"),
        Self(rawValue: "SUMMARY"),
        Self(rawValue: "FAILURE"),
        Self(rawValue: "UNREPORTED"),
        Self(rawValue: "CREATED"),
        Self(rawValue: "ACTIVE_TOKEN_REMINDER"),
    ]
}
