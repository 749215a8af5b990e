/// What a decision says in an event: worked out once for each combination of facts, and copied from then on.
struct Verdict {
    var disposition = Disposition.event
    var type = EventText("unknown")
    var entitlement = Entitlement.none
    var v2 = EventDraft.Pair()
    var certainty: Certainty
    var flags: FlagSet
    var rule: EventText
    /// Whether the time its type takes from the receipt is not the time of what the rule says.
    var isTimeless: Bool

    init(_ decision: Decision, _ names: EventNames) {
        certainty = decision.certainty
        flags = decision.flags
        rule = names.rule(decision.rule.id)
        isTimeless = decision.rule.isTimeless
        switch decision.answer {
        case .companion:
            disposition = .companion
            type = Self.kindOfCompanion(decision, names)
        case .pair(let place):
            v2 = names.pair(place)
            type = names.kind(ofPair: place)
            entitlement = Self.entitlement(decision, names.events.pairs[place].entitlement, names.events)
        }
    }

    /// A companion is of the kind of the event it is part of, as far as the candidates tell; else unknown.
    private static func kindOfCompanion(_ decision: Decision, _ names: EventNames) -> EventText {
        for candidate in decision.candidates {
            if case .pair(let place) = candidate { return names.kind(ofPair: place) }
        }
        return EventText("unknown")
    }

    /// The entitlement of the answer, unless another pair that is possible differs in it.
    private static func entitlement(
        _ decision: Decision, _ chosen: Entitlement, _ events: EventTable
    ) -> Entitlement {
        for candidate in decision.candidates {
            if case .pair(let place) = candidate, events.pairs[place].entitlement != chosen { return .undecided }
        }
        return chosen
    }
}
