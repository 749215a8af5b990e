/// The shape in which events are written: their own, Apple's V2, or CloudEvents.
package struct EventShape: Sendable, Hashable {
    /// The shapes there are.
    package enum Kind: String, Sendable, CaseIterable {
        /// The line of the contract.
        case events
        /// Apple's decoded payload of version 2, unsigned.
        case v2
        /// CloudEvents 1.0 in JSON.
        case cloudevents
    }

    /// Which of them.
    package var kind: Kind

    package init(_ kind: Kind = .events) {
        self.kind = kind
    }

    /// Whether companions and duplicates have no place in it.
    package var isOfEventsOnly: Bool { kind == .v2 }
}
