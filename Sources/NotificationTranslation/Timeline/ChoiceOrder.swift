/// Finds which deliveries of a choice of a plan are choices of their own, and which are one delivered again.
///
/// The text of a choice says no time, so the deliveries of one period are judged together. Each may be a choice, made
/// when it was received or at an attempt before that, or another delivery of an earlier one. The most
/// likely explanation is taken; nobody chooses what is chosen already, and dated bodies show what was in force:
///
///     monthly   09:20:22
///     monthly   09:20:25                                delivered again would be 3 seconds later
///     yearly    09:20:26
///     yearly    09:39:16     at no hour of a retry      →  monthly, yearly (late), monthly, yearly
struct ChoiceOrder {
    /// A choice as it was received.
    struct Delivery {
        /// What two deliveries of one choice have in common.
        var text: UInt64
        /// What the next period was to be: product and offer.
        var plan: UInt64
        var offer: UInt64
        var received: Int64
    }

    /// What a dated body shows to be in force.
    struct Sight {
        var at: Int64
        var plan: UInt64
        /// Whether the store may have gone back to it by itself, as when renewal is off.
        var mayBeAutomatic = false
    }

    /// What became of one delivery.
    struct Verdict: Equatable {
        /// The place of the delivery that it repeats; `nil` for a choice of its own.
        var first: Int?
        /// Whether every other explanation is clearly less likely.
        var isClear: Bool
    }

    let deliveries: [Delivery]
    let sights: [Sight]
    /// What is in force before the first choice, and since when.
    let initial: UInt64
    let since: Int64
    /// When the next transaction began, about which the choices would have been from then on.
    let until: Int64
    let parameters: Parameters
    /// The sandbox delivers once.
    let isSandbox: Bool
    /// Whether much else of the subscription was received at retries too.
    let isOftenTriedAgain: Bool

    /// More than this are not judged together.
    static let most = 16
    /// Where a search is given up.
    private static let mostSteps = 20_000

    private enum Step {
        /// Made at an instant, and tried first at another one.
        case own(at: Int64, triedAt: Int64)
        case again(of: Int)
    }

    private var steps = 0
    private var taken: [Step] = []
    private var best = Int64.max
    private var bestSteps: [Step] = []
    /// The least surprise with each delivery as a choice of its own, and as another delivery.
    private var least: [(own: Int64, again: Int64)] = []

    init(
        _ deliveries: [Delivery], sights: [Sight], initial: UInt64, during period: Range<Int64>,
        _ parameters: Parameters, isSandbox: Bool, isOftenTriedAgain: Bool = false
    ) {
        self.deliveries = deliveries
        self.sights = sights
        self.initial = initial
        since = period.lowerBound
        until = period.upperBound
        self.parameters = parameters
        self.isSandbox = isSandbox
        self.isOftenTriedAgain = isOftenTriedAgain
    }

    /// What became of each delivery; `nil` if there are too many to tell.
    mutating func verdicts() -> [Verdict]? {
        guard deliveries.count <= Self.most else { return nil }
        least = Array(repeating: (.max, .max), count: deliveries.count)
        search(0)
        guard steps < Self.mostSteps else { return nil }
        return bestSteps.enumerated().map { place, step in
            switch step {
            case .own: Verdict(first: nil, isClear: least[place].again >= limit)
            case .again(let first): Verdict(first: first, isClear: least[place].own >= limit)
            }
        }
    }

    /// From here on an explanation is clearly less likely than the best one.
    private var limit: Int64 {
        let (limit, overflow) = best.addingReportingOverflow(parameters.choices.clear)
        return overflow ? .max : limit
    }

    private mutating func search(_ surprise: Int64) {
        // Each step looks at all sights.
        steps += 1 + sights.count / 8
        guard surprise < limit, steps < Self.mostSteps else { return }
        let place = taken.count
        guard place < deliveries.count else {
            conclude(surprise + surpriseOfOrder)
            return
        }
        for (step, more) in possible(place) {
            taken.append(step)
            search(surprise + more)
            taken.removeLast()
        }
    }

    private mutating func conclude(_ surprise: Int64) {
        for (place, step) in taken.enumerated() {
            if case .own = step {
                least[place].own = min(least[place].own, surprise)
            } else {
                least[place].again = min(least[place].again, surprise)
            }
        }
        guard surprise < best else { return }
        best = surprise
        bestSteps = taken
    }

    // MARK: What a delivery may be

    private func possible(_ place: Int) -> [(step: Step, surprise: Int64)] {
        let surprises = parameters.choices
        let received = deliveries[place].received
        var found: [(step: Step, surprise: Int64)] = [(.own(at: received, triedAt: received), 0)]
        var coincidence: Int64 = 0
        for first in 0..<place where deliveries[first].text == deliveries[place].text {
            let distance = received - deliveries[first].received
            if !isSandbox, parameters.isAttempt(distance) { coincidence = surprises.coincidence }
            guard case .own(_, let tried) = taken[first] else { continue }
            let isAttempt = !isSandbox && isAttempt(place, after: first, triedAt: tried)
            let surprise = isAttempt ? again : surprise(distance)
            if let surprise { found.append((.again(of: first), surprise)) }
        }
        func add(_ range: Range<Int64>, triedAt tried: Int64, _ surprise: Int64) {
            found += instants(in: range).map { (.own(at: $0, triedAt: tried), surprise) }
        }
        let atOnce = received - parameters.signedAtOnce
        let minutes = received - parameters.attemptSlack
        add(atOnce..<received, triedAt: received, surprises.outOfOrder)
        add(minutes..<atOnce, triedAt: received, surprises.late)
        add(minutes - parameters.lateDelivery..<minutes, triedAt: received, surprises.atRetry)
        if !isSandbox {
            for attempt in parameters.deliveryAttempts where attempt > 0 && received - attempt > since {
                let tried = received - attempt
                found.append((.own(at: tried, triedAt: tried), atRetry))
                add(tried - parameters.attemptSlack..<tried, triedAt: tried, atRetry)
            }
        }
        let left: [(step: Step, surprise: Int64)] = found.compactMap { step, surprise in
            guard case .own(let instant, _) = step else { return (step, surprise) }
            return instant < until ? (step, surprise + coincidence) : nil
        }
        return left.sorted { $0.surprise < $1.surprise }
    }

    private var again: Int64 { isOftenTriedAgain ? parameters.choices.againOften : parameters.choices.again }
    private var atRetry: Int64 { isOftenTriedAgain ? parameters.choices.atRetryOften : parameters.choices.atRetry }

    /// Whether a delivery comes at an hour at which another one is tried again.
    private func isAttempt(_ place: Int, after first: Int, triedAt tried: Int64) -> Bool {
        let (received, before) = (deliveries[place].received, deliveries[first].received)
        return parameters.deliveryAttempts.contains { attempt in
            let late = received - tried - attempt
            return tried + attempt > before && -parameters.attemptEarly...parameters.attemptSlack ~= late
        }
    }

    /// How unlikely it is that a choice comes again after so long, which is at no hour of the retries; `nil` if it does
    /// not.
    private func surprise(_ distance: Int64) -> Int64? {
        if isSandbox { return distance <= parameters.sameTimeSandbox ? parameters.choices.keptTwice : nil }
        if distance <= parameters.attemptSlack { return parameters.choices.keptTwice }
        return distance <= parameters.deliveryHorizon ? parameters.choices.atOddHours : nil
    }

    /// The instants right before whatever is in a range: any instant between two of these gives the same result.
    private func instants(in range: Range<Int64>) -> [Int64] {
        let others = deliveries.lazy.map(\.received).filter(range.contains)
        let seen = (sights.map(\.at) + [until]).filter(range.contains)
        return (Array(others) + seen).map { $0 - 1 }.filter { $0 > since }
    }

    // MARK: What the order says

    /// How unlikely it is that these choices were made one after the other and led to what bodies show.
    private var surpriseOfOrder: Int64 {
        var made: [(at: Int64, place: Int)] = sights.indices.map { (sights[$0].at, deliveries.count + $0) }
        for (place, step) in taken.enumerated() {
            if case .own(let at, _) = step { made.append((at, place)) }
        }
        made.sort { $0.at != $1.at ? $0.at < $1.at : $0.place < $1.place }
        var (plan, offer) = (initial, TimelineID.none)
        var surprise: Int64 = 0
        for (_, place) in made {
            if place < deliveries.count {
                let delivery = deliveries[place]
                if delivery.plan == plan, delivery.offer == offer { surprise += parameters.choices.untold }
                (plan, offer) = (delivery.plan, delivery.offer)
            } else if sights[place - deliveries.count].plan != plan {
                let sight = sights[place - deliveries.count]
                surprise += sight.mayBeAutomatic ? parameters.choices.late : parameters.choices.untold
                (plan, offer) = (sight.plan, TimelineID.none)
            }
        }
        return surprise
    }
}
