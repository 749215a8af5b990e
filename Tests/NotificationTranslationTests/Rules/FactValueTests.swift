import Testing

@testable import NotificationTranslation

@Suite("The values of facts")
struct FactValueTests {
    @Test("The number of a value is its place among all values of its kind")
    func numbers() {
        func check<Value: FactValue.Value>(_ kind: Value.Type) {
            for (place, value) in kind.allCases.enumerated() { #expect(value.number == place, "\(kind) \(value)") }
        }
        let kinds: [any FactValue.Value.Type] = [
            FactValue.Plain.self, FactValue.Answer.self, FactValue.Gap.self, FactValue.Era.self, FactValue.Intent.self,
            FactValue.Upgraded.self, SilentValue.Observation.self, SilentValue.Intent.self, SilentValue.GaveUp.self,
        ]
        for kind in kinds { check(kind) }
    }

    @Test("A fact says the value that was set and no other")
    func says() {
        var facts = Facts()
        facts.set(.gap, FactValue.Gap.longLapse)
        #expect(facts.says(.gap, FactValue.Gap.longLapse))
        #expect(!facts.says(.gap, FactValue.Gap.lapse))
        #expect(facts[.gap] == "long-lapse")
    }
}
