import Testing

@testable import NotificationTranslation

@Suite("V1 bodies")
struct V1FixtureTests {
    /// What only the neighbours of a notification can tell; the body's own facts cannot be overruled.
    private static let timelineFacts: Set<Fact> = [
        .openFailure, .partnerRenewal, .partnerPreference, .partnerRecovery, .priorState, .lastPreference,
        .newTransaction, .partnerCancel, .beginning, .gap, .productChanged, .cancelledRow, .answered,
    ]

    @Test("V1 bodies are judged as Apple's tables say", arguments: Fixture.all(in: "v1-to-v2"))
    func judges(_ fixture: Fixture) throws {
        fixture.expect(try V1Answer(fixture.bytes("input.json"), timeline: Self.timeline(of: fixture)).text)
    }

    /// The facts of `timeline.json`, each checked to be one that a timeline can tell.
    private static func timeline(of fixture: Fixture) throws -> [String: String] {
        guard fixture.has("timeline.json") else { return [:] }
        let tree = try JSONTree(try fixture.bytes("timeline.json"))
        var facts: [String: String] = [:]
        for name in tree.keys {
            let fact = try #require(Fact.named(name), "no such fact")
            try #require(timelineFacts.contains(fact), "not a fact of a timeline")
            let value = try #require(tree[name]?.string)
            try #require(fact.values.contains(value), "no such value")
            facts[name] = value
        }
        try #require(!facts.isEmpty)
        return facts
    }

    /// What is open has a flag that says why, and what is ambiguous two candidates at least.
    private static func expectExplained(_ event: JSONTree) {
        let isExplained = event.flags.contains { flag in
            FlagTable.current.number(flag).map { FlagTable.current.rows[$0].severity != "info" } ?? false
        }
        let isAmbiguous = event["certainty"]?.string == "ambiguous"
        let mayEnd = event["candidates"]?.elements?.contains { candidate in
            EventTable.current.pair(Conversion.pair(candidate)).map {
                EventTable.current.pairs[$0].entitlement == .withdraw
            } ?? false
        }
        #expect(isExplained || !isAmbiguous)
        #expect(isExplained || !(mayEnd ?? false) || event["entitlement"]?.string != "undecided")
        #expect(!isAmbiguous || (event["candidates"]?.elements ?? []).count > 1)
    }

    @Test("V1 bodies become one event that explains itself and holds no secret", arguments: Fixture.all(in: "v1-to-v2"))
    func becomesEvent(_ fixture: Fixture) throws {
        let input = try fixture.bytes("input.json")
        let output = Conversion(document: input)
        #expect(output.outcomes.count == 1)
        let line = try #require(output.lines.first)
        for secret in ["0123456789abcdef0123456789abcdef", "MIITtgYJKoZIhvcNAQcC", "ewoJInNpZ25hdHVyZSIg"] {
            #expect(!line.contains(secret))
        }
        Self.expectExplained(try output.event)
        // Judged alone, the way of the archive and that of the answer write the same line.
        #expect(try line == V1Answer(input, timeline: [:]).line)
    }
}
