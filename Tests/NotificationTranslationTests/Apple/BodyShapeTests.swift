import Testing

@testable import NotificationTranslation

@Suite("Bodies in a shape of somebody's own")
struct BodyShapeTests {
    /// A body in one shape, named in the output of a test.
    struct Shape: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String

        var testDescription: String { name }

        init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
    }

    // MARK: Version 1

    private static let rows = [
        #"{"product_id":"com.example.news.monthly","transaction_id":"1000000700000002","#
            + #""original_transaction_id":"1000000700000001","purchase_date_ms":"1625130000000","#
            + #""expires_date_ms":"1627808400000"}"#,
        #"{"product_id":"com.example.news.monthly","transaction_id":"1000000700000001","#
            + #""original_transaction_id":"1000000700000001","purchase_date_ms":"1622538000000","#
            + #""expires_date_ms":"1625130000000"}"#,
    ]
    private static let list = "[\(rows[0]),\(rows[1])]"
    private static let pending =
        #"[{"auto_renew_product_id":"com.example.news.monthly","auto_renew_status":"1","#
        + #""original_transaction_id":"1000000700000001","product_id":"com.example.news.monthly"}]"#
    private static let unified =
        #"{"environment":"Production","latest_receipt_info":\#(list),"pending_renewal_info":\#(pending)}"#
    private static let head =
        #""notification_type":"DID_RENEW","environment":"PROD","auto_renew_status":"true","#
        + #""auto_renew_product_id":"com.example.news.monthly","bid":"com.example.news""#

    private static func quoted(_ text: String) -> String { OwnOutputTests.quoted(text) }

    /// A text of JSON with the keys in camelCase, or with a capital in front.
    private static func camelCase(_ text: String, capital: Bool = false) -> String {
        text.replacing(/"([A-Za-z_]+)":/) { match in
            let words = match.output.1.split(separator: "_")
            let first = capital ? words[0].prefix(1).uppercased() + words[0].dropFirst() : String(words[0])
            return "\"" + first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "\":"
        }
    }

    /// A text of JSON with every text of digits as a number in a type of some database.
    private static func typed(_ text: String, _ type: (Substring) -> String) -> String {
        text.replacing(/:"([0-9]+)"/) { ":" + type($0.output.1) }
    }

    private static func wrapped(_ text: String, _ type: String) -> String { #"{"\#(type)":\#(text)}"# }

    static let lists: [Shape] = [
        Shape("unified_receipt as a text", #"{\#(head),"unified_receipt":\#(quoted(unified))}"#),
        Shape(
            "its lists as texts",
            #"{\#(head),"unified_receipt":{"latest_receipt_info":\#(quoted(list)),"#
                + #""pending_renewal_info":\#(quoted(pending))}}"#),
        Shape(
            "a text in a text",
            #"{\#(head),"unified_receipt":"#
                + quoted(#"{"latest_receipt_info":\#(quoted(list)),"pending_renewal_info":\#(quoted(pending))}"#) + "}"),
        Shape(
            "its lists at the top level",
            #"{\#(head),"latest_receipt_info":\#(list),"pending_renewal_info":\#(pending)}"#),
        Shape(
            "pending_renewal_info at the top level",
            #"{\#(head),"unified_receipt":{"latest_receipt_info":\#(list)},"pending_renewal_info":\#(pending)}"#),
        Shape(
            "pending_renewal_info at the top level, as a text",
            #"{\#(head),"pending_renewal_info":\#(quoted(pending)),"#
                + #""unified_receipt":{"latest_receipt_info":\#(list)}}"#),
        Shape(
            "columns with dots",
            #"{\#(head),"unified_receipt.environment":"Production","unified_receipt.latest_receipt_info":"#
                + #"\#(list),"unified_receipt.pending_renewal_info":\#(pending)}"#),
        Shape(
            "columns with underscores, as texts",
            #"{\#(head),"unified_receipt_latest_receipt_info":\#(quoted(list)),"#
                + #""unified_receipt_pending_renewal_info":\#(quoted(pending))}"#),
        Shape("camelCase", camelCase(#"{\#(head),"unified_receipt":\#(unified)}"#)),
        Shape(
            "camelCase, the receipt as a text",
            camelCase(#"{\#(head),"unified_receipt":"#) + quoted(camelCase(unified)) + "}"),
        Shape(
            "camelCase without unifiedReceipt",
            camelCase(#"{\#(head),"latest_receipt_info":\#(list),"pending_renewal_info":\#(pending)}"#)),
        Shape(
            "camelCase beside the type in snake_case",
            camelCase(#"{\#(head),"latest_receipt_info":\#(list),"pending_renewal_info":\#(pending)}"#)
                .replacing("notificationType", with: "notification_type")),
        Shape("capitals", camelCase(#"{\#(head),"unified_receipt":\#(unified)}"#, capital: true)),
        Shape("camelCase inside unified_receipt", #"{\#(head),"unified_receipt":\#(camelCase(unified))}"#),
        Shape(
            "camelCase inside the lists",
            #"{\#(head),"unified_receipt":{"latest_receipt_info":\#(camelCase(list)),"#
                + #""pending_renewal_info":\#(camelCase(pending))}}"#),
        Shape(
            "one transaction in camelCase",
            #"{\#(head),"unified_receipt":{"latest_receipt_info":[\#(camelCase(rows[0])),\#(rows[1])],"#
                + #""pending_renewal_info":\#(pending)}}"#),
        Shape("MongoDB's types", typed(#"{\#(head),"unified_receipt":\#(unified)}"#) { #"{"$numberLong":"\#($0)"}"# }),
        Shape(
            "MongoDB's types in a text",
            #"{\#(head),"unified_receipt":"#
                + quoted(typed(unified) { #"{"$numberDecimal":"\#($0)"}"# }) + "}"),
        Shape(
            "DynamoDB's types inside a list",
            #"{\#(head),"unified_receipt":{"latest_receipt_info":{"L":[\#(wrapped(rows[0], "M")),"#
                + #"\#(wrapped(rows[1], "M"))]},"pending_renewal_info":\#(pending)}}"#),
        Shape(
            "DynamoDB's types around unified_receipt",
            #"{\#(head),"unified_receipt":\#(wrapped(typed(unified) { #"{"N":"\#($0)"}"# }, "M"))}"#),
        Shape(
            "Firestore's types inside the transactions",
            #"{\#(head),"unified_receipt":\#(typed(unified) { #"{"integerValue":"\#($0)"}"# })}"#),
        Shape(
            "zeroed objects of a typed language beside it",
            #"{\#(head),"unified_receipt":\#(unified),"#
                + #""latest_receipt_info":{"product_id":"","transaction_id":"","purchase_date_ms":"0","quantity":0,"is_trial_period":"false"},"latest_expired_receipt_info":{},"#
                + #""original_transaction_id":0,"web_order_line_item_id":"0"}"#),
    ]

    @Test("Bodies in another shape give the event of Apple's shape", arguments: lists)
    func givesTheSame(_ shape: Shape) throws {
        let plain = Conversion(of: #"{\#(Self.head),"unified_receipt":\#(Self.unified)}"#)
        let odd = Conversion(of: shape.text)
        #expect(odd.lines == plain.lines)
        let event = try odd.event
        #expect(event["v2"].map(Conversion.pair) == "DID_RENEW/")
        #expect(event["transaction"]?["transaction_id"]?.string == "1000000700000002")
        #expect(event["certainty"]?.string == "exact")
    }

    private static let single =
        #""product_id":"com.example.news.monthly","transaction_id":"1000000700000001","#
        + #""original_transaction_id":"1000000700000001","purchase_date_ms":"1540026000000","expires_date":"1542704400000""#

    static let singles: [Shape] = [
        Shape("a text", #"{\#(head),"latest_receipt_info":\#(quoted("{\(single)}"))}"#),
        Shape("an array of one", #"{\#(head),"latest_receipt_info":[{\#(single)}]}"#),
        Shape("fields among those of the body", "{\(head),\(single)}"),
        Shape("camelCase", camelCase(#"{\#(head),"latest_receipt_info":{\#(single)}}"#)),
        Shape("camelCase, fields among those of the body", camelCase("{\(head),\(single)}")),
        Shape(
            "camelCase beside the type in snake_case",
            camelCase("{\(head),\(single)}").replacing("notificationType", with: "notification_type")),
    ]

    @Test("Bodies of 2018 in another shape give the event of Apple's shape", arguments: singles)
    func givesTheSameOfASingleReceipt(_ shape: Shape) throws {
        let plain = Conversion(of: #"{\#(Self.head),"latest_receipt_info":{\#(Self.single)}}"#)
        let odd = Conversion(of: shape.text)
        #expect(odd.lines == plain.lines)
        let event = try odd.event
        #expect(event["occurred_at"]?.string == "2018-10-20T09:00:00.000Z")
    }

    @Test(
        "Bodies in another shape that cannot be read are flagged",
        arguments: [
            #""unified_receipt":"{cut""#, #""unified_receipt":7"#, #""pending_renewal_info":"none""#,
            #""unified_receipt":[7]"#, #""unified_receipt":{"receipts":[{"id":1}]}"#, #""unified_receipt":[{}]"#,
            #""unified_receipt":{"0":{"transaction_id":"1"}}"#, #""unified_receipt":{"transaction_id":"1"}"#,
            #""unified_receipt":{"environment":"PROD","auto_renew_status":"1"}"#,
            #""unified_receipt":{"latest_receipt_info":{"0":{"transaction_id":"1"}}}"#,
            #""unified_receipt":{"latest_receipt_info":[{"id":"1"}]}"#, #""pending_renewal_info":[["a"]]"#,
            #""unified_receipt":{"latest_receipt_info":{"count":2}}"#, #""latest_receipt_info":{"rows":[]}"#,
            #""unified_receipt":{"latest_receipt_info":[{"transaction_id":{"low":7,"high":1}}]}"#,
            #""unified_receipt.latest_receipt_info[0].transaction_id":"1""#, #""latest_receipt_info.product_id":"a""#,
            #""unified_receipt":{"environment":"PROD","latest_receipt_info.0":{"transaction_id":"1"}}"#,
        ])
    func flagsWhatCannotBeRead(_ member: String) throws {
        let event = try Conversion(of: "{\(Self.head),\(member)}").event
        #expect(event.flags.contains("FIELD_UNREADABLE"))
    }

    @Test(
        "A transaction without a list around it is read as the list of one",
        arguments: [
            #""unified_receipt":{"environment":"Production","latest_receipt_info":?}"#,
            #""unified_receipt.latest_receipt_info":?"#,
        ])
    func readsOneTransaction(_ member: String) throws {
        func lines(_ member: String) -> [String] {
            Conversion(of: "{\(Self.head),\(member.replacing("?", with: Self.rows[0]))}").lines
        }
        #expect(lines(member) == lines(#""unified_receipt":{"latest_receipt_info":[?]}"#))
        #expect(lines(member).first?.contains(#""transaction_id":"1000000700000002""#) == true)
    }

    // MARK: Version 2

    private static let transaction =
        #"{"transactionId":"2000000000000002","originalTransactionId":"2000000000000001","#
        + #""bundleId":"com.example.news","environment":"Production","price":9990,"#
        + #""productId":"com.example.news.monthly","purchaseDate":1700000000000,"expiresDate":1702592000000}"#
    private static let renewal =
        #"{"originalTransactionId":"2000000000000001","autoRenewProductId":"com.example.news.yearly","#
        + #""autoRenewStatus":1,"bundleId":"com.example.news","environment":"Production","renewalDate":1702592000000}"#
    private static let data =
        #""appAppleId":1234567890,"bundleId":"com.example.news","environment":"Production","status":1"#

    private static func version2(_ members: String) -> String {
        #"{"notificationType":"DID_RENEW","notificationUUID":"u","version":"2.0","signedDate":1700000011000,"#
            + members + "}"
    }
    private static let plain2 = version2(
        #""data":{\#(data),"transactionInfo":\#(transaction),"renewalInfo":\#(renewal)}"#)

    /// Names that servers give to the decoded parts.
    private static let names: [(transaction: String, renewal: String)] = [
        ("transaction", "renewal"), ("decodedTransaction", "decodedRenewal"),
        ("decoded_transaction", "decoded_renewal"), ("transaction_info", "renewal_info"),
        ("signedTransactionInfoDecoded", "signedRenewalInfoDecoded"),
        ("decodedTransactionInfo", "decodedRenewalInfo"),
        ("decodedSignedTransactionInfo", "decodedSignedRenewalInfo"),
        ("TransactionInfo", "RenewalInfo"), ("transactionPayload", "renewalPayload"),
        ("JWSTransactionDecodedPayload", "JWSRenewalInfoDecodedPayload"),
    ]

    static let parts: [Shape] = names.flatMap { names in
        let (transaction, renewal) = (Self.transaction, Self.renewal)
        return [
            Shape(
                "\(names.transaction) in data",
                version2(
                    #""data":{\#(data),"\#(names.transaction)":\#(transaction),"\#(names.renewal)":\#(renewal)}"#)),
            Shape(
                "\(names.transaction) beside data",
                version2(
                    #""data":{\#(data)},"\#(names.transaction)":\#(transaction),"\#(names.renewal)":\#(renewal)"#)),
            Shape(
                "\(names.transaction) as a text",
                version2(
                    #""data":{\#(data),"\#(names.transaction)":\#(quoted(transaction)),"#
                        + #""\#(names.renewal)":"\#(OwnOutputTests.token(renewal))"}"#)),
            Shape(
                "\(names.transaction) beside the payload",
                #"{"payload":\#(version2(#""data":{\#(data)}"#)),"\#(names.transaction)":\#(transaction),"#
                    + #""\#(names.renewal)":\#(renewal)}"#),
            Shape(
                "\(names.transaction) in snake_case",
                version2(
                    #""data":{\#(data),"\#(names.transaction)":\#(snakeCase(transaction)),"#
                        + #""\#(names.renewal)":\#(snakeCase(renewal))}"#)),
        ]
    }

    private static func snakeCase(_ text: String) -> String {
        text.replacing(/"([A-Za-z]+)":/) { "\"" + BodyReshaper.snakeCase(String($0.output.1)) + "\":" }
    }

    static let numbers: [Shape] = [
        ("$numberLong", #"{"$numberLong":"?"}"#), ("$numberInt", #"{"$numberInt":"?"}"#),
        ("$numberDouble", #"{"$numberDouble":"?.0"}"#), ("$numberDecimal", #"{"$numberDecimal":"?"}"#),
        ("N", #"{"N":"?"}"#), ("integerValue", #"{"integerValue":"?"}"#),
    ].flatMap { name, form in
        let all = plain2.replacing(/:([0-9]+)/) { ":" + form.replacing("?", with: $0.output.1) }
        let dates = plain2.replacing(/:([0-9]{13})/) { #":{"$date":\#(form.replacing("?", with: $0.output.1))}"# }
        return [Shape(name, all), Shape("$date of \(name)", dates)]
    }

    @Test(
        "A decoded payload gives the same event whatever its parts are called and its numbers are wrapped in",
        arguments: parts + numbers)
    func givesTheSameOfVersion2(_ shape: Shape) throws {
        let plain = Conversion(of: Self.plain2)
        let odd = Conversion(of: shape.text)
        func event(_ lines: [String]) -> String {
            (lines.first ?? "").replacing(/,"offset":[0-9]+/, with: "")
        }
        #expect(event(odd.lines) == event(plain.lines))
        let shapes = [Self.plain2, shape.text].map { Conversion(of: $0, as: .v2).lines }
        #expect(shapes[1] == shapes[0])
    }

    @Test(
        "A part of a payload that cannot be read is flagged",
        arguments: [
            #""data":{?,"transactionInfo":{"low":1,"high":2}}"#, #""data":{?,"transactionInfo":["a"]}"#,
            #""data":{?,"transactionInfo":{"transactionId":"2","purchaseDate":{"low":1,"high":2}}}"#,
            #""data":{"bundleId":"com.example.news","status":{"value":1}}"#, #""data":{?,"decodedTransaction":"{cut"}"#,
            #""data":{?,"renewalInfo":{"autoRenewProductId":"m","renewalDate":[1]}}"#, #""data":[{?}]"#,
        ])
    func flagsPartsThatCannotBeRead(_ members: String) throws {
        let event = try Conversion(of: Self.version2(members.replacing("?", with: Self.data))).event
        #expect(event.flags.contains("FIELD_UNREADABLE"))
    }

    @Test("An object of a server's own beside a payload is no part of it, whatever its name is")
    func leavesWhatIsNoPart() throws {
        let own = #""transaction":{"id":7,"state":"done"},"renewal":{"due":true}"#
        let odd = Conversion(of: Self.plain2.dropLast() + ",\(own)}").lines
        #expect(odd == Conversion(of: Self.plain2).lines)
    }

    @Test("Bodies in another shape are version 1 if only that had the type, and version 2 if their fields say so")
    func tellsVersionsApart() throws {
        func version(_ text: String) throws -> String? { try Conversion(of: text).event["source"]?["version"]?.string }
        #expect(try version(#"{"notificationType":"CANCEL"}"#) == "v1")
        #expect(try version(#"{"notificationType":"REFUND","latestReceiptInfo":{"productId":"a"}}"#) == "v1")
        #expect(try version(#"{"notificationType":"REFUND","notificationUUID":"a","autoRenewStatus":1}"#) == "v2")
        #expect(try version(#"{"notificationType":"REFUND"}"#) == "v2")
        #expect(try version(#"{"notificationType":"DID_RENEW","environment":"PROD","bid":"com.example.news"}"#) == "v1")
        #expect(try version(#"{"notificationType":"DID_RENEW","password":"0123456789abcdef"}"#) == "v1")
        #expect(try version(#"{"notificationType":"DID_RENEW","bid":"com.example.news","data":{"status":1}}"#) == "v2")
        #expect(try version(#"{"notificationType":"DID_RENEW","bid":"com.example.news","version":"2.0"}"#) == "v2")
        #expect(try version(#"{"notification_type":"DID_RENEW","notification_uuid":"a","payload":null}"#) == "v2")
        #expect(try version(#"{"notification_type":"DID_RENEW","notification_uuid":null}"#) == "v1")
        #expect(try version(#"{"notification_type":"DID_RENEW","subtype":"BILLING_RECOVERY"}"#) == "v2")
        #expect(try version(#"{"notification_type":"DID_RENEW","subtype":""}"#) == "v1")
    }

    /// Bodies whose type both versions have, with the version that their other members show and whether they leave doubt.
    private static let stored: [(text: String, version: String, isDoubtful: Bool)] = [
        // Names and values that only version 2 has, beside a column of a server's own.
        (#""notificationType":"DID_RENEW","bid":"com.example.news","purchaseDate":1698148800000"#, "v2", false),
        (#""notificationType":"DID_RENEW","autoRenewStatus":1,"purchaseDate":1698148800000"#, "v2", false),
        (#""notificationType":"REFUND","bid":"com.example.news","revocationDate":"2023-10-24T12:00:00Z""#, "v2", false),
        (#""notificationType":"DID_RENEW","bid":"com.example.news","type":"Auto-Renewable Subscription""#, "v2", false),
        (#""notificationType":"EXPIRED","bid":"com.example.news""#, "v2", false),
        (#""notification_type":"REFUND","transaction_id":"20","revocation_date":1698148800000"#, "v2", false),
        (#""notification_type":"GRACE_PERIOD_EXPIRED","transaction_id":"20""#, "v2", false),
        (#""notification_type":"DID_RENEW","version":"2.0""#, "v2", false),
        (#""notification_type":"DID_RENEW","version":"2.0","transaction_id":"20","auto_renew_status":1"#, "v2", false),
        (#""notification_type":"DID_RENEW","version":2.0,"original_transaction_id":"20""#, "v2", false),
        (
            #""notification_type":"DID_RENEW","subtype":"","notification_uuid":"u","signed_date":1698148800000,"#
                + #""bundle_id":"com.example.news","expires_date":1698148800000,"auto_renew_status":1"#, "v2", false
        ),
        (#""notification_type":"DID_RENEW","data":{"bundleId":"a","signedTransactionInfo":"a.b.c"}"#, "v2", false),
        (
            #""notification_type":"DID_RENEW","decoded_transaction":{"transaction_id":"2","signed_date":1698148800000}"#,
            "v2", false
        ),
        (#""notification_type":"DID_RENEW","version":"2.1.7","bid":"com.example.news""#, "v1", false),
        (#""notification_type":"DID_RENEW","version":"2.0","expires_date_ms":"1698148800000""#, "v1", true),
        (
            #""notification_type":"DID_RENEW","subtype":"BILLING_RECOVERY","auto_renew_status":1,"transaction_id":"20""#,
            "v2", false
        ),
        // Those that only version 1 has.
        (#""notificationType":"DID_RENEW","bid":"com.example.news","purchaseDateMs":"1698148800000""#, "v1", false),
        (#""notificationType":"DID_RENEW","autoRenewStatus":"true","isTrialPeriod":"false""#, "v1", false),
        (#""notificationType":"DID_RENEW","autoRenewStatus":"true","environment":"PROD""#, "v1", false),
        (#""notification_type":"CANCEL","subtype":"VOLUNTARY","transaction_id":"20""#, "v1", false),
        (#""notification_type":"DID_RENEW","subtype":"NONE","auto_renew_status":"true""#, "v1", false),
        // Either.
        (#""notificationType":"DID_RENEW","bid":"com.example.news""#, "v1", true),
        (#""notificationType":"DID_RENEW","bid":"com.example.news","environment":"Production""#, "v2", true),
        (#""notificationType":"DID_RENEW","autoRenewStatus":1,"purchaseDate":"2023-10-24 12:00:00""#, "v1", true),
        (
            #""notificationType":"DID_RENEW","bid":"com.example.news","revocationDate":1698148800000,"#
                + #""purchaseDateMs":"1698148800000""#, "v1", true
        ),
        (
            #""notification_type":"DID_RENEW","transaction_id":"20","revocation_date":1698148800000,"#
                + #""purchase_date_ms":"1698148800000""#, "v1", true
        ),
    ]

    @Test(
        "A body with other keys is of the version that alone has them, and flagged where both have", arguments: stored)
    func flagsTheVersionInDoubt(_ text: String, _ version: String, _ isDoubtful: Bool) throws {
        let event = try Conversion(of: "{\(text)}").event
        #expect(event["source"]?["version"]?.string == version)
        #expect(event.flags.contains("VERSION_UNCERTAIN") == isDoubtful)
    }

    @Test("Dates that name no zone are read as UTC in either version, and as Pacific time where the key says so")
    func readsDatesWithoutAZone() throws {
        let ids = #""transactionId":"2","originalTransactionId":"1","productId":"m""#
        let dates = #""purchaseDate":"2022-03-01 10:00:00","expiresDate":"2022-04-01T10:00:00.000""#
        let part = #"{"transactionId":"2","purchaseDate":"2022-03-01 10:00:00","expiresDate":"2022-04-01 10:00:00"}"#
        var texts = [
            #"{"notificationType":"DID_RENEW",\#(ids),\#(dates)}"#,
            #"{"notificationType":"DID_RENEW","data":{"transactionInfo":\#(part)}}"#,
            #"{"notificationType":"DID_RENEW","latestReceiptInfo":[{\#(ids),\#(dates)}]}"#,
            #"{"notification_type":"DID_RENEW","transaction_id":"2","purchase_date_pst":"2022-03-01 02:00:00","#
                + #""expires_date":"2022-04-01 10:00:00"}"#,
        ].map { (text: $0, occurred: "2022-03-01T10:00:00.000Z") }
        let columns =
            #"{"notification_type":"SUBSCRIBED","subtype":"INITIAL_BUY","signed_date":"2022-03-01 10:00:01.388000","#
            + #""transaction_id":"2","original_transaction_id":"2","purchase_date":"2022-03-01 10:00:00","#
            + #""expires_date":"2022-04-01 10:00:00.000000"}"#
        texts.append((columns, "2022-03-01T10:00:01.388Z"))
        for (text, occurred) in texts {
            let made = Conversion(of: text)
            let event = try made.event
            #expect(event["transaction"]?["purchased_at"]?.string == "2022-03-01T10:00:00.000Z")
            #expect(event["transaction"]?["expires_at"]?.string == "2022-04-01T10:00:00.000Z")
            #expect(event["occurred_at"]?.string == occurred)
            #expect(!event.flags.contains("FIELD_UNREADABLE"))
            #expect(made.zonelessTimes == 1)
        }
    }

    @Test("Bodies give the same whatever the order of the rows and of what says how they renew")
    func orderOfRowsIsNothing() throws {
        func row(_ product: String, _ id: Int, of original: Int, _ purchase: String, _ end: String) -> String {
            #"{"product_id":"\#(product)","transaction_id":"\#(id)","original_transaction_id":"\#(original)","#
                + #""purchase_date_ms":"\#(purchase)","expires_date_ms":"\#(end)"}"#
        }
        func entry(_ product: String, into next: String, _ status: Int) -> String {
            #"{"auto_renew_product_id":"\#(next)","auto_renew_status":"\#(status)","original_transaction_id":"10","#
                + #""product_id":"\#(product)"}"#
        }
        let rows = [
            row("a.monthly", 12, of: 10, "1625130000000", "1627808400000"),
            row("a.yearly", 13, of: 10, "1625130000000", "1656666000000"),
            row("a.monthly", 10, of: 10, "", "1625130000000"),
            row("b.monthly", 20, of: 20, "1625130000000", "1656666000000"),
        ]
        let entries = [entry("a.weekly", into: "a.monthly", 1), entry("a.other", into: "a.yearly", 0)]
        for type in ["DID_RENEW", "CANCEL", "DID_CHANGE_RENEWAL_STATUS", "REFUND", "DID_CHANGE_RENEWAL_PREF"] {
            for removed in ["nothing", "purchase_date_ms", "expires_date_ms"] {
                var lines: Set<String> = []
                for turn in rows.indices {
                    for isReversed in [false, true] {
                        var list = Array(rows[turn...] + rows[..<turn])
                        if isReversed { list.reverse() }
                        let pending = isReversed ? entries.reversed() : entries
                        let text =
                            #"{"notification_type":"\#(type)","unified_receipt":{"latest_receipt_info":["#
                            + list.joined(separator: ",").replacing(removed, with: "other")
                            + #"],"pending_renewal_info":["# + pending.joined(separator: ",") + "]}}"
                        lines.formUnion(Conversion(of: text).lines)
                    }
                }
                #expect(lines.count == 1, "\(type) without \(removed)")
            }
        }
    }
}
