/// A remark that holds beside whatever rule has fired: flags, a ceiling for the certainty, and what else is possible.
struct Adjustment: ConditionalRow, Sendable {
    let row: JSONTree
    /// The types it is for; empty means all.
    var types: [String]
    var conditions: [Rule.Condition]
    var flags: FlagSet
    var atMost: Certainty?
    /// Answers that are possible beside those of the rule.
    var candidates: [Rule.Answer]
}
