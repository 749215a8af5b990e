/// Makes the event of one version 1 body: reads it, asks the table, and fills in what V2 would have said.
struct V1Drafting: ~Copyable {
    let finder: FactFinder

    var table: DecisionTable { finder.table }
    var fields: V1Fields { finder.fields }
    var view: TextView { finder.view }
    var receivedAt: Int64? { finder.receivedAt }

    /// Fills in an event but for its id and, with what was read of the body on the way, a reading; both are as new.
    ///
    /// The reading is passed `inout` to avoid a copy, even where nothing changes it; see ``FactFinder/read(_:)``.
    func draft(_ event: inout EventDraft, _ reading: inout V1Reading, _ cache: inout DecisionCache) {
        finder.read(&reading)
        reading.ownTime = reading.time
        if let type = reading.type {
            let decision = cache.decision(type: type, facts: reading.facts)
            event.take(decision)
            switch decision.timing {
            case .own: break
            case .since: reading.isLowerBound = true
            case .none:
                reading.latestKnown = reading.latestKnown ?? reading.time
                reading.time = nil
            }
        } else {
            event.disposition = .unmapped
            event.certainty = .unknown
            event.flags.formUnion(.unknownV1Type)
        }
        event.environment = environment(&reading)
        bundle(&event)
        transaction(&event, &reading)
        // The id is made of these fields; what a body says of a subscription is not part of another purchase's event.
        let isRenewalKnown = fill(&event.renewalFields, reading.pending)
        event.hasRenewal = isRenewalKnown && !isOfAnother(&reading)
        event.source.type = text(fields[.notificationType])
        event.source.receivedAt = receivedAt
        event.source.rulesVersion = table.versionText.text
        time(&event, &reading)
        access(&event, &reading)
    }

    private func time(_ event: inout EventDraft, _ reading: inout V1Reading) {
        if let time = reading.time {
            event.occurredAt = time.milliseconds
            event.occurredAtBasis = time.field
            if reading.isLowerBound, receivedAt ?? .max >= time.milliseconds {
                return event.flags.formUnion(.timeLowerBound)
            }
            if time.isAmbiguous { event.flags.formUnion(.timeAmbiguousHour) }
            if let receivedAt, receivedAt < time.milliseconds { event.happenedByReceipt(receivedAt) }
            if let receivedAt, receivedAt - time.milliseconds >= table.parameters.lateDelivery {
                event.flags.formUnion(.lateDelivery)
            }
            return
        }
        event.flags.formUnion(.identityWeak)
        if let receivedAt {
            event.occurredAt = receivedAt
            event.occurredAtBasis = EventText(.receivedAt)
        } else if let known = reading.latestKnown {
            event.occurredAt = known.milliseconds
            event.occurredAtBasis = known.field
            event.flags.formUnion(known.isEnd ? .timeFromEnd : .timeLowerBound)
            if known.isAmbiguous { event.flags.formUnion(.timeAmbiguousHour) }
        }
    }

    private func text(_ text: JSONText) -> EventText { EventText(text, in: view.memory) }

    /// The environment by the name that V2 has for it, whatever its spelling; else as given.
    private func environment(_ reading: inout V1Reading) -> EventText {
        if reading.facts.says(.environment, FactValue.Environment.production) { return .production }
        if reading.facts.says(.environment, FactValue.Environment.sandbox) { return .sandbox }
        return text(fields[.environment].isBlank ? fields.unifiedEnvironment : fields[.environment])
    }

    private func bundle(_ event: inout EventDraft) {
        event.bundleID = text(fields[.bid])
        event.bundleVersion = text(fields[.bvrs])
        for row in fields.unifiedRows..<max(fields.unifiedRows, fields.rows.count) {
            if event.bundleID.isAbsent { event.bundleID = text(fields[row: row, .bid]) }
            if event.bundleVersion.isAbsent { event.bundleVersion = text(fields[row: row, .bvrs]) }
            if event.appAppleID.text.isAbsent { event.appAppleID.text = id(fields[row: row, .appItemID]) }
        }
    }

    private func transaction(_ event: inout EventDraft, _ reading: inout V1Reading) {
        if let row = reading.notified {
            event.hasTransaction = true
            fill(&event.transactionFields, row, reading.subject)
            if isAmbiguous(row.purchase) || isAmbiguous(row.expires) || isAmbiguous(row.cancellation) {
                event.flags.formUnion(.timeAmbiguousHour)
            }
            return
        }
        guard !reading.subject.originalTransactionID.isBlank || !fields[.productID].isBlank else { return }
        event.hasTransaction = true
        event.transactionFields.originalTransactionID = text(reading.subject.originalTransactionID)
        event.transactionFields.productID = text(fields[.productID])
        event.transactionFields.webOrderLineItemID = text(fields[.webOrderLineItemID])
    }

    private func isAmbiguous(_ date: V1Date?) -> Bool { date?.isAmbiguous ?? false }

    /// An id; `0` is the zero value of a typed language.
    private func id(_ text: JSONText) -> EventText { text.count < 2 && view.isZero(text) ? .absent : self.text(text) }

    private func fill(_ transaction: inout EventDraft.Transaction, _ row: V1Reading.Row, _ subject: V1Subject) {
        transaction.originalTransactionID = text(fields[row: row.index, .originalTransactionID])
        if transaction.originalTransactionID.isAbsent {
            transaction.originalTransactionID = text(subject.originalTransactionID)
        }
        transaction.transactionID = text(fields[row: row.index, .transactionID])
        transaction.webOrderLineItemID = id(fields[row: row.index, .webOrderLineItemID])
        transaction.productID = text(fields[row: row.index, .productID])
        transaction.subscriptionGroupID = id(fields[row: row.index, .subscriptionGroupIdentifier])
        if row.expires != nil { transaction.productType = .autoRenewable }
        transaction.quantity = view.count(fields[row: row.index, .quantity])
        transaction.purchasedAt = row.purchase?.milliseconds
        transaction.originalPurchasedAt =
            fields.date(.originalPurchase, row: row.index, view).date?.milliseconds
        transaction.expiresAt = row.expires?.milliseconds
        if row.isUpgraded {
            transaction.isUpgraded = true
        } else {
            if row.index < fields.unifiedRows { transaction.isUpgraded = false }
            transaction.revokedAt = row.cancellation?.milliseconds
            let reason = view.integer(fields[row: row.index, .cancellationReason])
            if reason != 0 || row.cancellation != nil { transaction.revocationReason = reason }
        }
        transaction.ownership = text(fields[row: row.index, .inAppOwnershipType])
        let token = fields[row: row.index, .appAccountToken]
        if !view.isZero(token) { transaction.appAccountToken = text(token) }
        offer(&transaction, row.index)
    }

    private func offer(_ transaction: inout EventDraft.Transaction, _ row: Int) {
        guard let offer = fields.offer(row: row, view) else { return }
        (transaction.offerType, transaction.offerID) = (offer.type.rawValue, offer.id)
        if offer.type == .introductory, view.truth(fields[row: row, .isTrialPeriod]) == true {
            transaction.offerDiscountType = .freeTrial
        }
    }

    private func isOfAnother(_ reading: inout V1Reading) -> Bool {
        guard let type = reading.type else { return false }
        switch table.shape(ofType: type).subject {
        case .subscription: return false
        // A shared one-time purchase has no entry of its own; the fields at the top level are those of a subscription.
        case .shared:
            return reading.subject.isNone
                || reading.pending == nil && reading.notified.map { $0.expires == nil } ?? false
        case .oneTime: return reading.notified?.expires == nil
        }
    }

    /// Fills in a renewal that holds nothing yet; returns whether anything is known of it.
    private func fill(_ renewal: inout EventDraft.Renewal, _ pending: Int?) -> Bool {
        if let pending { renewal = EventDraft.Renewal(pending: pending, fields, view) }
        if let status = view.truth(fields[.autoRenewStatus]) { renewal.autoRenewStatus = status ? 1 : 0 }
        renewal.expirationIntent = renewal.expirationIntent ?? view.count(fields[.expirationIntent])
        if renewal.autoRenewProductID.isAbsent { renewal.autoRenewProductID = text(fields[.autoRenewProductID]) }
        return pending != nil || renewal.autoRenewStatus != nil || !renewal.autoRenewProductID.isAbsent
            || renewal.expirationIntent != nil
    }
}
