import Testing

@testable import NotificationTranslation

@Suite("A tally of agreement")
struct AgreementTallyTests {
    private func contradiction(_ month: Int) -> AgreementTally.Comparison {
        AgreementTally.Comparison(type: 0, ours: 1, apple: 2, certainty: .exact, result: .contradicted, month: month)
    }

    @Test("A tally keeps the first thousand contradictions, counts all, and adds up in any order")
    func keepsTheFirst() {
        var parts = [AgreementTally](repeating: AgreementTally(), count: 3)
        // From the last to the first, spread over the parts.
        for number in (0..<5000).reversed() {
            parts[number % 3].count(contradiction(number % 12), v1: UInt64(number), v2: 7)
        }
        var forward = AgreementTally()
        for part in parts { forward.add(part) }
        var backward = AgreementTally()
        for part in parts.reversed() { backward.add(part) }
        #expect(forward.contradictions.map(\.v1) == (0..<1000).map { UInt64($0) })
        #expect(forward.contradictions == backward.contradictions)
        #expect(forward.comparisons == backward.comparisons)
        #expect(forward.contradictedExact == 5000)
    }

    @Test("A tally knows the pair that Apple sends today in place of a historical one")
    func today() throws {
        let events = EventTable.current
        let old = try #require(events.pair("OFFER_REDEEMED/INITIAL_BUY"))
        let new = try #require(events.pair("SUBSCRIBED/INITIAL_BUY"))
        #expect(events.today(old) == new)
        #expect(events.today(new) == new)
        #expect(events.today(-1) == -1)
        let historical = events.pairs.indices.filter { events.pairs[$0].row.prose("status") == "historical" }
        #expect(historical.filter { events.today($0) != $0 } == historical)
    }
}
