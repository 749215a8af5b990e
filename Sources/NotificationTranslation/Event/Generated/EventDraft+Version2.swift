// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

extension EventDraft {
    /// Writes the fields that version 2 has, under Apple's keys.
    func writeMembers(_ writer: inout Version2Writer) {
        writer.member("environment", environment)
        writer.member("bundleId", bundleID)
        writer.member("bundleVersion", bundleVersion)
        writer.member("appAppleId", appAppleID)
    }
}

extension EventDraft.Transaction {
    /// Writes the fields that version 2 has, under Apple's keys.
    func writeMembers(_ writer: inout Version2Writer) {
        writer.member("originalTransactionId", originalTransactionID)
        writer.member("transactionId", transactionID)
        writer.member("webOrderLineItemId", webOrderLineItemID)
        writer.member("productId", productID)
        writer.member("subscriptionGroupIdentifier", subscriptionGroupID)
        writer.member("type", productType)
        writer.member("quantity", quantity)
        writer.member("purchaseDate", purchasedAt)
        writer.member("originalPurchaseDate", originalPurchasedAt)
        writer.member("expiresDate", expiresAt)
        writer.member("revocationDate", revokedAt)
        writer.member("revocationReason", revocationReason)
        writer.member("isUpgraded", isUpgraded)
        writer.member("inAppOwnershipType", ownership)
        writer.member("offerType", offerType)
        writer.member("offerIdentifier", offerID)
        writer.member("offerDiscountType", offerDiscountType)
        writer.member("storefront", storefront)
        writer.member("price", price)
        writer.member("currency", currency)
    }
}

extension EventDraft.Renewal {
    /// Writes the fields that version 2 has, under Apple's keys.
    func writeMembers(_ writer: inout Version2Writer) {
        writer.member("autoRenewProductId", autoRenewProductID)
        writer.member("autoRenewStatus", autoRenewStatus)
        writer.member("expirationIntent", expirationIntent)
        writer.member("isInBillingRetryPeriod", inBillingRetry)
        writer.member("gracePeriodExpiresDate", gracePeriodExpiresAt)
        writer.member("priceIncreaseStatus", priceIncreaseStatus)
        writer.member("offerType", offerType)
        writer.member("offerIdentifier", offerID)
        writer.member("renewalDate", renewsAt)
    }
}
