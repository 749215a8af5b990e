import Testing

@testable import NotificationTranslation

@Suite("Limits of a record and of what is in it")
struct LimitTests {
    private static func line(_ record: String) -> String { Conversion(of: record).lines.first ?? "" }

    private static func code(_ record: String) -> String? { Conversion(of: record).codes.first { $0.contains(".") } }

    private static let transaction =
        #""transactionInfo":{"transactionId":"2000000000000002","originalTransactionId":"2000000000000001","#
        + #""productId":"com.example.m","purchaseDate":1700000000000,"expiresDate":1702592000000}"#

    private static func version2(_ members: String, _ data: String = transaction) -> String {
        #"{"notificationType":"DID_RENEW","version":"2.0","signedDate":1700000011000,\#(members)"#
            + #""data":{"bundleId":"com.example.app","environment":"Production",\#(data)}}"#
    }

    private static func version1(_ row: String, _ root: String = "") -> String {
        #"{"notification_type":"DID_RENEW","environment":"PROD",\#(root)"unified_receipt":{"latest_receipt_info":["#
            + #"{\#(row),"product_id":"com.example.m","purchase_date_ms":"1610000000000"}]}}"#
    }

    @Test(
        "A number of any size in a field that nobody reads costs no notification",
        arguments: ["1e999", "-1e999", "123456789012345678901234567890"])
    func overflow(_ number: String) {
        #expect(Self.code(Self.version2(#""other":\#(number),"#)) == nil)
        #expect(Self.code(Self.version1(#""transaction_id":"1000000000000002","weird":\#(number)"#)) == nil)
        #expect(Self.code(#"{"other":[\#(number)],"body":\#(Self.version1(#""a":\#(number)"#))}"#) == nil)
        let kept = Self.line(Self.version2("", Self.transaction.replacing("}", with: #","newField":\#(number)}"#)))
        #expect(kept.contains(#""transaction":{"new_field":"\#(number)"}"#))
        #expect(Self.code(Self.version1(#""quantity":\#(number)"#)) == "json.number-overflow")
        #expect(
            Self.code(Self.version1(#""a":1"#, #""auto_renew_status":\#(number),"#)) == "json.number-overflow")
        #expect(Self.code(Self.version2("", #""status":\#(number),"#.dropLast() + "")) == "json.number-overflow")
    }

    @Test(
        "An id with NUL or of more than 256 bytes is left out, in either version",
        arguments: [
            #"a\u0000b"#, String(repeating: "1", count: 257), String(repeating: #"\u0061"#, count: 257),
        ])
    func unfitIDs(_ id: String) {
        for name in ["transaction_id", "original_transaction_id", "web_order_line_item_id", "app_account_token"] {
            let line = Self.line(Self.version1(#""\#(name)":"\#(id)""#))
            #expect(line.contains("FIELD_UNREADABLE") && line.count < 2200, "\(name)")
            let bare = Self.line(Self.version1(#""x":"1""#))
            #expect(line.prefix(70) == bare.prefix(70), "the id is as without it")
        }
        let root = Self.line(Self.version1(#""x":"1""#, #""original_transaction_id":"\#(id)","#))
        #expect(root.contains("FIELD_UNREADABLE") && !root.contains(id))
        for name in ["transactionId", "originalTransactionId", "webOrderLineItemId", "appAccountToken"] {
            let part = #""transactionInfo":{"productId":"com.example.m","\#(name)":"\#(id)"}"#
            let line = Self.line(Self.version2("", part))
            #expect(line.contains("FIELD_UNREADABLE") && line.count < 2200, "\(name)")
        }
        let plain = Self.line(Self.version2(""))
        let body = Self.version2(#""notificationUUID":"\#(id)","#)
        let unfit = Self.line(body)
        #expect(unfit.contains("FIELD_UNREADABLE") && !plain.contains("FIELD_UNREADABLE"))
        #expect(unfit.prefix(62) == plain.prefix(62), "the event gets the id that one without it gets")
        let shape = Conversion(of: body, as: .v2).lines.first ?? ""
        #expect(shape.count < 900 && !shape.contains("u0000"))
    }

    @Test("An id of 256 bytes, or with escapes, is an id")
    func longIDs() {
        let id = String(repeating: "1", count: 256)
        #expect(Self.line(Self.version2(#""notificationUUID":"\#(id)","#)).contains(#""id":"\#(id)""#))
        let escaped = #"abc\u0031"#
        let line = Self.line(Self.version1(#""transaction_id":"\#(escaped)""#))
        #expect(!line.contains("FIELD_UNREADABLE") && line.contains(#""transaction_id":"abc1""#))
    }

    @Test("A normalizer refuses a longer body than it is told to read, before it reads it")
    func bodySize() throws {
        let body = Array(Self.version1(#""a":1"#).utf8)
        let normalizer = NotificationNormalizer(policy: .trustingTheSource, maximumBodySize: body.count)
        #expect(try normalizer.event(from: body).type == .subscriptionRenewed)
        let error = #expect(throws: NotificationError.self) { try normalizer.event(from: body + [0x20]) }
        #expect(error?.code == .tooLong && error?.cause == .overLimit)
        #expect(error?.description == "the body is longer than \(body.count) bytes")
        let long = [UInt8](repeating: 0x20, count: 16 << 20) + body
        let tooLong = #expect(throws: NotificationError.self) { try trusting.events(from: long) }
        #expect(tooLong?.code == .tooLong)
    }

    @Test("A workspace that a long body made grow is not kept")
    func workspaces() throws {
        func workspace(_ body: String) throws -> Workspace {
            let used = try trusting.collect(from: Array(body.utf8), receivedAt: nil) { workspace, _ in workspace }
            return try #require(used.all.first)
        }
        let first = try workspace(Self.version2(""))
        #expect(try workspace(Self.version2("")) === first)
        let large = try workspace(String(repeating: " ", count: 2 << 20) + Self.version2(""))
        #expect(large.isLarge)
        #expect(try !workspace(Self.version2("")).isLarge)
    }

    @Test("A record holds 10,000 notifications at most; the next is an error, in an array and under keys")
    func notifications() throws {
        let one = #"{"notificationType":"TEST","notificationUUID":"u"}"#
        let most = #"{"Records":["# + Array(repeating: one, count: 10_000).joined(separator: ",") + "]}"
        #expect(Self.code(most) == nil)
        let more = #"{"a":{"b":["# + Array(repeating: one, count: 10_003).joined(separator: ",") + "]}}"
        #expect(Self.code(more) == "record.too-many-notifications")
        let members = (0..<10_003).map { #""k\#($0)":{"notificationType":"TEST","notificationUUID":"\#($0)"}"# }
        #expect(Self.code("{" + members.joined(separator: ",") + "}") == "record.too-many-notifications")
        let page = "{\"notificationHistory\":[" + Array(repeating: one, count: 10_003).joined(separator: ",") + "]}"
        let error = #expect(throws: NotificationError.self) { try trusting.events(from: Array(page.utf8)) }
        #expect(error?.cause == .overLimit)
    }

    // MARK: Time

    /// How much longer `large` takes than `small`: the shortest of some runs each, so that other processes count less.
    private static func growth(
        _ small: String, _ large: String, _ run: ([UInt8]) -> Void = { _ = Conversion(document: $0) }
    ) -> Double {
        func time(_ record: String) -> Duration {
            let bytes = Array(record.utf8)
            return (0..<3).map { _ in ContinuousClock().measure { run(bytes) } }.min() ?? .zero
        }
        return time(large) / max(time(small), .microseconds(1))
    }

    @Test(
        "Four times as many purchases take four times as long, not sixteen times",
        arguments: ["REFUND", "CONSUMPTION_REQUEST", "DID_RENEW"], [true, false])
    func purchases(_ type: String, _ isBesideList: Bool) {
        func body(_ count: Int) -> String {
            let rows = (0..<count).map {
                #"{"transaction_id":"\#(1_000_000_000_000_000 + $0)","original_transaction_id":"#
                    + #""\#(1_000_000_000_000_000 + $0)","product_id":"com.example.m","purchase_date_ms":"1610000000000"}"#
            }
            let list = "[" + rows.joined(separator: ",") + "]"
            let beside = isBesideList ? #""unified_receipt":{"latest_receipt_info":[\#(rows[0])]},"# : ""
            return #"{"notification_type":"\#(type)","environment":"PROD",\#(beside)"latest_receipt_info":\#(list)}"#
        }
        #expect(Self.growth(body(1000), body(4000)) < 9)
    }

    /// A body of many purchases, each with further members in its row and, if wanted, a renewal info.
    private static func body(_ type: String, _ count: Int, _ member: String, hasPending: Bool = false) -> String {
        func list(_ entry: (Int) -> String) -> String {
            "[" + (0..<count).map { entry(1_000_000_000_000_000 + $0) }.joined(separator: ",") + "]"
        }
        let rows = list {
            #"{"transaction_id":"\#($0)","original_transaction_id":"\#($0)","product_id":"com.example.m","#
                + #""purchase_date_ms":"\#($0 / 1000 + 610_000_000_000)"\#(member)}"#
        }
        let pending = list {
            #"{"original_transaction_id":"\#($0)","auto_renew_product_id":"com.example.m","auto_renew_status":"1","#
                + #""product_id":"com.example.m"}"#
        }
        return #"{"notification_type":"\#(type)","environment":"PROD","bid":"com.example.app","password":"0123","#
            + #""auto_renew_status":"true","auto_renew_product_id":"com.example.m","unified_receipt":{"#
            + #""latest_receipt_info":\#(rows)\#(hasPending ? #","pending_renewal_info":\#(pending)"# : "")}}"#
    }

    @Test(
        "The evidence of a body with eight times as many purchases takes eight times as long, not sixty-four times",
        arguments: [
            ("CONSUMPTION_REQUEST", "", false), ("REFUND", #","cancellation_date_ms":"1620000000000""#, false),
            (
                "REVOKE", #","cancellation_date_ms":"1620000000000","in_app_ownership_type":"FAMILY_SHARED""#, false
            ),
            ("DID_RENEW", #","expires_date_ms":"1620000000000""#, true),
            ("CANCEL", #","expires_date_ms":"1620000000000""#, true),
        ])
    func evidence(_ type: String, _ member: String, _ hasPending: Bool) throws {
        let growth = Self.growth(
            Self.body(type, 500, member, hasPending: hasPending), Self.body(type, 4000, member, hasPending: hasPending)
        ) { bytes in
            _ = try? trusting.timelineEntries(from: bytes)
        }
        #expect(growth < 32)
    }

    @Test("A body with a wrong secret is refused in less time than it takes to walk it twice, whatever its shape")
    func wrongSecret() throws {
        let policy = TrustPolicy.sharedSecrets(
            try SharedSecrets(["0123456789abcdef0123456789abcdef"]), expecting: .any)
        for (name, replacement) in [("", ""), ("transaction_id", "transactionId"), ("\"purchase_date_ms\"", "\"x\"")] {
            func run(_ policy: TrustPolicy, _ bytes: [UInt8]) {
                _ = try? NotificationNormalizer(policy: policy).event(from: bytes)
            }
            func body(_ count: Int) -> String {
                let body = Self.body("CONSUMPTION_REQUEST", count, "")
                return name.isEmpty ? body : body.replacing(name, with: replacement)
            }
            #expect(Self.growth(body(500), body(4000)) { run(policy, $0) } < 32)
        }
    }

    @Test(
        "Nested envelopes do not multiply the time, whatever is in them",
        arguments: [
            #"{"notificationType":"DID_RENEW","version":"2.0","raw":?}"#, #"{"notification_type":"DID_RENEW","raw":?}"#,
            #"{"payload":?,"z":{"S":"x"}}"#, #"{"notification_type":{"S":"x"},"q":?}"#, #"{"q":?,"S":"x"}"#,
        ])
    func nesting(_ envelope: String) {
        let leaf =
            #"{"k":[\#(Array(repeating: #"{"a":{"b":"cccccccccccccccccccccccccc"}}"#, count: 150).joined(separator: ","))]}"#
        func nested(_ depth: Int) -> String {
            (0..<depth).reduce(leaf) { inner, _ in envelope.replacing("?", with: inner) }
        }
        #expect(Self.growth(nested(3), nested(7)) < 6)
    }
}
