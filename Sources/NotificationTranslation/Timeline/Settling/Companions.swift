/// Points every companion at the event it is part of; one whose event is nowhere becomes that event.
struct Companions: SettlingStep {
    private(set) var settlement: Settlement

    mutating func point() {
        for index in settlement.order where settlement.outcomes[index].disposition == .companion {
            guard let decision = settlement.outcomes[index].decision else { continue }
            if let leader = leader(of: index, decision.flags) {
                settlement.outcomes[index].leader = leader
            } else if let pair = pairToBecome(decision), !settlement.mayStillArrive(settlement.statements[index]) {
                settlement.outcomes[index].pair = pair
                settlement.outcomes[index].disposition = .event
                settlement.outcomes[index].isPromoted = true
                settlement.outcomes[index].limit = .inferred
                settlement.outcomes[index].addedFlags.formUnion(.partnerMissing)
            }
        }
    }

    /// The event of the same act that the flags of a companion allow, the nearest one.
    private func leader(of index: Int, _ flags: FlagSet) -> Int? {
        for rule in settlement.table.timeline.leaders where !rule.flag.isDisjoint(with: flags) {
            func distance(_ other: Int) -> (Int, UInt64, Int) {
                let isSame = settlement.statements[other].transaction == settlement.statements[index].transaction
                return (
                    isSame ? 0 : 1,
                    (settlement.statements[other].time - settlement.statements[index].time).magnitude,
                    abs(settlement.positions[other] - settlement.positions[index])
                )
            }
            let leaders = settlement.tied(index, by: rule.bond).filter {
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
