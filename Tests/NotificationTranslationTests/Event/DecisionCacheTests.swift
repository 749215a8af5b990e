import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("Decisions met before")
struct DecisionCacheTests {
    @Test(
        "Remembered decisions are those of the table",
        arguments: 0..<DecisionTable.current.types.count)
    func sameAsTheTable(type: Int) {
        let table = DecisionTable.current
        let cache = DecisionCache(table)
        var random = SeededGenerator(seed: UInt64(type))
        var kinds: Set<String> = []
        for _ in 0..<300 {
            var facts = Facts()
            for fact in Fact.allCases { facts[fact.index] = Int.random(in: 0..<fact.values.count, using: &random) }
            let actual = cache.decision(type: type, facts: facts)
            let expected = table.decision(type: type, facts: facts)
            #expect(actual.rule.id == expected.rule.id && actual.certainty == expected.certainty)
            #expect(actual.candidates == expected.candidates && actual.flags == expected.flags)
            #expect(actual.adjustments == expected.adjustments)
            kinds.insert(actual.rule.id)
        }
        #expect(!kinds.isEmpty)
    }
}
