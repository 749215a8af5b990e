import Testing

@testable import NotificationTranslation

@Suite("Rows that repeat the type of the body beside it")
struct RowBodyTests {
    typealias Row = BodyShapeTests.Shape

    private static let version1 =
        #"{"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.tides","auto_renew_status":"true","#
        + #""auto_renew_product_id":"com.example.tides.monthly","unified_receipt":{"latest_receipt_info":["#
        + #"{"product_id":"com.example.tides.monthly","transaction_id":"2300000500000012","#
        + #""original_transaction_id":"2300000500000010","purchase_date_ms":"1622538000000","#
        + #""expires_date_ms":"1625130000000"},"#
        + #"{"product_id":"com.example.tides.monthly","transaction_id":"2300000500000010","#
        + #""original_transaction_id":"2300000500000010","purchase_date_ms":"1619859600000","#
        + #""expires_date_ms":"1622538000000"}]}}"#

    private static let version2 =
        #"{"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY","notificationUUID":"3f6f2a52-0000-4000-8000-00000000a001","#
        + #""version":"2.0","signedDate":1742524962388,"data":{"bundleId":"com.example.tides","environment":"Production","#
        + #""transactionInfo":{"transactionId":"2300000600000020","originalTransactionId":"2300000600000020","#
        + #""productId":"com.example.tides.quarterly","purchaseDate":1742524961000,"expiresDate":1750473761000,"#
        + #""type":"Auto-Renewable Subscription"},"status":1}}"#

    private static let columns1 =
        #""id":7,"notification_type":"DID_RENEW","environment":"PROD","created_at":"2021-06-01T09:00:12Z""#
    private static let columns2 =
        #""id":7,"notification_type":"SUBSCRIBED","subtype":"INITIAL_BUY","created_at":"2021-06-01T09:00:12Z""#

    @Test(
        "A body is found beside a signed payload that is none, in one that is not signed, and within a text",
        arguments: [
            #"{"signedPayload":"","parsed":\#(version1)}"#, #"{"signedPayload":"[FILTERED]","decoded":\#(version2)}"#,
            #"{"signedPayload":\#(OwnOutputTests.quoted(OwnOutputTests.quoted(version1)))}"#,
            #"{"signedPayload":"\#(StrictBase64.encoded(standard: Array(version2.utf8)))"}"#,
            #"{"msg":\#(OwnOutputTests.quoted("got " + version1))}"#,
        ])
    func isFoundBesideWhatIsNone(_ text: String) {
        let conversion = Conversion(of: text)
        #expect(conversion.codes == ["event"])
        #expect(conversion.signs == 0)
    }

    private static func rows(_ columns: String, _ body: String) -> [Row] {
        let camelCase = columns.replacing("notification_type", with: "notificationType")
        return [
            "raw_data", "json_body", "webhook_data", "request", "full_notification", "signed_notification", "params",
            "post",
        ].flatMap { key in
            [
                Row("\(key), an object", #"{\#(columns),"\#(key)":\#(body)}"#),
                Row("\(key), a text", #"{"\#(key)":\#(OwnOutputTests.quoted(body)),\#(columns)}"#),
            ]
        } + [
            Row("base64", #"{\#(columns),"blob":"\#(StrictBase64.encoded(standard: Array(body.utf8)))"}"#),
            Row("nested", #"{\#(columns),"request":{"headers":{},"post":{"raw":\#(OwnOutputTests.quoted(body))}}}"#),
            Row("an envelope in an envelope", #"{"entry":{\#(columns),"raw_data":\#(body)}}"#),
            Row("kept twice", #"{\#(columns),"raw_data":\#(OwnOutputTests.quoted(body)),"parsed":\#(body)}"#),
            Row("camelCase", #"{\#(camelCase),"rawData":\#(body)}"#),
            Row("a known name", #"{\#(camelCase),"body":\#(body)}"#),
        ]
    }

    static let all =
        rows(columns1, version1).map { ($0, version1) }
        + (rows(columns2, version2) + [
            Row("a signed payload", #"{\#(columns2),"signed_notification":"\#(OwnOutputTests.token(version2))"}"#)
        ]).map { ($0, version2) }

    @Test("The body beside the type of a row is the notification, and the row an envelope", arguments: all)
    func takesTheBody(_ row: Row, _ body: String) throws {
        let plain = Conversion(of: #"{"created_at":"2021-06-01T09:00:12Z","body":\#(body)}"#)
        let made = Conversion(of: row.text)
        #expect(made.lines == plain.lines)
        let event = try made.event
        #expect(event["source"]?["received_at"]?.string == "2021-06-01T09:00:12.000Z")
        #expect(event["transaction"]?["transaction_id"]?.string?.hasPrefix("23000") == true)
        #expect(!event.flags.contains("PLACES_DISAGREE"))
    }

    private static func event(_ text: String) throws -> (type: String?, flags: [String], count: Int) {
        let made = Conversion(of: text)
        let event = try made.event
        return (event["source"]?["type"]?.string, event.flags, made.lines.count)
    }

    @Test("A row with a body of another type is taken by its own type, with a flag")
    func flagsAnotherType() throws {
        for body in [Self.version1, OwnOutputTests.quoted(Self.version1), Self.version2] {
            let event = try Self.event(#"{"notification_type":"CANCEL","environment":"PROD","raw_data":\#(body)}"#)
            #expect(event.type == "CANCEL")
            #expect(event.flags.contains("PLACES_DISAGREE"))
            #expect(event.count == 1)
        }
        let subtype = try Self.event(
            #"{"notificationType":"SUBSCRIBED","subtype":"RESUBSCRIBE","raw_data":\#(Self.version2)}"#)
        #expect(subtype.flags.contains("PLACES_DISAGREE"))
    }

    @Test("A row whose type is nobody's name for a notification is an envelope of whatever it holds")
    func ignoresForeignTypes() throws {
        let event = try Self.event(#"{"notification_type":"apple_webhook","raw_data":\#(Self.version1)}"#)
        #expect(event.type == "DID_RENEW")
        #expect(!event.flags.contains("UNKNOWN_V1_TYPE"))
    }

    /// Types and subtypes of columns that are a server's own, though they are written as Apple writes hers.
    private static let ownWords = ["PROCESSED", "IN_APP", "RECEIVED OK"]

    @Test("A type in capitals that Apple never used does not hide the body beside it", arguments: ownWords)
    func readsTheBodyBesideAnOwnWord(_ word: String) throws {
        for key in ["notification_type", "notificationType", "NotificationType"] {
            for (body, type) in [(Self.version1, "DID_RENEW"), (Self.version2, "SUBSCRIBED")] {
                for value in [body, OwnOutputTests.quoted(body)] {
                    let event = try Self.event(#"{"id":7,"\#(key)":"\#(word)","raw_data":\#(value)}"#)
                    #expect(event.type == type)
                    #expect(event.flags.contains("PLACES_DISAGREE"))
                    #expect(event.count == 1)
                }
            }
        }
        let several =
            #"{"notification_type":"\#(word)","raw_data":\#(Self.version1),"other":\#(Self.version2)}"#
        #expect(try Self.types(several) == ["DID_RENEW", "SUBSCRIBED"])
    }

    @Test(
        "A subtype that Apple never used does not hide the body beside it",
        arguments: ["NONE", "null", "None", "N/A", "", "PROCESSED", "standard"])
    func readsTheBodyBesideAnOwnSubtype(_ word: String) throws {
        for value in [Self.version2, OwnOutputTests.quoted(Self.version2)] {
            let row = #"{"notificationType":"SUBSCRIBED","subtype":"\#(word)","raw_data":\#(value)}"#
            let event = try Conversion(of: row).event
            #expect(event["transaction"]?["transaction_id"]?.string == "2300000600000020")
            #expect(event["v2"]?["subtype"]?.string == "INITIAL_BUY")
        }
    }

    @Test("A body with rows of its own is the notification, whatever is beside it")
    func keepsBodies() throws {
        let body = Self.version1.dropLast() + #","previous":\#(Self.version1.replacing("0012", with: "0077"))}"#
        let made = Conversion(of: body)
        #expect(made.lines.count == 1)
        #expect(try made.event["id"]?.string == Conversion(of: Self.version1).event["id"]?.string)
    }

    @Test("A row whose body was cut is flagged")
    func flagsACutBody() throws {
        let cut = OwnOutputTests.quoted(String(Self.version1.prefix(200)))
        let event = try Self.event(#"{"notification_type":"DID_RENEW","raw_data":\#(cut)}"#)
        #expect(event.type == "DID_RENEW")
        #expect(event.flags.contains("FIELD_UNREADABLE"))
    }

    private static func types(_ text: String) throws -> [String] {
        try Conversion(of: text).lines.map { line in
            let source = try JSONTree(Array(line.utf8))["source"]
            return try #require(source?["type"]?.string)
        }
    }

    @Test("A row that holds several notifications leaves out none of another type")
    func aRowThatHoldsSeveralNotificationsLeavesOutNoneOfAnotherType() throws {
        let cancel = Self.version1.replacing("DID_RENEW", with: "CANCEL")
        let row = #"{"notification_type":"DID_RENEW","history":[\#(Self.version1),\#(cancel)]}"#
        #expect(try Self.types(row) == ["DID_RENEW", "CANCEL"])
    }

    @Test("A row that names another transaction than the body beside it is its own notification")
    func aRowThatNamesAnotherTransactionThanTheBodyBesideItIsItsOwnNotification() throws {
        let older = Self.version1.replacing(
            #""bid":"#, with: #""original_transaction_id":"2300000500000010","bid":"#)
        let row =
            #"{"notification_type":"DID_RENEW","original_transaction_id":"2300000500000099","last_event":\#(older)}"#
        let event = try Conversion(of: row).event
        #expect(event["transaction"]?["transaction_id"]?.string != "2300000500000012")
        #expect(event.flags.contains("PLACES_DISAGREE"))
        let same = row.replacing("2300000500000099", with: "2300000500000010")
        #expect(try Conversion(of: same).event["transaction"]?["transaction_id"]?.string == "2300000500000012")
    }
}
