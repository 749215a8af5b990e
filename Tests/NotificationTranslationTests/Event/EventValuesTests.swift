import NotificationTranslation
import Testing

@Suite("Values that Apple may add to")
struct EventValuesTests {
    private static func event(_ value: Int, _ word: String) throws -> UnifiedEvent {
        try trusting.event(
            from: """
                {"notificationType":"REFUND","notificationUUID":"u","signedDate":1700000000000,"data":{"status":\(value),\
                "environment":"\(word)","transactionInfo":{"transactionId":"1","originalTransactionId":"1",\
                "type":"\(word)","revocationReason":\(value),"offerType":\(value),"inAppOwnershipType":"\(word)",\
                "offerDiscountType":"\(word)"},"renewalInfo":{"autoRenewStatus":\(value),"expirationIntent":\(value),\
                "priceIncreaseStatus":\(value),"offerType":\(value)}}}
                """.utf8)
    }

    @Test("Values that Apple may add to have constants for what is known")
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

    @Test("Values that this build does not know survive a round trip")
    func unknown() throws {
        let event = try Self.event(77, "NEXT_YEAR")
        #expect(event.environment == NotificationEnvironment(rawValue: "NEXT_YEAR"))
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
