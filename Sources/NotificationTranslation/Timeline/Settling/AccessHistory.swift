/// What all notifications of one subscription together say about the access it gave, at any moment.
///
/// A transaction gives access from its purchase to its end; a refund, a revocation or an upgrade ends it early; a grace
/// period carries it on; Apple's `data.status` says it outright, as of its signature:
///
///     purchases   Jan |------|  Feb |------|  Mar |------|
///     refund      of January's, told on 10 March              →  March's period runs until 1 April
///
/// Everything is found by bisection, as one subscription may have tens of thousands of notifications.
final class AccessHistory {
    /// A transaction as far as access is concerned.
    private struct Period {
        var transaction: UInt64
        var purchase: Int64
        /// From when on it is paid for: before its purchase date if it was charged ahead, after it if that failed
        /// first.
        var since: Int64
        var expires: Int64
        /// When a refund, a revocation or an upgrade ended it.
        var cancelled: Int64?
        var changes: PeriodChanges
        var isUpgraded: Bool
        /// When another period began in its place, as after an upgrade; two never run side by side.
        var replaced: Int64?

        /// The end that was known at a moment.
        func end(knownAt moment: Int64) -> Int64 { changes.earlierEnd(knownAt: moment) ?? expires }
    }

    /// Something that was told at a moment (received or signed).
    struct Told<Value> {
        var at: Int64
        var value: Value
    }

    /// What a history is made of, in any order.
    struct Reports {
        /// Transactions, from when on they are paid for, and what was said of them before.
        var rows: [(row: TimelineRow, paidSince: Int64, changes: PeriodChanges)] = []
        /// Grace periods, with the purchase of the period before them if their body shows that.
        var graces: [Told<(until: Int64, of: Int64?)>] = []
        /// When the end of the subscription was reported.
        var endings: [Int64] = []
        var statuses: [Told<(status: AccessTable.Status, renewsAt: Int64?)>] = []
        /// Whether something shows that it is a subscription, and no purchase that is made once.
        var isSubscription = true
    }

    /// Events closer together than this may be signed in another order than they happened in.
    private let signedAtOnce = DecisionTable.current.parameters.signedAtOnce
    let isSubscription: Bool
    /// By the time since when they are paid for, the oldest first.
    private var periods: [Period] = []
    /// Where in `periods` each transaction is.
    private var indices: [UInt64: Int] = [:]
    /// The periods that began, by their purchase.
    private var begun: [Int] = []
    /// Of each period the latest expiry of it and all before it.
    private var latestExpiry: [Int64] = []
    /// Of each period the index of the one that begins last, among it and all before it.
    private var latestBegun: [Int] = []
    private let graces: [Told<(until: Int64, of: Int64?)>]
    private let endings: [Int64]
    private let statuses: [Told<(status: AccessTable.Status, renewsAt: Int64?)>]

    /// How many periods or graces are looked at before a search is given up: far more than ever run side by side.
    private static let reach = 64

    init(_ reports: Reports) {
        isSubscription = reports.isSubscription
        graces = reports.graces.sorted { $0.at < $1.at }
        endings = reports.endings.sorted()
        statuses = reports.statuses.sorted { $0.at < $1.at }
        for (row, since, changes) in reports.rows {
            guard let expires = row.expires else { continue }
            periods.append(
                Period(
                    transaction: row.transaction, purchase: row.purchase, since: since, expires: expires,
                    cancelled: row.endedEarly, changes: changes, isUpgraded: row.isUpgraded))
        }
        periods.sort { $0.since != $1.since ? $0.since < $1.since : $0.transaction < $1.transaction }
        var latest = Int64.min
        for (index, period) in periods.enumerated() {
            indices[period.transaction] = index
            latest = max(latest, period.expires)
            latestExpiry.append(latest)
            let last = latestBegun.last ?? index
            latestBegun.append(period.purchase >= periods[last].purchase ? index : last)
        }
        findReplaced()
    }

    /// Finds for each period the one that began in its place: the next by its date.
    ///
    /// That need not be the next that was paid for. What was charged ahead and cancelled before it began takes no
    /// place.
    private func findReplaced() {
        begun = periods.indices.filter { index in
            periods[index].cancelled.map { $0 >= periods[index].purchase } ?? true
        }
        begun.sort {
            let (one, other) = (periods[$0], periods[$1])
            return one.purchase != other.purchase
                ? one.purchase < other.purchase : one.transaction < other.transaction
        }
        for (index, next) in zip(begun, begun.dropFirst()) where periods[next].purchase < periods[index].expires {
            periods[index].replaced = periods[next].purchase
        }
    }

    // MARK: Questions

    /// The periods that run at a moment and give access, that paid for last first.
    private func running(at moment: Int64) -> [Period] {
        let paid = periods.indices.prefix(periods.partitioningIndex { $0.since > moment }).suffix(Self.reach).reversed()
        return paid.prefix { latestExpiry[$0] > moment }.map { periods[$0] }.filter {
            $0.end(knownAt: moment) > moment && gives($0, at: moment)
        }
    }

    /// The latest end of a period, other than one transaction's, that was running at a moment.
    func runningEnd(at moment: Int64, otherThan transaction: UInt64) -> Int64? {
        running(at: moment).filter { $0.transaction != transaction }.map { $0.end(knownAt: moment) }.max()
    }

    /// Whether a period that has not ended by itself gives access.
    ///
    /// What Apple signed after a refund shows the transaction without it, where it was taken back.
    private func gives(_ period: Period, at moment: Int64, unlessShownAt signed: Int64? = nil) -> Bool {
        let since = signed ?? .min
        // An upgrade without a known date may have come before; a reversed refund does not count.
        if period.isUpgraded {
            let cancelled = period.cancelled.flatMap { $0 < since ? nil : $0 }
            return [cancelled, period.replaced].compactMap(\.self).min().map { moment < $0 } ?? false
        }
        if let replaced = period.replaced, replaced <= moment { return false }
        if period.changes.gaps.contains(where: { $0.contains(moment) && $0.lowerBound >= since }) { return false }
        return period.cancelled.map { $0 > moment || $0 < since } ?? true
    }

    /// Whether a transaction was refunded, revoked or upgraded by a moment.
    ///
    /// A refund from before `signed` does not count: what Apple signed since shows the transaction without it, so it
    /// was reversed, which Apple reported to nobody before June 2023.
    func isOver(_ transaction: UInt64, at moment: Int64, unlessShownAt signed: Int64? = nil) -> Bool {
        guard let index = indices[transaction] else { return false }
        return !gives(periods[index], at: moment, unlessShownAt: signed)
    }

    /// The end of a transaction's period that was known at a moment.
    func end(of transaction: UInt64, knownAt moment: Int64) -> Int64? {
        indices[transaction].map { periods[$0].end(knownAt: moment) }
    }

    /// Whether another transaction was bought after one, by a moment.
    func hasLater(than purchase: Int64, of transaction: UInt64, at moment: Int64) -> Bool {
        let index = periods.partitioningIndex { $0.since > moment } - 1
        guard index >= 0 else { return false }
        let last = periods[latestBegun[index]]
        return last.transaction != transaction && last.purchase > purchase
    }

    /// Whether a period that follows one of a known purchase was paid for by a moment.
    private func isPaid(after purchase: Int64?, at moment: Int64) -> Bool {
        purchase.map { hasLater(than: $0, of: TimelineID.none, at: moment) } ?? false
    }

    private func isRefunded(boughtAt purchase: Int64?, by moment: Int64) -> Bool {
        guard let purchase else { return false }
        let index = begun.partitioningIndex { periods[$0].purchase >= purchase }
        guard index < begun.count else { return false }
        let period = periods[begun[index]]
        return period.purchase == purchase && !period.isUpgraded && !gives(period, at: moment)
    }

    /// The end of a grace period that was running at a moment and that nothing had ended, and whether the period before
    /// it was refunded, which ends access.
    func grace(at moment: Int64) -> (end: Int64, isRefunded: Bool)? {
        let told = graces.prefix(graces.partitioningIndex { $0.at > moment }).suffix(Self.reach)
        let running = told.last { grace in
            // A later period that was paid for ends the grace of the one before it.
            grace.value.until > moment && !isPaid(after: grace.value.of, at: moment)
                && !hasEnding(from: grace.at + 1, to: moment)
        }
        return running.map { ($0.value.until, isRefunded(boughtAt: $0.value.of, by: moment)) }
    }

    /// Whether an end of the subscription was reported between two instants.
    func hasEnding(from start: Int64, to end: Int64) -> Bool {
        let index = endings.partitioningIndex { $0 >= start }
        return index < endings.count && endings[index] <= end
    }

    /// Whether a period that was paid for after an instant was running at a moment.
    func hasBegun(after instant: Int64, runningAt moment: Int64) -> Bool {
        running(at: moment).contains { $0.since > instant }
    }

    /// What the last status says that was signed after one instant and by another; `own` if there is none.
    ///
    /// A status knows nothing of what began after its signature: a later period that gives access overrides `over` and
    /// `revoked`. What is signed at once is signed in any order, and some seconds after it happened
    /// (`signed_at_once_ms`).
    func status(
        after instant: Int64, by moment: Int64, own: (status: AccessTable.Status, renewsAt: Int64?)? = nil
    ) -> (status: AccessTable.Status, renewsAt: Int64?)? {
        let index = statuses.partitioningIndex { $0.at > moment } - 1
        var latest = index >= 0 && statuses[index].at > instant ? statuses[index] : nil
        // Of what is signed at once, the later signature wins only if it takes no access away.
        if let found = latest, own != nil, found.value.status != .runs, found.at <= instant + signedAtOnce {
            latest = nil
        }
        guard let value = latest?.value ?? own else { return nil }
        switch value.status {
        case .over, .revoked:
            let signed = latest?.at ?? instant
            return hasBegun(after: signed - signedAtOnce, runningAt: moment) ? nil : value
        default: return value
        }
    }
}

extension AccessHistory {
    /// What the notifications and answers of a settled subscription say.
    convenience init(_ settlement: Settlement) {
        var reports = Reports()
        let periods = PeriodReports(settlement: settlement)
        reports.isSubscription = settlement.showsSubscription()
        let (failures, changes) = (periods.failedEnds(), periods.changes())
        reports.rows = settlement.history.rows.map { row in
            (row, periods.paidSince(row, failures), changes[row.transaction] ?? PeriodChanges())
        }
        func addGrace(_ statement: Statement, at moment: Int64) {
            guard let until = statement.graceUntil else { return }
            reports.graces.append(
                .init(at: moment, value: (until, settlement.shownRows[statement.rows].first?.purchase)))
        }
        for index in settlement.order {
            let statement = settlement.statements[index]
            // A failure may be announced before the period ends, by which it is sorted.
            addGrace(statement, at: min(settlement.arrival(of: index), statement.time))
            if settlement.outcomes[index].disposition == .event, settlement.role(index) == .ends {
                reports.endings.append(statement.time)
            }
            if let signed = statement.signature,
                let status = EventTable.current.access.status(statement.access.status)
            {
                reports.statuses.append(.init(at: signed, value: (status, statement.access.renewsAt)))
            }
        }
        for answer in settlement.answers.answers {
            if let time = answer.ownTime { addGrace(answer, at: time) }
        }
        self.init(reports)
    }
}

/// What notifications said of a period that later ones changed.
struct PeriodChanges {
    /// From refunds to when they were taken back.
    var gaps: [Range<Int64>] = []
    /// The ends that were known before later ones were told, by the time of that, ascending.
    private(set) var earlierEnds: [(expires: Int64, until: Int64)] = []

    mutating func add(_ expires: Int64, until told: Int64) {
        let index = earlierEnds.partitioningIndex { ($0.until, $0.expires) > (told, expires) }
        earlierEnds.insert((expires, told), at: index)
    }

    /// Adds the changes that another source reports.
    mutating func merge(_ other: PeriodChanges) {
        gaps += other.gaps
        for end in other.earlierEnds { add(end.expires, until: end.until) }
    }

    /// Makes each later end known when the earlier one is reached, even if it was reported afterwards.
    ///
    /// An extension lengthens a running period. It is never known before the earlier end was last shown.
    mutating func backdateExtensions(notBefore lastShown: (Int64) -> Int64) {
        earlierEnds = earlierEnds.map { end in
            (end.expires, min(end.until, max(end.expires, lastShown(end.expires))))
        }
        // None is known after a later one.
        for index in earlierEnds.indices.dropLast().reversed() {
            earlierEnds[index].until = min(earlierEnds[index].until, earlierEnds[index + 1].until)
        }
    }

    /// The end that was known at a moment; `nil` if that is the one that is known now.
    func earlierEnd(knownAt moment: Int64) -> Int64? {
        if earlierEnds.isEmpty { return nil }
        let index = earlierEnds.partitioningIndex { $0.until > moment }
        return index < earlierEnds.count ? earlierEnds[index].expires : nil
    }
}
