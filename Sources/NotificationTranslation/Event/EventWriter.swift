/// Writes an ``EventDraft`` as one line: every key of the contract, in its order, `null` where nothing is known.
struct EventWriter {
    private let output: OutputBuffer
    private let events: EventNames

    init(_ output: OutputBuffer, _ events: EventNames) {
        self.output = output
        self.events = events
    }

    /// Where parts of an event stand in the output, for those that come later.
    struct Places {
        /// Of the id, its quote included.
        var id: Int
        /// Of the line number.
        var line: Int
    }

    /// Writes the event without a line end.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - marksLine: Leaves out the line number, for it to be put in later.
    ///   - isCompact: Leaves out the keys; see ``CompactLine``.
    /// - Returns: The positions in the output where the id and the line number stand or belong.
    func write(_ event: borrowing EventDraft, marksLine: Bool, isCompact: Bool = false) -> Places {
        var json = JSONWriter(output, isCompact: isCompact)
        let idPosition = happening(event, &json)
        judgement(event, &json)
        if let transaction = event.transaction {
            json.key(",\"transaction\":")
            write(transaction, &json)
        } else {
            json.absentObject(",\"transaction\":")
        }
        if let renewal = event.renewal {
            json.key(",\"renewal\":")
            write(renewal, &json)
        } else {
            json.absentObject(",\"renewal\":")
        }
        json.key(",\"source\":")
        let position = write(event.source, marksLine: marksLine, &json)
        json.literal("}")
        json.finish()
        return Places(id: idPosition, line: position)
    }

    /// - Returns: The position of the id.
    private func happening(_ event: borrowing EventDraft, _ json: inout JSONWriter) -> Int {
        json.key("{\"schema_version\":")
        json.text(event.schemaVersion)
        json.key(",\"id\":")
        let position = json.position
        switch event.id {
        case .uuid(let id): json.uuid(id)
        case .text(let text): json.text(text)
        }
        json.key(",\"type\":")
        json.text(event.type)
        json.key(",\"disposition\":")
        json.text(EventNames.name(event.disposition))
        json.key(",\"occurred_at\":")
        json.time(event.occurredAt)
        json.key(",\"occurred_at_ms\":")
        json.number(event.occurredAt)
        json.key(",\"occurred_at_basis\":")
        json.text(event.occurredAtBasis)
        json.key(",\"environment\":")
        json.text(event.environment)
        json.key(",\"bundle_id\":")
        json.text(event.bundleID)
        json.key(",\"bundle_version\":")
        json.text(event.bundleVersion)
        json.key(",\"app_apple_id\":")
        if let number = event.appAppleNumber { json.digits(number) } else { json.text(event.appAppleID) }
        return position
    }

    private func judgement(_ event: borrowing EventDraft, _ json: inout JSONWriter) {
        json.key(",\"entitlement\":")
        json.text(EventNames.name(event.entitlement))
        json.key(",\"v2\":")
        pair(event.v2, &json)
        json.key(",\"certainty\":")
        json.text(EventNames.name(event.certainty))
        json.key(",\"candidates\":[")
        candidates(event, &json)
        json.key("],\"flags\":[")
        flags(event, &json)
        json.key("],\"companion_of\":")
        json.text(event.companionOf)
        json.key(",\"derived_from\":[")
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
        name(pair.type, &json)
        json.literal(",\"subtype\":")
        name(pair.subtype, &json)
        json.literal("}")
    }

    private func name(_ name: EventText, _ json: inout JSONWriter) {
        if name.isAbsent { json.literal("null") } else { json.text(name) }
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
        json.key("{\"original_transaction_id\":")
        json.text(transaction.originalTransactionID)
        json.key(",\"transaction_id\":")
        json.text(transaction.transactionID)
        json.key(",\"web_order_line_item_id\":")
        json.text(transaction.webOrderLineItemID)
        json.key(",\"product_id\":")
        json.text(transaction.productID)
        json.key(",\"subscription_group_id\":")
        json.text(transaction.subscriptionGroupID)
        json.key(",\"product_type\":")
        json.text(transaction.productType)
        json.key(",\"quantity\":")
        json.number(transaction.quantity)
        json.key(",\"purchased_at\":")
        json.time(transaction.purchasedAt)
        json.key(",\"original_purchased_at\":")
        json.time(transaction.originalPurchasedAt)
        json.key(",\"expires_at\":")
        json.time(transaction.expiresAt)
        json.key(",\"revoked_at\":")
        json.time(transaction.revokedAt)
        json.key(",\"revocation_reason\":")
        json.number(transaction.revocationReason)
        json.key(",\"is_upgraded\":")
        json.bool(transaction.isUpgraded)
        json.key(",\"ownership\":")
        json.text(transaction.ownership)
        json.key(",\"app_account_token\":")
        json.text(transaction.appAccountToken)
        json.key(",\"offer_type\":")
        json.number(transaction.offerType)
        json.key(",\"offer_id\":")
        json.text(transaction.offerID)
        json.key(",\"offer_discount_type\":")
        json.text(transaction.offerDiscountType)
        json.key(",\"storefront\":")
        json.text(transaction.storefront)
        json.key(",\"price\":")
        json.number(transaction.price)
        json.key(",\"currency\":")
        json.text(transaction.currency)
        json.literal("}")
    }

    private func write(_ renewal: EventDraft.Renewal, _ json: inout JSONWriter) {
        json.key("{\"auto_renew_product_id\":")
        json.text(renewal.autoRenewProductID)
        json.key(",\"auto_renew_status\":")
        json.number(renewal.autoRenewStatus)
        json.key(",\"expiration_intent\":")
        json.number(renewal.expirationIntent)
        json.key(",\"in_billing_retry\":")
        json.bool(renewal.inBillingRetry)
        json.key(",\"grace_period_expires_at\":")
        json.time(renewal.gracePeriodExpiresAt)
        json.key(",\"price_increase_status\":")
        json.number(renewal.priceIncreaseStatus)
        json.key(",\"offer_type\":")
        json.number(renewal.offerType)
        json.key(",\"offer_id\":")
        json.text(renewal.offerID)
        json.key(",\"renews_at\":")
        json.time(renewal.renewsAt)
        json.literal("}")
    }

    private func write(_ source: EventDraft.Source, marksLine: Bool, _ json: inout JSONWriter) -> Int {
        json.key("{\"version\":")
        json.text(EventNames.name(source.version))
        json.key(",\"type\":")
        json.text(source.type)
        json.key(",\"subtype\":")
        json.text(source.subtype)
        json.key(",\"authenticity\":")
        json.text(EventNames.name(source.authenticity))
        json.key(",\"received_at\":")
        json.time(source.receivedAt)
        json.key(",\"rule\":")
        json.text(source.rule)
        json.key(",\"rules_version\":")
        json.text(source.rulesVersion)
        json.key(",\"input\":")
        json.text(source.input)
        json.key(",\"line\":")
        let position = json.position
        if !marksLine { json.number(source.line) }
        json.key(",\"offset\":")
        json.number(source.offset)
        json.literal("}")
        return position
    }
}
