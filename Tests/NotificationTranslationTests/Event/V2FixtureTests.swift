import Testing

@testable import NotificationTranslation

@Suite("V2 payloads")
struct V2FixtureTests {
    @Test("V2 payloads become the event of their pair", arguments: Fixture.all(in: "v2-to-event"))
    func becomesEvent(_ fixture: Fixture) throws {
        let conversion = Conversion(document: try fixture.bytes("input.json"))
        #expect(conversion.outcomes.count == 1)
        let line = try #require(conversion.lines.first)
        fixture.expect(PrettyJSON.text(line))
    }
}
