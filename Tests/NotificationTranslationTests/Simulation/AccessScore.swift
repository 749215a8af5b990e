import NotificationTranslation
import SimulatedLives

/// On how much of the customers' time a backend that follows the events is wrong about their access.
///
/// Time counts from the first notification about a subscription. A backend is blamed only for what is wrong by
/// Apple's books and by what the notifications that had arrived say: nobody can know more.
struct AccessScore {
    /// Milliseconds of access that Apple's rules give.
    var entitled = 0.0
    /// Access, and the notifications had told so, and the backend gives none.
    var cutOff = 0.0
    /// No access, and the notifications had told so, and the backend gives it.
    var kept = 0.0
    /// The same, however little had been told.
    var everCutOff = 0.0
    var everKept = 0.0

    var cutOffPercent: Double { AccessScore.percent(cutOff, of: entitled) }
    var keptPercent: Double { AccessScore.percent(kept, of: entitled) }

    static func percent(_ part: Double, of whole: Double) -> Double { whole == 0 ? 0 : 100 * part / whole }

    mutating func add(_ other: AccessScore) {
        entitled += other.entitled
        cutOff += other.cutOff
        kept += other.kept
        everCutOff += other.everCutOff
        everKept += other.everKept
    }

    /// Follows one mode through a life; faults of more than an hour are reported one by one.
    mutating func take(_ archive: LifeArchive, _ mode: AccessMode, report: (Finding) -> Void) {
        let history = mode.history(of: archive)
        for truth in archive.life.access where truth.kind != .other {
            take(truth, archive.life, history.steps[truth.originalTransactionId] ?? [], report)
        }
    }

    private mutating func take(
        _ truth: AccessTruth, _ life: SimulatedLife, _ steps: [BelievedAccess.Step], _ report: (Finding) -> Void
    ) {
        let id = truth.originalTransactionId
        let deliveries = life.deliveries.filter { delivery in
            delivery.truth.originalTransactionId == id && delivery.truth.pair != nil && !delivery.truth.isNameless
        }
        guard let first = deliveries.first?.receivedAt, first < life.span.upperBound else { return }
        var known = KnownAccess()
        var learnt = 0
        var turns = Set(truth.turns + steps.flatMap { [$0.at, $0.until] } + deliveries.map(\.receivedAt))
        for delivery in deliveries {
            var single = KnownAccess()
            single.learn(delivery.shown)
            turns.formUnion(single.turns)
        }
        let times = [first] + turns.filter { $0 > first && $0 < life.span.upperBound }.sorted() + [life.span.upperBound]
        var place = -1
        var lastFault = ""
        for (begin, end) in zip(times, times.dropFirst()) {
            while learnt < deliveries.count, deliveries[learnt].receivedAt <= begin {
                known.learn(deliveries[learnt].shown)
                learnt += 1
            }
            while place + 1 < steps.count, steps[place + 1].at <= begin { place += 1 }
            let isEntitled = truth.gives(at: begin)
            let isKnown = known.gives(at: begin)
            let isGiven = place >= 0 && steps[place].until > begin
            let length = Double(end - begin)
            if isEntitled { entitled += length }
            if isEntitled != isGiven {
                if isEntitled { everCutOff += length } else { everKept += length }
            }
            guard isEntitled == isKnown, isEntitled != isGiven else { continue }
            if isEntitled { cutOff += length } else { kept += length }
            let cause = place >= 0 ? steps[place].cause : "nothing"
            let hasPassed = place >= 0 && steps[place].until != .min
            let fault = isEntitled ? "cut off" : "kept"
            let what = "\(fault) after \(cause)\(isEntitled && hasPassed ? ", whose end had passed" : "")"
            if length > 3_600_000, what != lastFault {
                report(Finding(what: what, id: id, at: begin))
                lastFault = what
            }
        }
    }
}
