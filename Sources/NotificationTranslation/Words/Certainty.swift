/// How sure a translation is.
public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
    /// The payload (and, in a timeline, its known neighbours) proves the pair; every V2 event.
    case exact
    /// The facts point to one pair.
    case inferred
    /// More than one pair remains; the likeliest leads.
    case ambiguous
    /// A type this build does not know.
    case unknown

    /// The less sure of two.
    func atMost(_ other: Certainty) -> Certainty {
        let order: [Certainty] = [.exact, .inferred, .ambiguous, .unknown]
        let here = order.firstIndex(of: self) ?? 0
        let there = order.firstIndex(of: other) ?? 0
        return order[max(here, there)]
    }
}
