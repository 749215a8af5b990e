/// What the table says of one set of facts.
///
/// Made once for every combination that occurs and shared from then on.
final class Decision: Sendable {
    let rule: Rule
    let answer: Rule.Answer
    let certainty: Certainty
    /// Every answer that is possible, the chosen one first; empty when exact.
    let candidates: [Rule.Answer]
    let flags: FlagSet
    let adjustments: [String]
    let type: TypeRules
    let timing: TypeRules.Timing

    init(
        rule: Rule, certainty: Certainty, candidates: [Rule.Answer], flags: FlagSet, adjustments: [String],
        type: TypeRules, timing: TypeRules.Timing
    ) {
        self.rule = rule
        answer = rule.answer
        self.certainty = certainty
        self.candidates = candidates
        self.flags = flags
        self.adjustments = adjustments
        self.type = type
        self.timing = timing
    }
}
