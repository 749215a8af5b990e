#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NotificationTranslation
import Testing

@Suite("Values that Apple may add to")
struct EventValuesTests {
    private static func event(_ value: Int, _ word: String) throws -> UnifiedEvent {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        return try normalizer.event(
            from: """
                {"notificationType":"REFUND","notificationUUID":"u","signedDate":1700000000000,"data":{"status":\(value),\
                "environment":"\(word)","transactionInfo":{"transactionId":"1","originalTransactionId":"1",\
                "type":"\(word)","revocationReason":\(value),"offerType":\(value),"inAppOwnershipType":"\(word)",\
                "offerDiscountType":"\(word)"},"renewalInfo":{"autoRenewStatus":\(value),"expirationIntent":\(value),\
                "priceIncreaseStatus":\(value),"offerType":\(value)}}}
                """.utf8)
    }

    @Test("have constants for what is known")
    func known() throws {
        let event = try Self.event(1, "PURCHASED")
        #expect(event.subscriptionStatus == .active)
        #expect(event.transaction?.revocationReason == .appIssue)
        #expect(event.transaction?.offerType == .introductory)
        #expect(event.transaction?.ownership == .purchased)
        #expect(event.renewal?.autoRenewStatus == .on)
        #expect(event.renewal?.expirationIntent == .cancelled)
        #expect(event.renewal?.priceIncreaseStatus == .agreed)
        #expect(event.renewal?.offerType == .introductory)
    }

    @Test("survive a round trip when this build does not know them")
    func unknown() throws {
        let event = try Self.event(77, "NEXT_YEAR")
        #expect(event.environment == AppStoreEnvironment(rawValue: "NEXT_YEAR"))
        #expect(event.subscriptionStatus?.rawValue == 77)
        #expect(event.transaction?.productType?.description == "NEXT_YEAR")
        #expect(event.transaction?.offerType?.description == "77")
        let line = event.line()
        let again = try JSONDecoder().decode(UnifiedEvent.self, from: Data(line))
        #expect(again == event)
        #expect(again.line() == line)
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""subscription_status":77,"#) && text.contains(#""ownership":"NEXT_YEAR","#))
        let encoded = try #require(String(data: JSONEncoder().encode(event), encoding: .utf8))
        #expect(encoded.contains(#""offer_type":77"#) && encoded.contains(#""product_type":"NEXT_YEAR""#))
    }
}

@Suite("Bodies of every type of bytes")
struct BodyBytesTests {
    private static let text = #"{"notification_type":"CANCEL","environment":"PROD","bid":"com.example.app"}"#

    @Test("give the same events")
    func same() throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let array = Array(Self.text.utf8)
        let event = try normalizer.event(from: array)
        let padded = [0x20] + array + [0x20]
        #expect(try normalizer.event(from: padded[1...array.count]) == event)
        #expect(try normalizer.event(from: Self.text.utf8) == event)
        #expect(try normalizer.event(from: Data(array)) == event)
        #expect(try normalizer.event(from: array.lazy.map { $0 }) == event)
        #expect(try normalizer.event(fromBytes: array.span.bytes) == event)
        #expect(try normalizer.events(fromBytes: array.span.bytes) == [event])
        #expect(try normalizer.timelineEntries(fromBytes: array.span.bytes).map(\.event) == [event])
        #expect(try V1Notification(Self.text.utf8) == V1Notification(array))
        #expect(UnverifiedRoute(body: Self.text.utf8)?.unverifiedBundleID == "com.example.app")
    }

    @Test("are refused with the same errors")
    func refused() throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let bytes = Array(#"{"notification_type":"CANCEL",}"#.utf8)
        let expected = #expect(throws: NotificationError.self) { try normalizer.event(from: bytes) }
        let lazily = #expect(throws: NotificationError.self) { try normalizer.event(from: bytes.lazy.map { $0 }) }
        let span = #expect(throws: NotificationError.self) { try normalizer.event(fromBytes: bytes.span.bytes) }
        #expect(lazily == expected && span == expected)
        let nothing = #expect(throws: NotificationError.self) { try normalizer.event(from: []) }
        #expect(nothing?.cause == .unreadable)
    }
}
