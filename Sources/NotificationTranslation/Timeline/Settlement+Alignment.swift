/// Joins what V1 and V2 report of one state that changes back and forth: automatic renewal, and the product to come.
///
/// Both versions tell the changes in their order, V2 some seconds later than V1 dates them, so that quick changes
/// interleave. The cheapest way to go through both, in which no pair crosses another, joins them; what is left over
/// between a pair and says its contrary forbids that pair:
///
///     V1   off :00   on :05              V1   off :00   on :08
///     V2     off :07   on :12            V2                      off :20
///     two happenings                     three: nothing else reported "on", so the last "off" is another
extension Settlement {
    /// The changes of one state of one transaction, as both versions report them, in the order of the story.
    private struct Changes {
        var told: [Int] = []
        var signed: [Int] = []
    }

    private struct State: Hashable {
        var transaction: UInt64
        var role: TimelineRules.Role
    }

    /// A pair of places in a ``Changes``.
    private struct Step: Hashable {
        var told: Int
        var signed: Int
    }

    /// More steps than that are joined by ``joinNearest(_:)`` alone; no real course has so many.
    private static let mostSteps = 1024

    /// Joins the changes of every state that both versions report.
    func joinInOrder() {
        var changes: [State: Changes] = [:]
        var order: [State] = []
        for place in story where statements[place].isV2 && isTold(place) {
            guard let role = role(place), role == .switches || role == .plans else { continue }
            let state = State(transaction: statements[place].transaction, role: role)
            guard state.transaction != TimelineID.none else { continue }
            if changes[state] == nil { order.append(state) }
            changes[state, default: Changes()].signed.append(place)
        }
        guard !changes.isEmpty else { return }
        for place in story where !statements[place].isV2 && mayHaveTwin(place) && hasOrder(place) {
            for role in [TimelineRules.Role.switches, .plans] {
                let state = State(transaction: statements[place].transaction, role: role)
                guard let signed = changes[state]?.signed, signed.contains(where: { cost(place, $0) != nil }) else {
                    continue
                }
                changes[state]?.told.append(place)
            }
        }
        for state in order {
            guard let both = changes[state], !both.told.isEmpty,
                both.told.count * both.signed.count <= Self.mostSteps
            else { continue }
            align(both, state.role)
        }
    }

    private func align(_ both: Changes, _ role: TimelineRules.Role) {
        var costs: [Step: Int64] = [:]
        for place in both.told where outcomes[place].disposition != .duplicate {
            for twin in both.signed {
                if let cost = cost(place, twin) { costs[Step(told: place, signed: twin)] = cost }
            }
        }
        while true {
            let steps = cheapest(both, costs, role)
            let joined = Set(steps.flatMap { [$0.told, $0.signed] })
            let late = steps.filter {
                delay($0) > table.parameters.signedAtOnce && isContraryBetween($0.told, $0.signed)
            }
            let crossed = steps.filter { step in
                isContraryBetween(step.told, step.signed, besides: joined)
                    || late.contains(step) && delay(step) > tolerance(statements[step.signed])
                        && !isDelayed(step, as: steps)
            }
            guard let worst = crossed.max(by: { costs[$0] ?? 0 < costs[$1] ?? 0 }) else {
                for step in steps {
                    join(step.told, to: step.signed)
                    if late.contains(step) { doubt(step.told) }
                }
                return
            }
            costs[worst] = nil
        }
    }

    /// How long after the time of a V1 record, or after it was received, V2 was signed.
    private func delay(_ step: Step) -> Int64 {
        let (told, signed) = (statements[step.told], statements[step.signed])
        return (signed.signature ?? signed.order) - told.order
    }

    /// Whether V2 was signed as long after V1 as in the steps that a step crosses, so that one delay explains all.
    private func isDelayed(_ step: Step, as steps: [Step]) -> Bool {
        let range = min(rank[step.told], rank[step.signed])...max(rank[step.told], rank[step.signed])
        return steps.allSatisfy { other in
            !(range.contains(rank[other.told]) || range.contains(rank[other.signed]))
                || abs(delay(other) - delay(step)) <= tolerance(statements[step.signed])
        }
    }

    /// The cheapest steps through both sides; what is left out costs half of what a pair may be apart.
    private func cheapest(_ both: Changes, _ costs: [Step: Int64], _ role: TimelineRules.Role) -> [Step] {
        let (told, signed) = (both.told, both.signed)
        let room = role == .switches ? table.parameters.lateDelivery : table.parameters.deliveryHorizon
        let skip = room / 2
        // The least cost to continue from each pair of places.
        var best = [[Int64]](
            repeating: [Int64](repeating: 0, count: signed.count + 1), count: told.count + 1)
        func costOfJoining(_ row: Int, _ column: Int) -> Int64? {
            guard let cost = costs[Step(told: told[row], signed: signed[column])] else { return nil }
            return best[row + 1][column + 1] + cost
        }
        for row in (0...told.count).reversed() {
            for column in (0...signed.count).reversed() {
                if row == told.count {
                    best[row][column] = Int64(signed.count - column) * skip
                } else if column == signed.count {
                    best[row][column] = Int64(told.count - row) * skip
                } else {
                    let least = min(best[row + 1][column], best[row][column + 1]) + skip
                    best[row][column] = min(least, costOfJoining(row, column) ?? .max)
                }
            }
        }
        var steps: [Step] = []
        var (row, column) = (0, 0)
        while row < told.count, column < signed.count {
            let least = best[row][column]
            if costOfJoining(row, column) == least {
                steps.append(Step(told: told[row], signed: signed[column]))
                row += 1
                column += 1
            } else if best[row + 1][column] + skip == least {
                row += 1
            } else {
                column += 1
            }
        }
        return steps
    }
}
