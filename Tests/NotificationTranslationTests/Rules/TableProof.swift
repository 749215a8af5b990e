import SimulatedLives

@testable import NotificationTranslation

/// What has to hold of the rules of one type, whatever the facts are, and where it does not.
///
/// 1. Every rule is the first that holds for some facts.
/// 2. However unknown facts turn out, the answer is the one given or among the candidates.
/// 3. What is called exact is what every way of turning out gives, and is given without candidates.
/// 4. Every rule that is written down as exact is exact for some facts.
/// 5. What is ambiguous has two candidates at least, and a flag says why, as one does where candidates differ in whether
///    access ends; what is exact has no flag that means ambiguity.
struct TableProof {
    let type: TypeRules
    /// What the table says of some facts.
    let decide: (Facts) -> Decision

    /// How many combinations are looked at in one space; of more, every so many are left out.
    let limit: Int
    private(set) var problems: [String] = []
    private(set) var looked = 0
    private var reached: Set<String> = []
    private var exact: Set<String> = []

    init(_ type: TypeRules, limit: Int = 200_000, decide: @escaping (Facts) -> Decision) {
        self.type = type
        self.limit = limit
        self.decide = decide
        let whole = FactSpace(type.rules)
        if whole.count <= 1_000_000 {
            prove(whole, base: .unknown)
        } else {
            proveByParts(Self.divider(type.rules))
        }
        for rule in type.rules {
            if !reached.contains(rule.id) { report("\(rule.id): never the first to hold") }
            if rule.certainty == .exact, !exact.contains(rule.id) { report("\(rule.id): exact for no facts") }
        }
    }

    /// The first problems are enough to see what is wrong.
    private mutating func report(_ problem: String) {
        if problems.count < 12, !problems.contains(problem) { problems.append(problem) }
    }

    // MARK: One space

    @discardableResult
    private mutating func prove(_ space: FactSpace, base: Facts) -> [UInt64] {
        let (first, completions) = space.survey()
        for rule in Set(first) { reached.insert(space.rules[rule].id) }
        for number in Self.sample(space.representatives(), limit) {
            let facts = space.facts(number, base: base)
            check(facts, space.rules[first[number]], space.answers, completions[number])
        }
        return completions
    }

    /// The numbers, or as many of them as the limit allows, spread evenly.
    private static func sample(_ numbers: [Int], _ limit: Int) -> [Int] {
        guard numbers.count > limit else { return numbers }
        return (0..<limit).map { numbers[$0 * numbers.count / limit] }
    }

    private mutating func check(_ facts: Facts, _ rule: Rule, _ answers: [Rule.Answer], _ completions: UInt64) {
        looked += 1
        let decision = decide(facts)
        for problem in decision.unexplained { report("\(rule.id): \(problem)") }
        if decision.rule.id != rule.id { report("\(rule.id): holds first, and \(decision.rule.id) decided") }
        if decision.answer != rule.answer { report("\(rule.id): its answer is not the one given") }
        for (place, answer) in answers.enumerated() where completions >> UInt64(place) & 1 == 1 {
            if answer == decision.answer || decision.candidates.contains(answer) { continue }
            report("\(rule.id): \(DecisionTable.current.name(answer)) is possible and is not said")
        }
        guard decision.certainty == .exact else {
            if decision.candidates.first != decision.answer { report("\(rule.id): the answer does not lead") }
            return
        }
        exact.insert(rule.id)
        if completions.nonzeroBitCount != 1 { report("\(rule.id): exact, and yet it may turn out otherwise") }
        if !decision.candidates.isEmpty { report("\(rule.id): exact with candidates") }
    }

    // MARK: Large types

    /// The fact that most rules ask for: what remains of the rules once it is known asks for far fewer others.
    private static func divider(_ rules: [Rule]) -> Fact {
        let asked = rules.flatMap(\.conditions).map(\.fact)
        let counts = Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +)
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
        return Fact.allCases[most]
    }

    /// Looks at the space of each known value of a fact, then at a sample where that fact is unknown too: there the
    /// completions are those of the parts together.
    private mutating func proveByParts(_ divider: Fact) {
        var parts: [(space: FactSpace, completions: [UInt64])] = []
        for value in divider.values.indices where value != divider.unknown {
            var base = Facts.unknown
            base[divider.index] = value
            let space = FactSpace(type.rules, given: base, [divider])
            parts.append((space, prove(space, base: base)))
        }
        guard let unknown = divider.unknown else { return }
        var random = SeededGenerator(seed: 0x5EED)
        let all = FactSpace(type.rules)
        for _ in 0..<min(limit, 4_000) {
            var facts = Facts.unknown
            for digit in all.digits { facts[digit.fact.index] = random.pick(digit.values) }
            facts[divider.index] = unknown
            let rule = type.rules[type.rules.firstMatch(facts) ?? type.rules.count - 1]
            reached.insert(rule.id)
            let completions = parts.reduce(UInt64(0)) { $0 | $1.completions[$1.space.number(facts)] }
            check(facts, rule, all.answers, completions)
        }
    }
}

extension Decision {
    /// What it leaves open without saying why, and what it says although nothing is open.
    var unexplained: [String] {
        var problems: [String] = []
        let severities = flags.numbers.map { FlagTable.current.rows[$0].severity }
        let isExplained = severities.contains { $0 != "info" }
        if certainty == .ambiguous, candidates.count < 2 { problems.append("ambiguous, and nothing else is possible") }
        if certainty == .ambiguous, !severities.contains("ambiguous") {
            problems.append("ambiguous, and no flag says why")
        }
        if certainty == .exact, severities.contains("ambiguous") { problems.append("exact with a flag of ambiguity") }
        let pairs = DecisionTable.current.events.pairs
        let ends = Set(
            candidates.map { candidate in
                guard case .pair(let place) = candidate else { return false }
                return pairs[place].entitlement == .withdraw
            })
        if ends.count > 1, !isExplained { problems.append("candidates differ in access, and no flag says why") }
        return problems
    }
}
