/// Points every companion at the event it is part of; one whose event is nowhere becomes that event.
struct Companions: SettlingStep {
    private(set) var settlement: Settlement

    mutating func point() {
        for place in settlement.story where settlement.outcomes[place].disposition == .companion {
            guard let decision = settlement.outcomes[place].decision else { continue }
            if let leader = leader(of: place, decision.flags) {
                settlement.outcomes[place].leader = leader
            } else if let pair = pairToBecome(decision), !settlement.mayStillArrive(settlement.statements[place]) {
                settlement.outcomes[place].pair = pair
                settlement.outcomes[place].disposition = .event
                settlement.outcomes[place].isPromoted = true
                settlement.outcomes[place].limit = .inferred
                settlement.outcomes[place].addedFlags.formUnion(.partnerMissing)
            }
        }
    }

    /// The event of the same act that the flags of a companion allow, the nearest one.
    private func leader(of place: Int, _ flags: FlagSet) -> Int? {
        for rule in settlement.table.timeline.leaders where !rule.flag.isDisjoint(with: flags) {
            func distance(_ other: Int) -> (Int, UInt64, Int) {
                let isSame = settlement.statements[other].transaction == settlement.statements[place].transaction
                return (
                    isSame ? 0 : 1,
                    (settlement.statements[other].order - settlement.statements[place].order).magnitude,
                    abs(settlement.rank[other] - settlement.rank[place])
                )
            }
            let leaders = settlement.tied(place, by: rule.bond).filter {
                settlement.isEvent($0) && rule.pairs.contains(settlement.outcomes[$0].pair)
            }
            if let nearest = leaders.min(by: { distance($0) < distance($1) }) { return nearest }
        }
        return nil
    }

    private func pairToBecome(_ decision: Decision) -> Int? {
        let rule = settlement.table.timeline.leaders.first { !$0.flag.isDisjoint(with: decision.flags) }
        if let rule { return rule.pairs.first }
        for case .pair(let pair) in decision.candidates { return pair }
        return nil
    }
}
