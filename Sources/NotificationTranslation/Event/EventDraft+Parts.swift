extension EventDraft {
    /// A V2 pair by its names; both absent for "no event of its own".
    package struct Pair {
        package var type = EventText.absent
        package var subtype = EventText.absent
    }

    /// An id: made of bytes, or as received.
    package enum ID {
        case uuid(EventID)
        case text(EventText)

        /// Appends the characters as they are inside a JSON string.
        func appendCharacters(to output: OutputBuffer) {
            switch self {
            case .uuid(let id): id.characters.withUnsafeBytes { output.append($0) }
            case .text(let text): text.appendCharacters(to: output)
            }
        }

        /// The id as it is written; `nil` if absent.
        var string: String? {
            switch self {
            case .uuid(let id): id.string
            case .text(let text): text.string
            }
        }

        /// A number that equal ids share.
        var number: UInt64 {
            switch self {
            case .uuid(let id): id.high ^ id.low &* 0x9E37_79B9_7F4A_7C15
            case .text(let text): TimelineID.of(text)
            }
        }
    }

    /// The number of an app, as a text of digits or as a number.
    package struct AppID {
        var text = EventText.absent
        /// The same as a number, where its text is not its digits.
        var number: Int64?
    }

    /// The pairs that are possible.
    package struct Candidates {
        /// Candidates of a decision of this build's table, by index; used where `pairs` is empty.
        var decision: Decision?
        var pairs: [Pair] = []
        /// What these pairs do to access; no part of the contract.
        var effects = AccessEffects(rawValue: 0)

        /// The pairs, or the candidates of the decision where there are no pairs.
        var all: [Pair] { pairs.isEmpty ? decision?.candidates.map(EventTable.current.names) ?? [] : pairs }
    }

    /// The flags of an event.
    package struct Flags {
        /// Those of this build's table.
        package var known = FlagSet()
        /// Flags by name, for events that came from elsewhere; they follow.
        var named: [EventText] = []

        mutating func formUnion(_ flags: FlagSet) { known.formUnion(flags) }

        /// Moves the flags that this build knows from `named` to `known`.
        package mutating func recognize() {
            guard !named.isEmpty else { return }
            named.removeAll { text in
                guard let number = text.string.flatMap(FlagTable.current.number) else { return false }
                known.formUnion(FlagSet(number: number))
                return true
            }
        }
    }

    package var transaction: Transaction? {
        get { hasTransaction ? transactionFields : nil }
        set {
            hasTransaction = newValue != nil
            if let newValue { transactionFields = newValue }
        }
    }

    var renewal: Renewal? {
        get { hasRenewal ? renewalFields : nil }
        set {
            hasRenewal = newValue != nil
            if let newValue { renewalFields = newValue }
        }
    }

    /// Uses the time of arrival, because the event's own date is after it: nothing is reported before it happens.
    mutating func happenedByReceipt(_ receivedAt: Int64) {
        occurredAt = receivedAt
        occurredAtBasis = EventText(.receivedAt)
        flags.formUnion(.timeAfterReceipt)
    }

    /// Whether it is of V1 and was received so long after it happened that no delivery of Apple's took so long.
    package var isOverdue: Bool {
        guard !flags.known.isDisjoint(with: .lateDelivery), let receivedAt = source.receivedAt, let occurredAt else {
            return false
        }
        return receivedAt - occurredAt > DecisionTable.current.parameters.importedAfter
    }

    /// Whether it was received more than an hour before the first purchase, or the cancellation, that it names.
    package var isPremature: Bool {
        guard hasTransaction, let receivedAt = source.receivedAt else { return false }
        let first = max(transactionFields.originalPurchasedAt ?? .min, transactionFields.revokedAt ?? .min)
        return first > receivedAt + DecisionTable.current.parameters.lateDelivery
    }

    /// How many hours after it happened a notification is overdue.
    package static var overdueHours: Int64 { DecisionTable.current.parameters.importedAfter / 3_600_000 }

    /// Applies what a decision says.
    mutating func take(_ decision: Decision) {
        candidates.decision = decision
        certainty = decision.certainty
        flags.formUnion(decision.flags)
        source.rule = decision.rule.text.text
        disposition = decision.judgement.disposition
        type = decision.judgement.kind.text
        candidates.effects = decision.judgement.effects
        v2 = EventTable.current.names(decision.answer)
    }

    /// Applies what the event says about access.
    mutating func take(_ access: Access) {
        entitlement = access.entitlement
        accessUntil = access.until
        flags.formUnion(access.flag)
    }
}

extension StaticString {
    /// The basis of a time that is the time of arrival.
    package static var receivedAt: StaticString { "received_at" }
}
