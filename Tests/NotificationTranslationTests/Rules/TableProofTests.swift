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
        var random = TableProof.SplitMix(state: 0xF1A6)
        var problems: Set<String> = []
        for _ in 0..<4_000 {
            var facts = Facts.unknown
            for fact in asked where random.next(below: 4) > 0 {
                facts[fact.index] = random.next(below: fact.values.count)
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

    /// The rules of INITIAL_BUY with a change, and what the proof says of them.
    private func problems(
        type: String = "INITIAL_BUY",
        _ old: String,
        _ new: String,
        deciding: ((Decision) -> Decision)? = nil
    ) throws -> [String] {
        let bytes = old.isEmpty ? try Fixture.mapping("v1-to-v2.json") : try Mutation("", old, new, "").table()
        let table = try DecisionTable(bytes)
        let place = try #require(table.type(type))
        return TableProof(table.types[place], limit: 4_000) { facts in
            let decision = table.decision(type: place, facts: facts)
            return deciding?(decision) ?? decision
        }.problems
    }

    /// The rule as it stands, as if nothing were unknown.
    private func naive(_ decision: Decision) -> Decision {
        Decision(
            rule: decision.rule,
            certainty: decision.rule.certainty,
            candidates: decision.rule.certainty == .exact ? [] : [decision.answer] + decision.rule.candidates,
            flags: decision.flags,
            adjustments: [],
            type: decision.type,
            timing: decision.timing,
            judgement: decision.judgement
        )
    }

    @Test("The proof fails where something is left open and no flag says why")
    func unexplained() throws {
        let problems = try problems(
            type: "DID_RENEW",
            #""flags":["RENEW_AFTER_FAILURE"],"candidates":["DID_RENEW/BILLING_RECOVERY"],"source":"An"#,
            #""flags":["PLAN_CHANGE_APPLIED"],"candidates":["REFUND/"],"source":"An"#
        )
        #expect(
            problems == [
                "renew-after-gap: ambiguous, and no flag says why",
                "renew-after-gap: candidates differ in access, and no flag says why",
            ]
        )
    }

    @Test("The proof fails where earlier rules together leave nothing for one")
    func unreachable() throws {
        let last = #"{"id":"initial-buy","when":{},"#
        let rule =
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"},"certainty":"inferred","flags":[],"candidates":[],"source":"-"},"#
        let problems = try problems(
            last,
            #"{"id":"one","when":{"offer":"none","history":"rows"},"# + rule
                + #"{"id":"two","when":{"history":"rows","offer":["code","promotional","unknown"]},"# + rule
                + #"{"id":"three","when":{"history":"rows","capped":"yes"},"# + rule + last
        )
        #expect(problems == ["three: never the first to hold"])
    }

    @Test("The proof fails where an exact rule may turn out otherwise")
    func exactContradicted() throws {
        let changed =
            #""then":{"pair":"SUBSCRIBED/RESUBSCRIBE"},"certainty":"inferred","flags":["HISTORY_CONTRADICTS_TYPE"],"candidates":["SUBSCRIBED/INITIAL_BUY"]"#
        let problems = try problems(
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"},"certainty":"ambiguous","flags":["HISTORY_CONTRADICTS_TYPE"],"candidates":["SUBSCRIBED/RESUBSCRIBE"]"#,
            changed,
            deciding: naive
        )
        #expect(problems.contains("initial-buy: exact, and yet it may turn out otherwise"))
        #expect(problems.contains("initial-buy: SUBSCRIBED/RESUBSCRIBE is possible and is not said"))
    }

    @Test("The proof fails where what unknown facts leave open is not said")
    func silentGuess() throws {
        let problems = try problems(type: "DID_FAIL_TO_RENEW", "", "", deciding: naive)
        let renewal = try self.problems(type: "INTERACTIVE_RENEWAL", "", "", deciding: naive)
        #expect(problems == [])
        #expect(
            renewal.first == "interactive-without-history: OFFER_REDEEMED/UPGRADE is possible and is not said"
        )
    }

    @Test("The proof fails where a rule is written down as exact and never is")
    func neverExact() throws {
        let problems = try problems(
            type: "DID_FAIL_TO_RENEW",
            #""then":{"pair":"DID_FAIL_TO_RENEW/"},"certainty":"ambiguous","flags":["HISTORY_MISSING"],"candidates":["DID_FAIL_TO_RENEW/GRACE_PERIOD"]"#,
            #""then":{"pair":"DID_FAIL_TO_RENEW/"},"certainty":"exact","flags":["HISTORY_MISSING"],"candidates":[]"#
        )
        #expect(problems == ["fail-without-renewal-info: exact for no facts"])
    }

    @Test("The proof fails where another rule decides than the first that holds")
    func wrongOrder() throws {
        let last = try #require(DecisionTable.current.rules.first { $0.id == "initial-buy" })
        let problems = try problems("", "") { decision in
            Decision(
                rule: last,
                certainty: decision.certainty,
                candidates: decision.candidates,
                flags: decision.flags,
                adjustments: [],
                type: decision.type,
                timing: decision.timing,
                judgement: decision.judgement
            )
        }
        #expect(problems.contains("initial-buy-family: holds first, and initial-buy decided"))
    }
}
