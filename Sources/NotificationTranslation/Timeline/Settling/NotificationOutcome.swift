/// What became of one notification.
struct NotificationOutcome {
    /// What the table says of its body alone, and with its neighbours; `nil` for V2 and unknown types.
    var alone: Decision?
    var decision: Decision?
    var facts = Facts.unknown
    /// The pair it represents, by index; -1 for none.
    var pair = -1
    var disposition = Disposition.event
    /// The index of the leading event, of the first delivery, or of V2's report of the same; -1 for none.
    var leader = -1
    /// The row of ``Settlement/shownRows`` that it is about, where that is not the body's choice; -1 for none.
    var row = -1
    /// When it happened by its body, where ``row`` is another one.
    var bodyTime: Int64?
    /// Which event with the same canonical text it reports, from 1.
    var number = 1
    /// A ceiling for the certainty.
    var limit: Certainty?
    var addedFlags = FlagSet()
    /// A companion that became the event: the pair is not the decision's.
    var isPromoted = false
}

extension NotificationOutcome {
    /// Takes over what a decision says.
    mutating func take(_ decision: Decision) {
        self.decision = decision
        switch decision.answer {
        case .pair(let index):
            pair = index
            disposition = .event
        case .companion:
            pair = -1
            disposition = .companion
        }
    }

    /// The effects on access of the pair and of all candidates; none without a pair.
    func effects(_ events: EventTable) -> AccessEffects {
        guard pair >= 0 else { return AccessEffects(.none) }
        var effects = AccessEffects(events.pairs[pair].effect)
        for candidate in decision?.candidates ?? [] {
            switch candidate {
            case .pair(let pair): effects.insert(AccessEffects(events.pairs[pair].effect))
            case .companion: if !isPromoted { effects.insert(AccessEffects(.none)) }
            }
        }
        return effects
    }
}
