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
/// found, and nothing is clear.
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
    struct Sight {
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
    struct Verdict: Equatable {
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
    }

    /// In the order of time.
    let deliveries: [Delivery]
    var sights: [Sight] = []
    /// The plan in force before the first choice.
    var initial: UInt64?
    /// When the transaction began, and the next one, about which the choices would have been from then on.
    var period = Int64.min..<Int64.max
    let parameters: Parameters
    /// The sandbox delivers once.
    var isSandbox = false
    /// Whether much else of the subscription was received at retries too.
    var isOftenTriedAgain = false

    /// More than this are cut where the pause between two of them is longest.
    static let most = 16
    private static let mostSteps = 20_000
    /// Of a part that was cut.
    private static let mostStepsOfPart = 64

    init(_ deliveries: [Delivery], _ parameters: Parameters) {
        self.deliveries = deliveries
        self.parameters = parameters
    }

    /// What became of each delivery.
    func verdicts() -> [Verdict] { verdicts(deliveries.indices, Self.mostSteps) }

    private func verdicts(_ range: Range<Int>, _ steps: Int) -> [Verdict] {
        guard range.count > Self.most else {
            var search = Search(self, range, steps)
            return search.verdicts()
        }
        let middle = (range.lowerBound + range.count / 4)..<(range.upperBound - range.count / 4)
        let cut = middle.max { pause(before: $0) < pause(before: $1) } ?? middle.lowerBound
        let parts = [range.lowerBound..<cut, cut..<range.upperBound].flatMap { verdicts($0, Self.mostStepsOfPart) }
        return parts.map { Verdict(first: $0.first, isClear: false) }
    }

    /// The steps that have the least total penalty; `nil` if there are too many to compare.
    func explanation() -> (penalty: Penalty, steps: [Step])? {
        guard deliveries.count <= Self.most else { return nil }
        var search = Search(self, deliveries.indices, Self.mostSteps)
        return search.explanation()
    }

    private func pause(before place: Int) -> Int64 { deliveries[place].at - deliveries[place - 1].at }

    // MARK: What a delivery may be

    /// What a delivery may be, with the penalty of each, the least first.
    ///
    /// - Parameters:
    ///   - place: The delivery.
    ///   - taken: What the deliveries of the cluster before it are.
    ///   - range: The deliveries that are compared; `nil` for all.
    ///   - isSigned: Whether some of these are of version 2; `nil` where the caller does not know it.
    /// - Returns: At least one.
    func options(
        _ place: Int, after taken: [Step], in range: Range<Int>? = nil, isSigned: Bool? = nil
    ) -> [(step: Step, penalty: Penalty)] {
        let delivery = deliveries[place]
        let range = range ?? deliveries.indices
        let own = Step.own(at: delivery.at, triedAt: delivery.at)
        guard delivery.clock != .signed else { return [(own, Penalty(terms: 0))] }
        let (repeats, novelty) = repeats(delivery, of: taken, from: range.lowerBound)
        let isSigned = isSigned ?? deliveries[range].contains { $0.clock == .signed }
        // Counted here, and not with the order, so that the search ends soon where both versions report everything.
        let terms = novelty + (isSigned ? parameters.penalties.unpaired : 0)
        var found: [(step: Step, penalty: Penalty)] = [(own, Penalty(terms: terms))]
        if delivery.clock == .received { found += lateOptions(delivery, terms, range) }
        found += repeats
        if period.upperBound <= delivery.at, found.count > 1 { found.removeFirst() }
        for (signed, penalty) in delivery.beside where !taken.contains(.beside(signed)) {
            found.append((.beside(signed), penalty))
        }
        return found.sorted { $0.penalty < $1.penalty }
    }

    /// The deliveries of the same text before one that it may repeat, and how unlikely it is that it repeats none.
    private func repeats(
        _ delivery: Delivery, of taken: [Step], from start: Int
    ) -> (repeats: [(step: Step, penalty: Penalty)], novelty: Int64) {
        var found: [(step: Step, penalty: Penalty)] = []
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
    private func lateOptions(
        _ delivery: Delivery, _ novelty: Int64, _ range: Range<Int>
    ) -> [(step: Step, penalty: Penalty)] {
        guard delivery.chain != nil else { return [] }
        let penalties = parameters.penalties
        let received = delivery.at
        let atRetry = isOftenTriedAgain ? penalties.atRetryOften : penalties.atRetry
        var found: [(step: Step, penalty: Penalty)] = []
        let others = deliveries[range].map(\.at) + sights.map(\.at) + [period.upperBound]
        func add(_ time: Range<Int64>, triedAt tried: Int64, _ penalty: Int64) {
            for instant in Set(others.filter(time.contains)).sorted(by: >) where period.contains(instant - 1) {
                found.append((.own(at: instant - 1, triedAt: tried), Penalty(terms: novelty + penalty)))
            }
        }
        let atOnce = received - parameters.signedAtOnce
        let minutes = received - parameters.attemptSlack
        add(atOnce..<received, triedAt: received, penalties.outOfOrder)
        add(minutes..<atOnce, triedAt: received, penalties.late)
        add(minutes - parameters.lateDelivery..<minutes, triedAt: received, atRetry)
        guard !isSandbox else { return found }
        for attempt in parameters.deliveryAttempts where attempt > 0 && period.contains(received - attempt) {
            let tried = received - attempt
            found.append((.own(at: tried, triedAt: tried), Penalty(terms: novelty + atRetry)))
            add(tried - parameters.attemptSlack..<tried, triedAt: tried, atRetry)
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
            return isOftenTriedAgain ? penalties.againOften : penalties.again
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

    /// How unlikely it is that these happened one after the other, led to what bodies show, and were reported by version 2
    /// only.
    func orderPenalty(_ taken: [Step], from start: Int = 0) -> Penalty {
        var (made, shown, total) = happenings(taken, from: start)
        made += shown.indices.map { (shown[$0].at, deliveries.count + $0) }
        made.sort { ($0.at, $0.place) < ($1.at, $1.place) }
        var states: States = [:]
        if let initial { states[.plans] = (initial, TimelineID.none) }
        for (_, place) in made {
            let isMade = place < deliveries.count
            total.terms +=
                isMade ? penalty(of: deliveries[place], &states) : penalty(of: shown[place - deliveries.count], &states)
        }
        return total
    }

    /// What each kind of choice was last.
    private typealias States = [Chain: (state: UInt64, offer: UInt64)]

    /// When what changes back and forth was changed, by the places of the deliveries; what bodies show of it, and what it
    /// costs that version 2 reports something alone.
    private func happenings(
        _ taken: [Step], from start: Int
    ) -> (made: [(at: Int64, place: Int)], shown: [Sight], penalty: Penalty) {
        var beside: [Int: Int] = [:]
        for case (let offset, .beside(let signed)) in taken.enumerated() { beside[signed] = start + offset }
        var (made, shown, penalty): ([(at: Int64, place: Int)], [Sight], Penalty) = ([], sights, Penalty(terms: 0))
        for case (let offset, .own(var at, _)) in taken.enumerated() {
            let delivery = deliveries[start + offset]
            if delivery.clock == .signed, let other = beside[start + offset].map({ deliveries[$0] }) {
                if let sight = sight(of: delivery, at: at, beside: other) { shown.append(sight) }
                // What was received or dated before it was signed had happened by then.
                if other.clock != .undated { at = min(at, other.at) }
            } else if delivery.clock == .signed {
                penalty.terms += parameters.penalties.unpaired
            }
            if delivery.chain != nil { made.append((at, start + offset)) }
        }
        return (made, shown, penalty)
    }

    /// What is reported at two times was so at both, unless it was only delivered late.
    private func sight(of delivery: Delivery, at instant: Int64, beside other: Delivery) -> Sight? {
        guard let chain = delivery.chain, other.clock != .undated else { return nil }
        let apart = other.at - instant
        let isDelivery = other.clock == .received && 0...parameters.deliveryHorizon ~= apart
        if isDelivery || abs(apart) <= parameters.signedAtOnce { return nil }
        return Sight(at: max(instant, other.at), state: delivery.state, chain: chain, isInForce: false)
    }

    /// How unlikely it is that what is so already is chosen again.
    private func penalty(of delivery: Delivery, _ states: inout States) -> Int64 {
        guard let chain = delivery.chain else { return 0 }
        let next = (state: delivery.state, offer: delivery.offer)
        let isSame = states[chain].map { $0 == next } ?? false
        states[chain] = next
        return isSame ? parameters.penalties.untold : 0
    }

    /// How unlikely it is that a body shows something other than what was chosen last.
    private func penalty(of sight: Sight, _ states: inout States) -> Int64 {
        guard let before = states[sight.chain], before.state != sight.state else { return 0 }
        if sight.isInForce { states[sight.chain] = (sight.state, TimelineID.none) }
        return sight.mayBeAutomatic ? parameters.penalties.late : parameters.penalties.untold
    }
}

extension Association {
    /// Looks for the explanation of a range of deliveries that has the least penalty, and for those close to it.
    private struct Search {
        private let association: Association
        private let range: Range<Int>
        private let mostSteps: Int
        private let isSigned: Bool
        private var steps = 0
        private var taken: [Step] = []
        private var best: (penalty: Penalty, steps: [Step])?
        /// The least terms of the explanations with each decision of each delivery.
        private var least: [[Int?: Int64]]

        init(_ association: Association, _ range: Range<Int>, _ mostSteps: Int) {
            (self.association, self.range, self.mostSteps) = (association, range, mostSteps)
            isSigned = association.deliveries[range].contains { $0.clock == .signed }
            least = Array(repeating: [:], count: range.count)
        }

        /// The best explanation; only the best one found where there are too many.
        mutating func explanation() -> (penalty: Penalty, steps: [Step])? {
            search(Penalty(terms: 0))
            return best
        }

        mutating func verdicts() -> [Verdict] {
            guard let best = explanation() else { return range.map { _ in Verdict(first: nil, isClear: false) } }
            let isExhaustive = steps < mostSteps
            return Association.firsts(best.steps, from: range.lowerBound).enumerated().map { place, first in
                let isRivalled = least[place].contains { $0.key != first && $0.value < limit }
                return Verdict(first: first, isClear: isExhaustive && !isRivalled)
            }
        }

        /// From here on an explanation is clearly less likely than the best one.
        private var limit: Int64 {
            best.map { $0.penalty.terms + association.parameters.penalties.clear } ?? .max
        }

        private mutating func search(_ penalty: Penalty) {
            // Each step looks at all sights.
            steps += 1 + association.sights.count / 8
            guard penalty.terms < limit, steps < mostSteps || best == nil else { return }
            guard taken.count < range.count else {
                conclude(penalty + association.orderPenalty(taken, from: range.lowerBound))
                return
            }
            let place = range.lowerBound + taken.count
            for (step, more) in association.options(place, after: taken, in: range, isSigned: isSigned) {
                if case .beside(let signed) = step, !range.contains(signed) { continue }
                taken.append(step)
                search(penalty + more)
                taken.removeLast()
            }
        }

        private mutating func conclude(_ penalty: Penalty) {
            for (place, first) in Association.firsts(taken, from: range.lowerBound).enumerated() {
                least[place][first] = min(least[place][first] ?? .max, penalty.terms)
            }
            if let best, best.penalty <= penalty { return }
            best = (penalty, taken)
        }
    }

    /// What each step says that a delivery repeats, in the end.
    static func firsts(_ steps: [Step], from start: Int = 0) -> [Int?] {
        steps.map { step in
            switch step {
            case .own: nil
            case .beside(let signed): signed
            case .again(let first):
                if case .beside(let signed) = steps[first - start] { signed } else { first }
            }
        }
    }
}
