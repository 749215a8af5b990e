#if !canImport(CryptoKit)
import NotificationTranslation
import Testing

@testable import PayloadVerification

/// From a body to its receipt; what that proves, ``ReceiptCoverageTests`` and ``ReceiptPolicyTests`` say.
@Suite("The receipt in a V1 body")
struct ReceiptInBodyTests {
    @Test("The receipt in a V1 body is found in each place, the unified receipt first, with escapes too")
    func places() throws {
        let verifier = try Forged.receiptVerifier
        let text = try ReceiptPolicyTests.receipt()
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
        let body = ReceiptPolicyTests.body(text)
        let event = try NotificationNormalizer(policy: .trustingTheSource).event(from: body)
        #expect(try verifier.receipt(in: body)?.coverage(of: event).covers == .all)
        for body in ["{}", "{\"latest_receipt\":\"\"}", "{\"unified_receipt\":{\"latest_receipt\":7}}"] {
            #expect(try verifier.receipt(in: Array(body.utf8)) == nil)
        }
    }

    @Test("The receipt in a V1 body is refused with its place in the body")
    func refusals() throws {
        let verifier = try Forged.receiptVerifier
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
