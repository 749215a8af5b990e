// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.

extension UnifiedEvent {
    /// Brings every field together with that of a draft.
    mutating func exchange(_ draft: inout EventDraft, _ exchange: EventExchange) {
        exchange.value(&schemaVersion, &draft.schemaVersion)
        exchange.value(&id, &draft.id)
        exchange.value(&type, &draft.type)
        exchange.value(&disposition, &draft.disposition)
        exchange.value(&occurredAt, &draft.occurredAt)
        exchange.value(&occurredAtBasis, &draft.occurredAtBasis)
        exchange.value(&environment, &draft.environment)
        exchange.value(&bundleID, &draft.bundleID)
        exchange.value(&bundleVersion, &draft.bundleVersion)
        exchange.value(&appAppleID, &draft.appAppleID)
        exchange.value(&entitlement, &draft.entitlement)
        exchange.value(&accessUntil, &draft.accessUntil)
        exchange.value(&subscriptionStatus, &draft.subscriptionStatus)
        exchange.value(&v2, &draft.v2)
        exchange.value(&certainty, &draft.certainty)
        exchange.value(&candidates, &draft.candidates)
        exchange.value(&flags, &draft.flags)
        exchange.value(&companionOf, &draft.companionOf)
        exchange.value(&derivedFrom, &draft.derivedFrom)
        exchange.part(&transaction, &draft.hasTransaction, &draft.transactionFields, of: .init()) {
            $0.exchange(&$1, $2)
        }
        exchange.part(&renewal, &draft.hasRenewal, &draft.renewalFields, of: .init()) {
            $0.exchange(&$1, $2)
        }
        exchange.value(&details, &draft.details)
        source.exchange(&draft.source, exchange)
    }
}

extension UnifiedEvent.Transaction {
    /// Brings every field together with that of a draft.
    mutating func exchange(_ draft: inout EventDraft.Transaction, _ exchange: EventExchange) {
        exchange.value(&originalTransactionID, &draft.originalTransactionID)
        exchange.value(&transactionID, &draft.transactionID)
        exchange.value(&webOrderLineItemID, &draft.webOrderLineItemID)
        exchange.value(&productID, &draft.productID)
        exchange.value(&subscriptionGroupID, &draft.subscriptionGroupID)
        exchange.value(&productType, &draft.productType)
        exchange.value(&quantity, &draft.quantity)
        exchange.value(&purchasedAt, &draft.purchasedAt)
        exchange.value(&originalPurchasedAt, &draft.originalPurchasedAt)
        exchange.value(&expiresAt, &draft.expiresAt)
        exchange.value(&revokedAt, &draft.revokedAt)
        exchange.value(&revocationReason, &draft.revocationReason)
        exchange.value(&isUpgraded, &draft.isUpgraded)
        exchange.value(&ownership, &draft.ownership)
        exchange.value(&appAccountToken, &draft.appAccountToken)
        exchange.value(&offerType, &draft.offerType)
        exchange.value(&offerID, &draft.offerID)
        exchange.value(&offerDiscountType, &draft.offerDiscountType)
        exchange.value(&storefront, &draft.storefront)
        exchange.value(&price, &draft.price)
        exchange.value(&currency, &draft.currency)
    }
}

extension UnifiedEvent.Renewal {
    /// Brings every field together with that of a draft.
    mutating func exchange(_ draft: inout EventDraft.Renewal, _ exchange: EventExchange) {
        exchange.value(&autoRenewProductID, &draft.autoRenewProductID)
        exchange.value(&autoRenewStatus, &draft.autoRenewStatus)
        exchange.value(&expirationIntent, &draft.expirationIntent)
        exchange.value(&inBillingRetry, &draft.inBillingRetry)
        exchange.value(&gracePeriodExpiresAt, &draft.gracePeriodExpiresAt)
        exchange.value(&priceIncreaseStatus, &draft.priceIncreaseStatus)
        exchange.value(&offerType, &draft.offerType)
        exchange.value(&offerID, &draft.offerID)
        exchange.value(&renewsAt, &draft.renewsAt)
    }
}

extension UnifiedEvent.Source {
    /// Brings every field together with that of a draft.
    mutating func exchange(_ draft: inout EventDraft.Source, _ exchange: EventExchange) {
        exchange.value(&version, &draft.version)
        exchange.value(&type, &draft.type)
        exchange.value(&subtype, &draft.subtype)
        exchange.value(&authenticity, &draft.authenticity)
        exchange.value(&receivedAt, &draft.receivedAt)
        exchange.value(&rule, &draft.rule)
        exchange.value(&rulesVersion, &draft.rulesVersion)
        exchange.value(&input, &draft.input)
        exchange.value(&line, &draft.line)
        exchange.value(&offset, &draft.offset)
        exchange.value(&isReceiptRequested, &draft.isReceiptRequested)
        exchange.part(&receipt, &draft.hasReceipt, &draft.receiptFields, of: .init()) {
            $0.exchange(&$1, $2)
        }
    }
}

extension UnifiedEvent.ReceiptProof {
    /// Brings every field together with that of a draft.
    mutating func exchange(_ draft: inout EventDraft.ReceiptProof, _ exchange: EventExchange) {
        exchange.value(&createdAt, &draft.createdAt)
        exchange.value(&covers, &draft.covers)
        exchange.value(&code, &draft.code)
    }
}
