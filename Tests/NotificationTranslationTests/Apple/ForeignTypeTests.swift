import Testing

@testable import NotificationTranslation

/// What is Apple's is told by its type and by what is beside it.
@Suite("Types of others") struct ForeignTypeTests {
    private static let foreign: [String] = [
        #"{"notification_type":"refund","amount":5,"currency":"USD","id":"re_1"}"#,
        #"{"notification_type":"REFUND","amount":5,"currency":"USD","transaction_id":"t","product_id":"p"}"#,
        #"{"notificationType":"EXPIRED","tokenType":"card","price":7}"#, #"{"notificationType":"EXPIRED","userId":7}"#,
        #"{"notificationType":"RENEWAL","userId":7,"productId":"p"}"#,
        #"{"notificationType":"EXPIRED","data":{"userId":7}}"#,
        #"{"notificationType":"EXPIRED","createdAt":"2021-06-01T09:00:00Z","metadata":{"order":5}}"#,
        #"{"notificationType":"Bounce","bounce":{"bounceType":"Permanent"},"mail":{"timestamp":"2021-01-01T00:00:00Z"}}"#,
        #"{"Type":"Notification","Message":"{\"notificationType\":\"Complaint\",\"complaint\":{},\"mail\":{}}"}"#,
        #"{"NotificationType":"ANY_OFFER_CHANGED","EventTime":"2021-01-01T00:00:00Z","Payload":{"SellerId":"A"}}"#,
        #"{"notificationType":"BID","bid":12.5}"#, #"{"notification_type":5,"user":1}"#,
        #"{"notification_type":"SOMETHING_NEW","user":1}"#, #"{"notification_type":"initial_buy","user":1}"#,
        #"{"x":{"y":{"notificationType":"push","channel":"z"}}}"#,
    ]

    @Test("A type beside nothing of Apple's is an ordinary skip", arguments: foreign)
    func isForeign(_ text: String) throws {
        for (form, record) in try OwnOutputTests.envelopes(of: text) where !OwnOutputTests.signedForms.contains(form) {
            let read = Conversion(of: record)
            #expect(read.codes == ["skipped"] && read.signs == 0, "\(form)")
            if !form.contains("row"), form != "base64" { #expect(read.reasons == [.notApples], "\(form)") }
        }
    }

    @Test(
        "A type in capitals beside something of Apple's, or beside nothing, is Apple's",
        arguments: [
            #"{"notification_type":"CANCEL"}"#, #"{"notification_type":"CANCEL","environment":"PROD"}"#,
            #"{"notification_type":"REFUND","environment":"PROD","received_at":"2021-06-01T09:00:00Z","id":5}"#,
            #"{"notification_type":"CANCEL","bid":"com.example.news"}"#,
            #"{"notificationType":"CANCEL","unifiedReceipt":{}}"#,
            #"{"notification_type":"SOMETHING_NEW","bid":"com.example.news"}"#,
            #"{"notification_type":"SOMETHING_NEW","environment":"Sandbox"}"#,
            #"{"notification_type":"DID_RENEW","user":7}"#, #"{"notificationType":"DID_RENEW","user":7}"#,
            #"{"notification_type":"RENEWAL","original_transaction_id":"1000000700000001","user":7}"#,
            #"{"notificationType":"EXPIRED","originalTransactionId":"1000000700000001","user":7}"#,
            #"{"notificationType":"EXPIRED","data":{"bundleId":"com.example.news"}}"#,
            #"{"notificationType":"TEST","notificationUUID":"e1bd3b0c-d957-4c95-842e-5845cd15c6b9","x":1}"#,
            #"{"notification_type":"did_renew","auto_renew_status":"true"}"#,
            #"{"NotificationType":"CANCEL","UnifiedReceipt":{"LatestReceiptInfo":[]}}"#,
            #"{"notificationType":"EXPIRED","commitment_info":{},"billing_plan_type":"MONTHLY","user":7}"#,
            #"{"notificationType":"SOMETHING_NEW","eligibleWinBackOfferIds":"back1","user":7}"#,
        ])
    func isApples(_ text: String) throws {
        for (form, record) in try OwnOutputTests.envelopes(of: text) {
            #expect(Conversion(of: record).codes == ["event"], "\(form)")
        }
    }

    @Test("Other signs of a notification count beside a type that is not Apple's")
    func otherSignsCount() {
        let read = Conversion(
            document: Array(#"{"notification_type":"refund","x":"\"signedPayload\": \"cut"}"#.utf8))
        #expect(read.codes == ["skipped"] && read.signs == 1)
    }

    private static let requests: [(String, SkipReason)] = [
        (
            #"{"startDate":1600000000000,"endDate":1700000000000,"notificationType":"DID_RENEW","onlyFailures":true}"#,
            .historyRequest
        ),
        (#"{"startDate":1,"endDate":2,"notificationType":"REFUND","notificationSubtype":""}"#, .historyRequest),
        (
            #"{"originalTransactionId":"1000000700000001","appAppleId":5,"productId":"p","userLocale":"en-US","#
                + #""requestIdentifier":"e1bd3b0c","environment":"Sandbox","signedDate":1700000000000}"#,
            .retentionRequest
        ),
    ]

    @Test("Requests are skips that say what they are", arguments: requests)
    func requestsAreSkips(text: String, reason: SkipReason) throws {
        for (form, record) in try OwnOutputTests.envelopes(of: text) where !form.contains("row") && form != "base64" {
            if OwnOutputTests.signedForms.contains(form) { continue }
            let read = Conversion(of: record)
            #expect(read.codes == ["skipped"] && read.signs == 0 && read.reasons == [reason], "\(form)")
        }
    }

    @Test("The library's error says why a body is no notification", arguments: requests)
    func errorSaysWhy(text: String, reason: SkipReason) {
        let body = Array(text.utf8)
        let error = #expect(throws: NotificationError.self) { try trusting.event(from: body) }
        #expect(error?.code == .notANotification)
        #expect(error?.description == reason.sentence)
    }

    @Test("The library's error says of JSON without any sign that nothing is in it")
    func errorOfNothing() {
        let error = #expect(throws: NotificationError.self) { try trusting.event(from: #"{"a":"secret"}"#.utf8) }
        #expect(error?.description == "valid JSON that carries no Apple notification")
        let foreign = #expect(throws: NotificationError.self) {
            try trusting.event(from: #"{"notification_type":"REFUND","amount":5,"id":"secret"}"#.utf8)
        }
        #expect(foreign?.description == "its notification type is not Apple's, and no field beside it is")
    }

    @Test("A row with a beginning and an end is no request")
    func aRowIsNoRequest() {
        let row = #"{"notificationType":"DID_RENEW","startDate":1,"endDate":2,"originalTransactionId":"7"}"#
        #expect(Conversion(of: row).codes == ["event"])
    }
}
