/// Makes the event of one version 2 payload: its own words, in the shape of the event.
struct V2Drafting {
    let fields: V2Fields
    let found: FoundNotification

    /// Fills in an event that holds nothing yet.
    func draft(_ event: inout EventDraft) {
        event.source.version = .v2
        event.source.type = fields[.v2Type].eventText
        event.source.subtype = fields[.v2Subtype].eventText
        event.source.receivedAt = found.receivedAt
        event.source.rulesVersion = DecisionTable.current.versionText.text
        if fields.hasLostSignedText { event.flags.formUnion(.signedTextMissing) }
        if fields.placesDisagree { event.flags.formUnion(.placesDisagree) }
        event.environment = environment
        event.bundleID = first(fields[data: .bundleId], fields[transaction: .bundleId], fields[app: .bundleId])
        event.bundleVersion = first(fields[data: .bundleVersion], fields[app: .applicationVersion])
        event.appAppleID.text = first(fields[data: .appAppleId], fields[app: .appAppleId])
        if !fields[data: .appAppleId].eventText.bytes.allSatisfy({ 0x30...0x39 ~= $0 }) {
            event.appAppleID.number = fields[data: .appAppleId].integer
        }
        let status = fields[data: .status]
        event.subscriptionStatus = status.integer
        var isUnreadable = fields.hasUnreadablePart || !status.isBlank && status.integer == nil
        if fields.hasTransaction {
            event.transaction = EventDraft.Transaction(fields.transaction, &isUnreadable)
            if isRefundedInPart(event.subscriptionStatus) { event.flags.formUnion(.refundPartial) }
        } else if !fields[data: .originalTransactionId].isBlank || !fields[data: .productId].isBlank {
            var named = EventDraft.Transaction()
            named.originalTransactionID = fields[data: .originalTransactionId].eventText
            named.productID = fields[data: .productId].eventText
            event.transaction = named
        }
        if fields.hasRenewal { event.renewal = EventDraft.Renewal(fields.renewal, &isUnreadable) }
        if isUnreadable { event.flags.formUnion(.fieldUnreadable) }
        event.original = fields.original
        let row = pair(&event)
        time(&event, isDatedByRevocation: row?.isDatedByRevocation ?? false)
        event.details = V2Details.text(fields.details, adding: rootDetails(event.occurredAt))
        // As Apple's `data.status` says, else as far as the payload's dates show.
        var state = AccessState(version2: &event, row)
        if event.disposition == .unmapped { state.mapping = row == nil ? .none : .typeOnly }
        event.take(state.access(row.map { AccessEffects($0.effect) } ?? event.effectsOfUnknownType))
        id(&event)
    }

    /// Fills in what the type and subtype are in the event model; returns the row of the pair, else that of the type.
    private func pair(_ event: inout EventDraft) -> EventTable.Pair? {
        let subtype = fields[.v2Subtype].string?.trimmed ?? ""
        let name = fields[.v2Type]
        let known =
            events.types.firstIndex { name.view.same(name.text, $0.texts.type.text) }
            ?? events.type((name.string ?? "").trimmed)
        let type = known.map { events.types[$0] }
        let index = type.flatMap { events.pair($0.type + "/" + subtype) }
        let row = index.map { events.pairs[$0] } ?? type
        if let texts = row?.texts {
            let isOn = event.hasRenewal && event.renewalFields.autoRenewStatus == 1
            event.type = isOn ? texts.kindWhenOn.text : texts.kind.text
        }
        if let index {
            event.v2 = events.names(ofPair: index)
            event.flags.formUnion(events.pairs[index].flags)
        } else {
            event.disposition = .unmapped
            event.certainty = .unknown
            event.flags.formUnion(.unknownV2Type)
            event.v2.type = type?.texts.type.text ?? event.source.type
            event.v2.subtype = event.source.subtype
        }
        return row
    }

    private var events: EventTable { .current }

    /// Whether only a part of the transaction was refunded, and no status says that its access ended.
    private func isRefundedInPart(_ status: Int64?) -> Bool {
        let (type, percentage) = (fields[transaction: .revocationType], fields[transaction: .revocationPercentage])
        guard !type.isBlank || !percentage.isBlank else { return false }
        let access = events.access
        return [nil, .runs].contains(access.status(status))
            && access.isPartial(revocationType: type.string ?? "", revocationPercentage: percentage.integer)
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
            event.signedAt = milliseconds(fields[.v2SignedDate], &flags) ?? signedDateInside(&flags)
        }
        take(milliseconds(fields[.v2SignedDate], &flags), "signedDate")
        take(milliseconds(fields[data: .tokenCreationDate], &flags), "tokenCreationDate")
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
        if let signed = milliseconds(fields[.v2SignedDate], &flags), signed != time {
            details["signed_date"] = .number(String(signed))
        }
        let version = fields[.v2Version]
        if let text = version.string, text != "2.0", version.integer != 2 { details["version"] = .string(text) }
        return details
    }

    /// The latest `signedDate` of what is signed inside: notifications of late 2021 and 2022 have none of their own,
    /// and Apple signed the parts for them.
    private func signedDateInside(_ flags: inout FlagSet) -> Int64? {
        let transaction = milliseconds(fields[transaction: .signedDate], &flags)
        let renewal = milliseconds(fields[renewal: .signedDate], &flags)
        guard let transaction, let renewal else { return transaction ?? renewal }
        return max(transaction, renewal)
    }

    /// The id as received; where there is none, one made of the payload's own words in the manner of ``EventID``.
    private func id(_ event: inout EventDraft) {
        guard fields[.v2UUID].isBlank else { return event.id = .text(fields[.v2UUID].eventText) }
        let id = IDText.id { text in
            text.line("bid=", event.bundleID)
            text.line("\nenvironment=", event.environment)
            text.line("\ntype=", event.source.type)
            text.line("\nsubtype=", event.source.subtype)
            text.line("\noriginal_transaction_id=", event.transaction?.originalTransactionID ?? .absent)
            text.line("\ntransaction_id=", event.transaction?.transactionID ?? .absent)
            text.line("\ntime=", event.source.receivedAt == event.occurredAt ? nil : event.occurredAt)
        }
        event.id = .uuid(id)
        if event.original.first == 0x7B, !fields.hasMaskedUUID {
            event.original.replaceSubrange(0..<1, with: "{\"notificationUUID\":\"\(id.string)\",".utf8)
        }
        event.flags.formUnion(.identityWeak)
    }

    private var environment: EventText {
        let stated = first(fields[data: .environment], fields[transaction: .environment], fields[app: .receiptType])
        let token = fields[data: .externalPurchaseId]
        guard stated.isAbsent, !token.isBlank else { return stated }
        return token.eventText.bytes.starts(with: "SANDBOX".utf8) ? .sandbox : .production
    }

    /// The first of some values that is there.
    private func first(_ values: V2Value...) -> EventText { values.first { !$0.isBlank }?.eventText ?? .absent }

    private func milliseconds(_ value: V2Value, _ flags: inout FlagSet) -> Int64? {
        if value.isBlank { return nil }
        if value.time == nil { flags.formUnion(.fieldUnreadable) }
        return value.time
    }
}
