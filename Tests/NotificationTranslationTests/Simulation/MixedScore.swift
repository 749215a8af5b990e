import NotificationTranslation
import SimulatedLives

/// How well happenings come out that both versions may have told.
struct MixedScore {
    /// Notifications of version 2, the first delivery of each, and those that are the event of their happening.
    var second = 0
    var leading = 0
    /// Happenings that were told, those with more than one event, and those with none.
    var told = 0
    var toldTwice = 0
    var toldNever = 0
    /// Events of version 1 that arrived within an hour, and those more than an hour off all the same.
    var timed = 0
    var mistimed = 0

    mutating func add(_ other: MixedScore) {
        second += other.second
        leading += other.leading
        told += other.told
        toldTwice += other.toldTwice
        toldNever += other.toldNever
        timed += other.timed
        mistimed += other.mistimed
    }

    mutating func take(_ life: SimulatedLife, _ events: [UnifiedEvent], report: (Finding) -> Void) {
        var groups: [Int: [Teller]] = [:]
        for (delivery, event) in zip(life.deliveries, events) {
            groups[delivery.happening, default: []].append(Teller(delivery: delivery, event: event))
        }
        for (number, tellers) in groups where !tellers.contains(where: \.truth.isNameless) {
            take(life.happenings[number], tellers, report)
        }
    }

    private mutating func take(_ happening: Happening, _ tellers: [Teller], _ report: (Finding) -> Void) {
        func note(_ what: String) {
            report(Finding(what: what, id: happening.originalTransactionId, at: happening.at))
        }
        for (_, same) in Dictionary(grouping: tellers.filter(\.delivery.isVersion2), by: \.delivery.notice) {
            second += 1
            if same.contains(where: { $0.event.disposition == .event }) {
                leading += 1
            } else {
                note("V2 not the event: \(happening.pair)")
            }
        }
        let events = tellers.filter { $0.event.disposition == .event }
        if tellers.contains(where: { $0.truth.pair != nil }) {
            told += 1
            let names = events.map { "\($0.event.source.version) \($0.event.v2)" }.sorted().joined(separator: " and ")
            if events.count > 1 {
                toldTwice += 1
                note("told twice: \(happening.pair) by \(names)")
            } else if events.isEmpty {
                toldNever += 1
                note("told never: \(happening.pair)")
            }
        }
        for teller in events where !teller.delivery.isVersion2 && !teller.truth.isRepeat {
            takeTime(of: teller, happening, note)
        }
    }

    /// A body shows the time of its happening, or its arrival does; of a recovery the purchase date is none.
    private mutating func takeTime(
        of teller: Teller, _ happening: Happening, _ note: (String) -> Void
    ) {
        let hour: Int64 = 3_600_000
        guard abs(teller.delivery.receivedAt - happening.at) <= hour else { return }
        timed += 1
        let isRecovery = happening.pair.subtype == "BILLING_RECOVERY"
        let time = teller.event.occurredAt?.milliseconds ?? .min / 2
        let isNear = abs(time - happening.at) <= hour || (!isRecovery && abs(time - happening.dated) <= hour)
        guard !isNear else { return }
        mistimed += 1
        let basis = teller.event.occurredAtBasis ?? "nothing"
        note("V1 mistimed: \(happening.pair) of \(teller.delivery.type) by \(basis)")
    }
}
