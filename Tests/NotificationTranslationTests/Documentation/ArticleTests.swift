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
        let event = try trusting.event(from: Self.cancel())
        #expect(event.type.description == "refund.issued")
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
            try trusting.event(from: body)
        }
        #expect(error?.code.description == "json.duplicate-key")
        #expect(error?.path == "bid")
        #expect(error?.description.contains("secret") == false)
        let nothing = Array(#"{"a":1}"#.utf8)
        let none = #expect(throws: NotificationError.self) {
            try trusting.event(from: nothing)
        }
        #expect(none?.code == .notANotification)
        #expect((try? trusting.events(from: nothing)) == [])
    }

    @Test("The articles take the time of arrival from the envelope or from the caller")
    func received() throws {
        let time = try #require(EventTime("2020-11-03T10:12:44+01:00"))
        #expect(time.description == "2020-11-03T09:12:44.000Z")
        #expect(EventTime("yesterday") == nil)
        #expect(try trusting.event(from: Self.cancel(), receivedAt: time).source.receivedAt == time)
        let enveloped = try trusting.event(from: Self.lines("2020.ndjson")[0], receivedAt: time)
        #expect(enveloped.source.receivedAt?.description == "2020-01-05T09:00:03.120Z")
    }

    @Test("The articles show how an answer was found: rule, source and facts")
    func translation() throws {
        let judged = try trusting.judgements(of: Self.cancel(), receivedAt: EventTime("2020-01-09T09:00:01Z"))
        let translation = try #require(judged.all.first?.translation)
        #expect(translation.answer?.rule.id == "cancel-undecided")
        #expect(translation.answer?.rule.source.isEmpty == false)
        #expect(translation.evidence.contains { $0.fact == "autoRenew" && $0.value == "on" })
        #expect(translation.transactionCertainty == .exact)
        #expect(MappingTable.current.version.isEmpty == false)
        let unknown = try trusting.judgements(of: Array(#"{"notification_type":"OF_NEXT_YEAR"}"#.utf8))
        #expect(unknown.all.map { $0.translation?.answer } == [nil])
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
