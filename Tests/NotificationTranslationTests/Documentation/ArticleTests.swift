import NotificationTranslation
import Testing

/// What the articles of the catalogue say, done with nothing but the public interface.
@Suite("The articles")
struct ArticleTests {
    private static func cancel() throws -> [UInt8] { try Fixture.bytes("Fixtures/archive/cancel.json") }

    private static func lines(_ file: String) throws -> [[UInt8]] {
        try Fixture.bytes("Fixtures/archive/" + file).split(separator: 0x0A).map { Array($0) }
    }

    @Test("The articles show what an event says about one body")
    func oneBody() throws {
        let event = try NotificationNormalizer(policy: .trustingTheSource).event(from: Self.cancel())
        #expect(event.type.description == "refund.issued")
        #expect(EventKind.allKnown.contains(event.type))
        #expect(event.v2.description == "REFUND")
        #expect(event.certainty == .ambiguous)
        #expect(event.candidates.map(\.description) == ["REFUND", "-", "DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(event.flags.map(\.description) == ["CANCEL_REFUND_OR_UPGRADE"])
        #expect(event.entitlement == .undecided)
        let flag = try #require(event.flags.first)
        #expect(AmbiguityFlag.allKnown.contains(flag))
        #expect(flag.severity == .ambiguous)
        #expect(flag.meaning?.isEmpty == false && flag.settles?.isEmpty == false)
        #expect(AmbiguityFlag(rawValue: "OF_NEXT_YEAR").severity == nil)
    }

    @Test("The articles name the code and the place of what cannot be read, and no value")
    func errors() {
        let body = Array(#"{"notification_type":"CANCEL","bid":"secret","bid":"secret"}"#.utf8)
        let error = #expect(throws: NotificationError.self) {
            try NotificationNormalizer(policy: .trustingTheSource).event(from: body)
        }
        #expect(error?.code.description == "json.duplicate-key")
        #expect(error?.path == "bid")
        #expect(error?.description.contains("secret") == false)
        let nothing = Array(#"{"a":1}"#.utf8)
        let none = #expect(throws: NotificationError.self) {
            try NotificationNormalizer(policy: .trustingTheSource).event(from: nothing)
        }
        #expect(none?.code == .notANotification)
        #expect((try? NotificationNormalizer(policy: .trustingTheSource).events(from: nothing)) == [])
    }

    @Test("The articles take the time of arrival from the envelope or from the caller")
    func received() throws {
        let time = try #require(EventTime("2020-11-03T10:12:44+01:00"))
        #expect(time.description == "2020-11-03T09:12:44.000Z")
        #expect(EventTime("yesterday") == nil)
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        #expect(try normalizer.event(from: Self.cancel(), receivedAt: time).source.receivedAt == time)
        let enveloped = try normalizer.event(from: Self.lines("2020.ndjson")[0], receivedAt: time)
        #expect(enveloped.source.receivedAt?.description == "2020-01-05T09:00:03.120Z")
    }

    @Test("The articles show how an answer was found: rule, source and facts")
    func translation() throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let translations = try normalizer.translations(of: Self.cancel(), receivedAt: EventTime("2020-01-09T09:00:01Z"))
        let translation = try #require(translations.first)
        #expect(translation.answer?.rule.id == "cancel-undecided")
        #expect(translation.answer?.rule.source.isEmpty == false)
        #expect(translation.evidence.contains { $0.fact == "autoRenew" && $0.value == "on" && !$0.meaning.isEmpty })
        #expect(translation.transactionCertainty == .exact)
        #expect(MappingTable.current.version.isEmpty == false)
        let unknown = try normalizer.translations(of: Array(#"{"notification_type":"OF_NEXT_YEAR"}"#.utf8))
        #expect(unknown.map(\.answer) == [nil])
    }

    @Test("The articles give V1 bodies in Apple's words")
    func typedV1() throws {
        let body = try Self.lines("2020.ndjson")[1]
        let notification = try V1Notification(body)
        #expect(notification.notificationType == .interactiveRenewal)
        #expect(notification.environment == .production)
        #expect(notification.bundleID == "com.example.news")
        #expect(notification.bundleVersion == "41")
        #expect(notification.originalTransactionID == nil)
        #expect(notification.autoRenewProductID == "com.example.news.premium.monthly")
        #expect(notification.autoRenewStatus == true)
        #expect(notification.transactions.map(\.transactionID) == ["1000000720000002", "1000000720000001"])
        #expect(notification.transactions.map(\.originalTransactionID) == ["1000000720000001", "1000000720000001"])
        #expect(notification.transactions[1].productID == "com.example.news.monthly")
        #expect(notification.transactions[1].purchaseDate == EventTime("2020-01-05T09:00:00Z"))
        #expect(notification.transactions[1].expiresDate == EventTime("2020-02-05T09:00:00Z"))
        #expect(notification.transactions.map(\.cancellationDate) == [nil, EventTime("2020-01-20T18:30:00Z")])
        let v2 = try Self.lines("2023.ndjson")[0]
        let error = #expect(throws: NotificationError.self) { try V1Notification(v2) }
        #expect(error?.sentence == "no version 1 notification in it")
    }

    @Test("The articles read a V2 body for routing")
    func typedV2() throws {
        for line in [0, 2] {
            let body = try Self.lines("2023.ndjson")[line]
            let notification = try V2Notification(body)
            #expect(notification.notificationType.description == (line == 0 ? "DID_RENEW" : "EXPIRED"))
            #expect(notification.subtype?.description == (line == 0 ? nil : "VOLUNTARY"))
            #expect(notification.bundleID == "com.example.news")
            #expect(notification.environment == .production)
            #expect(notification.originalTransactionID == "2000000700000001")
            #expect(notification.signedDate == EventTime("2023-10-24T12:01:40.123Z"))
            let event = try NotificationNormalizer(policy: .trustingTheSource).event(from: body)
            #expect(event.id == notification.notificationUUID)
        }
        let cancel = try Self.cancel()
        let error = #expect(throws: NotificationError.self) { try V2Notification(cancel) }
        #expect(error?.sentence == "no version 2 notification in it")
    }

    @Test("The articles show the handler that the tests compile, and a schema that a database takes")
    func timelineHandler() throws {
        let path = "Sources/NotificationTranslation/NotificationTranslation.docc/Timelines.md"
        let article = String(decoding: try Fixture.bytes(path), as: UTF8.self)
        let source = "Tests/NotificationTranslationTests/Timeline/ReceivingTests.swift"
        let test = String(decoding: try Fixture.bytes(source), as: UTF8.self)
        let begin = try #require(test.firstRange(of: "// begin: snippet\n"))
        let end = try #require(test.firstRange(of: "// end: snippet\n"))
        let snippet = test[begin.upperBound..<end.lowerBound]
        #expect(article.contains("```swift\n\(snippet)```"))
    }
}
