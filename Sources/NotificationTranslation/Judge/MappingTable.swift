/// The rules that translate version 1 types into version 2 pairs, without any notification: `Mappings/v1-to-v2.json`.
///
/// Of a type's rules the first one whose conditions all hold decides. Conditions ask for facts, each of which has a few
/// values; `Mappings/README.md` says what they mean.
///
/// ```swift
/// for rule in MappingTable.current.rules(for: .cancel) {
///     print(rule.id, rule.conditions, rule.pair, rule.certainty, rule.source)
/// }
/// let answer = try MappingTable.current.translate(.cancel, facts: ["cancelledRow": "upgraded", "partnerRenewal": "no"])
/// print(answer.pair, answer.certainty, answer.flags, answer.candidates, answer.rule.id)
/// ```
public struct MappingTable: Sendable {
    /// The table of this build.
    public static let current = MappingTable(table: .current)

    private let table: DecisionTable

    /// The version of the rules, as in `source.rules_version` of an event.
    public var version: String { table.version }

    /// The facts that rules may ask for, and the values of each.
    public var facts: [String: [String]] {
        Dictionary(uniqueKeysWithValues: Fact.allCases.map { ($0.name, $0.values) })
    }

    /// One rule: when all conditions hold, and no earlier rule's do, the notification stands for the pair.
    public struct Rule: Hashable, Sendable, Identifiable {
        /// The name of the rule, as in `source.rule` of an event; it never changes its meaning.
        public var id: String
        /// The facts that it asks for, and which of their values it allows; empty for a rule that always holds.
        public var conditions: [String: [String]]
        /// What the notification stands for; ``NotificationPair/companion`` where V2 sends nothing of its own.
        public var pair: NotificationPair
        /// How sure the pair is when the rule decides.
        public var certainty: Certainty
        /// What makes it ambiguous.
        public var flags: [AmbiguityFlag]
        /// The pairs that remain possible beside ``pair``.
        public var candidates: [NotificationPair]
        /// Where the rule comes from: Apple's page, a talk, a sample, or our judgement.
        public var source: String
    }

    /// What the table says of a type and some facts.
    public struct Answer: Hashable, Sendable {
        /// What the notification stands for; ``NotificationPair/companion`` where V2 sends nothing of its own.
        public var pair: NotificationPair
        /// How sure the pair is.
        public var certainty: Certainty
        /// What makes it ambiguous.
        public var flags: [AmbiguityFlag]
        /// Every pair that is possible, the chosen one first; empty when exact.
        public var candidates: [NotificationPair]
        /// The rule that decided.
        public var rule: Rule
    }

    /// A type, fact or value that the table does not name.
    public struct UnknownName: Error, Hashable, Sendable, CustomStringConvertible {
        /// The fact that was given; `nil` where it is the type that is unknown.
        public var fact: String?
        /// The names that the table has there, in its order.
        public var expected: [String]

        /// One sentence, with what is expected instead.
        public var description: String {
            let names = expected.joined(separator: ", ")
            guard let fact else { return "no such version 1 type (expected: \(names))" }
            let isKnown = Fact.named(fact) != nil
            return "\(isKnown ? "no such value of the fact" : "no such fact:") \(fact) (expected: \(names))"
        }
    }

    /// The rules of a type, of which the first one that holds decides; empty for a type that this build does not know.
    public func rules(for type: V1NotificationType) -> [Rule] {
        table.type(type.rawValue).map { table.types[$0].rules.map(Rule.init) } ?? []
    }

    /// What a type stands for where some facts are known.
    ///
    /// The rule that decides is the one that does so if all other facts are unknown. The answer is ``Certainty/exact``
    /// only if no value of a fact that is not stated leaves another pair possible; else it is `inferred` at most, and
    /// the candidates are all pairs that any of them leaves possible.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - facts: Values of facts, as in ``facts``. `unknown` is the value of one that was looked for and not found.
    /// - Returns: The answer, the same as for a notification whose facts are all stated.
    /// - Throws: ``UnknownName`` for a type, a fact or a value that the table does not name.
    public func translate(_ type: V1NotificationType, facts: [String: String] = [:]) throws(UnknownName) -> Answer {
        guard let index = table.type(type.rawValue) else {
            throw UnknownName(fact: nil, expected: table.types.map(\.type))
        }
        var known = Facts.unstated
        var completions = DecisionTable.anything
        for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
            guard let fact = Fact.named(name) else {
                throw UnknownName(fact: name, expected: Fact.allCases.map(\.name))
            }
            guard let number = fact.values.firstIndex(of: value) else {
                throw UnknownName(fact: name, expected: fact.values)
            }
            known[fact.index] = number
            completions[fact.index] = 1 << UInt16(number)
        }
        let decision = table.decision(type: index, facts: known)
        var candidates = decision.candidates.isEmpty ? [decision.answer] : decision.candidates
        for answer in table.answers(type: index, completions) where !candidates.contains(answer) {
            candidates.append(answer)
        }
        var answer = Answer(decision)
        let isExact = decision.certainty == .exact && candidates.count == 1
        answer.certainty = isExact ? .exact : decision.certainty.atMost(.inferred)
        answer.candidates = isExact ? [] : candidates.map(NotificationPair.init)
        return answer
    }
}

extension MappingTable.Answer {
    init(_ decision: Decision) {
        self.init(
            pair: NotificationPair(decision.answer), certainty: decision.certainty, flags: decision.flags.names,
            candidates: decision.candidates.map(NotificationPair.init), rule: MappingTable.Rule(decision.rule))
    }
}

extension MappingTable.Rule {
    fileprivate init(_ rule: Rule) {
        self.init(
            id: rule.id,
            conditions: Dictionary(
                uniqueKeysWithValues: rule.conditions.map { condition in
                    let fact = Fact.allCases[condition.fact]
                    return (fact.name, fact.values.indices.filter(condition.allows).map { fact.values[$0] })
                }),
            pair: NotificationPair(rule.answer), certainty: rule.certainty, flags: rule.flags.names,
            candidates: rule.candidates.map(NotificationPair.init), source: rule.source)
    }
}

/// What a version 1 notification is in version 2, with the evidence.
package struct Translation: Equatable, Sendable {
    /// A fact a rule asked for, with the value it had.
    package struct KnownFact: Equatable, Sendable {
        /// The fact's name in `Mappings/v1-to-v2.json`.
        package var fact: String
        /// Its value.
        package var value: String
    }

    /// What the table says, judged by the body alone; `nil` for a type this build does not know.
    package var answer: MappingTable.Answer?
    /// How sure it is which transaction of the receipt is meant; the pair may be certain where this is not.
    package var transactionCertainty: Certainty
    /// Remarks that were added to the rule, by id.
    package var adjustments: [String]
    /// The facts the rules of this type ask for.
    package var evidence: [KnownFact]
}
