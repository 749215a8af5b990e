import SimulatedLives
import Testing

@testable import NotificationTranslation

/// A type with its rules, named in test output.
struct TypeCase: Sendable, CustomTestStringConvertible {
    var place: Int
    var rules: TypeRules { DecisionTable.current.types[place] }
    var testDescription: String { rules.type }

    static let all = DecisionTable.current.types.indices.map(TypeCase.init)
}

@Suite("The rules of a type")
struct TableProofTests {
    @Test(
        "The rules of a type are all reached, never guess silently and are never exact and wrong",
        arguments: TypeCase.all)
    func holds(_ type: TypeCase) {
        let limit = Environment.number("STRESS") == nil ? 40_000 : 200_000
        let proof = TableProof(type.rules, limit: limit) { DecisionTable.current.decision(type: type.place, facts: $0) }
        #expect(proof.problems == [])
        #expect(proof.looked > 0)
    }

    @Test(
        "The rules leave nothing open without a flag that says why, whatever the remarks beside them",
        arguments: TypeCase.all)
    func explains(_ type: TypeCase) {
        let rules = type.rules
        let conditions = rules.rules.flatMap(\.conditions) + rules.adjustments.flatMap(\.conditions)
        let asked = Set(conditions.map(\.fact)).sorted().map { Fact.allCases[$0] }
        var random = SeededGenerator(seed: 0xF1A6)
        var problems: Set<String> = []
        for _ in 0..<4_000 {
            var facts = Facts.unknown
            for fact in asked where random.number(0...4 - 1) > 0 {
                facts[fact.index] = random.number(0...fact.values.count - 1)
            }
            let decision = DecisionTable.current.decision(type: type.place, facts: facts)
            for problem in decision.unexplained { problems.insert("\(decision.rule.id): \(problem)") }
        }
        #expect(problems.sorted() == [])
    }

    /// The types with few enough combinations to look at all of them.
    private static let small = TypeCase.all.filter { FactSpace($0.rules.rules).count <= 1_000_000 }

    @Test("The rules of a type give the same for the combinations looked at as for all", arguments: small)
    func representatives(_ type: TypeCase) {
        let space = FactSpace(type.rules.rules)
        let (first, completions) = space.survey()
        let some = space.representatives()
        let missing = Set(zip(first, completions).map { "\($0) \($1)" })
            .subtracting(some.map { "\(first[$0]) \(completions[$0])" })
        #expect(missing.isEmpty)
        #expect(Set(some).count == some.count)
    }

    // MARK: The proof can fail

    /// A change to the rules of a type, or to what decides by them, and what the proof says of it.
    struct Flaw: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var type = "INITIAL_BUY"
        var mutation: Mutation?
        var decide: @Sendable (Decision) -> Decision = { $0 }
        var problems: [String]
    }

    /// The rule as it stands, as if nothing were unknown.
    @Sendable private static func naive(_ decision: Decision) -> Decision {
        Decision(decision.type, decision.rule, [], [], isSince: false, .current)
    }

    private static let last = #"{"id":"initial-buy","when":{},"#
    private static let bought =
        #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"},"certainty":"inferred","flags":[],"candidates":[],"source":"-"},"#

    private static let flaws = [
        Flaw(
            testDescription: "something is left open and no flag says why", type: "DID_RENEW",
            mutation: Mutation(
                #""flags":["RENEW_AFTER_FAILURE"],"candidates":["DID_RENEW/BILLING_RECOVERY"],"source":"An"#,
                #""flags":["PLAN_CHANGE_APPLIED"],"candidates":["REFUND/"],"source":"An"#, ""),
            problems: [
                "renew-after-gap: ambiguous, and no flag says why",
                "renew-after-gap: candidates differ in access, and no flag says why",
            ]),
        Flaw(
            testDescription: "earlier rules together leave nothing for one",
            mutation: Mutation(
                last,
                #"{"id":"one","when":{"offer":"none","history":"rows"},"# + bought
                    + #"{"id":"two","when":{"history":"rows","offer":["code","promotional","unknown"]},"# + bought
                    + #"{"id":"three","when":{"history":"rows","capped":"yes"},"# + bought + last, ""),
            problems: ["three: never the first to hold"]),
        Flaw(
            testDescription: "an exact rule may turn out otherwise",
            mutation: Mutation(
                #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"},"certainty":"ambiguous","flags":["HISTORY_CONTRADICTS_TYPE"],"candidates":["SUBSCRIBED/RESUBSCRIBE"]"#,
                #""then":{"pair":"SUBSCRIBED/RESUBSCRIBE"},"certainty":"inferred","flags":["HISTORY_CONTRADICTS_TYPE"],"candidates":["SUBSCRIBED/INITIAL_BUY"]"#,
                ""), decide: naive,
            problems: [
                "initial-buy: exact, and yet it may turn out otherwise",
                "initial-buy: SUBSCRIBED/RESUBSCRIBE is possible and is not said",
            ]),
        Flaw(
            testDescription: "what unknown facts leave open is not said", type: "INTERACTIVE_RENEWAL", decide: naive,
            problems: ["interactive-without-history: OFFER_REDEEMED/UPGRADE is possible and is not said"]),
        Flaw(
            testDescription: "a rule is written down as exact and never is", type: "DID_FAIL_TO_RENEW",
            mutation: Mutation(
                #""then":{"pair":"DID_FAIL_TO_RENEW/"},"certainty":"ambiguous","flags":["HISTORY_MISSING"],"candidates":["DID_FAIL_TO_RENEW/GRACE_PERIOD"]"#,
                #""then":{"pair":"DID_FAIL_TO_RENEW/"},"certainty":"exact","flags":["HISTORY_MISSING"],"candidates":[]"#,
                ""), problems: ["fail-without-renewal-info: exact for no facts"]),
        Flaw(
            testDescription: "another rule decides than the first that holds",
            decide: { decision in
                let last = DecisionTable.current.rules.first { $0.id == "initial-buy" }
                return Decision(
                    decision.type, last ?? decision.rule, decision.candidates, [], isSince: false, .current)
            }, problems: ["initial-buy-family: holds first, and initial-buy decided"]),
    ]

    @Test("The proof fails where the rules, or what decides by them, have a flaw", arguments: flaws)
    func fails(_ flaw: Flaw) throws {
        let table = try DecisionTable(flaw.mutation?.table() ?? Fixture.mapping("v1-to-v2.json"))
        let place = try #require(table.type(flaw.type))
        let problems = TableProof(table.types[place], limit: 4_000) { facts in
            flaw.decide(table.decision(type: place, facts: facts))
        }.problems
        #expect(flaw.problems.filter { !problems.contains($0) } == [], "\(problems)")
    }
}
