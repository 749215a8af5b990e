// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension AppleDate {
    /// `earliest_date` of `v1-to-v2.json`, in milliseconds since 1970: what is earlier is not read as a date.
    static let opening: Int64 = 1199145600000
}

/// Names of types and subtypes, as the tables have them.
enum KnownNames {
    /// The types of `v1-to-v2.json`.
    static let typesOfVersion1: Set<String> = [
        "CANCEL", "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
        "DID_FAIL_TO_RENEW", "DID_RECOVER", "DID_RENEW", "INITIAL_BUY", "INTERACTIVE_RENEWAL",
        "PRICE_INCREASE_CONSENT", "REFUND", "RENEWAL", "REVOKE",
    ]

    /// The types of `v2-to-event.json`.
    static let typesOfVersion2: Set<String> = [
        "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW",
        "DID_RENEW", "EXPIRED", "EXTERNAL_PURCHASE_TOKEN", "GRACE_PERIOD_EXPIRED", "METADATA_UPDATE", "MIGRATION",
        "OFFER_REDEEMED", "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED",
        "REFUND_REVERSED", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "RESCIND_CONSENT", "REVOKE", "SUBSCRIBED",
        "TEST", "UNCLAIM_SEATS",
    ]

    /// The subtypes of `v2-to-event.json`.
    static let subtypes: Set<String> = [
        "ACCEPTED", "ACTIVE_TOKEN_REMINDER", "AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED", "BILLING_RECOVERY",
        "BILLING_RETRY", "CREATED", "DECREASE_QUANTITY", "DOWNGRADE", "FAILURE", "GRACE_PERIOD",
        "INCREASE_QUANTITY", "INITIAL_BUY", "PENDING", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", "RESUBSCRIBE",
        "SEATS", "SUMMARY", "UNREPORTED", "UPGRADE", "VOLUNTARY",
    ]
}

/// Names of `fields.json`, in snake_case.
extension VersionSigns {
    static let common: Set<String> = [
        "cancellation_date", "cancellation_reason", "currency", "environment", "expires_date",
        "external_purchase_id", "failed_count", "invitation_management", "notification_type", "offer_identifier",
        "offer_type", "price", "price_tiers", "product_id", "purchase_date", "quantity", "renewal_date",
        "request_identifier", "status", "storefront", "subtype", "succeeded_count", "token_creation_date",
        "token_type", "transaction_id", "type", "version",
    ]
    static let either: Set<String> = [
        "app_apple_id", "app_item_id", "bid", "bundle_id", "bundle_version", "bvrs", "currency", "data",
        "environment", "notification_type", "price", "status", "summary", "type", "version",
    ]
    static let historyRequest: Set<String> = [
        "end_date", "notification_subtype", "only_failures", "pagination_token", "start_date", "transaction_id",
    ]
    static let part: Set<String> = [
        "app_data", "app_transaction_info", "data", "renewal_info", "summary", "transaction_info",
    ]
    static let unreadInVersion1: Set<String> = [
        "auto_renew_adam_id", "deprecation", "latest_expired_receipt", "latest_receipt",
    ]
    static let onlyInVersion2: Set<String> = [
        "additional_transaction_reason", "advanced_commerce_info", "app_account_token", "app_apple_id", "app_data",
        "app_transaction_id", "billing_period_number", "billing_plan_type", "commitment_auto_renew_product_id",
        "commitment_auto_renew_status", "commitment_expires_date", "commitment_info", "commitment_price",
        "commitment_renewal_billing_plan_type", "commitment_renewal_date", "commitment_renewal_price",
        "consumption_request_reason", "currency", "eligible_win_back_offer_ids", "external_purchase_id",
        "external_purchase_token", "failed_count", "invitation_management", "multi_seat_info", "notification_uuid",
        "offer_discount_type", "offer_period", "offer_type", "previous_original_transaction_id", "price",
        "price_tiers", "recent_subscription_start_date", "renewal_billing_plan_type", "renewal_date",
        "renewal_price", "renewal_price_tiers", "renewal_quantity", "request_identifier", "revocation_percentage",
        "revocation_type", "revoked_seat_quantity", "signed_app_transaction_info", "signed_date", "signed_payload",
        "signed_renewal_info", "signed_transaction_info", "status", "storefront", "storefront_country_codes",
        "storefront_id", "succeeded_count", "summary", "token_creation_date", "token_expiration_date", "token_type",
        "total_billing_periods", "transaction_reason", "type", "unclaim_info", "unclaim_seat_ids", "version",
    ]
}
