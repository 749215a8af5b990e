import NotificationMappings

/// `Mappings/v1-to-v2.json`, interpreted: facts in, decision out.
///
/// The first rule whose conditions hold decides. Then every way in which the unknown facts could turn out is
/// followed through the same rules, and the answers met there are added to the candidates: that is what keeps a
/// guess from being silent. Following them is exact and not by trial: the possible values of each fact are split at
/// the first condition that distinguishes them, so that a handful of branches represents millions of combinations.
///
///     rules: A when gap=overlap · B when gap=lapse · C          facts: gap unknown
///     answer C; completions: {overlap} → A, {lapse} → B, the rest → C; candidates C, A, B
final class DecisionTable: Sendable {
    let version: String
    /// The version as events have it.
    let versionText: KeptText
    let parameters = Parameters()
    let types: [TypeRules]
    let timeline: TimelineRules
    let events = EventTable.current
    /// The facts that rules ask for.
    let facts: FactList
    /// What Apple writes for the values of each fact.
    let codes: FactCodes
    /// The indices of types by their names in upper case.
    private let typesByName: [String: Int]

    static let current = Tables.required { try DecisionTable(Array(Mappings.v1ToV2.bytes)) }

    /// Reads the table, refusing unknown keys, facts, values, flags and pairs, ids used twice, rules that an earlier
    /// rule leaves nothing for, and types without a last rule that always holds.
    init(_ bytes: [UInt8]) throws {
        let top = try TableRow(file: "v1-to-v2.json", bytes)
        version = try top.string("version")
        versionText = KeptText(version)
        try top.prose("about")
        facts = try FactList(top, Fact.allCases.map { "\($0)" }, first: Fact.answered.rawValue)
        codes = try FactCodes(facts, table: top.table)
        // The constants are in generated code.
        _ = try top.member("parameters")
        let reader = RuleReader(facts)
        let adjustments = try top.rows("adjustments", naming: "id") { try Adjustment($0, reader) }
        types = try top.rows("types", naming: "type") { try TypeRules($0, reader, adjustments) }
        var indices: [String: Int] = [:]
        for (index, type) in types.enumerated() {
            for name in [type.type] + type.aliases where indices.updateValue(index, forKey: name.uppercased()) != nil {
                throw TableError(table: top.table, row: name, problem: "the name is used twice")
            }
        }
        for adjustment in adjustments {
            for type in adjustment.types.sorted() where indices[type] == nil {
                throw TableError(table: top.table, row: adjustment.id, problem: "no such type \"\(type)\"")
            }
        }
        typesByName = indices
        timeline = try top.row("timeline") { try TimelineRules($0, reader, types: indices) }
        try top.finish()
    }

    /// The index in ``types`` of a `notification_type` or of one of its other names.
    func type(_ name: String) -> Int? { typesByName[name.uppercased()] }

    /// The field of an answer of Apple's that says a value of a fact; `nil` for a fact that no answer says.
    func answerField(of fact: Fact, _ value: String) -> String? {
        let fields = facts.rows[fact.index]["answer"]
        return (fields?[value] ?? fields?["*"])?.string
    }

    /// How a body of a type is read.
    func shape(ofType index: Int) -> TypeRules.Shape { types[index].shape }

    /// The index in ``types`` of a name as it is in a record.
    func type(_ text: JSONText, _ view: TextView) -> Int? {
        types.firstIndex { view.same(text, $0.text.text) } ?? type(view.string(text).trimmed)
    }

    /// The index in ``types`` of a type's current name.
    func type(_ name: EventText) -> Int? { types.firstIndex { $0.text.text.hasSameBytes(as: name) } }

    /// Whether a pair is one that a type can mean, whatever the facts.
    func means(_ pair: Int, type index: Int) -> Bool { types[index].meanings.contains(pair) }

    /// What the rules of a type say of some facts.
    func decision(type index: Int, facts: Facts) -> Decision {
        let (type, rules) = (types[index], types[index].rules)
        var others: [Rule.Answer] = []
        var possible = Self.possible(facts)
        Self.completions(of: rules, &possible) { index in
            if !others.contains(rules[index].answer) { others.append(rules[index].answer) }
        }
        // The last rule of a type has no conditions, which loading makes sure of.
        let rule = rules[rules.firstMatch(facts) ?? rules.count - 1]
        return Decision(
            type, rule, others, type.adjustments.filter { $0.holds(for: facts) },
            isSince: type.since?.hold(for: facts) ?? false, events)
    }

    // MARK: Completions

    /// The values each fact may still turn out to have, one bit each.
    typealias Possible = [UInt16]

    /// Any value of any fact, `unknown` among them.
    static let anything: Possible = Fact.allCases.map { 1 << UInt16($0.values.count) - 1 }

    /// The values that facts have, and of one that is unknown or not stated any other.
    private static func possible(_ facts: Facts) -> Possible {
        Fact.allCases.map { fact in
            let (value, all) = (facts[fact.index], anything[fact.index])
            if value == fact.unknown { return all - 1 << UInt16(value) }
            return value < fact.values.count ? 1 << UInt16(value) : all
        }
    }

    /// The answers that rules and remarks leave possible, whichever of their possible values the facts have.
    func answers(type index: Int, _ possible: Possible) -> [Rule.Answer] {
        var possible = possible
        var answers: [Rule.Answer] = []
        let rules = types[index].rules
        Self.completions(of: rules, &possible) { index in
            for answer in [rules[index].answer] + rules[index].candidates where !answers.contains(answer) {
                answers.append(answer)
            }
        }
        for adjustment in types[index].adjustments
        where adjustment.conditions.allSatisfy({ possible[$0.fact] & $0.allowed != 0 }) {
            answers += adjustment.candidates
        }
        return answers
    }

    /// Reports the rule that decides of every completion, in the order of the rules; `possible` stays as it is.
    private static func completions(
        of rules: [Rule], from index: Int = 0, condition: Int = 0, _ possible: inout Possible, _ report: (Int) -> Void
    ) {
        guard index < rules.count else { return }
        guard condition < rules[index].conditions.count else { return report(index) }
        let wanted = rules[index].conditions[condition]
        let all = possible[wanted.fact]
        possible[wanted.fact] = all & wanted.allowed
        if possible[wanted.fact] != 0 {
            completions(of: rules, from: index, condition: condition + 1, &possible, report)
        }
        possible[wanted.fact] = all & ~wanted.allowed
        if possible[wanted.fact] != 0 { completions(of: rules, from: index + 1, &possible, report) }
        possible[wanted.fact] = all
    }
}
