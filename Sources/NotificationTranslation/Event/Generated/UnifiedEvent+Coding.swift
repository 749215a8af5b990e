// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

extension UnifiedEvent: EventCodable {
    mutating func visit(_ coder: inout some EventCoder) throws {
        try coder.value("schema_version", &schemaVersion)
        try coder.value("id", &id)
        try coder.value("type", &type)
        try coder.value("disposition", &disposition)
        try coder.value("occurred_at", &occurredAt)
        try coder.milliseconds("occurred_at_ms", &occurredAt)
        try coder.value("occurred_at_basis", &occurredAtBasis)
        try coder.value("environment", &environment)
        try coder.value("bundle_id", &bundleID)
        try coder.value("bundle_version", &bundleVersion)
        try coder.value("app_apple_id", &appAppleID)
        try coder.value("entitlement", &entitlement)
        try coder.value("access_until", &accessUntil)
        try coder.value("subscription_status", &subscriptionStatus)
        try coder.value("v2", &v2)
        try coder.value("certainty", &certainty)
        try coder.value("candidates", &candidates)
        try coder.value("flags", &flags)
        try coder.value("companion_of", &companionOf)
        try coder.value("derived_from", &derivedFrom)
        try coder.value("transaction", &transaction)
        try coder.value("renewal", &renewal)
        try coder.value("details", &details)
        try coder.value("source", &source)
    }
}

extension UnifiedEvent.Transaction: EventCodable {
    mutating func visit(_ coder: inout some EventCoder) throws {
        try coder.value("original_transaction_id", &originalTransactionID)
        try coder.value("transaction_id", &transactionID)
        try coder.value("web_order_line_item_id", &webOrderLineItemID)
        try coder.value("product_id", &productID)
        try coder.value("subscription_group_id", &subscriptionGroupID)
        try coder.value("product_type", &productType)
        try coder.value("quantity", &quantity)
        try coder.value("purchased_at", &purchasedAt)
        try coder.value("original_purchased_at", &originalPurchasedAt)
        try coder.value("expires_at", &expiresAt)
        try coder.value("revoked_at", &revokedAt)
        try coder.value("revocation_reason", &revocationReason)
        try coder.value("is_upgraded", &isUpgraded)
        try coder.value("ownership", &ownership)
        try coder.value("app_account_token", &appAccountToken)
        try coder.value("offer_type", &offerType)
        try coder.value("offer_id", &offerID)
        try coder.value("offer_discount_type", &offerDiscountType)
        try coder.value("storefront", &storefront)
        try coder.value("price", &price)
        try coder.value("currency", &currency)
    }
}

extension UnifiedEvent.Renewal: EventCodable {
    mutating func visit(_ coder: inout some EventCoder) throws {
        try coder.value("auto_renew_product_id", &autoRenewProductID)
        try coder.value("auto_renew_status", &autoRenewStatus)
        try coder.value("expiration_intent", &expirationIntent)
        try coder.value("in_billing_retry", &inBillingRetry)
        try coder.value("grace_period_expires_at", &gracePeriodExpiresAt)
        try coder.value("price_increase_status", &priceIncreaseStatus)
        try coder.value("offer_type", &offerType)
        try coder.value("offer_id", &offerID)
        try coder.value("renews_at", &renewsAt)
    }
}

extension UnifiedEvent.Source: EventCodable {
    mutating func visit(_ coder: inout some EventCoder) throws {
        try coder.value("version", &version)
        try coder.value("type", &type)
        try coder.value("subtype", &subtype)
        try coder.value("authenticity", &authenticity)
        try coder.value("received_at", &receivedAt)
        try coder.value("rule", &rule)
        try coder.value("rules_version", &rulesVersion)
        try coder.value("input", &input)
        try coder.value("line", &line)
        try coder.value("offset", &offset)
        try coder.option("receipt", &receipt)
    }
}

extension UnifiedEvent.ReceiptProof: EventCodable {
    mutating func visit(_ coder: inout some EventCoder) throws {
        try coder.value("created_at", &createdAt)
        try coder.value("covers", &covers)
        try coder.value("code", &code)
    }
}
