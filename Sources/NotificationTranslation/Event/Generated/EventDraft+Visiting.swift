// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

extension EventDraft {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.text("{\"schema_version\":", &schemaVersion, nil)
        visitor.id(",\"id\":", &id)
        visitor.text(",\"type\":", &type, nil)
        visitor.word(",\"disposition\":", &disposition)
        visitor.time(",\"occurred_at\":", &occurredAt, nil)
        visitor.number(",\"occurred_at_ms\":", &occurredAt, nil)
        visitor.text(",\"occurred_at_basis\":", &occurredAtBasis, nil)
        visitor.text(",\"environment\":", &environment, nil)
        visitor.text(",\"bundle_id\":", &bundleID, nil)
        visitor.text(",\"bundle_version\":", &bundleVersion, nil)
        visitor.appID(",\"app_apple_id\":", &appAppleID)
        visitor.word(",\"entitlement\":", &entitlement)
        visitor.time(",\"access_until\":", &accessUntil, nil)
        visitor.number(",\"subscription_status\":", &subscriptionStatus, nil)
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
    mutating func visit(_ visitor: inout some FieldVisitor) {
        typealias Apple = V2Keys.Transaction
        visitor.text("{\"original_transaction_id\":", &originalTransactionID, Apple.originalTransactionId.rawValue)
        visitor.text(",\"transaction_id\":", &transactionID, Apple.transactionId.rawValue)
        visitor.text(",\"web_order_line_item_id\":", &webOrderLineItemID, Apple.webOrderLineItemId.rawValue)
        visitor.text(",\"product_id\":", &productID, Apple.productId.rawValue)
        visitor.text(",\"subscription_group_id\":", &subscriptionGroupID, Apple.subscriptionGroupIdentifier.rawValue)
        visitor.text(",\"product_type\":", &productType, Apple.type.rawValue)
        visitor.number(",\"quantity\":", &quantity, Apple.quantity.rawValue)
        visitor.time(",\"purchased_at\":", &purchasedAt, Apple.purchaseDate.rawValue)
        visitor.time(",\"original_purchased_at\":", &originalPurchasedAt, Apple.originalPurchaseDate.rawValue)
        visitor.time(",\"expires_at\":", &expiresAt, Apple.expiresDate.rawValue)
        visitor.time(",\"revoked_at\":", &revokedAt, Apple.revocationDate.rawValue)
        visitor.number(",\"revocation_reason\":", &revocationReason, Apple.revocationReason.rawValue)
        visitor.truth(",\"is_upgraded\":", &isUpgraded, Apple.isUpgraded.rawValue)
        visitor.text(",\"ownership\":", &ownership, Apple.inAppOwnershipType.rawValue)
        visitor.text(",\"app_account_token\":", &appAccountToken, nil)
        visitor.number(",\"offer_type\":", &offerType, Apple.offerType.rawValue)
        visitor.text(",\"offer_id\":", &offerID, Apple.offerIdentifier.rawValue)
        visitor.text(",\"offer_discount_type\":", &offerDiscountType, Apple.offerDiscountType.rawValue)
        visitor.text(",\"storefront\":", &storefront, Apple.storefront.rawValue)
        visitor.number(",\"price\":", &price, Apple.price.rawValue)
        visitor.text(",\"currency\":", &currency, Apple.currency.rawValue)
        visitor.end()
    }
}

extension EventDraft.Renewal {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some FieldVisitor) {
        typealias Apple = V2Keys.Renewal
        visitor.text("{\"auto_renew_product_id\":", &autoRenewProductID, Apple.autoRenewProductId.rawValue)
        visitor.number(",\"auto_renew_status\":", &autoRenewStatus, Apple.autoRenewStatus.rawValue)
        visitor.number(",\"expiration_intent\":", &expirationIntent, Apple.expirationIntent.rawValue)
        visitor.truth(",\"in_billing_retry\":", &inBillingRetry, Apple.isInBillingRetryPeriod.rawValue)
        visitor.time(",\"grace_period_expires_at\":", &gracePeriodExpiresAt, Apple.gracePeriodExpiresDate.rawValue)
        visitor.number(",\"price_increase_status\":", &priceIncreaseStatus, Apple.priceIncreaseStatus.rawValue)
        visitor.number(",\"offer_type\":", &offerType, Apple.offerType.rawValue)
        visitor.text(",\"offer_id\":", &offerID, Apple.offerIdentifier.rawValue)
        visitor.time(",\"renews_at\":", &renewsAt, Apple.renewalDate.rawValue)
        visitor.end()
    }
}

extension EventDraft.Source {
    /// Visits every field in the order of the contract.
    @inline(__always)
    mutating func visit(_ visitor: inout some EventVisitor) {
        visitor.word("{\"version\":", &version)
        visitor.text(",\"type\":", &type, nil)
        visitor.text(",\"subtype\":", &subtype, nil)
        visitor.word(",\"authenticity\":", &authenticity)
        visitor.time(",\"received_at\":", &receivedAt, nil)
        visitor.text(",\"rule\":", &rule, nil)
        visitor.text(",\"rules_version\":", &rulesVersion, nil)
        visitor.text(",\"input\":", &input, nil)
        visitor.number(",\"line\":", &line, nil)
        visitor.number(",\"offset\":", &offset, nil)
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
        visitor.time("{\"created_at\":", &createdAt, nil)
        visitor.word(",\"covers\":", &covers)
        visitor.text(",\"code\":", &code, nil)
        visitor.end()
    }
}
