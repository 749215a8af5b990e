import NotificationTranslation
import Testing

// What stands between the marks is the code of "In your tests" in the article about servers, word for word.

// begin: event
/// An event as the handler gets it when a renewal was paid.
func renewal(until end: EventTime) -> UnifiedEvent {
    var event = UnifiedEvent(id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8", type: .subscriptionRenewed)
    event.occurredAt = EventTime("2026-11-01T09:00:00Z")
    event.entitlement = .grant
    event.accessUntil = end
    event.v2 = NotificationPair(type: "DID_RENEW")
    event.transaction = UnifiedEvent.Transaction()
    event.transaction?.originalTransactionID = "700000000000001"
    return event
}
// end: event

// begin: signed
/// A compact JWS of a payload, as Apple would send it; its signature is 64 zeros.
func jws(_ payload: String) -> String {
    func base64url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
            .map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }
    let parts = [Array(#"{"alg":"ES256"}"#.utf8), Array(payload.utf8), [UInt8](repeating: 0, count: 64)]
    return parts.map(base64url).joined(separator: ".")
}

/// The event of a signed payload, by the policy of a server.
func event(ofSigned payload: String) throws -> UnifiedEvent {
    let text = jws(payload)
    let app = try ExpectedApp(bundleID: "com.example.app", environment: .sandbox)
    let normalizer = NotificationNormalizer(policy: .verify(AlreadyVerified([text]), expecting: app))
    return try normalizer.event(from: Array(#"{"signedPayload":"\#(text)"}"#.utf8))
}
// end: signed

// begin: clock
/// What a timeline says of bodies that arrive at fixed times.
func settle(_ bodies: [(body: [UInt8], at: EventTime)], with normalizer: NotificationNormalizer) throws
    -> [UnifiedEvent]
{
    var timeline = SubscriptionTimeline(inferring: .safe)
    for (body, time) in bodies {
        for entry in try normalizer.timelineEntries(from: body, receivedAt: time) {
            _ = timeline.receive(entry, now: time)
        }
    }
    return timeline.settled()
}
// end: clock

@Suite("The article about tests")
struct InYourTestsTests {
    @Test("A test makes an event that is written as a line")
    func byHand() throws {
        let end = try #require(EventTime("2026-12-01T09:00:00Z"))
        let event = renewal(until: end)
        let line = String(decoding: event.line(), as: UTF8.self)
        #expect(line.contains(#""type":"subscription.renewed""#))
        #expect(line.contains(#""access_until":"2026-12-01T09:00:00.000Z""#))
        #expect(line.contains(#""v2":{"type":"DID_RENEW","subtype":null}"#))
    }

    private static let payload = """
        {"notificationType":"DID_RENEW","notificationUUID":"11111111-2222-4333-8444-555555555555","version":"2.0",\
        "signedDate":1790000000000,"data":{"bundleId":"com.example.app","environment":"Sandbox"}}
        """

    @Test("A payload that the test signed is verified, and no other")
    func signed() throws {
        let event = try event(ofSigned: Self.payload)
        #expect(event.source.authenticity == .verified)
        #expect(event.v2.type == "DID_RENEW")
        let other = Self.payload.replacing("com.example.app", with: "com.example.other")
        #expect(throws: NotificationError.self) { try PayloadVerificationTests.event(ofSigned: other) }
    }

    @Test("A test settles bodies at fixed times, the same on any day")
    func clock() throws {
        let body = Array(
            """
            {"notification_type":"DID_CHANGE_RENEWAL_STATUS","auto_renew_status":"false",\
            "auto_renew_status_change_date_ms":"1604394764000","bid":"com.example.app"}
            """.utf8)
        let time = try #require(EventTime("2020-11-03T09:12:50Z"))
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let events = try settle([(body, time), (body, time)], with: normalizer)
        #expect(events.map(\.disposition) == [.event, .duplicate])
        #expect(events.first?.source.receivedAt == time)
    }
}
