/// What a decision makes of an event: the fields that follow from it and from nothing else.
struct Judgement {
    var type: EventText
    var disposition: Disposition
    var entitlement: Entitlement
    var pair: EventDraft.Pair
    var rule: EventText

    init(_ decision: Decision, _ names: EventNames) {
        self.init(decision.answer, decision.candidates, decision.rule.number, names)
    }

    /// - Parameters:
    ///   - answer: What was decided.
    ///   - candidates: What else is possible.
    ///   - rule: The number of the rule; `nil` if no rule of the table decided.
    ///   - names: The names of the tables.
    init(_ answer: Rule.Answer, _ candidates: [Rule.Answer], _ rule: Int?, _ names: EventNames) {
        self.rule = rule.map(names.rule) ?? .absent
        switch answer {
        case .companion:
            disposition = .companion
            type = Self.kindOfCompanion(candidates, names)
            entitlement = .none
            pair = EventDraft.Pair()
        case .pair(let place):
            disposition = .event
            type = names.kind(ofPair: place)
            entitlement = Self.entitlement(place, candidates, names)
            pair = names.pair(place)
        }
    }

    /// A companion is of the kind of the event it is part of, as far as the candidates tell; else unknown.
    private static func kindOfCompanion(_ candidates: [Rule.Answer], _ names: EventNames) -> EventText {
        for candidate in candidates {
            if case .pair(let place) = candidate { return names.kind(ofPair: place) }
        }
        return EventText("unknown")
    }

    /// The entitlement of the answer, unless another pair that is possible differs in it.
    private static func entitlement(_ place: Int, _ candidates: [Rule.Answer], _ names: EventNames) -> Entitlement {
        let chosen = names.events.pairs[place].entitlement
        for candidate in candidates {
            if case .pair(let other) = candidate, names.events.pairs[other].entitlement != chosen { return .undecided }
        }
        return chosen
    }
}
