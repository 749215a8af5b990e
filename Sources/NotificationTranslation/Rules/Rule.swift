/// One row of `Mappings/v1-to-v2.json`: conditions on facts, and what follows when all hold.
struct Rule: ConditionalRow, Sendable {
    /// A fact and the values of it that are allowed, one bit each.
    struct Condition: Hashable, Sendable {
        var fact: Int
        var allowed: UInt16

        /// Whether it holds where the fact has a value.
        func allows(_ value: Int) -> Bool { allowed >> UInt16(value) & 1 == 1 }
    }

    /// What a notification represents.
    enum Answer: Hashable, Sendable {
        /// A pair, by its place in ``EventTable/pairs``.
        case pair(Int)
        /// Part of another notification's event; V2 sends nothing of its own.
        case companion
    }

    let row: JSONTree
    /// Its place among the rules of all types.
    let number: Int
    var conditions: [Condition]
    var answer: Answer
    var certainty: Certainty
    var flags: FlagSet
    /// Answers that remain possible when the rule has fired.
    var candidates: [Answer]
    /// Whether the time its type takes from the receipt is not the time of what this rule says.
    var isTimeless: Bool
}
