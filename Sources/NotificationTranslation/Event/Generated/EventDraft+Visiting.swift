// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

extension EventDraft {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.text("{\"schema_version\":", &schemaVersion)
        visitor.id(",\"id\":", &id)
        visitor.text(",\"type\":", &type)
        visitor.word(",\"disposition\":", &disposition)
        visitor.time(",\"occurred_at\":", &occurredAt)
        visitor.number(",\"occurred_at_ms\":", &occurredAt)
        visitor.text(",\"occurred_at_basis\":", &occurredAtBasis)
        visitor.text(",\"environment\":", &environment)
        visitor.text(",\"bundle_id\":", &bundleID)
        visitor.text(",\"bundle_version\":", &bundleVersion)
        visitor.appID(",\"app_apple_id\":", &appAppleID)
        visitor.word(",\"entitlement\":", &entitlement)
        visitor.time(",\"access_until\":", &accessUntil)
        visitor.number(",\"subscription_status\":", &subscriptionStatus)
        visitor.pair(",\"v2\":", &v2)
        visitor.word(",\"certainty\":", &certainty)
        visitor.pairs(",\"candidates\":", &candidates)
        visitor.flags(",\"flags\":", &flags)
        visitor.id(",\"companion_of\":", &companionOf)
        visitor.texts(",\"derived_from\":", &derivedFrom)
        if visitor.begin(",\"transaction\":", &hasTransaction) { transactionFields.visit(&visitor) }
        if visitor.begin(",\"renewal\":", &hasRenewal) { renewalFields.visit(&visitor) }
        visitor.document(",\"details\":", &details)
        visitor.begin(",\"source\":")
        source.visit(&visitor)
        visitor.end()
    }
}

extension EventDraft.Transaction {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.text("{\"original_transaction_id\":", &originalTransactionID)
        visitor.text(",\"transaction_id\":", &transactionID)
        visitor.text(",\"web_order_line_item_id\":", &webOrderLineItemID)
        visitor.text(",\"product_id\":", &productID)
        visitor.text(",\"subscription_group_id\":", &subscriptionGroupID)
        visitor.text(",\"product_type\":", &productType)
        visitor.number(",\"quantity\":", &quantity)
        visitor.time(",\"purchased_at\":", &purchasedAt)
        visitor.time(",\"original_purchased_at\":", &originalPurchasedAt)
        visitor.time(",\"expires_at\":", &expiresAt)
        visitor.time(",\"revoked_at\":", &revokedAt)
        visitor.number(",\"revocation_reason\":", &revocationReason)
        visitor.truth(",\"is_upgraded\":", &isUpgraded)
        visitor.text(",\"ownership\":", &ownership)
        visitor.text(",\"app_account_token\":", &appAccountToken)
        visitor.number(",\"offer_type\":", &offerType)
        visitor.text(",\"offer_id\":", &offerID)
        visitor.text(",\"offer_discount_type\":", &offerDiscountType)
        visitor.text(",\"storefront\":", &storefront)
        visitor.number(",\"price\":", &price)
        visitor.text(",\"currency\":", &currency)
        visitor.end()
    }
}

extension EventDraft.Renewal {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.text("{\"auto_renew_product_id\":", &autoRenewProductID)
        visitor.number(",\"auto_renew_status\":", &autoRenewStatus)
        visitor.number(",\"expiration_intent\":", &expirationIntent)
        visitor.truth(",\"in_billing_retry\":", &inBillingRetry)
        visitor.time(",\"grace_period_expires_at\":", &gracePeriodExpiresAt)
        visitor.number(",\"price_increase_status\":", &priceIncreaseStatus)
        visitor.number(",\"offer_type\":", &offerType)
        visitor.text(",\"offer_id\":", &offerID)
        visitor.time(",\"renews_at\":", &renewsAt)
        visitor.end()
    }
}

extension EventDraft.Source {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.word("{\"version\":", &version)
        visitor.text(",\"type\":", &type)
        visitor.text(",\"subtype\":", &subtype)
        visitor.word(",\"authenticity\":", &authenticity)
        visitor.time(",\"received_at\":", &receivedAt)
        visitor.text(",\"rule\":", &rule)
        visitor.text(",\"rules_version\":", &rulesVersion)
        visitor.text(",\"input\":", &input)
        visitor.number(",\"line\":", &line)
        visitor.number(",\"offset\":", &offset)
        if visitor.begin(",\"receipt\":", &isReceiptRequested, &hasReceipt) {
            receiptFields.visit(&visitor)
        }
        visitor.end()
    }
}

extension EventDraft.ReceiptProof {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.time("{\"created_at\":", &createdAt)
        visitor.word(",\"covers\":", &covers)
        visitor.text(",\"code\":", &code)
        visitor.end()
    }
}
