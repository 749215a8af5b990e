/// Decisions met before, found by their facts.
///
/// Only facts that some rule of the type asks for are distinguished: 45,901 bodies of many kinds then share 356
/// decisions, which stay in the processor's cache, and not 2,899. Without the cache a small record costs a third more.
///
/// Three passes have one for each worker: ``Judge`` reads bodies, ``Settlement`` judges them again with their neighbours,
/// and ``CorrectedLineWriter`` writes what that changed. What is done once, as in a server, asks the table.
package final class DecisionCache {
    /// The decisions that are kept at most for a type.
    private static let most = 8 * 1024

    private let table: DecisionTable
    /// What the rules of each type ask for.
    private let asked: [Facts]
    /// For each type the decisions by the facts that its rules ask for.
    @exclusivity(unchecked) private var decisions: [[Facts: Decision]]

    /// One that asks the table of this build.
    package convenience init() { self.init(.current) }

    init(_ table: DecisionTable) {
        self.table = table
        asked = table.types.map(\.asked)
        decisions = asked.map { _ in [:] }
    }

    /// What the table says, from memory if it was asked before.
    func decision(type: Int, facts: Facts) -> Decision {
        let question = facts.only(asked[type])
        if let known = decisions[type][question] { return known }
        let decision = table.decision(type: type, facts: facts)
        // Where archives hold more combinations than are worth keeping, it begins again.
        if decisions[type].count == Self.most { decisions[type] = [:] }
        decisions[type][question] = decision
        return decision
    }
}
