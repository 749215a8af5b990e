extension UnifiedEvent {
    /// The value of a draft; the only place where its texts become strings.
    init(_ draft: EventDraft, _ names: EventNames) {
        let id: String
        switch draft.id {
        case .uuid(let uuid): id = uuid.string
        case .text(let text): id = text.string ?? ""
        }
        let candidates: [NotificationPair]
        if draft.candidates.isEmpty, let decision = draft.decision {
            candidates = decision.candidates.map { NotificationPair(names.pair($0)) }
        } else {
            candidates = draft.candidates.map(NotificationPair.init)
        }
        let flags =
            draft.flags.numbers.map { AmbiguityFlag(rawValue: names.flags[$0].text.string ?? "") }
            + draft.namedFlags.map { AmbiguityFlag(rawValue: $0.string ?? "") }
        let derivedFrom = draft.derivedFrom.compactMap(\.string)
        schemaVersion = draft.schemaVersion.string ?? ""
        self.id = id
        type = EventKind(rawValue: draft.type.string ?? "unknown")
        disposition = draft.disposition
        occurredAt = draft.occurredAt.map(EventTime.init(milliseconds:))
        occurredAtBasis = draft.occurredAtBasis.string
        environment = draft.environment.string
        bundleID = draft.bundleID.string
        bundleVersion = draft.bundleVersion.string
        appAppleID = draft.appAppleNumber.map { String($0) } ?? draft.appAppleID.string
        entitlement = draft.entitlement
        accessUntil = draft.accessUntil.map(EventTime.init(milliseconds:))
        subscriptionStatus = draft.subscriptionStatus
        v2 = NotificationPair(draft.v2)
        certainty = draft.certainty
        self.candidates = candidates
        self.flags = flags
        companionOf = draft.companionOf.string
        self.derivedFrom = derivedFrom
        transaction = draft.hasTransaction ? Transaction(draft.transactionFields) : nil
        renewal = draft.hasRenewal ? Renewal(draft.renewalFields) : nil
        details = draft.details.isEmpty ? nil : (try? JSONTree(draft.details)).map { JSONValue($0) { $0 } }
        source = Source(draft.source)
    }
}

extension UnifiedEvent.Transaction {
    init(_ draft: EventDraft.Transaction) {
        originalTransactionID = draft.originalTransactionID.string
        transactionID = draft.transactionID.string
        webOrderLineItemID = draft.webOrderLineItemID.string
        productID = draft.productID.string
        subscriptionGroupID = draft.subscriptionGroupID.string
        productType = draft.productType.string
        quantity = draft.quantity
        purchasedAt = draft.purchasedAt.map(EventTime.init(milliseconds:))
        originalPurchasedAt = draft.originalPurchasedAt.map(EventTime.init(milliseconds:))
        expiresAt = draft.expiresAt.map(EventTime.init(milliseconds:))
        revokedAt = draft.revokedAt.map(EventTime.init(milliseconds:))
        revocationReason = draft.revocationReason
        isUpgraded = draft.isUpgraded
        ownership = draft.ownership.string
        appAccountToken = draft.appAccountToken.string
        offerType = draft.offerType
        offerID = draft.offerID.string
        offerDiscountType = draft.offerDiscountType.string
        storefront = draft.storefront.string
        price = draft.price
        currency = draft.currency.string
    }

    func draft(_ texts: TextArena) -> EventDraft.Transaction {
        EventDraft.Transaction(
            originalTransactionID: texts.keep(originalTransactionID),
            transactionID: texts.keep(transactionID),
            webOrderLineItemID: texts.keep(webOrderLineItemID),
            productID: texts.keep(productID),
            subscriptionGroupID: texts.keep(subscriptionGroupID),
            productType: texts.keep(productType),
            quantity: quantity,
            purchasedAt: purchasedAt?.milliseconds,
            originalPurchasedAt: originalPurchasedAt?.milliseconds,
            expiresAt: expiresAt?.milliseconds,
            revokedAt: revokedAt?.milliseconds,
            revocationReason: revocationReason,
            isUpgraded: isUpgraded,
            ownership: texts.keep(ownership),
            appAccountToken: texts.keep(appAccountToken),
            offerType: offerType,
            offerID: texts.keep(offerID),
            offerDiscountType: texts.keep(offerDiscountType),
            storefront: texts.keep(storefront),
            price: price,
            currency: texts.keep(currency))
    }
}

extension UnifiedEvent.Renewal {
    init(_ draft: EventDraft.Renewal) {
        autoRenewProductID = draft.autoRenewProductID.string
        autoRenewStatus = draft.autoRenewStatus
        expirationIntent = draft.expirationIntent
        inBillingRetry = draft.inBillingRetry
        gracePeriodExpiresAt = draft.gracePeriodExpiresAt.map(EventTime.init(milliseconds:))
        priceIncreaseStatus = draft.priceIncreaseStatus
        offerType = draft.offerType
        offerID = draft.offerID.string
        renewsAt = draft.renewsAt.map(EventTime.init(milliseconds:))
    }

    func draft(_ texts: TextArena) -> EventDraft.Renewal {
        EventDraft.Renewal(
            autoRenewProductID: texts.keep(autoRenewProductID),
            autoRenewStatus: autoRenewStatus,
            expirationIntent: expirationIntent,
            inBillingRetry: inBillingRetry,
            gracePeriodExpiresAt: gracePeriodExpiresAt?.milliseconds,
            priceIncreaseStatus: priceIncreaseStatus,
            offerType: offerType,
            offerID: texts.keep(offerID),
            renewsAt: renewsAt?.milliseconds)
    }
}

extension UnifiedEvent.Source {
    init(_ draft: EventDraft.Source) {
        version = draft.version
        type = draft.type.string
        subtype = draft.subtype.string
        authenticity = draft.authenticity
        receivedAt = draft.receivedAt.map(EventTime.init(milliseconds:))
        rule = draft.rule.string
        rulesVersion = draft.rulesVersion.string
        input = draft.input.string
        line = draft.line
        offset = draft.offset
    }

    func draft(_ texts: TextArena) -> EventDraft.Source {
        EventDraft.Source(
            version: version,
            type: texts.keep(type),
            subtype: texts.keep(subtype),
            authenticity: authenticity,
            receivedAt: receivedAt?.milliseconds,
            rule: texts.keep(rule),
            rulesVersion: texts.keep(rulesVersion),
            input: texts.keep(input),
            line: line,
            offset: offset)
    }
}

extension UnifiedEvent {
    /// The line of the contract, without a line end: every key in order, compact, UTF-8.
    public func line() -> [UInt8] {
        let output = OutputBuffer(capacity: 2048)
        let texts = TextArena()
        withExtendedLifetime(texts) {
            var draft = draft(texts)
            _ = EventWriter(output, .current).write(&draft, marksLine: false)
        }
        return Array(output.bytes)
    }

    private func draft(_ texts: TextArena) -> EventDraft {
        var draft = EventDraft()
        draft.schemaVersion = texts.keep(schemaVersion)
        draft.id = .text(texts.keep(id))
        draft.type = texts.keep(type.rawValue)
        draft.disposition = disposition
        draft.occurredAt = occurredAt?.milliseconds
        draft.occurredAtBasis = texts.keep(occurredAtBasis)
        draft.environment = texts.keep(environment)
        draft.bundleID = texts.keep(bundleID)
        draft.bundleVersion = texts.keep(bundleVersion)
        draft.appAppleID = texts.keep(appAppleID)
        draft.entitlement = entitlement
        draft.accessUntil = accessUntil?.milliseconds
        draft.subscriptionStatus = subscriptionStatus
        draft.v2 = v2.draft(texts)
        draft.certainty = certainty
        draft.candidates = candidates.map { $0.draft(texts) }
        draft.namedFlags = flags.map { texts.keep($0.rawValue) }
        draft.companionOf = texts.keep(companionOf)
        draft.derivedFrom = derivedFrom.map { texts.keep($0) }
        draft.transaction = transaction?.draft(texts)
        draft.renewal = renewal?.draft(texts)
        if let details {
            let output = OutputBuffer(capacity: 256)
            details.append(to: output)
            draft.details = Array(output.bytes)
        }
        draft.source = source.draft(texts)
        return draft
    }
}

/// Strings kept in memory of their own while an event is written from them.
final class TextArena {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A text that was read back from evidence, where characters stand as they are, escaped if JSON wants that.
    func keep(characters text: EventText) -> EventText {
        text.needsEscapes ? keep(text.string) : text
    }

    /// The text of a string, escaped as JSON wants it; absent for `nil`.
    func keep(_ text: String?) -> EventText {
        guard var text else { return .absent }
        let output = OutputBuffer(capacity: 64)
        text.withUTF8 { JSONEscapes.escape(UnsafeRawBufferPointer($0), into: output) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, output.count), alignment: 1)
        block.copyMemory(from: output.bytes)
        blocks.append(block)
        return EventText(
            UnsafeRawBufferPointer(start: block.baseAddress, count: output.count), hasEscapes: true)
    }
}
