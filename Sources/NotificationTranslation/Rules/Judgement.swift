/// What an answer of a table makes of an event, with what else is possible: the fields that follow from it alone.
struct Judgement: Sendable {
    let kind: KeptText
    let disposition: Disposition
    let effects: AccessEffects

    private static let unknown = KeptText("unknown")

    init(_ answer: Rule.Answer, _ candidates: [Rule.Answer], _ events: EventTable) {
        let pairs: [EventTable.Pair?] = ([answer] + candidates).map { answer in
            guard case .pair(let place) = answer else { return nil }
            return events.pairs[place]
        }
        // A companion is of the kind of the event it is part of, as far as the candidates show.
        kind = pairs.lazy.compactMap { $0?.texts.kind }.first ?? Self.unknown
        disposition = answer == .companion ? .companion : .event
        // A companion says nothing about access, nor does what may be one.
        effects =
            answer == .companion
            ? AccessEffects(.none) : pairs.reduce(into: []) { $0.insert(AccessEffects($1?.effect ?? .none)) }
    }
}
