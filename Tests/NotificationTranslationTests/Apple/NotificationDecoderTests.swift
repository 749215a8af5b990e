import Testing

@testable import NotificationTranslation

@Suite("The decoder")
struct NotificationDecoderTests {
    private static let body =
        #"{"bid":"com.example.app","notification_type":"DID_RENEW","environment":"PROD","#
        + #""password":"s\u0065cret-s\u0065cret-s\u0065cret","received_at":"2021\u002d06\u002d01T09:00:12Z"}"#

    /// A body as a string of an envelope.
    private static func enveloped(_ body: String) -> [UInt8] {
        let text = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return Array(#"{"id":1,"body":"\#(text)"}"#.utf8)
    }

    @Test("reads a body in a string the same with escapes in its own strings")
    func escapesInsideABodyInAString() throws {
        let secrets = try SharedSecrets(["secret-secret-secret"])
        for policy in [TrustPolicy.trustingTheSource, .sharedSecrets(secrets, expecting: .any)] {
            let normalizer = NotificationNormalizer(policy: policy)
            var plain = try normalizer.event(from: Array(Self.body.utf8))
            plain.source.offset = nil
            let event = try normalizer.event(from: Self.enveloped(Self.body))
            #expect(event.source.type == "DID_RENEW")
            #expect(event.bundleID == "com.example.app")
            #expect(event.source.receivedAt?.description == "2021-06-01T09:00:12.000Z")
            #expect(event.id == plain.id)
        }
    }

    @Test("looks into the second string of a body in a string when the first, with escapes, holds nothing")
    func twoStringsInABodyInAString() throws {
        let second = Self.body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let first = #"\u007b\"a\":\"\#(String(repeating: "b", count: 90))\"}"#
        let inner = #"{"payload":"\#(second)","body":"\#(first)"}"#
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let event = try normalizer.event(from: Self.enveloped(inner))
        #expect(event.source.type == "DID_RENEW")
        #expect(event.bundleID == "com.example.app")
    }
}
