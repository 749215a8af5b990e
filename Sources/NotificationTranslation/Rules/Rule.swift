/// One row of `Mappings/v1-to-v2.json`: conditions on facts, and what follows when all hold.
struct Rule: ConditionalRow, Sendable {
    /// A fact and the values of it that are allowed, one bit each.
    struct Condition: Equatable, Sendable {
        var fact: Int
        var allowed: UInt16

        /// Whether it holds where the fact has a value.
        func allows(_ value: Int) -> Bool { allowed >> UInt16(value) & 1 == 1 }
    }

    /// What a notification represents.
    enum Answer: Equatable, Sendable {
        /// A pair, by its index in ``EventTable/pairs``.
        case pair(Int)
        /// Part of another notification's event; V2 sends nothing of its own.
        case companion

        /// The answer that a row names.
        fileprivate init(_ name: JSONTree, _ row: TableRow, _ reader: RuleReader) throws {
            self = name.says("companion") ? .companion : .pair(try reader.pair(name, row))
        }
    }

    let row: JSONTree
    /// The id as events have it.
    let text: KeptText
    let conditions: [Condition]
    let answer: Answer
    let certainty: Certainty
    let flags: FlagSet
    /// Answers that remain possible when the rule has fired.
    let candidates: [Answer]
    /// Whether the time its type takes from the receipt is not the time of what this rule says.
    let isTimeless: Bool
    /// Whether an answer of Apple's may tell which of the candidates it was.
    let isAnswerable: Bool

    init(_ row: TableRow, _ reader: RuleReader) throws {
        self.row = row.tree
        text = KeptText(try row.string("id"))
        (conditions, flags) = try reader.head(row)
        let then = try row.member("then")
        switch (then.keys, then.member("companion")?.kind, then.member("pair")) {
        case (["companion"], .true, _): answer = .companion
        case (["pair"], _, let name?) where name.kind == .string: answer = .pair(try reader.pair(name, row))
        default: throw row.error("\"then\" is neither a pair nor a companion")
        }
        certainty = try row.word("certainty")
        guard certainty != .unknown else { throw row.error("no such certainty") }
        candidates = try row.texts("candidates").map { try Answer($0, row, reader) }
        guard certainty != .exact || candidates.isEmpty else {
            throw row.error("an exact rule must not have candidates")
        }
        isTimeless = row.tree.member("time") != nil
        guard row["time"] == nil else { throw row.error("\"time\" can only be null") }
        let answer = try row.optional("answer")
        guard answer == nil || answer == "none" else { throw row.error("\"answer\" can only be \"none\"") }
        isAnswerable = answer == nil
    }
}

/// A row of a table of rules: it holds where all its conditions hold.
protocol ConditionalRow {
    /// The row as the file has it, for what is read of it only now and then.
    var row: JSONTree { get }
    var conditions: [Rule.Condition] { get }
}

extension ConditionalRow {
    var id: String { row.prose("id") }
    var source: String { row.prose("source") }

    /// Whether every condition holds; a fact that is unknown holds only where the rule names `unknown`.
    func holds<Key>(for facts: FactValues<Key>) -> Bool { conditions.hold(for: facts) }
}

extension Array where Element: ConditionalRow {
    /// The index of the first rule that holds; `nil` where none does.
    func firstMatch<Key>(_ facts: FactValues<Key>) -> Int? { firstIndex { $0.holds(for: facts) } }
}

extension [Rule.Condition] {
    func hold<Key>(for facts: FactValues<Key>) -> Bool { allSatisfy { $0.allows(facts[$0.fact]) } }
}

/// A remark that holds beside whatever rule has fired: flags, a ceiling for the certainty, and what else is possible.
struct Adjustment: ConditionalRow, Sendable {
    let row: JSONTree
    /// The types it is for; empty means all.
    let types: [String]
    let conditions: [Rule.Condition]
    let flags: FlagSet
    let atMost: Certainty?
    /// Answers that are possible beside those of the rule.
    let candidates: [Rule.Answer]

    init(_ row: TableRow, _ reader: RuleReader) throws {
        self.row = row.tree
        (conditions, flags) = try reader.head(row)
        types = try row.strings("types")
        let limit: Certainty? = try row.optionalWord("atMost", "certainty")
        let isOpen = row["candidates"] != nil
        guard !isOpen || limit != nil && limit != .exact else {
            throw row.error("an adjustment with candidates must limit the certainty (`atMost`)")
        }
        candidates = isOpen ? try row.texts("candidates").map { try Rule.Answer($0, row, reader) } : []
        atMost = limit
    }
}

/// What an answer of a table makes of an event, with what else is possible: the fields that follow from it alone.
typealias Judgement = (kind: KeptText, disposition: Disposition, effects: AccessEffects)

extension EventTable {
    private static let unknown = KeptText("unknown")

    func judgement(_ answer: Rule.Answer, _ candidates: [Rule.Answer]) -> Judgement {
        let pairs: [EventTable.Pair?] = ([answer] + candidates).map { answer in
            guard case .pair(let index) = answer else { return nil }
            return self.pairs[index]
        }
        // A companion is of the kind of the event it is part of, as far as the candidates show.
        let kind = pairs.lazy.compactMap { $0?.texts.kind }.first ?? Self.unknown
        // It says nothing about access, nor does what may be one.
        guard answer != .companion else { return (kind, .companion, AccessEffects(.none)) }
        return (kind, .event, pairs.reduce(into: []) { $0.insert(AccessEffects($1?.effect ?? .none)) })
    }
}

/// What the table says of one set of facts.
///
/// Made once for every combination that occurs and shared from then on.
final class Decision: Sendable {
    let type: TypeRules
    let rule: Rule
    let certainty: Certainty
    /// Every answer that is possible, the chosen one first; empty when exact.
    let candidates: [Rule.Answer]
    let flags: FlagSet
    let adjustments: [String]
    let timing: TypeRules.Timing
    /// What follows in an event.
    let judgement: Judgement

    var answer: Rule.Answer { rule.answer }

    /// The decision of a rule.
    ///
    /// `completions` are the answers for every possible value of the unknown facts; `adjustments` are those whose conditions
    /// hold.
    init(
        _ type: TypeRules, _ rule: Rule, _ completions: [Rule.Answer], _ adjustments: [Adjustment], isSince: Bool,
        _ events: EventTable
    ) {
        (self.type, self.rule, self.adjustments) = (type, rule, adjustments.map(\.id))
        let isOpen = completions.contains { $0 != rule.answer }
        let limits = (isOpen ? [.inferred] : []) + adjustments.compactMap(\.atMost)
        certainty = limits.reduce(rule.certainty) { $0.atMost($1) }
        flags = adjustments.reduce(rule.flags) { $0.union($1.flags) }
        let all = [rule.answer] + rule.candidates + completions + adjustments.flatMap(\.candidates)
        candidates =
            certainty == .exact
            ? [] : all.reduce(into: []) { known, one in if !known.contains(one) { known.append(one) } }
        timing = rule.isTimeless ? .none : isSince ? .since : .own
        judgement = events.judgement(rule.answer, candidates)
    }
}
