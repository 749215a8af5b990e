import Testing

@testable import NotificationTranslation

@Suite("The decoder")
struct NotificationDecoderTests {
    private static let body =
        #"{"bid":"com.example.app","notification_type":"DID_RENEW","environment":"PROD","#
        + #""password":"s\u0065cret-s\u0065cret-s\u0065cret","received_at":"2021\u002d06\u002d01T09:00:12Z"}"#

    /// A body as a string of an envelope.
    private static func enveloped(_ body: String) -> String { #"{"id":1,"body":\#(OwnOutputTests.quoted(body))}"# }

    @Test("The decoder reads a body in a string the same with escapes in its own strings")
    func escapesInsideABodyInAString() throws {
        let secrets = try SharedSecrets(["secret-secret-secret"])
        for policy in [TrustPolicy.trustingTheSource, .sharedSecrets(secrets, expecting: .any)] {
            let normalizer = NotificationNormalizer(policy: policy)
            var plain = try normalizer.event(from: Array(Self.body.utf8))
            plain.source.offset = nil
            let event = try normalizer.event(from: Self.enveloped(Self.body).utf8)
            #expect(event.source.type == "DID_RENEW")
            #expect(event.bundleID == "com.example.app")
            #expect(event.source.receivedAt?.description == "2021-06-01T09:00:12.000Z")
            #expect(event.id == plain.id)
        }
    }

    @Test("The decoder looks into the second string of a body when the first, with escapes, holds nothing")
    func twoStringsInABodyInAString() throws {
        let first = #"\u007b\"a\":\"\#(String(repeating: "b", count: 90))\"}"#
        let inner = #"{"payload":\#(OwnOutputTests.quoted(Self.body)),"body":"\#(first)"}"#
        let event = try trusting.event(from: Self.enveloped(inner).utf8)
        #expect(event.source.type == "DID_RENEW")
        #expect(event.bundleID == "com.example.app")
    }

    @Test(
        "The decoder takes no key for a repeated one that only an object inside has too",
        arguments: ["notificationType", "notification_type"])
    func keysOfObjectsInside(_ type: String) {
        for value in ["{}", #"{"S":"a"}"#, #"{"S":"a","z":1}"#] {
            for rest in [
                #""x":{"z":1},"z":2"#, #""x":[{"z":1}],"z":{"z":3}"#, #""x":{"M":{"z":1},"z":4},"M":1,"z":2"#,
                #""x":{\#((0..<40).map { "\"k\($0)\":1" }.joined(separator: ","))},"k3":2,"k39":3"#,
            ] {
                let record = "{\"\(type)\":\(value),\(rest)"
                for text in [record + "}", #"{"a":\#(record)},"b":1}"#] {
                    #expect(Conversion(of: text).codes == ["skipped"], "\(text)")
                }
                for key in ["x", type] {
                    let again = Conversion(of: "\(record),\"\(key)\":2}")
                    #expect(again.codes == ["json.duplicate-key"], "\(record)")
                }
            }
        }
    }

    // MARK: The cost of a search

    /// What the decoder finds in a record: types, and times of arrival, -1 where there is none; how many texts it opens.
    static func search(
        _ record: String
    ) -> (types: [String], times: [Int64], opened: Int, failure: NotificationError?) {
        let decoder = NotificationDecoder(.trustingTheSource)
        let bytes = Array(record.utf8) + [UInt8](repeating: 0, count: JSONScanner.slack)
        return bytes.withUnsafeBytes { bytes in
            guard let memory = bytes.baseAddress else { return ([], [], 0, nil) }
            decoder.scan(memory, from: 0, to: bytes.count - JSONScanner.slack, stopsAtLineFeed: false)
            let findings = decoder.findings(in: memory, 0)
            let types = findings.found.map { found in
                let fields = found.holder
                let type = found.kind == .v1 ? fields.v1[.notificationType] : fields.v2[.v2Type].text
                return TextView(memory: found.memory).string(type)
            }
            let times = findings.found.map { $0.receivedAt ?? -1 }
            return (types, times, findings.openedTexts, findings.failure)
        }
    }

    private static let dynamoDB =
        #"{"notification_type":{"S":"CANCEL"},"bid":{"S":"a.b"},"unified_receipt":{"M":{"status":{"N":"0"},"#
        + #""latest_receipt_info":{"L":[{"M":{"transaction_id":{"S":"1"},"product_id":{"S":"p"}}},"#
        + #"{"M":{"transaction_id":{"S":"2"},"product_id":{"S":"p"}}}]}}}}"#

    private static let firestore =
        #"{"notificationType":{"stringValue":"DID_RENEW"},"data":{"mapValue":{"fields":{"bundleId":"#
        + #"{"stringValue":"a.b"},"transactionInfo":{"mapValue":{"fields":{"transactionId":{"stringValue":"1"}}}}}}}}"#

    /// Records, and how many texts are opened in them: one for each text that lies around the notification.
    private static let searched: [(record: String, type: String, opened: Int)] = [
        (dynamoDB, "CANCEL", 1),
        (#"{"Item":{"id":{"S":"1"},"doc":{"M":\#(dynamoDB)}}}"#, "CANCEL", 1),
        (#"{"Records":[{"dynamodb":{"NewImage":{"doc":{"M":\#(dynamoDB)}}}}]}"#, "CANCEL", 1),
        (
            #"{"notification_type":{"S":"X"},"payload":{"S":"{\"notification_type\":\"CANCEL\",\"bid\":\"a\"}"}}"#,
            "CANCEL", 1
        ),
        (#"{"doc":{"M":{"raw":{"S":"{\"notification_type\":\"CANCEL\",\"bid\":\"a.b\"}"}}}}"#, "CANCEL", 1),
        (#"{"name":"n","fields":\#(firestore),"createTime":"2020-11-03T09:12:44.123Z"}"#, "DID_RENEW", 1),
        (#"{"a":{"b":{"c":{"d":"{\"notification_type\":\"CANCEL\",\"bid\":\"a.b\"}"}}}}"#, "CANCEL", 1),
        (#"{"a":"eyJub3RpZmljYXRpb25fdHlwZSI6IkNBTkNFTCIsImJpZCI6ImEuYiJ9"}"#, "CANCEL", 1),
    ]

    @Test("The decoder finds a notification under any name without opening anything twice", arguments: searched)
    func opensNothingTwice(_ sample: (record: String, type: String, opened: Int)) throws {
        let outcome = Self.search(sample.record)
        #expect(outcome.failure == nil)
        #expect(outcome.types == [sample.type])
        #expect(outcome.opened == sample.opened, "\(sample.record)")
    }

    @Test("The decoder reports a fault inside of typed values at its place, the first one first")
    func faultsInTypedValues() throws {
        let record = #"{"doc":{"M":\#(Self.dynamoDB)}}"#
        for (text, other) in [
            (#""S":"1""#, #""S":"1","S":"1""#), (#""N":"0""#, #""N":"\x""#), (#"{"S":"2"}"#, #"{"S":2.}"#),
            (#""status":{"N":"0"}"#, #""status":{"N":tru}"#), (#"{"S":"a.b"}"#, #"{"S":"a.b",}"#),
        ] {
            let broken = record.replacing(text, with: other, maxReplacements: 1)
            let plain = #"[\#(broken)]"#
            // The root of an array is walked by its grammar alone.
            #expect(broken != record)
            let failure = try #require(Self.search(broken).failure)
            let expected = try #require(Self.search(plain).failure)
            #expect(failure.code == expected.code && failure.offset == expected.offset - 1, "\(broken): \(failure)")
        }
    }

    @Test("The decoder reads base64 as services write it: either alphabet, padded or not, with line ends")
    func base64() {
        let body = #"{"notification_type":"CANCEL","bid":"a.b","x":"???>>>~~~"}"#
        let standard = StrictBase64.encoded(standard: Array(body.utf8))
        let url = StrictBase64.encoded(url: Array(body.utf8))
        #expect(standard.contains("/") && url.contains("_"))
        let (head, tail) = (String(standard.prefix(40)), String(standard.dropFirst(40)))
        let lines = head + #"\r\n"# + String(tail.prefix(30)) + #"\n "# + String(tail.dropFirst(30))
        for text in [standard, url, lines, standard + #"\n"#, standard.replacing("=", with: "")] {
            #expect(Self.search(#"{"a":"\#(text)"}"#).types == ["CANCEL"], "\(text)")
            #expect(Self.search(#"{"body":"\#(text)"}"#).types == ["CANCEL"], "\(text)")
        }
        for text in [String(standard.dropLast(3)) + "!", String(standard.prefix(41)), head + #"\t"# + tail] {
            #expect(Self.search(#"{"a":"\#(text)"}"#).types == [], "\(text)")
        }
    }

    @Test(
        "The decoder sees signs of a notification in XML, forms and other languages, however their letters are written",
        arguments: [
            ("<b>{&quot;notification_type&quot;:&quot;CANCEL&quot;}</b>", true),
            ("payload=%7B%22notification_type%22%3A%22CANCEL%22%7D", true),
            ("payload=%7B%22notification_type%22:+%22CANCEL%22%7D", true), ("{notification_type: 'CANCEL'}", true),
            (#"{"notification_type" => "CANCEL"}"#, true), ("{&quot;notificationType&quot;:4}", false),
            ("%22notificationType%22%3A4", false), ("the notification_type is CANCEL", true),
            ("notification_type", true), ("notification_type=", true), ("[notification_type] => CANCEL", true),
            (#"["notification_type"]=>\n  string(6) "CANCEL""#, true), ("map[notification_type:CANCEL]", true),
            ("{NotificationType:CANCEL}", true), ("A(notificationType=CANCEL)", true), ("NOTIFICATION_TYPE", true),
            ("notification_type: CANCEL", true), ("bid=a&notification_type=CANCEL", true),
            ("my_notification_type", true),
            ("notification_types", false), ("notificationTypeName=A", false), ("notification type CANCEL", false),
            ("notification_type1", false), ("CANCEL DID_RENEW", false), ("unified_receipt", true),
            (#"{"latest_receipt_info":[{"transaction_i"#, true), ("UnifiedReceipt(status: 0)", true),
            ("pending_renewal_info", true), ("signed_payload", true), ("SignedPayload=eyJ", true),
            ("0x6e6f74696669636174696f6e5f74797065", true), ("X'7B4E4F54494649434154494F4E5F54595045'", true),
            (#"a \\x7b7369676e65645061796c6f6164"#, true), ("6e6f74696669636174696f6e5f747970", false),
            ("17369676e65645061796c6f6164", true), ("d41d8cd98f00b204e9800998ecf8427e", false),
            ("got H4sIAAAAAAAA/wXB", true), ("%22H4sIAAAAAAAA%22", true), ("aH4sIAAAAAAAA", false), ("H4sI", false),
            (#"{"awslogs":{"data":""}}"#, true), ("awslogs.data", true), (#""driver":"awslogs""#, false),
            ("notification%5Ftype", true), ("notification%255Ftype", true), ("notification&#95;type", true),
            (#"notification\x5ftype"#, true), (#"notification\_type"#, true), (#"notification_type\nfoo"#, true),
            (#"{"method":"POST","request_body":"-"}"#, true), (#"{"method":"GET","request_body":"-"}"#, false),
            (#"1.2.3.4 "POST /hook HTTP/1.1" 200 2 "-" "A" "-""#, true), (#""POST /a" body_bytes_sent=-"#, false),
            (#""POST /a HTTP/1.1" 200 body="-1""#, false), (#""GET /health HTTP/1.1" 200 2 "-" "A" "-""#, false),
            (#"{"notification_type":"X"}"#, true), (#"{"notification_t\u0079pe":"X"}"#, true),
            (#""{\"notification\\u005ftype\":\"X\"}""#, true), (#"{"signedP\u0061yload":1}"#, true),
            (#"{"notification_t\u00e9pe":"X"}"#, false), (#"{"notificationType":4,"x":"\u0079"}"#, false),
            (#"\u007"#, false), (#"\u00+1notification_type":"X""#, true), (#"notification_t\u00"#, false),
        ])
    func signsInOtherForms(_ text: String, _ expected: Bool) {
        let stand = Array(text.utf8).withUnsafeBytes { NotificationSigns.stand(in: $0) }
        #expect(stand == expected)
    }

    @Test("The decoder unescapes every escape at every distance from the next")
    func escapes() throws {
        let escapes = [#"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, #"\u00e9"#, #"\ud83d\ude00"#]
        let plain = ["\"", "\\", "/", "\u{8}", "\u{C}", "\n", "\r", "\t", "é", "😀"]
        for gap in 0..<40 {
            let fill = String(repeating: "é", count: gap / 2) + String(repeating: "x", count: gap)
            let text = escapes.map { fill + $0 }.joined() + fill
            let expected = plain.map { fill + $0 }.joined() + fill
            let output = OutputBuffer()
            try Array(text.utf8).withUnsafeBytes { bytes in
                let memory = try #require(bytes.baseAddress)
                JSONEscapes.unescape(memory, from: 0, to: bytes.count) { output.append($0) }
            }
            #expect(String(decoding: output.bytes, as: UTF8.self) == expected, "\(gap)")
        }
    }
}
