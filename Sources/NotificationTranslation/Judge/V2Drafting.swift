/// Makes the event of one version 2 payload: its own words, in the shape of the event.
struct V2Drafting {
    let fields: V2Fields
    let found: FoundNotification

    private var payload: TextView { TextView(memory: found.memory) }
    private var signedTransaction: TextView { TextView(memory: found.transactionMemory) }
    private var signedRenewal: TextView { TextView(memory: found.renewalMemory) }

    /// Fills in an event that holds nothing yet; `idText` is memory for the canonical text of an id, needed only where
    /// the payload has none.
    func draft(_ event: inout EventDraft, idText: OutputBuffer) {
        event.source.version = .v2
        event.source.type = root(.v2Type)
        event.source.subtype = root(.v2Subtype)
        event.source.receivedAt = found.receivedAt
        event.source.rulesVersion = DecisionTable.current.versionText.text
        if fields.hasUnreadablePart { event.flags.formUnion(.fieldUnreadable) }
        if fields.hasLostSignedText { event.flags.formUnion(.signedTextMissing) }
        if fields.placesDisagree { event.flags.formUnion(.placesDisagree) }
        event.environment = environment
        event.bundleID = data(.bundleId)
        if event.bundleID.isAbsent { event.bundleID = transaction(.bundleId) }
        if event.bundleID.isAbsent { event.bundleID = app(.bundleId) }
        event.bundleVersion = data(.bundleVersion)
        if event.bundleVersion.isAbsent { event.bundleVersion = app(.applicationVersion) }
        event.appAppleID.text = data(.appAppleId)
        if event.appAppleID.text.isAbsent { event.appAppleID.text = app(.appAppleId) }
        if !payload.bytes(fields[.appAppleId as V2Keys.Data]).allSatisfy({ 0x30...0x39 ~= $0 }) {
            event.appAppleID.number = payload.integer(fields[.appAppleId as V2Keys.Data])
        }
        event.subscriptionStatus = number(fields[.status], payload, &event.flags.known)
        if fields.hasTransaction {
            event.transaction = transaction(&event.flags.known)
            if isRefundedInPart(event.subscriptionStatus) { event.flags.formUnion(.refundPartial) }
        } else if !fields[.originalTransactionId as V2Keys.Data].isBlank || !fields[.productId as V2Keys.Data].isBlank {
            var named = EventDraft.Transaction()
            named.originalTransactionID = data(.originalTransactionId)
            named.productID = data(.productId)
            event.transaction = named
        }
        if fields.hasRenewal { event.renewal = renewal(&event.flags.known) }
        event.original = fields.original
        let row = pair(&event)
        time(&event, isDatedByRevocation: row?.isDatedByRevocation ?? false)
        event.details = V2Details.text(fields.details, adding: rootDetails(event.occurredAt))
        access(&event, row)
        id(&event, idText)
    }

    /// Fills in what the type and subtype are in the event model; returns the row of the pair, else that of the type.
    private func pair(_ event: inout EventDraft) -> EventTable.Pair? {
        let subtype = fields[.v2Subtype].isBlank ? nil : payload.string(fields[.v2Subtype]).trimmed
        guard let place = typePlace else {
            event.disposition = .unmapped
            event.certainty = .unknown
            event.flags.formUnion(.unknownV2Type)
            event.v2 = EventDraft.Pair(type: event.source.type, subtype: event.source.subtype)
            return nil
        }
        let known = events.types[place]
        let isOn = event.hasRenewal && event.renewalFields.autoRenewStatus == 1
        guard let pair = events.pair(known.type + "/" + (subtype ?? "")) else {
            event.disposition = .unmapped
            event.certainty = .unknown
            event.flags.formUnion(.unknownV2Type)
            event.v2 = EventDraft.Pair(type: known.texts.type.text, subtype: event.source.subtype)
            event.type = isOn ? known.texts.kindWhenOn.text : known.texts.kind.text
            return known
        }
        let row = events.pairs[pair]
        event.v2 = events.names(ofPair: pair)
        event.type = isOn ? row.texts.kindWhenOn.text : row.texts.kind.text
        event.flags.formUnion(row.flags)
        return row
    }

    private var events: EventTable { .current }

    /// The place of the type in the table.
    private var typePlace: Int? {
        let name = fields[.v2Type]
        return events.typeTexts.firstIndex { payload.same(name, $0.text) } ?? events.type(payload.string(name).trimmed)
    }

    /// Whether only a part of the transaction was refunded, and no status says that its access ended.
    private func isRefundedInPart(_ status: Int64?) -> Bool {
        let (type, percentage) = (fields[.revocationType], fields[.revocationPercentage])
        guard !type.isBlank || !percentage.isBlank else { return false }
        let access = events.access
        return [nil, .runs].contains(access.status(status))
            && access.isPartial(
                revocationType: signedTransaction.string(type),
                revocationPercentage: signedTransaction.integer(percentage))
    }

    private func time(_ event: inout EventDraft, isDatedByRevocation: Bool) {
        var flags = event.flags.known
        func take(_ time: @autoclosure () -> Int64?, _ basis: StaticString, _ flag: FlagSet = []) {
            guard event.occurredAt == nil, let time = time() else { return }
            (event.occurredAt, event.occurredAtBasis) = (time, EventText(basis))
            flags.formUnion(flag)
        }
        let transaction = event.transactionFields
        if isDatedByRevocation, let revoked = transaction.revokedAt {
            take(revoked, "revocationDate")
            event.signedAt = milliseconds(fields[.v2SignedDate], payload, &flags) ?? signedDateInside(&flags)
        }
        take(milliseconds(fields[.v2SignedDate], payload, &flags), "signedDate")
        take(milliseconds(fields[.tokenCreationDate], payload, &flags), "tokenCreationDate")
        take(signedDateInside(&flags).flatMap { $0 <= found.receivedAt ?? .max ? $0 : nil }, "signedDate")
        take(found.receivedAt, .receivedAt)
        take(transaction.revokedAt, "revocationDate", .timeLowerBound)
        take(transaction.purchasedAt, "purchaseDate", .timeLowerBound)
        take(transaction.originalPurchasedAt, "originalPurchaseDate", .timeLowerBound)
        // Else the earliest end, which may lie ahead.
        let renewal = event.renewalFields
        let ends = [transaction.expiresAt, renewal.gracePeriodExpiresAt, renewal.renewsAt]
        let first = ends.compactMap(\.self).min()
        take(ends[0] == first ? first : nil, "expiresDate", .timeFromEnd)
        take(ends[1] == first ? first : nil, "gracePeriodExpiresDate", .timeFromEnd)
        take(first, "renewalDate", .timeFromEnd)
        event.flags.known = flags
        if let receivedAt = found.receivedAt, let time = event.occurredAt, receivedAt < time {
            // A receiver's clock that is behind says nothing about the order of what Apple dated.
            if event.occurredAtBasis.hasSameBytes(as: EventText("signedDate")) { event.signedAt = time }
            event.happenedByReceipt(receivedAt)
        }
    }

    /// What the outermost object says that no field of the event holds: when it was signed, where the event has another
    /// time, and a version that is new.
    private func rootDetails(_ time: Int64?) -> [String: JSONValue] {
        var details: [String: JSONValue] = [:]
        var flags = FlagSet()
        if let signed = milliseconds(fields[.v2SignedDate], payload, &flags), signed != time {
            details["signed_date"] = .number(String(signed))
        }
        let version = fields[.v2Version]
        if !version.isBlank, !payload.same(version, "2.0"), payload.integer(version) != 2 {
            details["version"] = .string(payload.string(version))
        }
        return details
    }

    /// The latest `signedDate` of what is signed inside: notifications of late 2021 and 2022 have none of their own,
    /// and Apple signed the parts for them.
    private func signedDateInside(_ flags: inout FlagSet) -> Int64? {
        let transaction = milliseconds(fields[.signedDate as V2Keys.Transaction], signedTransaction, &flags)
        let renewal = milliseconds(fields[.signedDate as V2Keys.Renewal], signedRenewal, &flags)
        guard let transaction, let renewal else { return transaction ?? renewal }
        return max(transaction, renewal)
    }

    /// The id as received; where there is none, one made of the payload's own words in the manner of ``EventID``.
    private func id(_ event: inout EventDraft, _ output: OutputBuffer) {
        guard fields[.v2UUID].isBlank else {
            event.id = .text(root(.v2UUID))
            return
        }
        output.removeAll()
        let text = IDText(output)
        text.line("bid=", event.bundleID)
        text.line("\nenvironment=", event.environment)
        text.line("\ntype=", event.source.type)
        text.line("\nsubtype=", event.source.subtype)
        text.line("\noriginal_transaction_id=", event.transaction?.originalTransactionID ?? .absent)
        text.line("\ntransaction_id=", event.transaction?.transactionID ?? .absent)
        text.line("\ntime=", event.source.receivedAt == event.occurredAt ? nil : event.occurredAt)
        let id = EventID(namespaced: output)
        event.id = .uuid(id)
        if event.original.first == 0x7B, !fields.hasMaskedUUID {
            event.original.replaceSubrange(0..<1, with: "{\"notificationUUID\":\"\(id.string)\",".utf8)
        }
        event.flags.formUnion(.identityWeak)
    }

    private var environment: EventText {
        if !fields[.environment as V2Keys.Data].isBlank { return data(.environment) }
        if !fields[.environment as V2Keys.Transaction].isBlank { return transaction(.environment) }
        if !fields[.receiptType].isBlank { return app(.receiptType) }
        let token = fields[.externalPurchaseId]
        guard !token.isBlank else { return .absent }
        return payload.bytes(token).starts(with: "SANDBOX".utf8) ? .sandbox : .production
    }

    // MARK: Parts

    private func root(_ key: V1Keys.Root) -> EventText { EventText(fields[key], in: found.memory) }
    private func data(_ key: V2Keys.Data) -> EventText { EventText(fields[key], in: found.memory) }
    private func transaction(_ key: V2Keys.Transaction) -> EventText {
        EventText(fields[key], in: found.transactionMemory)
    }
    private func app(_ key: V2Keys.AppTransaction) -> EventText {
        EventText(fields[key], in: found.appTransactionMemory)
    }
    private func renewal(_ key: V2Keys.Renewal) -> EventText { EventText(fields[key], in: found.renewalMemory) }

    private func transaction(_ flags: inout FlagSet) -> EventDraft.Transaction {
        let view = signedTransaction
        var transaction = EventDraft.Transaction()
        transaction.originalTransactionID = self.transaction(.originalTransactionId)
        transaction.transactionID = self.transaction(.transactionId)
        transaction.webOrderLineItemID = self.transaction(.webOrderLineItemId)
        transaction.productID = self.transaction(.productId)
        transaction.subscriptionGroupID = self.transaction(.subscriptionGroupIdentifier)
        transaction.productType = self.transaction(.type)
        transaction.quantity = number(fields[.quantity], view, &flags)
        transaction.purchasedAt = milliseconds(fields[.purchaseDate], view, &flags)
        transaction.originalPurchasedAt = milliseconds(fields[.originalPurchaseDate], view, &flags)
        transaction.expiresAt = milliseconds(fields[.expiresDate], view, &flags)
        transaction.revokedAt = milliseconds(fields[.revocationDate], view, &flags)
        transaction.revocationReason = number(fields[.revocationReason], view, &flags)
        transaction.isUpgraded = view.truth(fields[.isUpgraded])
        transaction.ownership = self.transaction(.inAppOwnershipType)
        transaction.appAccountToken = self.transaction(.appAccountToken)
        transaction.offerType = number(fields[.offerType as V2Keys.Transaction], view, &flags)
        transaction.offerID = self.transaction(.offerIdentifier)
        transaction.offerDiscountType = self.transaction(.offerDiscountType)
        transaction.storefront = self.transaction(.storefront)
        transaction.price = number(fields[.price], view, &flags)
        transaction.currency = self.transaction(.currency)
        return transaction
    }

    private func renewal(_ flags: inout FlagSet) -> EventDraft.Renewal {
        let view = signedRenewal
        var renewal = EventDraft.Renewal()
        renewal.autoRenewProductID = self.renewal(.autoRenewProductId)
        // A column of a database holds `true`.
        let status = fields[.autoRenewStatus as V2Keys.Renewal]
        renewal.autoRenewStatus = view.truth(status).map { $0 ? 1 : 0 } ?? number(status, view, &flags)
        renewal.expirationIntent = number(fields[.expirationIntent as V2Keys.Renewal], view, &flags)
        renewal.inBillingRetry = view.truth(fields[.isInBillingRetryPeriod])
        renewal.gracePeriodExpiresAt = milliseconds(fields[.gracePeriodExpiresDate], view, &flags)
        renewal.priceIncreaseStatus = number(fields[.priceIncreaseStatus], view, &flags)
        renewal.offerType = number(fields[.offerType as V2Keys.Renewal], view, &flags)
        renewal.offerID = self.renewal(.offerIdentifier)
        renewal.renewsAt = milliseconds(fields[.renewalDate], view, &flags)
        return renewal
    }

    private func number(_ text: JSONText, _ view: TextView, _ flags: inout FlagSet) -> Int64? {
        guard !text.isBlank else { return nil }
        let value = view.integer(text)
        if value == nil { flags.formUnion(.fieldUnreadable) }
        return value
    }

    private func milliseconds(_ text: JSONText, _ view: TextView, _ flags: inout FlagSet) -> Int64? {
        guard !text.isBlank else { return nil }
        let value = view.milliseconds(text) ?? view.instant(text)
        if value == nil { flags.formUnion(.fieldUnreadable) }
        return value
    }
}
