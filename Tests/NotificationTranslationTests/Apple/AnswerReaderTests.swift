import NotificationArchives
import Testing

@testable import NotificationTranslation

/// Apple's answers, in the forms and envelopes that scripts write.
@Suite("Apple's answers") struct AnswerReaderTests {
    static let transaction =
        #"{"transactionId":"1001","originalTransactionId":"1000","bundleId":"com.example.app","productId":"month","#
        + #""purchaseDate":1600000000000,"expiresDate":1602592000000,"environment":"Production","price":4990,"#
        + #""currency":"EUR","storefront":"DEU","transactionReason":"RENEWAL","signedDate":1700000000000}"#
    private static let renewal =
        #"{"originalTransactionId":"1000","autoRenewProductId":"month","autoRenewStatus":1,"signedDate":1700000000000}"#
    private static let row =
        #"{"transaction_id":"1001","original_transaction_id":"1000","product_id":"month","quantity":"1","#
        + #""purchase_date_ms":"1600000000000","expires_date_ms":"1602592000000","is_trial_period":"true"}"#

    private static func jws(_ payload: String) -> String { OwnOutputTests.token(payload) }

    static let history =
        #"{"revision":"r","hasMore":false,"bundleId":"com.example.app","environment":"Production","#
        + "\"signedTransactions\":[\(transaction)]}"
    private static let signedHistory =
        #"{"revision":"r","hasMore":true,"bundleId":"com.example.app","environment":"Production","#
        + "\"signedTransactions\":[\"\(jws(transaction))\"]}"
    private static let statuses =
        #"{"environment":"Production","bundleId":"com.example.app","data":[{"subscriptionGroupIdentifier":"1","#
        + #""lastTransactions":[{"status":3,"originalTransactionId":"1000","#
        + "\"signedTransactionInfo\":\"\(jws(transaction))\",\"signedRenewalInfo\":\"\(jws(renewal))\"}]}]}"
    private static let refunds = "{\"revision\":\"r\",\"hasMore\":false,\"signedTransactions\":[\(transaction)]}"
    private static let single = "{\"signedTransactionInfo\":\"\(jws(transaction))\"}"
    private static let order = "{\"status\":0,\"signedTransactions\":[\"\(jws(transaction))\"]}"
    private static let receipt =
        #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app","#
        + "\"request_date_ms\":\"1700000000000\",\"in_app\":[\(row)]},\"latest_receipt_info\":[\(row)],"
        + #""pending_renewal_info":[{"original_transaction_id":"1000","auto_renew_status":"0"}]}"#

    private static func answers(_ text: String) throws -> [StoreAnswer] {
        try Array(text.utf8).withUnsafeBytes { try AnswerReader.answers(in: $0, .trustingTheSource) }
    }

    @Test(
        "Each form is recognized, signed or decoded",
        arguments: [
            (history, StoreAnswer.Form.history), (signedHistory, .history), (statuses, .statuses), (refunds, .refunds),
            (single, .transaction), (order, .order), (receipt, .receipt),
        ])
    func eachFormIsRecognized(text: String, form: StoreAnswer.Form) throws {
        let answer = try #require(try Self.answers(text).first)
        #expect(answer.form == form)
        #expect(answer.transactions.map(\.row.transactionID) == ["1001"])
        #expect(answer.transactions.first?.originalTransactionID == "1000")
        #expect(answer.transactions.first?.row.expires == 1_602_592_000_000)
        if form == .receipt {
            #expect(answer.transactions.first?.row.offerType == 1)
            #expect(answer.renewals.first?.shown.autoRenewStatus == 0)
            #expect(answer.askedAt == 1_700_000_000_000)
        } else {
            #expect(answer.transactions.first?.details.shown.price == 4990)
        }
        if form == .statuses { #expect(answer.renewals.map(\.status) == [3]) }
        #expect(answer.isComplete == (text == Self.history))
    }

    @Test("A transaction beside a notification is an answer; the one in a decoded version 2 notification is none")
    func transactionBesideNotification() {
        func mayBe(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { AnswerReader.mayBe(in: $0, besidesNotification: true) }
        }
        let version2 = #"{"notificationType":"DID_RENEW","data":{"signedTransactionInfo":"e30"}}"#
        #expect(mayBe(#"{"body":{"notification_type":"DID_RENEW"},"answer":\#(Self.single)}"#))
        #expect(mayBe(#"{"body":\#(version2),"answer":\#(Self.single)}"#))
        #expect(!mayBe(#"{"body":\#(version2)}"#))
    }

    @Test("An answer is found in any envelope, escaped or not, and pages of an array are one answer")
    func anAnswerIsFoundInAnyEnvelope() throws {
        let escaped = Self.history.replacing("\"", with: "\\\"")
        for text in [
            "{\"original_transaction_id\":\"1000\",\"response\":\(Self.history)}",
            "{\"id\":1,\"body\":\"\(escaped)\",\"created_at\":\"2023-11-14 00:00:00\"}",
            "[\"1000\",\"\(escaped)\"]", "got \(Self.history)", "got \(Self.history) {\"ip\":\"1\"} []",
            "got {\"id\":1} \"\(escaped)\" []",
            "{\"data\":\"\(StrictBase64.encoded(standard: Array(Self.history.utf8)))\"}",
            #"{"Item":{"doc":{"M":{"bundleId":{"S":"com.example.app"},"hasMore":{"BOOL":false},"#
                + #""signedTransactions":{"L":[{"M":{"transactionId":{"S":"1001"},"purchaseDate":{"N":"1600000000000"}}}]}}}}}"#,
        ] {
            #expect(try Self.answers(text).map(\.form) == [.history], "\(text)")
            #expect(
                Array(text.utf8).withUnsafeBytes { AnswerReader.mayBe(in: $0, besidesNotification: false) }, "\(text)")
        }
        let pages = try Self.answers("{\"pages\":[\(Self.signedHistory),\(Self.history)]}")
        #expect(pages.count == 1)
        #expect(pages.first?.transactions.count == 2)
        #expect(pages.first?.isComplete == true)
    }

    @Test("A record of an answer is evidence, one of both is converted, and parts of a notification are no answer")
    func aRecordOfAnAnswerIsEvidence() {
        let body = #"{"notification_type":"CANCEL","bid":"com.example.app","environment":"PROD"}"#
        let decoded =
            #"{"notificationType":"TEST","data":{"signedTransactionInfo":\#(Self.transaction),"in_app":[]}}"#
        let unified = #"{"unified_receipt":{"latest_receipt_info":[\#(Self.row)]}}"#
        let lost = #"{"latest_receipt_info":[\#(Self.row)],"bid":"com.example.app"}"#
        for (text, evidence, converted) in [
            (Self.receipt, 1, 0), ("{\"body\":\(body),\"answer\":\(Self.history)}", 0, 1), (decoded, 0, 1),
            (unified, 0, 0), (lost, 0, 0), (#"{"status":21007,"environment":"Sandbox"}"#, 0, 0),
        ] {
            let tally = Conversion(of: text).tally
            #expect(tally.evidence == evidence && tally.converted == converted && tally.records == 1, "\(text)")
        }
    }
}
