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
    /// The place of the first rule that holds; `nil` where none does.
    func firstMatch<Key>(_ facts: FactValues<Key>) -> Int? { firstIndex { $0.holds(for: facts) } }
}

extension [Rule.Condition] {
    /// Whether all of them hold.
    func hold<Key>(for facts: FactValues<Key>) -> Bool {
        allSatisfy { $0.allows(facts[$0.fact]) }
    }
}
