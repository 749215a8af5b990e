import SimulatedLives
import Testing

@testable import NotificationTranslation

/// The translation without a notification: the rules as values, and answers from facts.
@Suite("The mapping table")
struct MappingTableTests {
    private let table = MappingTable.current

    @Test("The rules of every type are those of the file, in its order")
    func rules() throws {
        let file = try JSONTree(Fixture.mapping("v1-to-v2.json"))
        let types = try #require(file.member("types")).parts.map { $0 }
        for type in types {
            let name = type.prose("type")
            let rules = table.rules(for: V1NotificationType(rawValue: name))
            let rows = try #require(type.member("rules")).parts.map { $0 }
            #expect(rules.map(\.id) == rows.map { $0.prose("id") })
            #expect(rules.map(\.source) == rows.map { $0.prose("source") })
            #expect(rules.last?.conditions.isEmpty == true)
        }
        #expect(table.rules(for: V1NotificationType(rawValue: "OF_NEXT_YEAR")) == [])
        let rule = try #require(table.rules(for: .cancel).first { $0.id == "cancel-refund" })
        #expect(
            rule.conditions == [
                "cancelledRow": ["superseded", "plain", "over", "refunded"],
                "era": ["from-2022-02"],
            ])
        #expect(rule.pair.description == "REFUND")
        #expect(rule.certainty == .exact)
        let companion = try #require(table.rules(for: .cancel).first { $0.id == "cancel-upgrade-companion" })
        #expect(companion.pair == .companion)
        #expect(companion.flags.map(\.rawValue) == ["COMPANION_OF_UPGRADE"])
    }

    @Test("An answer is exact only if what is not stated leaves no other pair possible")
    func answers() throws {
        let upgrade = try table.translate(.cancel, facts: ["cancelledRow": "upgraded", "partnerRenewal": "no"])
        #expect(upgrade.rule.id == "cancel-upgrade-alone")
        #expect(upgrade.pair.description == "DID_CHANGE_RENEWAL_PREF/UPGRADE")
        #expect(upgrade.certainty == .inferred)
        #expect(upgrade.flags.map(\.rawValue) == ["PARTNER_MISSING", "PLAN_DIRECTION_UNKNOWN"])
        #expect(
            Set(upgrade.candidates.map(\.description))
                == ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "OFFER_REDEEMED/UPGRADE", "REVOKE", "REFUND", "-"])
        #expect(upgrade.candidates.first == upgrade.pair)
        let grace = try table.translate(.didFailToRenew, facts: ["grace": "running"])
        #expect(grace.certainty == .exact)
        #expect(grace.candidates == [])
        let nothing = try table.translate(.didRenew)
        #expect(nothing.rule.id == "renew")
        #expect(nothing.certainty == .inferred)
        #expect(nothing.candidates.map(\.description) == ["DID_RENEW", "-", "DID_RENEW/BILLING_RECOVERY"])
        #expect(try table.translate(.didRenew, facts: ["beginning": "other"]).pair == .companion)
    }

    @Test("The README shows the table first of the ways to use the library")
    func readme() throws {
        let text = String(decoding: try Fixture.bytes("README.md"), as: UTF8.self)
        let answer = try MappingTable.current.translate(.cancel, facts: ["cancelledRow": "upgraded"])
        let call = #"MappingTable.current.translate(.cancel, facts: ["cancelledRow": "upgraded"])"#
        let parts = text.split(separator: call)
        #expect(answer.candidates.count > 1)
        #expect(parts.count == 2)
        #expect(parts.first?.contains("ServerIntegration.md") == false)
    }

    @Test("A name that the table does not have is refused, with what is expected")
    func unknownNames() {
        let type = #expect(throws: MappingTable.UnknownName.self) {
            try table.translate(V1NotificationType(rawValue: "CANCELED"))
        }
        #expect(type?.description.hasPrefix("no such version 1 type (expected: INITIAL_BUY, ") == true)
        let fact = #expect(throws: MappingTable.UnknownName.self) { try table.translate(.cancel, facts: ["row": "x"]) }
        #expect(fact?.description.hasPrefix("no such fact: row (expected: subject, readable, ") == true)
        let value = #expect(throws: MappingTable.UnknownName.self) {
            try table.translate(.cancel, facts: ["billingRetry": "maybe"])
        }
        #expect(value?.description == "no such value of the fact billingRetry (expected: yes, no, unknown)")
        #expect(throws: MappingTable.UnknownName.self) { try table.translate(.cancel, facts: ["subject": "unknown"]) }
    }

    // MARK: Against brute force

    /// Some of the facts that a type's rules and remarks ask for, stated at random so that few combinations are left.
    private func stated(_ type: TypeRules, _ random: inout SeededGenerator) -> ([String: String], open: [Fact]) {
        let conditions = type.rules.flatMap(\.conditions) + type.adjustments.flatMap(\.conditions)
        var open = Set(conditions.map(\.fact)).map { Fact.allCases[$0] }.sorted { $0.rawValue < $1.rawValue }
        var facts: [String: String] = [:]
        let most = 1 << random.number(0...8)
        while open.reduce(1, { $0 * $1.values.count }) > most {
            let fact = open.remove(at: random.number(0...open.count - 1))
            facts[fact.name] = random.pick(fact.values)
        }
        return (facts, open)
    }

    /// The answers to every way of stating the open facts.
    private func completions(
        _ type: V1NotificationType, _ facts: [String: String], _ open: ArraySlice<Fact>
    ) throws -> [MappingTable.Answer] {
        guard let fact = open.first else { return [try table.translate(type, facts: facts)] }
        return try fact.values.flatMap { value in
            try completions(type, facts.merging([fact.name: value]) { $1 }, open.dropFirst())
        }
    }

    @Test("What is not stated is completed as if every combination were tried", arguments: TypeCase.all)
    func bruteForce(_ type: TypeCase) throws {
        var random = SeededGenerator(seed: 0xFAC7)
        let name = V1NotificationType(rawValue: type.rules.type)
        for _ in 0..<25 {
            let (facts, open) = stated(type.rules, &random)
            let answer = try table.translate(name, facts: facts)
            let all = try completions(name, facts, open[...])
            let pairs = Set(all.map(\.pair)).union([answer.pair])
            let possible = Set(all.flatMap { [$0.pair] + $0.candidates }).union(pairs).union(answer.rule.candidates)
            #expect(Set([answer.pair] + answer.candidates) == possible, "\(facts)")
            if answer.certainty == .exact {
                #expect(pairs == [answer.pair])
                #expect(answer.candidates == [])
            } else {
                #expect(answer.candidates.first == answer.pair)
            }
            if possible.count > 1 { #expect(answer.certainty != .exact) }
            var unknown = facts
            for fact in open where fact.unknown != nil { unknown[fact.name] = "unknown" }
            let same = try table.translate(name, facts: unknown)
            #expect(same.rule == answer.rule)
        }
    }

    @Test(
        "With every fact stated the answer is the decision that an event gets, met before or not",
        arguments: TypeCase.all)
    func wholeFacts(_ type: TypeCase) throws {
        var random = SeededGenerator(seed: 0xE7E7)
        let cache = DecisionCache(.current)
        for _ in 0..<300 {
            var facts = Facts()
            for fact in Fact.allCases { facts[fact.index] = random.number(0...fact.values.count - 1) }
            let decision = DecisionTable.current.decision(type: type.place, facts: facts)
            let answer = try table.translate(
                V1NotificationType(rawValue: type.rules.type),
                facts: Dictionary(uniqueKeysWithValues: Fact.allCases.map { ($0.name, facts[$0]) }))
            #expect(answer.rule.id == decision.rule.id)
            #expect(answer.certainty == decision.certainty)
            #expect(answer.candidates.count == decision.candidates.count)
            #expect(answer.flags.count == decision.flags.numbers.reduce(0) { count, _ in count + 1 })
            let cached = cache.decision(type: type.place, facts: facts)
            #expect(cached.rule.id == decision.rule.id && cached.certainty == decision.certainty)
            #expect(cached.candidates == decision.candidates && cached.flags == decision.flags)
            #expect(cached.adjustments == decision.adjustments)
        }
    }
}
