/// Finds which deliveries report the same happening: the explanation of a cluster of deliveries that has the least
/// total penalty.
///
/// Each delivery of V1 reports a happening of its own, is an earlier delivery sent again, or reports what a V2
/// notification reports. Each of these has a penalty, and so has an order of happenings in which something is missing:
/// nobody chooses what is chosen already. The penalties are data (`penalty_…` in `Mappings/v1-to-v2.json`).
///
///     monthly   09:20:22
///     monthly   09:20:25                                delivered again would be 3 seconds later
///     yearly    09:20:26
///     yearly    09:39:16     at no hour of a retry      →  monthly, yearly (late), monthly, yearly
///
/// What is decided of a delivery is clear only if no explanation within the margin disagrees. The search is exact, by
/// branch and bound, for at most ``most`` deliveries and ``mostSteps`` steps; beyond that it takes the best explanation
/// that it found or that a beam search finds, whichever is better, and nothing is clear.
struct Association {
    /// What the time of a delivery is.
    enum Clock {
        /// V1 that was received then and says nothing of when it happened.
        case received
        /// V1 that says when it happened.
        case dated
        /// V1 of which a lower bound is known.
        case undated
        /// V2 that was signed then.
        case signed
    }

    /// States that change back and forth, so that the same twice in a row means that something is missing.
    enum Chain: UInt64 {
        case plans = 1
        case switches, refunds
    }

    struct Delivery {
        /// What deliveries of one notification have in common.
        var text: UInt64
        /// What only deliveries of one attempt have in common.
        var detail: UInt64 = 0
        var at: Int64
        var clock: Clock
        var chain: Chain?
        /// The state that it reports, of its chain; a plan may have an offer.
        var state: UInt64
        var offer = TimelineID.none
        /// Whether equal texts may follow each other: a question that the store asks again and again.
        var isAskedAgain = false
        /// Whether it happens once to a transaction.
        var isOnce = false
        /// The V2 deliveries that may report the same, and the penalty of reading it so.
        var beside: [(signed: Int, penalty: Penalty)] = []
    }

    /// What a dated body shows to be in force.
    struct Snapshot {
        var at: Int64
        var state: UInt64
        var chain = Chain.plans
        /// Whether the store may have gone back to it by itself, as when renewal is off.
        var mayBeAutomatic = false
        /// Whether it was in force then, and not only said to be by what was signed late.
        var isInForce = true
    }

    /// How unlikely something is; of equal ones, that is better whose times are less apart.
    struct Penalty: Comparable {
        var terms: Int64
        var apart: Int64 = 0

        static func + (one: Penalty, other: Penalty) -> Penalty {
            Penalty(terms: one.terms + other.terms, apart: one.apart + other.apart)
        }

        static func < (one: Penalty, other: Penalty) -> Bool {
            (one.terms, one.apart) < (other.terms, other.apart)
        }
    }

    /// What became of one delivery.
    struct Match: Equatable {
        /// The delivery that reported it before, or the V2 notification that reports it too; `nil` for a happening of
        /// its own.
        var first: Int?
        /// Whether every other explanation is clearly less likely.
        var isClear: Bool
    }

    /// What one delivery is in an explanation.
    enum Step: Equatable {
        /// It happened at an instant, and was sent first at another one.
        case own(at: Int64, triedAt: Int64)
        case again(of: Int)
        case beside(Int)

        /// When it happened, of a happening of its own.
        var instant: Int64? { if case .own(let at, _) = self { at } else { nil } }
    }

    /// In the order of time.
    let deliveries: [Delivery]
    var snapshots: [Snapshot] = []
    /// The plan in force before the first choice.
    var initial: UInt64?
    /// When the transaction began, and the next one, about which the choices would have been from then on.
    var period = Int64.min..<Int64.max
    let parameters: Parameters
    /// The sandbox delivers once.
    var isSandbox = false

    /// More than this are cut where the pause between two of them is longest.
    static let most = 16
    private static let mostSteps = 5_000
    private static let beamWidth = 24
    /// Of a part that was cut.
    private static let mostStepsOfPart = 64

    init(_ deliveries: [Delivery], _ parameters: Parameters) {
        self.deliveries = deliveries
        self.parameters = parameters
    }

    /// What became of each delivery.
    func matches() -> [Match] { matches(deliveries.indices, Self.mostSteps) }

    private func matches(_ range: Range<Int>, _ steps: Int) -> [Match] {
        guard range.count > Self.most else {
            var search = Search(self, range, steps)
            return search.matches()
        }
        let middle = (range.lowerBound + range.count / 4)..<(range.upperBound - range.count / 4)
        let cut = middle.max { pause(before: $0) < pause(before: $1) } ?? middle.lowerBound
        let parts = [range.lowerBound..<cut, cut..<range.upperBound].flatMap { matches($0, Self.mostStepsOfPart) }
        return parts.map { Match(first: $0.first, isClear: false) }
    }

    /// The steps that have the least total penalty; `nil` if there are too many to compare.
    func explanation() -> (penalty: Penalty, steps: [Step])? {
        guard deliveries.count <= Self.most else { return nil }
        var search = Search(self, deliveries.indices, Self.mostSteps)
        return search.explanation()
    }

    private func pause(before index: Int) -> Int64 { deliveries[index].at - deliveries[index - 1].at }

    // MARK: What a delivery may be

    /// What a delivery may be, and how unlikely that is.
    typealias Option = (step: Step, penalty: Penalty)

    /// Consecutive deliveries that are compared, with what is computed once for all explanations.
    struct Part {
        let range: Range<Int>
        /// Whether some of them are of version 2.
        let isSigned: Bool
        /// For each delivery the explanations in which it arrived late, without the penalty for repeating nothing.
        let late: [[Option]]
        /// For each delivery the V2 deliveries that it is the last possible match of: unmatched by then, they are unpaired.
        let lastMatchOf: [[Int]]
        /// For each delivery the earliest instant of a change that it, or one after it, may report; one entry more at the
        /// end, the greatest number.
        let earliest: [Int64]

        init(_ association: Association, _ range: Range<Int>? = nil) {
            let range = range ?? association.deliveries.indices
            self.range = range
            isSigned = association.deliveries[range].contains { $0.clock == .signed }
            late = range.map { association.lateOptions(association.deliveries[$0], range) }
            var lastOf = [[Int]](repeating: [], count: range.count)
            for signed in range where association.deliveries[signed].clock == .signed {
                let last = range.last { index in
                    index == signed || association.deliveries[index].beside.contains { $0.signed == signed }
                }
                if let last { lastOf[last - range.lowerBound].append(signed) }
            }
            lastMatchOf = lastOf
            var earliest = [Int64](repeating: .max, count: range.count + 1)
            for (offset, index) in range.enumerated().reversed() {
                let instants = late[offset].map { $0.step.instant ?? .max }
                // What V2 reports too had happened by the time the V1 delivery came.
                let besides = range.filter { other in
                    association.deliveries[other].beside.contains { $0.signed == index }
                }
                let all = instants + (besides + [index]).map { association.deliveries[$0].at }
                earliest[offset] = all.reduce(earliest[offset + 1], min)
            }
            self.earliest = earliest
        }
    }

    /// What a delivery may be, with the penalty of each, the least first.
    ///
    /// - Parameters:
    ///   - part: The deliveries that are compared.
    ///   - taken: The steps of the deliveries so far; the options are those of the next one.
    /// - Returns: At least one.
    func options(in part: Part, after taken: [Step]) -> [Option] {
        let delivery = deliveries[part.range.lowerBound + taken.count]
        let own = Step.own(at: delivery.at, triedAt: delivery.at)
        // The penalty for what is unpaired is added as soon as that is certain, so that the search is cut early.
        let unpaired = part.lastMatchOf[taken.count].filter { !taken.contains(.beside($0)) }
        guard delivery.clock != .signed else {
            return [(own, Penalty(terms: Int64(unpaired.count) * parameters.penalties.unpaired))]
        }
        let (repeats, novelty) = repeats(delivery, of: taken, from: part.range.lowerBound)
        let terms = Penalty(terms: novelty + (part.isSigned ? parameters.penalties.unpaired : 0))
        var found: [Option] = [(own, terms)]
        for (step, penalty) in part.late[taken.count] { found.append((step, terms + penalty)) }
        found += repeats
        if period.upperBound <= delivery.at, found.count > 1 { found.removeFirst() }
        for (signed, penalty) in delivery.beside where !taken.contains(.beside(signed)) {
            found.append((.beside(signed), penalty))
        }
        for index in found.indices where !unpaired.isEmpty {
            let open = unpaired.count { found[index].step != .beside($0) }
            found[index].penalty.terms += Int64(open) * parameters.penalties.unpaired
        }
        return found.sorted { $0.penalty < $1.penalty }
    }

    /// The deliveries of the same text before one that it may repeat, and how unlikely it is that it repeats none.
    private func repeats(
        _ delivery: Delivery, of taken: [Step], from start: Int
    ) -> (repeats: [Option], novelty: Int64) {
        var found: [Option] = []
        var novelty = delivery.isOnce && !delivery.beside.isEmpty ? parameters.penalties.untold : 0
        for (offset, step) in taken.enumerated() where deliveries[start + offset].text == delivery.text {
            let first = deliveries[start + offset]
            novelty = max(novelty, noveltyPenalty(delivery, first))
            var tried = first.at
            switch step {
            case .again: continue
            case .own(_, let triedAt): tried = triedAt
            case .beside: break
            }
            if let penalty = againPenalty(delivery, first, triedAt: tried) {
                found.append((.again(of: start + offset), Penalty(terms: penalty)))
            }
        }
        return (found, novelty)
    }

    /// A happening that is reported late, right before whatever came between: any instant between two of these gives
    /// the same result.
    private func lateOptions(_ delivery: Delivery, _ range: Range<Int>) -> [Option] {
        guard delivery.chain != nil, delivery.clock == .received else { return [] }
        let penalties = parameters.penalties
        let received = delivery.at
        var found: [Option] = []
        let others = deliveries[range].map(\.at) + snapshots.map(\.at) + [period.upperBound]
        func add(_ time: Range<Int64>, triedAt tried: Int64, _ penalty: Int64) {
            for instant in Set(others.filter(time.contains)).sorted(by: >) where period.contains(instant - 1) {
                found.append((.own(at: instant - 1, triedAt: tried), Penalty(terms: penalty)))
            }
        }
        let atOnce = received - parameters.signedAtOnce
        let minutes = received - parameters.attemptSlack
        add(atOnce..<received, triedAt: received, penalties.outOfOrder)
        add(minutes..<atOnce, triedAt: received, penalties.late)
        add(minutes - parameters.lateDelivery..<minutes, triedAt: received, penalties.atRetry)
        guard !isSandbox else { return found }
        for attempt in parameters.deliveryAttempts where attempt > 0 && period.contains(received - attempt) {
            let tried = received - attempt
            found.append((.own(at: tried, triedAt: tried), Penalty(terms: penalties.atRetry)))
            add(tried - parameters.attemptSlack..<tried, triedAt: tried, penalties.atRetry)
        }
        return found
    }

    /// How unlikely it is that a delivery reports a happening of its own, after another one of the same text.
    private func noveltyPenalty(_ delivery: Delivery, _ first: Delivery) -> Int64 {
        let distance = delivery.at - first.at
        let isAttempt = !isSandbox && delivery.clock == .received && parameters.isAttempt(distance)
        let coincidence = isAttempt ? parameters.penalties.coincidence : 0
        if delivery.chain != nil { return coincidence }
        if delivery.isAskedAgain {
            // The two bodies are equal and have no time.
            if delivery.clock == .undated, delivery.detail == first.detail { return parameters.penalties.untold }
            return distance <= parameters.attemptSlack ? parameters.penalties.coincidence : coincidence
        }
        return againPenalty(delivery, first, triedAt: first.at) == nil ? 0 : coincidence + parameters.penalties.untold
    }

    /// How unlikely it is that a delivery is another one that comes again; `nil` if it is not.
    private func againPenalty(_ delivery: Delivery, _ first: Delivery, triedAt tried: Int64) -> Int64? {
        let penalties = parameters.penalties
        guard delivery.clock == .received, first.clock == .received else {
            return delivery.detail == first.detail ? penalties.atRetry : nil
        }
        let distance = delivery.at - first.at
        if !isSandbox, isAttempt(delivery.at, after: first.at, triedAt: tried) {
            return penalties.again
        }
        guard delivery.detail == first.detail else { return nil }
        if isSandbox { return distance <= parameters.sameTimeSandbox ? penalties.keptTwice : nil }
        if distance <= parameters.attemptSlack { return penalties.keptTwice }
        return distance <= parameters.deliveryHorizon ? penalties.atOddHours : nil
    }

    /// Whether a delivery comes at an hour at which another one is tried again.
    private func isAttempt(_ received: Int64, after before: Int64, triedAt tried: Int64) -> Bool {
        parameters.deliveryAttempts.contains { attempt in
            let late = received - tried - attempt
            return tried + attempt > before && -parameters.attemptEarly...parameters.attemptSlack ~= late
        }
    }

    // MARK: What the order says

    /// How unlikely it is that these happened one after the other, and led to what bodies show, before an instant.
    func orderPenalty(_ taken: [Step], from start: Int = 0, before end: Int64 = .max) -> Penalty {
        var (changes, snapshots) = changes(taken, from: start, before: end)
        // Usually they are in order; sorting them always took a third of the search.
        if !zip(changes, changes.dropFirst()).allSatisfy(<) { changes.sort() }
        var states = States()
        if let initial { states.plans = (initial, TimelineID.none) }
        var terms: Int64 = 0
        for change in changes {
            let snapshot = change.index - deliveries.count
            terms +=
                snapshot < 0 ? penalty(ofChoiceAt: change.index, &states) : penalty(of: snapshots[snapshot], &states)
        }
        return Penalty(terms: terms)
    }

    /// A change of what changes back and forth, or what a body shows of it.
    private struct Change: Comparable {
        var at: Int64
        /// The index of the delivery; snapshots are numbered after all deliveries, so that they come last at one instant.
        var index: Int

        static func < (one: Change, other: Change) -> Bool {
            one.at != other.at ? one.at < other.at : one.index < other.index
        }
    }

    /// What each kind of choice was last.
    private struct States {
        var plans, switches, refunds: (state: UInt64, offer: UInt64)?

        subscript(chain: Chain) -> (state: UInt64, offer: UInt64)? {
            get {
                switch chain {
                case .plans: plans
                case .switches: switches
                case .refunds: refunds
                }
            }
            set {
                switch chain {
                case .plans: plans = newValue
                case .switches: switches = newValue
                case .refunds: refunds = newValue
                }
            }
        }
    }

    /// When what changes back and forth was changed before an instant, and what bodies show of it.
    private func changes(
        _ taken: [Step], from start: Int, before end: Int64
    ) -> (changes: [Change], snapshots: [Snapshot]) {
        var (changes, snapshots) = ([Change](), snapshots)
        changes.reserveCapacity(taken.count + snapshots.count)
        for (number, snapshot) in snapshots.enumerated() where snapshot.at < end {
            changes.append(Change(at: snapshot.at, index: deliveries.count + number))
        }
        for case (let offset, .own(var at, _)) in taken.enumerated() where deliveries[start + offset].chain != nil {
            let index = start + offset
            if deliveries[index].clock == .signed, let other = taken.firstIndex(of: .beside(index)) {
                if let snapshot = snapshot(of: index, at: at, beside: start + other), snapshot.at < end {
                    changes.append(Change(at: snapshot.at, index: deliveries.count + snapshots.count))
                    snapshots.append(snapshot)
                }
                // What was received or dated before it was signed had happened by then.
                if deliveries[start + other].clock != .undated { at = min(at, deliveries[start + other].at) }
            }
            if at < end { changes.append(Change(at: at, index: index)) }
        }
        return (changes, snapshots)
    }

    /// What is reported at two times was so at both, unless it was only delivered late.
    private func snapshot(of index: Int, at instant: Int64, beside other: Int) -> Snapshot? {
        guard let chain = deliveries[index].chain, deliveries[other].clock != .undated else { return nil }
        let received = deliveries[other].at
        let apart = received - instant
        let isDelivery = deliveries[other].clock == .received && 0...parameters.deliveryHorizon ~= apart
        if isDelivery || abs(apart) <= parameters.signedAtOnce { return nil }
        return Snapshot(at: max(instant, received), state: deliveries[index].state, chain: chain, isInForce: false)
    }

    /// How unlikely it is that what is so already is chosen again.
    private func penalty(ofChoiceAt index: Int, _ states: inout States) -> Int64 {
        guard let chain = deliveries[index].chain else { return 0 }
        let next = (state: deliveries[index].state, offer: deliveries[index].offer)
        let isSame = states[chain].map { $0 == next } ?? false
        states[chain] = next
        return isSame ? parameters.penalties.untold : 0
    }

    /// How unlikely it is that a body shows something other than what was chosen last.
    private func penalty(of snapshot: Snapshot, _ states: inout States) -> Int64 {
        guard let before = states[snapshot.chain], before.state != snapshot.state else { return 0 }
        if snapshot.isInForce { states[snapshot.chain] = (snapshot.state, TimelineID.none) }
        return snapshot.mayBeAutomatic ? parameters.penalties.late : parameters.penalties.untold
    }
}

extension Association {
    /// Looks for the explanation of a range of deliveries that has the least penalty, and for those close to it.
    private struct Search {
        private let association: Association
        private let part: Part
        private let mostSteps: Int
        private var steps = 0
        private var taken: [Step] = []
        private var best: (penalty: Penalty, steps: [Step])?
        /// `least[n][0]` is the least penalty if delivery n repeats nothing, `least[n][k + 1]` if it repeats delivery k.
        private var least: [[Int64]]

        init(_ association: Association, _ range: Range<Int>, _ mostSteps: Int) {
            (self.association, part, self.mostSteps) = (association, Part(association, range), mostSteps)
            least = Array(repeating: Array(repeating: .max, count: range.count + 1), count: range.count)
        }

        /// The column of a decision in ``least``.
        private func column(of first: Int?) -> Int { first.map { $0 - part.range.lowerBound + 1 } ?? 0 }

        /// The best explanation; only the best one found where there are too many.
        mutating func explanation() -> (penalty: Penalty, steps: [Step])? {
            search(Penalty(terms: 0))
            // Parts of a cut cluster are too many for that: 20,000 choices of one subscription would take 2 s, not 1.
            guard steps >= mostSteps, mostSteps > Association.mostStepsOfPart, let likely = beam() else { return best }
            if best.map({ likely.penalty < $0.penalty }) ?? true { best = likely }
            return best
        }

        /// Finds a likely explanation by a beam search: of each length it keeps the ``beamWidth`` likeliest prefixes.
        private func beam() -> (penalty: Penalty, steps: [Step])? {
            typealias Prefix = (steps: [Step], penalty: Penalty, bound: Penalty)
            var prefixes: [Prefix] = [([], Penalty(terms: 0), Penalty(terms: 0))]
            for _ in part.range {
                var longer: [Prefix] = []
                for (steps, penalty, _) in prefixes {
                    for (step, more) in options(after: steps) {
                        longer.append((steps + [step], penalty + more, lowerBound(penalty + more, steps + [step])))
                    }
                }
                prefixes = Array(longer.sorted { $0.bound < $1.bound }.prefix(Association.beamWidth))
            }
            return prefixes.first.map { ($0.bound, $0.steps) }
        }

        private func options(after steps: [Step]) -> [Option] {
            association.options(in: part, after: steps).filter { step, _ in
                if case .beside(let signed) = step { part.range.contains(signed) } else { true }
            }
        }

        /// A lower bound for every explanation that begins with these steps: their penalty, and that of the order before
        /// the first instant that a later delivery may change.
        private func lowerBound(_ penalty: Penalty, _ steps: [Step]) -> Penalty {
            penalty
                + association.orderPenalty(
                    steps, from: part.range.lowerBound, before: part.earliest[steps.count])
        }

        mutating func matches() -> [Match] {
            guard let best = explanation() else { return part.range.map { _ in Match(first: nil, isClear: false) } }
            let isExhaustive = steps < mostSteps
            return Association.firsts(best.steps, from: part.range.lowerBound).enumerated().map { index, first in
                least[index][column(of: first)] = .max
                let isRivalled = least[index].contains { $0 < limit }
                return Match(first: first, isClear: isExhaustive && !isRivalled)
            }
        }

        /// From here on an explanation is clearly less likely than the best one.
        private var limit: Int64 {
            best.map { $0.penalty.terms + association.parameters.penalties.clear } ?? .max
        }

        private mutating func search(_ penalty: Penalty) {
            // Each step looks at all snapshots.
            steps += 1 + association.snapshots.count / 8
            guard penalty.terms < limit, steps < mostSteps || best == nil else { return }
            let bound = lowerBound(penalty, taken)
            guard bound.terms < limit else { return }
            guard taken.count < part.range.count else { return conclude(bound) }
            for (step, more) in options(after: taken) {
                taken.append(step)
                search(penalty + more)
                taken.removeLast()
            }
        }

        private mutating func conclude(_ penalty: Penalty) {
            for offset in taken.indices {
                let column = column(of: Association.first(taken, offset, from: part.range.lowerBound))
                least[offset][column] = min(least[offset][column], penalty.terms)
            }
            if let best, best.penalty <= penalty { return }
            best = (penalty, taken)
        }
    }

    /// What each step says that a delivery repeats, in the end.
    static func firsts(_ steps: [Step], from start: Int = 0) -> [Int?] {
        steps.indices.map { first(steps, $0, from: start) }
    }

    private static func first(_ steps: [Step], _ offset: Int, from start: Int) -> Int? {
        switch steps[offset] {
        case .own: nil
        case .beside(let signed): signed
        case .again(let first):
            if case .beside(let signed) = steps[first - start] { signed } else { first }
        }
    }
}
