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
    /// Of a CloudEvent, what is before the event kind in its type.
    package var typePrefix: String
    /// Of a CloudEvent, its source; `nil` names app and environment.
    package var source: String?

    package init(_ kind: Kind = .events, typePrefix: String = Self.typePrefix, source: String? = nil) {
        self.kind = kind
        self.typePrefix = typePrefix
        self.source = source
    }

    /// What is before the event kind if nothing else is said.
    package static let typePrefix = "app-store"

    /// Whether companions and duplicates have no place in it.
    package var isOfEventsOnly: Bool { kind == .v2 }
}
