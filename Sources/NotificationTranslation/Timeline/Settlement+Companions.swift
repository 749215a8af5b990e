extension Settlement {
    /// Points every companion at the event it is part of; one whose event is nowhere becomes that event.
    mutating func pointAtLeaders() {
        for place in story where outcomes[place].disposition == .companion {
            guard let decision = outcomes[place].decision else { continue }
            if let leader = leader(of: place, decision.flags) {
                outcomes[place].leader = leader
            } else if let pair = pairToBecome(decision), !mayStillArrive(statements[place]) {
                outcomes[place].pair = pair
                outcomes[place].disposition = .event
                outcomes[place].isPromoted = true
                outcomes[place].limit = .inferred
                outcomes[place].addedFlags.formUnion(.partnerMissing)
            }
        }
    }

    /// The event of the same act that the flags of a companion allow, the nearest one.
    private func leader(of place: Int, _ flags: FlagSet) -> Int? {
        for rule in table.timeline.leaders where !rule.flag.isDisjoint(with: flags) {
            var best: (place: Int, distance: (Int, UInt64, Int))?
            _ = anyTied(place, by: rule.bond) { other in
                guard outcomes[other].disposition == .event, rule.pairs.contains(outcomes[other].pair) else {
                    return false
                }
                let isSame = statements[other].transaction == statements[place].transaction
                let distance = (
                    isSame ? 0 : 1,
                    (statements[other].order - statements[place].order).magnitude, abs(rank[other] - rank[place])
                )
                if best.map({ distance < $0.distance }) ?? true { best = (other, distance) }
                return false
            }
            if let best { return best.place }
        }
        return nil
    }

    private func pairToBecome(_ decision: Decision) -> Int? {
        for rule in table.timeline.leaders where !rule.flag.isDisjoint(with: decision.flags) {
            return rule.pairs.first
        }
        for case .pair(let pair) in decision.candidates { return pair }
        return nil
    }
}
