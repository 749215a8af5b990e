/// What a decision makes of an event: the fields that follow from it and from nothing else.
struct Judgement {
    var type: EventText
    var disposition: Disposition
    var effects: AccessEffects
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
            effects = AccessEffects(.none)
            pair = EventDraft.Pair()
        case .pair(let place):
            disposition = .event
            type = names.kind(ofPair: place)
            effects = Self.effects(place, candidates, names)
            pair = names.pair(place)
        }
    }

    /// A companion is of the kind of the event it is part of, as far as the candidates show; else unknown.
    private static func kindOfCompanion(_ candidates: [Rule.Answer], _ names: EventNames) -> EventText {
        for candidate in candidates {
            if case .pair(let place) = candidate { return names.kind(ofPair: place) }
        }
        return EventText("unknown")
    }

    /// What the answer and all other pairs that are possible do to access; an event of another's says nothing.
    private static func effects(
        _ place: Int, _ candidates: [Rule.Answer], _ names: EventNames
    ) -> AccessEffects {
        var effects = AccessEffects(names.events.pairs[place].effect)
        for candidate in candidates {
            switch candidate {
            case .companion: effects.insert(AccessEffects(.none))
            case .pair(let other): effects.insert(AccessEffects(names.events.pairs[other].effect))
            }
        }
        return effects
    }
}

extension EventDraft {
    /// Applies what a decision says.
    mutating func take(_ decision: Decision, _ judgement: Judgement) {
        candidates.decision = decision
        certainty = decision.certainty
        flags.formUnion(decision.flags)
        source.rule = judgement.rule
        disposition = judgement.disposition
        type = judgement.type
        candidates.effects = judgement.effects
        v2 = judgement.pair
    }
}
