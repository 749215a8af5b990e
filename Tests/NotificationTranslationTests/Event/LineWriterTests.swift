import Testing

@testable import NotificationTranslation

/// Room for an event is made once; nothing that an event holds may be longer than that.
@Suite("Room for an event")
struct LineWriterTests {
    /// A draft with a text of so many characters in every place that takes one.
    private static func line(
        _ count: Int, lists: Int, escaped: Bool, isCompact: Bool, _ output: OutputBuffer
    ) -> [UInt8] {
        let bytes = [UInt8](repeating: 0x61, count: count - (escaped ? 2 : 0)) + (escaped ? [0x5C, 0x6E] : [])
        return bytes.withUnsafeBytes { bytes in
            let text = EventText(bytes, hasEscapes: escaped)
            let pair = EventDraft.Pair(type: text, subtype: text)
            var draft = EventDraft()
            draft.type = text
            draft.id = .text(text)
            draft.occurredAt = .max
            draft.occurredAtBasis = text
            draft.environment = text
            draft.bundleID = text
            draft.bundleVersion = text
            draft.appAppleNumber = .min
            draft.v2 = pair
            draft.candidates = Array(repeating: pair, count: lists)
            draft.namedFlags = Array(repeating: text, count: lists)
            draft.derivedFrom = Array(repeating: text, count: lists)
            draft.companionOf = text
            draft.transaction = EventDraft.Transaction(
                originalTransactionID: text, transactionID: text, webOrderLineItemID: text, productID: text,
                subscriptionGroupID: text, productType: text, quantity: .min, purchasedAt: .min,
                originalPurchasedAt: .max, expiresAt: .max, revokedAt: .max, revocationReason: .min,
                isUpgraded: false, ownership: text, appAccountToken: text, offerType: .min, offerID: text,
                offerDiscountType: text, storefront: text, price: .min, currency: text)
            draft.renewal = EventDraft.Renewal(
                autoRenewProductID: text, autoRenewStatus: .min, expirationIntent: .min, inBillingRetry: false,
                gracePeriodExpiresAt: .max, priceIncreaseStatus: .min, offerType: .min, offerID: text,
                renewsAt: .max)
            draft.source.input = text
            draft.source.offset = .min
            draft.source.line = .max
            output.removeAll()
            _ = EventWriter(output, .current).write(&draft, marksLine: false, endsLine: true, isCompact: isCompact)
            return Array(output.bytes)
        }
    }

    @Test(
        "texts of every length and lists of any length stand in the line as they are",
        arguments: [2, 31, 32, 33, 1000, 5000], [0, 3, 300])
    func writes(_ count: Int, _ lists: Int) {
        for escaped in [false, true] {
            let line = Self.line(
                count, lists: lists, escaped: escaped, isCompact: false, OutputBuffer(capacity: 1024))
            let text = String(repeating: "a", count: count - (escaped ? 2 : 0)) + (escaped ? "\\n" : "")
            let parts = String(decoding: line, as: UTF8.self)
                .split(separator: "\"\(text)\"", omittingEmptySubsequences: false)
            #expect(parts.count - 1 == 24 + 4 * lists)
            #expect(line.last == 0x0A)
            let compact = Self.line(
                count, lists: lists, escaped: escaped, isCompact: true, OutputBuffer(capacity: 1024))
            let expanded = OutputBuffer(capacity: 1024)
            let end = compact.withUnsafeBytes { CompactLine.expand($0, from: 0, into: expanded) }
            #expect(end == compact.count)
            // Not the lines themselves, which would be shown.
            let isTheSame = Array(expanded.bytes) == line
            #expect(isTheSame)
        }
    }
}
