#if !canImport(CryptoKit)
import NotificationTranslation
import Testing

@testable import PayloadVerification

/// From a body to what its receipt proves.
@Suite("The receipt in a V1 body")
struct ReceiptInBodyTests {
    private static func text() throws -> String {
        Token.base64(try ForgedReceipt(try Forged.receiptChain.get()).der())
    }

    /// A body whose row says what the receipt says, or what a test wants.
    private static func body(expires: String = "1702591995000", receipt: String) -> [UInt8] {
        let row = """
            {"transaction_id":"1000000710000002","original_transaction_id":"1000000710000001",\
            "product_id":"com.example.app.month","quantity":"1","web_order_line_item_id":"1000000056000002",\
            "purchase_date_ms":"1699999995000","original_purchase_date_ms":"1697321595000",\
            "expires_date_ms":"\(expires)"}
            """
        let text = """
            {"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app","auto_renew_status":"true",\
            "auto_renew_product_id":"com.example.app.month","unified_receipt":{"environment":"Production","status":0,\
            "latest_receipt":\(receipt),"latest_receipt_info":[\(row)]}}
            """
        return Array(text.utf8)
    }

    private static func coverage(_ body: [UInt8]) throws -> ReceiptCoverage? {
        let event = try NotificationNormalizer(policy: .trustingTheSource).event(from: body)
        let receipt = try Forged.receiptVerifier.get().receipt(in: body)
        return receipt?.coverage(of: event)
    }

    @Test("The receipt in a V1 body proves the event that says the same")
    func covers() throws {
        let coverage = try #require(try Self.coverage(Self.body(receipt: "\"\(Self.text())\"")))
        #expect(coverage.covers == .all)
    }

    @Test("The receipt in a V1 body contradicts the event of a body that was changed around it")
    func contradicts() throws {
        let body = Self.body(expires: "4102444800000", receipt: "\"\(try Self.text())\"")
        let coverage = try #require(try Self.coverage(body))
        #expect(coverage.covers == .some)
        #expect(coverage.contradicted == [.expiresAt])
    }

    @Test("The receipt in a V1 body is found in each place, the unified receipt first, with escapes too")
    func places() throws {
        let verifier = try Forged.receiptVerifier.get()
        let text = try Self.text()
        let bodies = [
            "{\"latest_receipt\":\"\(text)\"}", "{\"latest_expired_receipt\":\"\(text)\",\"latest_receipt\":null}",
            "{\"latest_receipt\":\"AAAA\",\"unified_receipt\":{\"latest_receipt\":\"\(text)\"}}",
            "{\"latest_receipt\":\"\(text.replacing("/", with: "\\/"))\"}",
            "{\"latest_receipt\":\"\(text.replacing("M", with: "\\u004d"))\",\"unified_receipt\":\"x\"}",
        ]
        for body in bodies {
            let receipt = try verifier.receipt(in: Array(body.utf8))
            #expect(receipt?.bundleID == "com.example.app")
        }
        for body in ["{}", "{\"latest_receipt\":\"\"}", "{\"unified_receipt\":{\"latest_receipt\":7}}"] {
            #expect(try verifier.receipt(in: Array(body.utf8)) == nil)
        }
    }

    @Test("The receipt in a V1 body is refused with its place in the body")
    func refusals() throws {
        let verifier = try Forged.receiptVerifier.get()
        let cases: [(String, AuthenticityError)] = [
            ("[]", AuthenticityError(.badPayload)), ("", AuthenticityError(.badPayload)),
            ("{\"latest_receipt\":\"\",}", AuthenticityError(.badPayload)),
            ("{\"a\":1,\"a\":2}", AuthenticityError(.duplicatePayloadKey)),
            ("{\"latest_receipt\":\"x\"}", AuthenticityError(.receiptBase64, path: "latest_receipt")),
            (
                "{\"latest_expired_receipt\":\"ewoJInNpZ25hdHVyZSIgPSAiQUFBQSI7Cn0=\"}",
                AuthenticityError(.receiptOldForm, path: "latest_expired_receipt")
            ),
            (
                "{\"unified_receipt\":{\"latest_receipt\":\"MAA=\"}}",
                AuthenticityError(.receiptMalformed, path: "unified_receipt.latest_receipt.contentInfo")
            ),
        ]
        for (body, expected) in cases {
            #expect(throws: expected) { try verifier.receipt(in: Array(body.utf8)) }
        }
    }
}
#endif
