import NotificationMappings
import Testing

@testable import NotificationTranslation

@Suite("The decision table")
struct DecisionTableTests {
    @Test("The embedded decision table loads")
    func loads() throws {
        let table = try DecisionTable(Fixture.mapping("v1-to-v2.json"))
        #expect(table.types.count == 13)
    }

    @Test("The decision table says of every ambiguous rule why it is ambiguous, with a flag of that severity")
    func ambiguousRulesExplain() throws {
        let rows = FlagTable.current.rows
        let ambiguous = DecisionTable.current.types.flatMap(\.rules).filter { $0.certainty == .ambiguous }
        #expect(!ambiguous.isEmpty)
        let unexplained = ambiguous.filter { rule in
            !rule.flags.numbers.contains { rows[$0].severity == "ambiguous" }
        }
        #expect(unexplained.map(\.id) == [])
    }

    @Test("Silent events say with a flag why more than one pair is possible")
    func silentRulesExplain() {
        let ambiguous = SilentTable.current.rules.filter { !$0.candidates.isEmpty }
        #expect(!ambiguous.isEmpty)
        let unexplained = ambiguous.filter { rule in
            !rule.flags.numbers.contains { FlagTable.current.rows[$0].severity == "ambiguous" }
        }
        #expect(unexplained.map(\.id) == [])
    }
}
