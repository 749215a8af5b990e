/// Makes the event of one version 1 body: reads it, asks the table, and fills in what V2 would have said.
struct V1Drafting {
    let table: DecisionTable
    let names: EventNames
    let fields: V1Fields
    let memory: UnsafeRawPointer
    let receivedAt: Int64?
    private let view: TextView

    init(
        _ table: DecisionTable, _ names: EventNames, _ fields: V1Fields, _ memory: UnsafeRawPointer,
        receivedAt: Int64?
    ) {
        self.table = table
        self.names = names
        self.fields = fields
        self.memory = memory
        self.receivedAt = receivedAt
        view = TextView(memory: memory)
    }

    /// The event, and what was read of the body on the way.
    ///
    /// `idText` is memory for the canonical text of the id; its contents do not matter.
    func draft(_ cache: inout DecisionCache, idText: OutputBuffer) -> (event: EventDraft, reading: V1Reading) {
        var reading = FactFinder(table: table, fields: fields, view: view, receivedAt: receivedAt).read()
        reading.ownTime = reading.time
        let decision = reading.type.map { cache.decision(type: $0, facts: reading.facts) }
        if let decision, decision.rule.isTimeless {
            reading.latestKnown = reading.latestKnown ?? reading.time
            reading.time = nil
        }
        var event = EventDraft()
        event.environment = environment
        bundle(&event, reading)
        event.transaction = transaction(reading)
        event.renewal = renewal(reading)
        event.source.type = text(fields[.notificationType])
        event.source.receivedAt = receivedAt
        event.source.rulesVersion = names.rulesVersion.text
        time(&event, reading)
        if let decision {
            judge(&event, decision)
        } else {
            event.disposition = .unmapped
            event.certainty = .unknown
            event.entitlement = .undecided
            event.flags.formUnion(.unknownV1Type)
        }
        event.id = .uuid(id(event, reading, idText))
        return (event, reading)
    }

    private func judge(_ event: inout EventDraft, _ decision: Decision) {
        let judgement = Judgement(decision, names)
        event.decision = decision
        event.certainty = decision.certainty
        event.flags.formUnion(decision.flags)
        event.source.rule = judgement.rule
        event.disposition = judgement.disposition
        event.type = judgement.type
        event.entitlement = judgement.entitlement
        event.v2 = judgement.pair
    }

    // MARK: When

    private func time(_ event: inout EventDraft, _ reading: V1Reading) {
        if let time = reading.time {
            event.occurredAt = time.milliseconds
            event.occurredAtBasis = EventText(time.field)
            if let receivedAt, receivedAt - time.milliseconds >= table.parameters.lateDelivery {
                event.flags.formUnion(.lateDelivery)
            }
            return
        }
        event.flags.formUnion(.identityWeak)
        if let receivedAt {
            event.occurredAt = receivedAt
            event.occurredAtBasis = EventText("received_at")
        } else if let known = reading.latestKnown {
            event.occurredAt = known.milliseconds
            event.occurredAtBasis = EventText(known.field)
            event.flags.formUnion(.timeLowerBound)
        }
    }

    /// The UUID of the canonical text that ``EventID`` documents.
    private func id(_ event: EventDraft, _ reading: V1Reading, _ output: OutputBuffer) -> EventID {
        output.removeAll()
        withUnsafeBytes(of: (EventID.namespace.high.bigEndian, EventID.namespace.low.bigEndian)) { output.append($0) }
        output.append("bid=")
        plain(event.bundleID, output)
        output.append("\nenvironment=")
        plain(event.environment, output)
        output.append("\ntype=")
        if let type = reading.type {
            output.append(table.types[type].type)
        } else {
            plain(event.source.type, output)
        }
        output.append("\noriginal_transaction_id=")
        plain(event.transaction?.originalTransactionID ?? .absent, output)
        output.append("\ntransaction_id=")
        plain(event.transaction?.transactionID ?? .absent, output)
        output.append("\ntime=")
        if let time = reading.time { output.append(decimal: time.milliseconds) }
        output.append("\nauto_renew_status=")
        if let status = event.renewal?.autoRenewStatus { output.append(status == 1 ? "true" : "false") }
        output.append("\nauto_renew_product_id=")
        plain(event.renewal?.autoRenewProductID ?? .absent, output)
        return EventID(namespaced: output.bytes)
    }

    private func plain(_ text: EventText, _ output: OutputBuffer) {
        guard let start = text.bytes.baseAddress else { return }
        if text.hasEscapes {
            JSONEscapes.unescape(start, from: 0, to: text.bytes.count) { output.append($0) }
        } else {
            output.append(text.bytes)
        }
    }

    // MARK: What

    private func text(_ text: JSONText) -> EventText { EventText(text, in: memory) }

    private var environment: EventText {
        let name = fields[.environment].isBlank ? fields.unifiedEnvironment : fields[.environment]
        if view.same(name, "PROD") { return EventText("Production") }
        if view.same(name, "SANDBOX") { return EventText("Sandbox") }
        return text(name)
    }

    private func bundle(_ event: inout EventDraft, _ reading: V1Reading) {
        event.bundleID = text(fields[.bid])
        event.bundleVersion = text(fields[.bvrs])
        for row in fields.unifiedRows..<max(fields.unifiedRows, fields.rows.count) {
            if event.bundleID.isAbsent { event.bundleID = text(fields[row: row, .bid]) }
            if event.bundleVersion.isAbsent { event.bundleVersion = text(fields[row: row, .bvrs]) }
            if event.appAppleID.isAbsent { event.appAppleID = text(fields[row: row, .appItemID]) }
        }
    }

    private func transaction(_ reading: V1Reading) -> EventDraft.Transaction? {
        guard let row = reading.notified else {
            guard !reading.subject.originalTransactionID.isBlank || !fields[.productID].isBlank else { return nil }
            var transaction = EventDraft.Transaction()
            transaction.originalTransactionID = text(reading.subject.originalTransactionID)
            transaction.productID = text(fields[.productID])
            transaction.webOrderLineItemID = text(fields[.webOrderLineItemID])
            return transaction
        }
        var transaction = EventDraft.Transaction()
        transaction.originalTransactionID = text(fields[row: row.index, .originalTransactionID])
        if transaction.originalTransactionID.isAbsent {
            transaction.originalTransactionID = text(reading.subject.originalTransactionID)
        }
        transaction.transactionID = text(fields[row: row.index, .transactionID])
        transaction.webOrderLineItemID = text(fields[row: row.index, .webOrderLineItemID])
        transaction.productID = text(fields[row: row.index, .productID])
        transaction.subscriptionGroupID = text(fields[row: row.index, .subscriptionGroupIdentifier])
        if row.expires != nil { transaction.productType = EventText("Auto-Renewable Subscription") }
        transaction.quantity = view.integer(fields[row: row.index, .quantity])
        transaction.purchasedAt = row.purchase?.milliseconds
        transaction.originalPurchasedAt =
            view.date(.originalPurchase, fields.rows, row.index).date?.milliseconds
        transaction.expiresAt = row.expires?.milliseconds
        if row.isUpgraded {
            transaction.isUpgraded = true
        } else {
            if row.index < fields.unifiedRows { transaction.isUpgraded = false }
            transaction.revokedAt = row.cancellation?.milliseconds
            transaction.revocationReason = view.integer(fields[row: row.index, .cancellationReason])
        }
        transaction.ownership = text(fields[row: row.index, .inAppOwnershipType])
        transaction.appAccountToken = text(fields[row: row.index, .appAccountToken])
        offer(&transaction, row.index)
        return transaction
    }

    private func offer(_ transaction: inout EventDraft.Transaction, _ row: Int) {
        let code = fields[row: row, .offerCodeRefName]
        let promotional = fields[row: row, .promotionalOfferID]
        let isTrial = view.truth(fields[row: row, .isTrialPeriod]) ?? false
        if !code.isBlank {
            transaction.offerType = 3
            transaction.offerID = text(code)
        } else if !promotional.isBlank {
            transaction.offerType = 2
            transaction.offerID = text(promotional)
        } else if isTrial || view.truth(fields[row: row, .isInIntroOfferPeriod]) ?? false {
            transaction.offerType = 1
            if isTrial { transaction.offerDiscountType = EventText("FREE_TRIAL") }
        }
    }

    private func renewal(_ reading: V1Reading) -> EventDraft.Renewal? {
        var renewal = EventDraft.Renewal()
        renewal.autoRenewStatus = view.truth(fields[.autoRenewStatus]).map { $0 ? 1 : 0 }
        renewal.expirationIntent = view.integer(fields[.expirationIntent])
        if let entry = reading.pending {
            renewal.autoRenewProductID = text(fields[pending: entry, .autoRenewProductID])
            if renewal.autoRenewStatus == nil {
                renewal.autoRenewStatus = view.truth(fields[pending: entry, .autoRenewStatus]).map { $0 ? 1 : 0 }
            }
            if let intent = view.integer(fields[pending: entry, .expirationIntent]) {
                renewal.expirationIntent = intent
            }
            renewal.inBillingRetry = view.truth(fields[pending: entry, .isInBillingRetryPeriod])
            renewal.gracePeriodExpiresAt =
                view.date(.gracePeriodExpires, fields.pending, entry).date?.milliseconds
            let consent =
                view.truth(fields[pending: entry, .priceConsentStatus])
                ?? view.truth(fields[pending: entry, .priceIncreaseStatus])
            renewal.priceIncreaseStatus = consent.map { $0 ? 1 : 0 }
            nextOffer(&renewal, entry)
        }
        if renewal.autoRenewProductID.isAbsent { renewal.autoRenewProductID = text(fields[.autoRenewProductID]) }
        let isEmpty =
            reading.pending == nil && renewal.autoRenewStatus == nil
            && renewal.autoRenewProductID.isAbsent && renewal.expirationIntent == nil
        return isEmpty ? nil : renewal
    }

    private func nextOffer(_ renewal: inout EventDraft.Renewal, _ entry: Int) {
        let code = fields[pending: entry, .offerCodeRefName]
        let promotional = fields[pending: entry, .promotionalOfferID]
        if !code.isBlank {
            renewal.offerType = 3
            renewal.offerID = text(code)
        } else if !promotional.isBlank {
            renewal.offerType = 2
            renewal.offerID = text(promotional)
        }
    }
}
