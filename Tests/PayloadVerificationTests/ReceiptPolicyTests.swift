#if !canImport(CryptoKit)
import NotificationTranslation
import PayloadVerification
import Testing

/// What a policy makes of receipts.
@Suite("A policy that verifies receipts")
struct ReceiptPolicyTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .production)

    static func receipt() throws -> String { Token.base64(try ForgedReceipt(Forged.receiptChain).der()) }

    /// A body whose row says what the receipt says, or what a test wants.
    static func body(
        _ receipt: String?, expires: String = "1702591995000", password: String? = nil, bid: String = "com.example.app"
    ) -> [UInt8] {
        let row = """
            {"transaction_id":"1000000710000002","original_transaction_id":"1000000710000001",\
            "product_id":"com.example.app.month","quantity":"1","web_order_line_item_id":"1000000056000002",\
            "purchase_date_ms":"1699999995000","original_purchase_date_ms":"1697321595000",\
            "expires_date_ms":"\(expires)"}
            """
        let text = """
            {"notification_type":"DID_RENEW","environment":"PROD","bid":"\(bid)","auto_renew_status":"true",\
            \(password.map { "\"password\":\"\($0)\"," } ?? "")\
            "unified_receipt":{"environment":"Production","status":0,\
            \(receipt.map { "\"latest_receipt\":\"\($0)\"," } ?? "")"latest_receipt_info":[\(row)]}}
            """
        return Array(text.utf8)
    }

    /// What becomes of a body: how much is proven, or the code of the refusal.
    private static func outcome(_ body: [UInt8], _ policy: TrustPolicy) -> String {
        do throws(NotificationError) {
            let event = try NotificationNormalizer(policy: policy).event(from: body)
            return event.source.receipt.map { $0.covers.rawValue + ($0.code.map { " " + $0 } ?? "") } ?? "null"
        } catch {
            return error.code.rawValue
        }
    }

    @Test("A policy that verifies receipts takes a body without a secret only where its receipt covers the event")
    func accepts() throws {
        let receipt = try Self.receipt()
        let verifier = try Forged.receiptVerifier
        let secrets = try SharedSecrets([Self.secret])
        let bodies = [
            Self.body(receipt), Self.body(receipt, expires: "4102444800000"), Self.body("AAAA"), Self.body(nil),
            Self.body(nil, password: Self.secret), Self.body(receipt, password: "wrong"),
            Self.body(receipt, bid: "com.example.other"),
        ]
        func outcomes(_ policy: TrustPolicy) -> [String] { bodies.map { Self.outcome($0, policy) } }
        #expect(
            outcomes(.receipts(verifier, expecting: .any)) == [
                "all", "trust.no-proof", "trust.no-proof", "trust.no-proof", "trust.no-proof", "all", "trust.no-proof",
            ])
        #expect(
            outcomes(
                .sharedSecrets(secrets, expecting: Self.app)
                    .verifyingReceipts(with: verifier, acceptsReceipts: true)) == [
                    "all", "trust.no-proof", "trust.no-proof", "trust.no-proof", "null", "trust.secret-mismatch",
                    "payload.bundle-id",
                ])
        // Receipts say nothing unless they are accepted.
        #expect(
            outcomes(.sharedSecrets(secrets, expecting: .any).verifyingReceipts(with: verifier)) == [
                "trust.secret-missing", "trust.secret-missing", "trust.secret-missing", "trust.secret-missing", "null",
                "trust.secret-mismatch", "trust.secret-missing",
            ])
        #expect(
            outcomes(.receipts(verifier, expecting: .any).trustingTheSourceWhereUnproven()) == [
                "all", "some", "none receipt.malformed", "null", "null", "all", "none receipt.bundle-id",
            ])
        #expect(
            outcomes(.trustingTheSource.verifyingReceipts(with: verifier)) == [
                "all", "some", "none receipt.malformed", "null", "null", "all", "none receipt.bundle-id",
            ])
    }

    @Test("A policy that verifies receipts leaves authenticity and the id as they are")
    func leavesTheRest() throws {
        let body = Self.body(try Self.receipt())
        let policy = TrustPolicy.receipts(try Forged.receiptVerifier, expecting: Self.app)
        var event = try NotificationNormalizer(policy: policy).event(from: body)
        #expect(event.source.authenticity == .unverified)
        #expect(event.source.receipt?.createdAt == EventTime(ReceiptContent.created))
        (event.source.receipt, event.source.isReceiptRequested) = (nil, false)
        #expect(try NotificationNormalizer(policy: .trustingTheSource).event(from: body) == event)
    }

    @Test("A policy that verifies receipts compares the creation date with the clock where an age is given")
    func age() throws {
        let body = Self.body(try Self.receipt())
        let verifier = try Forged.receiptVerifier
        let young = ReceiptAge(longest: .seconds(3 * 86_400))
        #expect(Self.outcome(body, .receipts(verifier, expecting: .any, age: young)) == "trust.no-proof")
        #expect(
            Self.outcome(body, .trustingTheSource.verifyingReceipts(with: verifier, age: young))
                == "none receipt.too-old")
        #expect(Self.outcome(body, .receipts(verifier, expecting: .any, age: ReceiptAge(longest: nil))) == "all")
    }

    @Test("A policy finds the receipt in an envelope, in escaped JSON and with escapes, and none in version 2")
    func places() throws {
        let receipt = try Self.receipt()
        let policy = TrustPolicy.receipts(try Forged.receiptVerifier, expecting: .any)
        let body = String(decoding: Self.body(receipt), as: UTF8.self)
        let escaped = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let slashes = String(decoding: Self.body(receipt.replacing("/", with: "\\/")), as: UTF8.self)
        let first = body.replacing("\"unified_receipt\":{", with: "\"latest_receipt\":\"AAAA\",\"unified_receipt\":{")
        for text in ["{\"body\":\(body)}", "{\"body\":\"\(escaped)\"}", slashes, first] {
            #expect(Self.outcome(Array(text.utf8), policy) == "all")
        }
        let version2 = #"{"notificationType":"TEST","notificationUUID":"n-1","version":"2.0","data":{"bundleId":"b"}}"#
        let event = try NotificationNormalizer(policy: policy.trustingTheSourceWhereUnproven())
            .event(from: Array(version2.utf8))
        #expect(event.source.receipt == nil && event.source.isReceiptRequested)
    }
}
#endif
