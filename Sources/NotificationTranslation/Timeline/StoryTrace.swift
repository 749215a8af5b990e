/// Finds which neighbours decided what the notifications of a subscription became; for people to read.
///
/// The answer is found by asking again without them: a notification was decided by its neighbours if it becomes
/// something else alone, and those that decided are the smallest set with which it becomes the same. Nothing of the
/// settlement itself is written down for this, so settling an archive costs nothing more:
///
///     RENEWAL, alone                    →  an event of its own, PARTNER_MISSING
///     RENEWAL beside DID_RECOVER        →  companion            ←  decided by the DID_RECOVER
///     RENEWAL with all ten others       →  companion
package final class StoryTrace {
    /// What is known of one notification.
    package struct Finding: Sendable {
        /// A fact that the rules of its type ask for.
        package struct Answer: Sendable {
            /// The fact's name.
            package var fact: String
            package var value: String
            /// The value by the body alone, where it is another.
            package var alone: String?
        }

        /// Which of the subscriptions that share the key it belongs to.
        package var part = 0
        /// When its event counts as having happened, in milliseconds since 1970.
        package var time: Int64 = 0
        /// Its position in the order of events; it decides among those of one instant.
        package var position = 0
        /// The event it is part of, or the delivery that it repeats; `nil` for none.
        package var leader: Int?
        /// The neighbours that decided; empty where the body did, and where nobody looked.
        package var decidedBy: [Int] = []
        /// The neighbours that decided what it says about access.
        package var accessDecidedBy: [Int] = []
        /// The answers of Apple's on which it rests, by their indices, and the fields of them that decided.
        package var answers: [(index: Int, fields: [String])] = []
        /// Whether neighbours were not looked for, as there are too many.
        package var isUntraced = false
        /// An earlier notification of the same canonical text that reports another event.
        package var sameText: Int?
        /// What it would be if it were alone: a pair, or `nil` for a companion; and how sure that would be.
        package var alone: (pair: NotificationPair, certainty: Certainty)?
        /// The facts that the rules of the type ask for, in the order of the table.
        package var facts: [Answer] = []

        /// A finding of nothing.
        package init() {}
    }

    /// How many statements are settled again for one subscription before neighbours are no longer looked for.
    private static let budget = 2_000_000
    /// How many neighbours are tried one by one before the search goes by halves.
    private static let single = 64

    private var main: Settlement
    private var probe: Settlement
    private var spent = 0
    /// Apple's answers about the subscription that is looked into.
    private var answers: [UnsafeRawBufferPointer] = []

    /// - Parameter asOf: What counted as now for it, in milliseconds; `nil` takes the latest time of each subscription.
    package init(asOf: Int64? = nil) {
        let table = DecisionTable.current
        main = Settlement(table)
        probe = Settlement(table)
        main.viewEnd = asOf
    }

    /// Looks into the notifications that share a key.
    ///
    /// - Parameters:
    ///   - evidence: Of each notification, in the order of input.
    ///   - answers: Of Apple's answers.
    ///   - guests: Of notifications that name no purchase and may be about this one.
    ///   - first: Places whose neighbours are looked for before those of others.
    /// - Returns: One finding for each, guests after the others.
    package func findings(
        _ evidence: [UnsafeRawBufferPointer], answers: [UnsafeRawBufferPointer] = [],
        guests: [UnsafeRawBufferPointer], first: [Int]
    ) -> [Finding] {
        spent = 0
        var findings = [Finding](repeating: Finding(), count: evidence.count + guests.count)
        for (number, part) in Partition.subscriptions(of: evidence + answers).enumerated() {
            let (indices, about) = (part.notifications, part.answers.map { $0 - evidence.count })
            let own = indices.map { evidence[$0] }
            self.answers = about.map { answers[$0] }
            guard main.settle(own, answers: self.answers) else { continue }
            // What is left out for a trial does not end the view.
            probe.viewEnd = max(main.viewEnd ?? .min, main.latestTime)
            for index in own.indices { findings[indices[index]] = plain(index, part: number, indices) }
            let wanted = own.indices.sorted { distance(indices[$0], first) < distance(indices[$1], first) }
            for index in wanted { trace(index, own, indices, &findings[indices[index]]) }
            for (index, found) in restingOnAnswers(own) {
                findings[indices[index]].answers = found.map { (about[$0.index], $0.fields) }
            }
            takeGuests(guests, evidence.count, part: number, indices, &findings)
        }
        return findings
    }

    private func distance(_ index: Int, _ indices: [Int]) -> Int { indices.map { abs($0 - index) }.min() ?? index }

    /// What is known without asking again.
    private func plain(_ index: Int, part: Int, _ indices: [Int]) -> Finding {
        let (statement, outcome) = (main.statements[index], main.outcomes[index])
        var finding = Finding()
        finding.part = part
        finding.time = statement.time
        finding.position = main.positions[index]
        if outcome.leader >= 0 { finding.leader = indices[outcome.leader] }
        if outcome.number > 1, outcome.disposition != .duplicate {
            finding.sameText = main.outcomes.indices.first {
                main.outcomes[$0].number == outcome.number - 1 && main.outcomes[$0].disposition != .duplicate
                    && main.statements[$0].id.number == statement.id.number
            }.map { indices[$0] }
        }
        finding.facts = facts(statement, outcome)
        return finding
    }

    private func facts(_ statement: Statement, _ outcome: NotificationOutcome) -> [Finding.Answer] {
        guard let decision = outcome.decision, statement.type >= 0 else { return [] }
        let asked = Set(decision.type.rules.flatMap { $0.conditions.map(\.fact) })
        return Fact.allCases.filter { asked.contains($0.index) }.map { fact in
            let (value, alone) = (outcome.facts[fact], statement.facts[fact])
            return Finding.Answer(
                fact: fact.name, value: value, alone: value == alone ? nil : alone)
        }
    }

    private func takeGuests(
        _ guests: [UnsafeRawBufferPointer], _ base: Int, part: Int, _ indices: [Int], _ findings: inout [Finding]
    ) {
        guard !guests.isEmpty else { return }
        var hosted = Guests(main)
        for match in hosted.matches(guests) {
            let leader = hosted.settlement.outcomes[match.index].leader
            guard indices.indices.contains(leader) else { continue }
            findings[base + match.guest].part = part
            findings[base + match.guest].leader = indices[leader]
            findings[base + match.guest].decidedBy = [indices[leader]]
        }
    }

    // MARK: Asking again

    /// What a notification became, as far as neighbours may decide it; a leader by its index in the whole subscription.
    private struct Result: Equatable {
        var disposition: Disposition
        var pair: Int
        var rule: String?
        var certainty: Certainty
        var candidates: [Rule.Answer]
        var leader: Int
    }

    private func result(_ settlement: Settlement, _ index: Int, _ members: [Int]) -> Result {
        let outcome = settlement.outcomes[index]
        let certainty = outcome.decision?.certainty ?? .exact
        return Result(
            disposition: outcome.disposition, pair: outcome.pair, rule: outcome.decision?.rule.id,
            certainty: outcome.limit.map { certainty.atMost($0) } ?? certainty,
            candidates: outcome.decision?.candidates ?? [],
            leader: outcome.leader >= 0 ? members[outcome.leader] : -1)
    }

    private func access(_ settlement: Settlement, _ index: Int) -> Access? {
        SettledAccess(settlement).access(index) ?? settlement.statements[index].access.access
    }

    /// Looks for the neighbours of one notification that decided.
    private func trace(_ index: Int, _ evidence: [UnsafeRawBufferPointer], _ indices: [Int], _ finding: inout Finding) {
        guard spent < Self.budget else {
            finding.isUntraced = true
            return
        }
        let whole = result(main, index, Array(evidence.indices))
        let wholeAccess = access(main, index)
        guard settleAgain([index], evidence) else { return }
        let alone = result(probe, 0, [index])
        let aloneAccess = access(probe, 0)
        if alone != whole, let decision = main.outcomes[index].alone {
            finding.alone = (NotificationPair(decision.answer), decision.certainty)
        }
        guard alone != whole || aloneAccess != wholeAccess else { return }
        let others = neighbours(of: index)
        if alone != whole {
            finding.decidedBy = smallest(others, index, evidence) { settlement, at, members in
                self.result(settlement, at, members) == whole
            }.map { indices[$0] }
        }
        if aloneAccess != wholeAccess, whole.disposition == .event {
            finding.accessDecidedBy = smallest(others, index, evidence) { settlement, at, members in
                self.access(settlement, at) == wholeAccess && self.result(settlement, at, members) == whole
            }.map { indices[$0] }
        }
    }

    /// All others, those first that decide most likely: no repeated deliveries, and near in the order.
    private func neighbours(of index: Int) -> [Int] {
        let positions = main.positions
        let leader = main.outcomes[index].leader
        func weight(_ other: Int) -> (Int, Int) {
            let kind = other == leader ? 0 : main.outcomes[other].disposition == .duplicate ? 2 : 1
            return (kind, abs(positions[other] - positions[index]))
        }
        return main.statements.indices.filter { $0 != index }.sorted { weight($0) < weight($1) }
    }

    /// A set of neighbours none of which can be left out, with which the answer is the right one.
    private func smallest(
        _ others: [Int], _ index: Int, _ evidence: [UnsafeRawBufferPointer],
        _ isRight: (Settlement, Int, [Int]) -> Bool
    ) -> [Int] {
        func holds(_ members: [Int]) -> Bool {
            let all = (members + [index]).sorted()
            guard settleAgain(all, evidence), let at = all.firstIndex(of: index) else { return false }
            return isRight(probe, at, all)
        }
        for other in others.prefix(Self.single) where holds([other]) { return [other] }
        var kept = others
        var size = max(1, kept.count / 2)
        while !kept.isEmpty {
            var end = kept.count
            while end > 0, spent < Self.budget {
                let start = max(0, end - size)
                var trial = kept
                trial.removeSubrange(start..<end)
                if holds(trial) { kept = trial }
                end = start
            }
            if size == 1 || spent >= Self.budget { break }
            size = max(1, size / 2)
        }
        return spent >= Self.budget && kept.count > Self.single
            ? [] : kept.sorted { main.positions[$0] < main.positions[$1] }
    }

    private func settleAgain(_ members: [Int], _ evidence: [UnsafeRawBufferPointer]) -> Bool {
        spent += members.count
        return probe.settle(members.map { evidence[$0] }, answers: answers)
    }

    // MARK: Apple's answers

    /// What a notification became with some answers, as far as these may decide it.
    private struct Answered: Equatable {
        var result: Result
        var access: Access?
        var facts: Facts
        var isCompleted: Bool
    }

    /// The answers on which notifications rest, by their indices: the first that is enough by itself, else all that
    /// change anything.
    private func restingOnAnswers(_ evidence: [UnsafeRawBufferPointer]) -> [Int: [(index: Int, fields: [String])]] {
        guard !answers.isEmpty, let without = answered(evidence, by: []) else { return [:] }
        let singles = answers.prefix(Self.single).map { answered(evidence, by: [$0]) ?? without }
        var found: [Int: [(index: Int, fields: [String])]] = [:]
        for (index, whole) in answered(main).enumerated() where whole != without[index] {
            let enough = singles.firstIndex { $0[index] == whole }
            let used = enough.map { [$0] } ?? singles.indices.filter { singles[$0][index] != without[index] }
            found[index] = used.map { ($0, fields(of: singles[$0][index], without[index])) }
        }
        return found
    }

    private func answered(_ evidence: [UnsafeRawBufferPointer], by answers: [UnsafeRawBufferPointer]) -> [Answered]? {
        spent += evidence.count
        return probe.settle(evidence, answers: answers) ? answered(probe) : nil
    }

    private func answered(_ settlement: Settlement) -> [Answered] {
        let all = Array(settlement.statements.indices)
        return all.map { index in
            Answered(
                result: result(settlement, index, all), access: access(settlement, index),
                facts: settlement.outcomes[index].facts, isCompleted: settlement.completion(index) != nil)
        }
    }

    /// The fields of an answer that say what was not known before.
    private func fields(of answered: Answered, _ before: Answered) -> [String] {
        var fields: [String] = []
        for fact in Fact.allCases where answered.facts[fact.index] != before.facts[fact.index] {
            let field = main.table.answerField(of: fact, answered.facts[fact])
            if let field, !fields.contains(field) { fields.append(field) }
        }
        if answered.access != before.access, !fields.contains("expiresDate") { fields.append("expiresDate") }
        if answered.isCompleted, !before.isCompleted { fields.append("price") }
        return fields
    }
}
