/// Writes an ``EventDraft`` as one line: every key of the contract, in its order, `null` where nothing is known.
struct EventWriter {
    private let output: OutputBuffer
    private let events: EventNames

    init(_ output: OutputBuffer, _ events: EventNames) {
        self.output = output
        self.events = events
    }

    /// Writes the event without a line end.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - marksLine: Leaves out the line number, for it to be put in later.
    /// - Returns: The position in the output where the line number stands or belongs.
    func write(_ event: borrowing EventDraft, marksLine: Bool) -> Int {
        var json = JSONWriter(output)
        happening(event, &json)
        judgement(event, &json)
        json.literal(",\"transaction\":")
        if let transaction = event.transaction { write(transaction, &json) } else { json.literal("null") }
        json.literal(",\"renewal\":")
        if let renewal = event.renewal { write(renewal, &json) } else { json.literal("null") }
        json.literal(",\"source\":")
        let position = write(event.source, marksLine: marksLine, &json)
        json.literal("}")
        json.finish()
        return position
    }

    private func happening(_ event: borrowing EventDraft, _ json: inout JSONWriter) {
        json.literal("{\"schema_version\":")
        json.text(event.schemaVersion)
        json.literal(",\"id\":")
        switch event.id {
        case .uuid(let id): json.uuid(id)
        case .text(let text): json.text(text)
        }
        json.literal(",\"type\":")
        json.text(event.type)
        json.literal(",\"disposition\":")
        json.text(EventNames.name(event.disposition))
        json.literal(",\"occurred_at\":")
        json.time(event.occurredAt)
        json.literal(",\"occurred_at_ms\":")
        json.number(event.occurredAt)
        json.literal(",\"occurred_at_basis\":")
        json.text(event.occurredAtBasis)
        json.literal(",\"environment\":")
        json.text(event.environment)
        json.literal(",\"bundle_id\":")
        json.text(event.bundleID)
        json.literal(",\"bundle_version\":")
        json.text(event.bundleVersion)
        json.literal(",\"app_apple_id\":")
        if let number = event.appAppleNumber { json.digits(number) } else { json.text(event.appAppleID) }
    }

    private func judgement(_ event: borrowing EventDraft, _ json: inout JSONWriter) {
        json.literal(",\"entitlement\":")
        json.text(EventNames.name(event.entitlement))
        json.literal(",\"v2\":")
        pair(event.v2, &json)
        json.literal(",\"certainty\":")
        json.text(EventNames.name(event.certainty))
        json.literal(",\"candidates\":[")
        candidates(event, &json)
        json.literal("],\"flags\":[")
        flags(event, &json)
        json.literal("],\"companion_of\":")
        json.text(event.companionOf)
        json.literal(",\"derived_from\":[")
        list(event.derivedFrom, &json) { $1.text($0) }
        json.literal("]")
    }

    @inline(__always)
    private func list<Element>(
        _ elements: [Element], _ json: inout JSONWriter, _ write: (Element, inout JSONWriter) -> Void
    ) {
        guard !elements.isEmpty else { return }
        for (place, element) in elements.enumerated() {
            if place > 0 { json.literal(",") }
            write(element, &json)
        }
    }

    private func pair(_ pair: EventDraft.Pair, _ json: inout JSONWriter) {
        json.literal("{\"type\":")
        json.text(pair.type)
        json.literal(",\"subtype\":")
        json.text(pair.subtype)
        json.literal("}")
    }

    private func candidates(_ event: borrowing EventDraft, _ json: inout JSONWriter) {
        if event.candidates.isEmpty, let decision = event.decision {
            list(decision.candidates, &json) { pair(events.pair($0), &$1) }
        } else {
            list(event.candidates, &json) { pair($0, &$1) }
        }
    }

    private func flags(_ event: borrowing EventDraft, _ json: inout JSONWriter) {
        var rest = event.flags.rawValue
        var first = true
        while rest != 0 {
            if !first { json.literal(",") }
            first = false
            json.text(events.flags[rest.trailingZeroBitCount].text)
            rest &= rest &- 1
        }
        for flag in event.namedFlags {
            if !first { json.literal(",") }
            first = false
            json.text(flag)
        }
    }

    private func write(_ transaction: EventDraft.Transaction, _ json: inout JSONWriter) {
        json.literal("{\"original_transaction_id\":")
        json.text(transaction.originalTransactionID)
        json.literal(",\"transaction_id\":")
        json.text(transaction.transactionID)
        json.literal(",\"web_order_line_item_id\":")
        json.text(transaction.webOrderLineItemID)
        json.literal(",\"product_id\":")
        json.text(transaction.productID)
        json.literal(",\"subscription_group_id\":")
        json.text(transaction.subscriptionGroupID)
        json.literal(",\"product_type\":")
        json.text(transaction.productType)
        json.literal(",\"quantity\":")
        json.number(transaction.quantity)
        json.literal(",\"purchased_at\":")
        json.time(transaction.purchasedAt)
        json.literal(",\"original_purchased_at\":")
        json.time(transaction.originalPurchasedAt)
        json.literal(",\"expires_at\":")
        json.time(transaction.expiresAt)
        json.literal(",\"revoked_at\":")
        json.time(transaction.revokedAt)
        json.literal(",\"revocation_reason\":")
        json.number(transaction.revocationReason)
        json.literal(",\"is_upgraded\":")
        json.bool(transaction.isUpgraded)
        json.literal(",\"ownership\":")
        json.text(transaction.ownership)
        json.literal(",\"app_account_token\":")
        json.text(transaction.appAccountToken)
        json.literal(",\"offer_type\":")
        json.number(transaction.offerType)
        json.literal(",\"offer_id\":")
        json.text(transaction.offerID)
        json.literal(",\"offer_discount_type\":")
        json.text(transaction.offerDiscountType)
        json.literal(",\"storefront\":")
        json.text(transaction.storefront)
        json.literal(",\"price\":")
        json.number(transaction.price)
        json.literal(",\"currency\":")
        json.text(transaction.currency)
        json.literal("}")
    }

    private func write(_ renewal: EventDraft.Renewal, _ json: inout JSONWriter) {
        json.literal("{\"auto_renew_product_id\":")
        json.text(renewal.autoRenewProductID)
        json.literal(",\"auto_renew_status\":")
        json.number(renewal.autoRenewStatus)
        json.literal(",\"expiration_intent\":")
        json.number(renewal.expirationIntent)
        json.literal(",\"in_billing_retry\":")
        json.bool(renewal.inBillingRetry)
        json.literal(",\"grace_period_expires_at\":")
        json.time(renewal.gracePeriodExpiresAt)
        json.literal(",\"price_increase_status\":")
        json.number(renewal.priceIncreaseStatus)
        json.literal(",\"offer_type\":")
        json.number(renewal.offerType)
        json.literal(",\"offer_id\":")
        json.text(renewal.offerID)
        json.literal(",\"renews_at\":")
        json.time(renewal.renewsAt)
        json.literal("}")
    }

    private func write(_ source: EventDraft.Source, marksLine: Bool, _ json: inout JSONWriter) -> Int {
        json.literal("{\"version\":")
        json.text(EventNames.name(source.version))
        json.literal(",\"type\":")
        json.text(source.type)
        json.literal(",\"subtype\":")
        json.text(source.subtype)
        json.literal(",\"authenticity\":")
        json.text(EventNames.name(source.authenticity))
        json.literal(",\"received_at\":")
        json.time(source.receivedAt)
        json.literal(",\"rule\":")
        json.text(source.rule)
        json.literal(",\"rules_version\":")
        json.text(source.rulesVersion)
        json.literal(",\"input\":")
        json.text(source.input)
        json.literal(",\"line\":")
        let position = json.position
        if !marksLine { json.number(source.line) }
        json.literal(",\"offset\":")
        json.number(source.offset)
        json.literal("}")
        return position
    }
}
