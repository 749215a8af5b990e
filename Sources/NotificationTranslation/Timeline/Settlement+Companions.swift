extension Settlement {
    /// Points every companion at the event it is part of; one whose event is nowhere becomes that event.
    func pointAtLeaders() {
        // A change of status shows the new transaction and a cancellation the old one, so it stands in first.
        let companions = story.filter { outcomes[$0].disposition == .companion }
        let byTime = companions.filter { table.shape(ofType: statements[$0].type).transaction == .atTime }
        let others = companions.filter { table.shape(ofType: statements[$0].type).transaction != .atTime }
        for place in byTime + others {
            guard let decision = outcomes[place].decision else { continue }
            if let leader = leader(of: place, decision.flags) {
                outcomes[place].leader = leader
            } else if statements[place].order < openSince, let pair = pairToBecome(decision) {
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
            var best: (place: Int, distance: (UInt64, Int))?
            _ = anyTied(place, by: rule.bond) { other in
                guard outcomes[other].disposition == .event, rule.pairs.contains(outcomes[other].pair) else {
                    return false
                }
                let distance = (
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

    // MARK: V1 and V2

    /// Finds what V1 and V2 both told, as they do around a cut-over: whichever comes second is a duplicate.
    func findTwins() {
        guard statements.contains(where: \.isV2), statements.contains(where: { !$0.isV2 }) else { return }
        var taken: Set<Int> = []
        for takesCandidates in [false, true] {
            for place in story
            where !statements[place].isV2 && outcomes[place].disposition == .event && !taken.contains(place) {
                guard let twin = twin(of: place, taken, takesCandidates: takesCandidates) else { continue }
                taken.formUnion([twin, place])
                let (first, second) = wasThere(twin, before: place) ? (twin, place) : (place, twin)
                outcomes[second].disposition = .duplicate
                outcomes[second].leader = first
            }
        }
        // Whoever pointed at a duplicate points at what that repeats.
        for place in story {
            let leader = outcomes[place].leader
            guard leader >= 0, outcomes[leader].disposition == .duplicate else { continue }
            outcomes[place].leader = outcomes[leader].leader
        }
    }

    /// Which of two that tell the same came first: by when they were received, else by their place in the story.
    private func wasThere(_ one: Int, before other: Int) -> Bool {
        if let left = statements[one].receivedAt, let right = statements[other].receivedAt, left != right {
            return left < right
        }
        return rank[one] < rank[other]
    }

    /// The V2 notification of the same happening, by the pair it stands for or by one that V1 leaves possible.
    private func twin(of place: Int, _ taken: Set<Int>, takesCandidates: Bool) -> Int? {
        let outcome = outcomes[place]
        var best: (place: Int, distance: Int64)?
        let isTwin: (Int) -> Bool = { [self] other in
            let candidate = statements[other]
            guard candidate.isV2, candidate.pair >= 0, !taken.contains(other), outcomes[other].disposition == .event
            else { return false }
            let isSame =
                candidate.pair == outcome.pair
                || takesCandidates && outcome.decision?.candidates.contains(.pair(candidate.pair)) ?? false
            guard isSame, let distance = distance(from: place, to: other) else { return false }
            if best.map({ distance < $0.distance }) ?? true { best = (other, distance) }
            return false
        }
        _ = anyOfTransaction(place, where: isTwin)
        if best == nil { _ = anyOfInstant(place, where: isTwin) }
        return best?.place
    }

    /// How far a V2 notification is from a V1 one, if it may tell the same.
    ///
    /// By their times; where V1 has none at all, by their places in the input, if both name the same product to come.
    private func distance(from place: Int, to other: Int) -> Int64? {
        let (statement, candidate) = (statements[place], statements[other])
        if isWeak(place), statement.receivedAt == nil {
            let isPossible = candidate.nextProduct == statement.nextProduct && candidate.order >= statement.order
            return isPossible ? Int64(abs(other - place)) : nil
        }
        let distance = abs(candidate.order - statement.order)
        return distance <= room(place) ? distance : nil
    }

    /// How far from each other V1 and V2 may date one happening.
    private func room(_ place: Int) -> Int64 {
        let role = table.timeline.role(ofPair: outcomes[place].pair)
        let hasOwnTime = statements[place].ownTime != nil && !isWeak(place)
        return role == .switches && hasOwnTime ? table.parameters.lateDelivery : table.parameters.deliveryHorizon
    }
}
