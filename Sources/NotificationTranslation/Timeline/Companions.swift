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
            var best: (place: Int, distance: (Int, UInt64, Int))?
            _ = settlement.anyTied(place, by: rule.bond) { other in
                guard settlement.outcomes[other].disposition == .event,
                    rule.pairs.contains(settlement.outcomes[other].pair)
                else { return false }
                let isSame = settlement.statements[other].transaction == settlement.statements[place].transaction
                let distance = (
                    isSame ? 0 : 1,
                    (settlement.statements[other].order - settlement.statements[place].order).magnitude,
                    abs(settlement.rank[other] - settlement.rank[place])
                )
                if best.map({ distance < $0.distance }) ?? true { best = (other, distance) }
                return false
            }
            if let best { return best.place }
        }
        return nil
    }

    private func pairToBecome(_ decision: Decision) -> Int? {
        for rule in settlement.table.timeline.leaders where !rule.flag.isDisjoint(with: decision.flags) {
            return rule.pairs.first
        }
        for case .pair(let pair) in decision.candidates { return pair }
        return nil
    }
}
