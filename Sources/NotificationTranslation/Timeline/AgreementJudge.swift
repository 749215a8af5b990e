/// Judges the V1 records of a subscription as if V2 were absent, and compares that with what V2 says; the same of
/// Apple's answers.
///
/// Settling with both in view found which V1 record and which V2 notification report one event. Only
/// subscriptions with both versions cost anything: their V1 records are settled twice.
final class AgreementJudge {
    private var alone: Settlement
    private(set) var tally = AgreementTally()

    init(_ table: DecisionTable = .current) { alone = Settlement(table) }

    /// Compares the records of a subscription.
    ///
    /// - Parameters:
    ///   - both: The subscription, settled with both versions in view.
    ///   - evidence: What it was settled from.
    ///   - position: What the caller calls the notification at an index.
    func compare(_ both: Settlement, _ evidence: [UnsafeRawBufferPointer], _ position: (Int) -> UInt64) {
        if both.statements.contains(where: \.hasKey) { tally.subscriptions += 1 }
        let told = both.statements.indices.filter { !both.statements[$0].isV2 }
        guard !told.isEmpty, told.count < both.statements.count else { return }
        alone.viewEnd = max(both.viewEnd ?? .min, both.latestTime)
        guard alone.settle(told.map { evidence[$0] }) else { return }
        let spans = (Span(both, isV2: false), Span(both, isV2: true))
        var answered: Set<Int> = []
        for (index, inBoth) in told.enumerated() {
            let answer = alone.outcomes[index]
            let counterpart = counterpart(of: inBoth, in: both)
            if let counterpart { answered.insert(counterpart) }
            // A delivery repeated says nothing new, and a part of another event nothing of its own.
            guard answer.disposition == .event || answer.disposition == .companion && isJoined(inBoth, both) else {
                continue
            }
            let statement = alone.statements[index]
            let month = statement.month
            if let counterpart {
                let comparison = comparison(answer, statement, both.statements[counterpart].pair, month)
                tally.count(comparison, v1: position(inBoth), v2: position(counterpart))
                countDifferences(statement, both.statements[counterpart])
            } else if answer.disposition == .event {
                tally.count(
                    AgreementTally.Unmatched(
                        type: statement.type, pair: answer.pair, month: month,
                        isInside: spans.1.contains(statement), isDeduced: false))
            }
        }
        countUntold(both, answered, spans.0)
    }

    // MARK: Apple's answers

    /// Counts what of a subscription rests on Apple's answers, and compares what was said without them.
    func compare(_ answered: Settlement, without baseline: Settlement) {
        let effect = AnswerEffect(settlement: answered, baseline: baseline)
        for (index, statement) in answered.statements.enumerated() where !statement.isV2 {
            if answered.isEvent(index) {
                if !answered.outcomes[index].addedFlags.isDisjoint(with: .settledByAnswer) { tally.answers.events += 1 }
                if answered.completion(index)?.shown.price != nil { tally.answers.prices += 1 }
            }
            guard let result = effect.comparison(index) else { continue }
            let said = AgreementTally.Confirmation(
                type: statement.type, era: statement.facts[Fact.era], result: result)
            tally.confirmations[said, default: 0] += 1
        }
        tally.answers.transactions += answered.history.rows.count(where: \.isAnswered)
    }

    /// Counts what answers show of a subscription or purchase that no notification names.
    func count(unnamed settlement: Settlement) {
        tally.answers.transactions += settlement.answers.shown.count
        tally.answers.subscriptions += 1
    }

    // MARK: Version 2

    /// The V2 notification that reports the same as a V1 record: the one it repeats, or the event it is a part of.
    private func counterpart(of index: Int, in both: Settlement) -> Int? {
        let outcome = both.outcomes[index]
        guard outcome.disposition == .duplicate || outcome.disposition == .companion, outcome.leader >= 0,
            both.statements[outcome.leader].isV2
        else { return nil }
        return outcome.leader
    }

    private func isJoined(_ index: Int, _ both: Settlement) -> Bool {
        both.outcomes[index].disposition == .duplicate && counterpart(of: index, in: both) != nil
    }

    private func comparison(
        _ answer: NotificationOutcome, _ statement: Statement, _ apple: Int, _ month: Int
    ) -> AgreementTally.Comparison {
        let events = alone.table.events
        let ours = answer.disposition == .event ? answer.pair : -1
        let certainty = answer.decision?.certainty ?? .unknown
        let isListed = answer.decision?.candidates.contains { candidate in
            guard case .pair(let pair) = candidate else { return false }
            return events.today(pair) == events.today(apple)
        }
        let result: AgreementTally.Result =
            ours >= 0 && events.today(ours) == events.today(apple)
            ? .same : isListed ?? false ? .candidate : .contradicted
        return AgreementTally.Comparison(
            type: statement.type, ours: ours, apple: apple,
            certainty: answer.limit.map { certainty.atMost($0) } ?? certainty, result: result, month: month)
    }

    private func countDifferences(_ told: Statement, _ signed: Statement) {
        if let one = told.ownTime, let other = signed.ownTime, told.timing == .own,
            abs(one - other) > alone.table.parameters.lateDelivery
        {
            tally.differences.time += 1
        }
        func differ(_ one: UInt64, _ other: UInt64) -> Bool {
            one != TimelineID.none && other != TimelineID.none && one != other
        }
        if differ(told.product, signed.product) { tally.differences.product += 1 }
        if differ(told.transaction, signed.transaction) { tally.differences.transaction += 1 }
    }

    // MARK: What V2 alone reports

    private func countUntold(_ both: Settlement, _ answered: Set<Int>, _ span: Span) {
        var deduced: Set<Deduced>?
        for (index, statement) in both.statements.enumerated() where statement.isV2 {
            let outcome = both.outcomes[index]
            guard outcome.disposition == .event || outcome.disposition == .unmapped, !answered.contains(index) else {
                continue
            }
            let known = deduced ?? self.deduced()
            deduced = known
            let key = Deduced(pair: alone.table.events.today(statement.pair), transaction: statement.transaction)
            tally.count(
                AgreementTally.Unmatched(
                    type: -1, pair: statement.pair, month: statement.month, isInside: span.contains(statement),
                    isDeduced: known.contains(key)))
        }
    }

    private struct Deduced: Hashable {
        var pair: Int
        var transaction: UInt64
    }

    /// What `--infer all` would add to the V1 records.
    private func deduced() -> Set<Deduced> {
        var found: Set<Deduced> = []
        for event in Deduction.events(of: alone, .all, by: ViewClock(alone.latestTime)) {
            let rule = SilentTable.current.rules[event.rule]
            guard let pair = rule.pair else { continue }
            found.insert(Deduced(pair: alone.table.events.today(pair), transaction: event.transaction.row.transaction))
        }
        return found
    }

    /// From the first to the last notification of one version.
    private struct Span {
        private var range: ClosedRange<Int64>?

        init(_ settlement: Settlement, isV2: Bool) {
            for statement in settlement.statements where statement.isV2 == isV2 {
                let known = range ?? statement.time...statement.time
                range = min(known.lowerBound, statement.time)...max(known.upperBound, statement.time)
            }
        }

        func contains(_ statement: Statement) -> Bool { range?.contains(statement.time) ?? false }
    }
}

extension Statement {
    /// The month in which it counts; 0 for no date.
    fileprivate var month: Int { time < CivilTime.earliest ? 0 : CivilTime.month(time) }
}
