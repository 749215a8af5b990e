import Mappings
import Testing

@testable import NotificationTranslation

@Suite("The decision table")
struct DecisionTableTests {
    @Test("that is embedded loads")
    func loads() throws {
        let table = try DecisionTable(Fixture.mapping("v1-to-v2.json"), events: .current, flags: .current)
        #expect(table.types.count == 13)
    }
}
