/// What rests on answers of Apple's API, in numbers; parts add up.
package struct AnswerCounts: Equatable, Sendable {
    /// Events that rest on an answer, and those that have their price from one.
    package internal(set) var (events, prices) = (0, 0)
    /// Transactions that answers alone show, and subscriptions and purchases that no notification names.
    package internal(set) var (transactions, subscriptions) = (0, 0)

    package init() {}

    mutating func add(_ other: AnswerCounts) {
        events += other.events
        prices += other.prices
        transactions += other.transactions
        subscriptions += other.subscriptions
    }
}

/// How far the answers to V1 records agree with what Apple's V2 notifications of the same events say; parts add up
/// in any order.
package struct AgreementTally: Equatable, Sendable {
    /// What Apple says of an answer.
    package enum Result: UInt8, Hashable, Sendable {
        /// It is Apple's pair, by today's name.
        case same
        /// Apple's pair was listed and not chosen.
        case candidate
        /// Apple's pair was not even listed.
        case contradicted
    }

    /// An answer and what Apple says; pairs by index, -1 for no event of its own.
    package struct Comparison: Hashable, Sendable {
        package var type: Int
        package var ours: Int
        package var apple: Int
        package var certainty: Certainty
        package var result: Result
        /// See ``CivilTime/month(_:)``.
        package var month: Int
    }

    /// Something said of a V1 record without Apple's answers, and what these say of it.
    package struct Confirmation: Hashable, Sendable {
        /// The index of the type.
        package var type: Int
        package var era: String
        package var result: Result
    }

    /// The names of the eras, the oldest first.
    package static var eras: [String] { Fact.era.values }

    /// What one version alone reports.
    package struct Unmatched: Hashable, Sendable {
        /// The index of the V1 type; -1 for V2.
        package var type: Int
        package var pair: Int
        package var month: Int
        /// Whether the subscription's notifications of the other version begin before it and end after it.
        package var isInside: Bool
        /// V2 only: whether `--infer all` deduces it from the V1 records.
        package var isDeduced: Bool
    }

    /// Where an answer and Apple contradict each other.
    package struct Contradiction: Equatable, Sendable {
        /// What the caller of ``SubscriptionJudge`` names the two notifications by.
        package var v1: UInt64
        package var v2: UInt64
        package var comparison: Comparison
    }

    /// What is compared beside the pair.
    package struct Differences: Equatable, Sendable {
        /// More than the tolerance for a late delivery apart.
        package var time = 0
        package var product = 0
        package var transaction = 0
    }

    /// How many contradictions are kept: those whose V1 record comes first in the input.
    package static let mostContradictions = 1000

    package private(set) var comparisons: [Comparison: Int] = [:]
    package private(set) var unmatched: [Unmatched: Int] = [:]
    package internal(set) var differences = Differences()
    package internal(set) var answers = AnswerCounts()
    /// What Apple's answers say of what was said of V1 records without them.
    package internal(set) var confirmations: [Confirmation: Int] = [:]
    /// Subscriptions, and one-time purchases, in each environment.
    package internal(set) var subscriptions = 0
    /// More than wanted until ``close()``.
    private var found: [Contradiction] = []

    package init() {}

    /// The name of a V1 type by its index.
    package static func type(_ index: Int) -> String {
        let types = DecisionTable.current.types
        return types.indices.contains(index) ? types[index].type : "?"
    }

    /// A pair by its index; that of a companion for any other number.
    package static func pair(_ index: Int) -> NotificationPair {
        let pairs = EventTable.current.pairs
        guard pairs.indices.contains(index) else { return NotificationPair(type: nil) }
        return NotificationPair(
            type: NotificationType(rawValue: pairs[index].type),
            subtype: pairs[index].subtype.map(NotificationSubtype.init(rawValue:)))
    }

    /// Answers that were `exact` and that Apple contradicts.
    package var contradictedExact: Int {
        comparisons.reduce(0) { $0 + ($1.key.result != .same && $1.key.certainty == .exact ? $1.value : 0) }
    }

    /// The contradictions that are kept, in the order of the input.
    package var contradictions: [Contradiction] {
        Array(found.sorted { ($0.v1, $0.v2) < ($1.v1, $1.v2) }.prefix(Self.mostContradictions))
    }

    mutating func count(_ comparison: Comparison, v1: UInt64, v2: UInt64) {
        comparisons[comparison, default: 0] += 1
        guard comparison.result == .contradicted else { return }
        found.append(Contradiction(v1: v1, v2: v2, comparison: comparison))
        if found.count >= 2 * Self.mostContradictions { found = contradictions }
    }

    mutating func count(_ unmatched: Unmatched) { self.unmatched[unmatched, default: 0] += 1 }

    /// Adds another part.
    package mutating func add(_ other: AgreementTally) {
        comparisons.merge(other.comparisons) { $0 + $1 }
        unmatched.merge(other.unmatched) { $0 + $1 }
        answers.add(other.answers)
        confirmations.merge(other.confirmations) { $0 + $1 }
        differences.time += other.differences.time
        differences.product += other.differences.product
        differences.transaction += other.differences.transaction
        subscriptions += other.subscriptions
        found += other.found
        if found.count >= 2 * Self.mostContradictions { found = contradictions }
    }
}
