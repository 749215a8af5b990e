/// Decisions met before, found by their facts, each with what it says in an event.
///
/// Only facts that some rule of the type asks for are distinguished: 45,901 bodies of many kinds then share 356
/// decisions, which stay in the processor's cache, and not 2,899. Without the cache a small record costs a third more.
///
/// Three passes have one for each worker: ``Judge`` reads bodies, ``Settlement`` judges them again with their neighbours,
/// and ``CorrectedLineWriter`` writes what that changed. What is done once, as in a server, asks the table.
struct DecisionCache {
    /// What is asked: the facts that some rule of a type asks for.
    private struct AskedFacts: Hashable {
        var type: Int
        var facts: Facts

        func hash(into hasher: inout Hasher) { hasher.combine(facts.mixed &+ UInt64(truncatingIfNeeded: type)) }
    }

    /// Answers that are kept at most.
    private static let most = 8 * 1024

    private let table: DecisionTable
    private let names: EventNames
    /// What the rules of each type ask for.
    private let asked: [FactSet]
    private var answers: [AskedFacts: (decision: Decision, judgement: Judgement)] = [:]

    init(_ table: DecisionTable, _ names: EventNames = .current) {
        self.table = table
        self.names = names
        asked = table.types.map(\.asked)
    }

    /// What the table says, from memory if it was asked before.
    mutating func decision(type: Int, facts: Facts) -> Decision { answer(type, facts).decision }

    /// Puts what the table says into an event; returns how the date of its type relates to the time of the event.
    mutating func judge(_ event: inout EventDraft, type: Int, facts: Facts) -> TypeRules.Timing {
        let answer = answer(type, facts)
        event.take(answer.decision, answer.judgement)
        return answer.decision.timing
    }

    private mutating func answer(_ type: Int, _ facts: Facts) -> (decision: Decision, judgement: Judgement) {
        let question = AskedFacts(type: type, facts: facts.only(asked[type]))
        if let known = answers[question] { return known }
        let decision = table.decision(type: type, facts: facts)
        let answer = (decision: decision, judgement: Judgement(decision, names))
        // Where archives hold more combinations than are worth keeping, it begins again.
        if answers.count == Self.most { answers = [:] }
        answers[question] = answer
        return answer
    }
}
