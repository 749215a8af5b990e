import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("Decisions met before")
struct DecisionCacheTests {
    /// What two decisions have to have in common.
    private struct Said: Equatable {
        var rule: String
        var certainty: Certainty
        var candidates: [Rule.Answer]
        var flags: FlagSet
        var adjustments: [String]

        init(_ decision: Decision) {
            rule = decision.rule.id
            certainty = decision.certainty
            candidates = decision.candidates
            flags = decision.flags
            adjustments = decision.adjustments
        }
    }

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
            let actual = Said(cache.decision(type: type, facts: facts))
            let expected = Said(table.decision(type: type, facts: facts))
            #expect(actual == expected)
            kinds.insert(actual.rule)
        }
        #expect(!kinds.isEmpty)

    }
}
