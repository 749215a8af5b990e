@testable import NotificationTranslation

extension EventText {
    /// The longest text that is written into an event's line without asking for room.
    static var longestShort: EventText { EventText("wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww") }
}

extension EventDraft {
    /// An event with every field filled: the one that takes most room.
    ///
    /// - Parameters:
    ///   - text: What stands in every field that takes a text.
    ///   - time: What stands in every field that takes a time.
    ///   - number: What stands in every other field that takes a number.
    ///   - lists: How many candidates, flags and sources there are.
    /// - Returns: The event.
    static func filled(
        with text: EventText = .longestShort, time: Int64 = .max, number: Int64 = .min, lists: Int = 0
    ) -> EventDraft {
        var event = EventDraft()
        let pair = EventDraft.Pair(type: text, subtype: text)
        event.schemaVersion = text
        event.id = .uuid(EventID(high: .max, low: .max))
        event.type = text
        event.disposition = .companion
        event.occurredAt = time
        event.occurredAtBasis = text
        event.environment = text
        event.bundleID = text
        event.bundleVersion = text
        event.appAppleID.number = number
        event.entitlement = .undecided
        event.accessUntil = time
        event.subscriptionStatus = number
        event.v2 = pair
        event.certainty = .ambiguous
        event.companionOf = .text(text)
        if lists > 0 {
            let unused = UInt64(FlagTable.capacity - FlagTable.current.rows.count)
            event.flags.known = FlagSet(rawValue: .max >> unused)
        }
        event.candidates.pairs = Array(repeating: pair, count: lists)
        event.flags.named = Array(repeating: text, count: lists)
        event.derivedFrom = Array(repeating: text, count: lists)
        event.transaction = EventDraft.Transaction(
            originalTransactionID: text, transactionID: text, webOrderLineItemID: text, productID: text,
            subscriptionGroupID: text, productType: text, quantity: number, purchasedAt: time,
            originalPurchasedAt: time, expiresAt: time, revokedAt: time, revocationReason: number, isUpgraded: false,
            ownership: text, appAccountToken: text, offerType: number, offerID: text, offerDiscountType: text,
            storefront: text, price: number, currency: text)
        event.renewal = EventDraft.Renewal(
            autoRenewProductID: text, autoRenewStatus: number, expirationIntent: number, inBillingRetry: false,
            gracePeriodExpiresAt: time, priceIncreaseStatus: number, offerType: number, offerID: text,
            renewsAt: time)
        if lists > 0 { event.details = Array(#"{"summary":{"type":"x"}}"#.utf8) }
        event.source = EventDraft.Source(
            version: .v2, type: text, subtype: text, authenticity: .sharedSecret, receivedAt: time, rule: text,
            rulesVersion: text, input: text, line: number, offset: number,
            isReceiptRequested: true, hasReceipt: true,
            receiptFields: EventDraft.ReceiptProof(createdAt: time, covers: .some, code: text))
        return event
    }

    /// The event's line, without a line feed.
    var line: [UInt8] {
        var event = self
        let output = OutputBuffer()
        LineWriter.write(&event, to: output)
        return Array(output.bytes)
    }
}
