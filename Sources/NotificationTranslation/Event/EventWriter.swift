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

    /// Writes the event.
    ///
    /// - Parameters:
    ///   - event: The event; `inout`, though it stays as it is, to be handed on by its place and not copied.
    ///   - marksLine: Leaves out the line number, for it to be put in later.
    ///   - endsLine: Puts a line end behind it.
    ///   - isCompact: Leaves out the keys; see ``CompactLine``.
    /// - Returns: The positions in the output where the id and the line number stand or belong.
    func write(
        _ event: inout EventDraft, marksLine: Bool, endsLine: Bool = false, isCompact: Bool = false
    ) -> Places {
        var json = LineWriter(output, isCompact: isCompact)
        let idPosition = happening(&event, &json)
        judgement(&event, &json)
        if event.hasTransaction {
            json.key(",\"transaction\":")
            transaction(&event, &json)
        } else {
            json.absentObject(",\"transaction\":")
        }
        if event.hasRenewal {
            json.key(",\"renewal\":")
            renewal(&event, &json)
        } else {
            json.absentObject(",\"renewal\":")
        }
        json.key(",\"details\":")
        json.object(event.details)
        json.key(",\"source\":")
        let position = source(&event, marksLine: marksLine, &json)
        json.literal("}")
        if endsLine { json.literal("\n") }
        json.finish()
        return Places(id: idPosition, line: position)
    }

    /// - Returns: The position of the id.
    private func happening(_ event: inout EventDraft, _ json: inout LineWriter) -> Int {
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

    private func judgement(_ event: inout EventDraft, _ json: inout LineWriter) {
        json.key(",\"entitlement\":")
        json.text(EventNames.name(event.entitlement))
        json.key(",\"access_until\":")
        json.time(event.accessUntil)
        json.key(",\"subscription_status\":")
        json.number(event.subscriptionStatus)
        json.key(",\"v2\":")
        pair(event.v2, &json)
        json.key(",\"certainty\":")
        json.text(EventNames.name(event.certainty))
        json.key(",\"candidates\":[")
        candidates(&event, &json)
        json.key("],\"flags\":[")
        flags(&event, &json)
        json.key("],\"companion_of\":")
        json.text(event.companionOf)
        json.key(",\"derived_from\":[")
        list(event.derivedFrom, &json) { $1.text($0) }
        json.literal("]")
    }

    @inline(__always)
    private func list<Element>(
        _ elements: [Element], _ json: inout LineWriter, _ write: (Element, inout LineWriter) -> Void
    ) {
        guard !elements.isEmpty else { return }
        for (place, element) in elements.enumerated() {
            if place > 0 { json.literal(",") }
            write(element, &json)
            json.makeRoom()
        }
    }

    private func pair(_ pair: EventDraft.Pair, _ json: inout LineWriter) {
        json.literal("{\"type\":")
        name(pair.type, &json)
        json.literal(",\"subtype\":")
        name(pair.subtype, &json)
        json.literal("}")
    }

    private func name(_ name: EventText, _ json: inout LineWriter) {
        if name.isAbsent { json.literal("null") } else { json.text(name) }
    }

    private func candidates(_ event: inout EventDraft, _ json: inout LineWriter) {
        if event.candidates.isEmpty, let decision = event.decision {
            list(decision.candidates, &json) { pair(events.pair($0), &$1) }
        } else {
            list(event.candidates, &json) { pair($0, &$1) }
        }
    }

    private func flags(_ event: inout EventDraft, _ json: inout LineWriter) {
        var rest = event.flags.rawValue
        var first = true
        while rest != 0 {
            if !first { json.literal(",") }
            first = false
            json.text(events.flags[rest.trailingZeroBitCount].text)
            json.makeRoom()
            rest &= rest &- 1
        }
        for flag in event.namedFlags {
            if !first { json.literal(",") }
            first = false
            json.text(flag)
            json.makeRoom()
        }
    }

    private func transaction(_ event: inout EventDraft, _ json: inout LineWriter) {
        json.key("{\"original_transaction_id\":")
        json.text(event.transactionFields.originalTransactionID)
        json.key(",\"transaction_id\":")
        json.text(event.transactionFields.transactionID)
        json.key(",\"web_order_line_item_id\":")
        json.text(event.transactionFields.webOrderLineItemID)
        json.key(",\"product_id\":")
        json.text(event.transactionFields.productID)
        json.key(",\"subscription_group_id\":")
        json.text(event.transactionFields.subscriptionGroupID)
        json.key(",\"product_type\":")
        json.text(event.transactionFields.productType)
        json.key(",\"quantity\":")
        json.number(event.transactionFields.quantity)
        json.key(",\"purchased_at\":")
        json.time(event.transactionFields.purchasedAt)
        json.key(",\"original_purchased_at\":")
        json.time(event.transactionFields.originalPurchasedAt)
        json.key(",\"expires_at\":")
        json.time(event.transactionFields.expiresAt)
        json.key(",\"revoked_at\":")
        json.time(event.transactionFields.revokedAt)
        json.key(",\"revocation_reason\":")
        json.number(event.transactionFields.revocationReason)
        json.key(",\"is_upgraded\":")
        json.bool(event.transactionFields.isUpgraded)
        json.key(",\"ownership\":")
        json.text(event.transactionFields.ownership)
        json.key(",\"app_account_token\":")
        json.text(event.transactionFields.appAccountToken)
        json.key(",\"offer_type\":")
        json.number(event.transactionFields.offerType)
        json.key(",\"offer_id\":")
        json.text(event.transactionFields.offerID)
        json.key(",\"offer_discount_type\":")
        json.text(event.transactionFields.offerDiscountType)
        json.key(",\"storefront\":")
        json.text(event.transactionFields.storefront)
        json.key(",\"price\":")
        json.number(event.transactionFields.price)
        json.key(",\"currency\":")
        json.text(event.transactionFields.currency)
        json.literal("}")
    }

    private func renewal(_ event: inout EventDraft, _ json: inout LineWriter) {
        json.key("{\"auto_renew_product_id\":")
        json.text(event.renewalFields.autoRenewProductID)
        json.key(",\"auto_renew_status\":")
        json.number(event.renewalFields.autoRenewStatus)
        json.key(",\"expiration_intent\":")
        json.number(event.renewalFields.expirationIntent)
        json.key(",\"in_billing_retry\":")
        json.bool(event.renewalFields.inBillingRetry)
        json.key(",\"grace_period_expires_at\":")
        json.time(event.renewalFields.gracePeriodExpiresAt)
        json.key(",\"price_increase_status\":")
        json.number(event.renewalFields.priceIncreaseStatus)
        json.key(",\"offer_type\":")
        json.number(event.renewalFields.offerType)
        json.key(",\"offer_id\":")
        json.text(event.renewalFields.offerID)
        json.key(",\"renews_at\":")
        json.time(event.renewalFields.renewsAt)
        json.literal("}")
    }

    private func source(_ event: inout EventDraft, marksLine: Bool, _ json: inout LineWriter) -> Int {
        json.key("{\"version\":")
        json.text(EventNames.name(event.source.version))
        json.key(",\"type\":")
        json.text(event.source.type)
        json.key(",\"subtype\":")
        json.text(event.source.subtype)
        json.key(",\"authenticity\":")
        json.text(EventNames.name(event.source.authenticity))
        json.key(",\"received_at\":")
        json.time(event.source.receivedAt)
        json.key(",\"rule\":")
        json.text(event.source.rule)
        json.key(",\"rules_version\":")
        json.text(event.source.rulesVersion)
        json.key(",\"input\":")
        json.text(event.source.input)
        json.key(",\"line\":")
        let position = json.position
        if !marksLine { json.number(event.source.line) }
        json.key(",\"offset\":")
        json.number(event.source.offset)
        json.literal("}")
        return position
    }
}
