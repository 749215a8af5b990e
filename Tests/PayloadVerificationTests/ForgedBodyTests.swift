#if !canImport(CryptoKit)
import NotificationTranslation
import Testing

@testable import PayloadVerification

/// Bodies that somebody changed around a receipt that verifies.
@Suite("A body around a receipt that verifies")
struct ForgedBodyTests {
    /// A body, and how its receipt and its rows are made.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var type = "DID_RENEW"
        /// More members of the outermost object.
        var root = ""
        /// More members of the row of the event.
        var row = ""
        /// More rows.
        var rows: [String] = []
        /// Whether the row stands alone, as in the first era.
        var isSingle = false
        var bundleID = "com.example.app"
        var change: @Sendable (inout ReceiptContent) -> Void = { _ in }
        /// What the event says, and whether with `RECEIPT_CONTRADICTS_ROW`.
        var covers: UnifiedEvent.ReceiptProof.Covers
        var isContradicted = true

        fileprivate var body: [UInt8] {
            get throws {
                var content = ReceiptContent()
                change(&content)
                let receipt = Token.base64(try ForgedReceipt(try Forged.receiptChain, content).der())
                let own = """
                    {"transaction_id":"1000000710000002","original_transaction_id":"1000000710000001","quantity":"1",\
                    "product_id":"com.example.app.month","purchase_date_ms":"1699999995000",\
                    "original_purchase_date_ms":"1697321595000","\(isSingle ? "expires_date" : "expires_date_ms")":\
                    "1702591995000","bid":"\(bundleID)"\(row)}
                    """
                let receipts =
                    isSingle
                    ? #""latest_receipt":"\#(receipt)","latest_receipt_info":\#(own)"#
                    : """
                    "unified_receipt":{"environment":"Production","latest_receipt":"\(receipt)",\
                    "latest_receipt_info":[\(([own] + rows).joined(separator: ","))]}
                    """
                let text = """
                    {"notification_type":"\(type)","environment":"PROD","bid":"\(bundleID)"\(root),\
                    "auto_renew_status":"true","auto_renew_product_id":"com.example.app.month",\(receipts)}
                    """
                return Array(text.utf8)
            }
        }
    }

    /// The first period, as the receipt of ``withHistory(_:)`` has it.
    private static func first(_ dates: String) -> String {
        """
        {"transaction_id":"1000000710000001","original_transaction_id":"1000000710000001",\
        "product_id":"com.example.app.week","purchase_date_ms":"1698825600000",\(dates)}
        """
    }

    /// Adds the first period, which ended in the hour of 5 November 2023 that California had twice.
    @Sendable private static func withHistory(_ content: inout ReceiptContent) {
        var record = ReceiptContent.Record()
        record.transaction = "1000000710000001"
        record.product = "com.example.app.week"
        record.purchased = "2023-11-01T08:00:00Z"
        record.expires = "2023-11-05T09:30:00Z"
        content.records.append(record)
    }

    @Sendable private static func refunded(_ content: inout ReceiptContent) {
        content.records[0].cancelled = "2023-11-14T22:13:18Z"
    }

    /// Adds the year that took the place of the month.
    @Sendable private static func upgraded(_ content: inout ReceiptContent) {
        refunded(&content)
        var record = ReceiptContent.Record()
        record.transaction = "1000000710000003"
        record.product = "com.example.app.year"
        record.purchased = "2023-11-14T22:13:19Z"
        content.records.append(record)
    }

    private static let cancelled = #","cancellation_date_ms":"1699999998000""#
    private static let isUpgraded = #","is_upgraded":"true""#

    static let cases: [Case] = [
        Case(testDescription: "that says the same", covers: .all, isContradicted: false),
        Case(
            testDescription: "that says the same of the offer",
            row: #","is_trial_period":"false","is_in_intro_offer_period":"true""#, covers: .all, isContradicted: false),
        Case(testDescription: "that says it was a trial", row: #","is_trial_period":"true""#, covers: .some),
        Case(
            testDescription: "that hides the introductory price", row: #","is_in_intro_offer_period":"false""#,
            covers: .some),
        Case(
            testDescription: "that hides an introductory price in another row",
            rows: [first(#""is_in_intro_offer_period":"false","expires_date_ms":"1699176600000""#)],
            change: withHistory, covers: .some),
        Case(
            testDescription: "that states a cancellation at its top level", type: "CANCEL", root: cancelled,
            covers: .some),
        Case(
            testDescription: "that states a cancellation at its top level, with a single row", type: "CANCEL",
            root: cancelled, isSingle: true, covers: .some),
        Case(
            testDescription: "that states the signed cancellation", type: "CANCEL", root: cancelled, row: cancelled,
            change: refunded, covers: .all, isContradicted: false),
        Case(
            testDescription: "that states the signed cancellation an hour later at its top level", type: "CANCEL",
            root: #","cancellation_date_ms":"1700003598000""#, row: cancelled, change: refunded, covers: .some),
        Case(
            testDescription: "that calls a refunded transaction upgraded", row: cancelled + isUpgraded,
            change: refunded, covers: .some),
        Case(
            testDescription: "that calls a refunded transaction upgraded and hides the date, with a single row",
            row: isUpgraded, isSingle: true, change: refunded, covers: .some),
        Case(
            testDescription: "with an upgraded transaction", row: cancelled + isUpgraded, change: upgraded,
            covers: .all, isContradicted: false),
        Case(
            testDescription: "with an upgraded transaction in a single row", row: isUpgraded, isSingle: true,
            change: upgraded, covers: .all, isContradicted: false),
        Case(
            testDescription: "with another row that ended in an hour that happened twice",
            rows: [first(#""expires_date_pst":"2023-11-05 01:30:00 America/Los_Angeles""#)], change: withHistory,
            covers: .all, isContradicted: false),
        Case(
            testDescription: "with another row that ends in such an hour of a later year",
            rows: [first(#""expires_date_pst":"2030-11-03 01:30:00 America/Los_Angeles""#)], change: withHistory,
            covers: .some),
        Case(
            testDescription: "with another row that hides its refund behind such an hour",
            rows: [first(#""expires_date_pst":"2023-11-05 01:30:00 America/Los_Angeles""#)],
            change: {
                withHistory(&$0)
                $0.records[1].cancelled = "2023-11-02T08:00:00Z"
            }, covers: .some),
        Case(
            testDescription: "whose bundle id only looks the same", bundleID: "com.example.\u{212A}iosk",
            change: { $0.bundleID = "com.example.Kiosk" }, covers: .nothing, isContradicted: false),
    ]

    @Test("A receipt covers the event only where each fact is as it was signed", arguments: cases)
    func told(_ forgery: Case) throws {
        let policy = TrustPolicy.trustingTheSource.verifyingReceipts(with: try Forged.receiptVerifier)
        let event = try NotificationNormalizer(policy: policy).event(from: try forgery.body)
        let receipt = try #require(event.source.receipt)
        #expect(receipt.createdAt == EventTime(ReceiptContent.created))
        #expect(receipt.covers == forgery.covers)
        #expect(event.flags.contains("RECEIPT_CONTRADICTS_ROW") == forgery.isContradicted)
        #expect(event.flags.contains("RECEIPT_OTHER_BUNDLE") == (forgery.covers == .nothing))
    }

    @Test("A receipt gives no access for a refunded transaction, whatever type it names", arguments: [false, true])
    func refunded(_ isSingle: Bool) throws {
        let policy = TrustPolicy.trustingTheSource.verifyingReceipts(with: try Forged.receiptVerifier)
        for type in ["INITIAL_BUY", "DID_RENEW", "RENEWAL", "INTERACTIVE_RENEWAL", "DID_RECOVER"] {
            let body = Case(
                testDescription: "", type: type, row: Self.cancelled, isSingle: isSingle, change: Self.refunded,
                covers: .all)
            let event = try NotificationNormalizer(policy: policy).event(from: try body.body)
            #expect(event.entitlement != .grant && event.entitlement != .keep && event.accessUntil == nil)
        }
    }
}
#endif
