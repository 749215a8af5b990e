/// The transactions of one subscription, or one-time purchase, each once: what any notification, list or answer shows of
/// it, whether settling needs it or not.
///
/// It is made of ``RowHistory``, which settling uses, of the rows that evidence leaves out for settling, and of the
/// details that settling does not need to know.
struct Ledger {
    struct Entry {
        var row: TimelineRow
        var details = RowDetails()
        /// The indices of the ``Settlement/deliveries`` that show it, in the order of events.
        var shownBy: [Int] = []
        var changes = PeriodChanges()
        /// When another plan replaced it, where it had been refunded before and the refund was reversed.
        var upgradedAfterRefund: Int64?
        /// Whether nothing shows it, and it follows from what is before and after it.
        var isDeduced = false
        /// Whether an answer of Apple's shows it.
        var isAnswered = false
        /// Whether one does, and two records of it differ in what never changes.
        var isContradicted = false
    }

    /// The oldest first.
    private(set) var entries: [Entry] = []
    /// The number of the app.
    private(set) var appAppleID = EventText.absent
    private var indices: [UInt64: Int] = [:]
    /// Whether some notification or answer says for certain whose transactions it shows; if not, all are taken.
    ///
    /// If it has no notification of its own, a list in one about another purchase is enough.
    let isCertain: Bool

    init(_ settlement: Settlement) {
        let deliveries = settlement.deliveries
        let order = deliveries.indices.map { (deliveries[$0].time, settlement.position($0), $0) }.sorted { $0 < $1 }
        entries.reserveCapacity(settlement.shownRows.count)
        let isCertain = deliveries.contains {
            $0.isOfCertainSubject && (!$0.isListed || settlement.statements.isEmpty)
        }
        self.isCertain = isCertain
        for (_, _, index) in order where !isCertain || deliveries[index].isOfCertainSubject {
            add(settlement.shownRows[deliveries[index].rows], settlement.details(index), index, settlement)
        }
        for index in entries.indices {
            if let row = settlement.history.index(of: entries[index].row.transaction) {
                entries[index].row = settlement.history.rows[row]
                entries[index].upgradedAfterRefund = settlement.history.upgradedAfterRefund(entries[index].row)
            }
        }
        entries.sort { $0.row.comes(before: $1.row) }
        for index in entries.indices.dropFirst().reversed() {
            entries.insert(contentsOf: renewals(between: index - 1, and: index, settlement), at: index)
        }
        for index in entries.indices { indices[entries[index].row.transaction] = index }
        for (transaction, changes) in PeriodReports(settlement: settlement).changes() {
            if let index = indices[transaction] { entries[index].changes.merge(changes) }
        }
        for index in entries.indices where !entries[index].changes.earlierEnds.isEmpty {
            let shown = lastShown(entries[index], deliveries, settlement)
            entries[index].changes.backdateExtensions { shown[$0] ?? .min }
        }
    }

    /// When a delivery last showed each end of a transaction; `.max` if one proves that the period ended there (a failed
    /// renewal, an expiry, or a status from after it).
    private func lastShown(_ entry: Entry, _ deliveries: [Statement], _ settlement: Settlement) -> [Int64: Int64] {
        var last: [Int64: Int64] = [:]
        for index in entry.shownBy {
            let statement = deliveries[index]
            let row = settlement.shownRows[statement.rows].first { $0.transaction == entry.row.transaction }
            guard let end = row?.expires else { continue }
            let role = statement.isAnswer ? nil : settlement.role(index)
            let isStatus = statement.access.status != nil && statement.time >= end
            // What nothing dates may have been written days before it arrived.
            let isDated = statement.isV2 || statement.ownTime != nil && !statement.isTimeless
            let time =
                role == .fails || role == .ends || isStatus
                ? .max : statement.time - (isDated ? 0 : settlement.parameters.deliveryHorizon)
            last[end] = max(time, last[end] ?? .min)
        }
        return last
    }

    private mutating func add(
        _ shown: ArraySlice<TimelineRow>, _ details: ShownDetails, _ index: Int, _ settlement: Settlement
    ) {
        if !details.appAppleID.isAbsent, !details.appAppleID.bytes.isEmpty { appAppleID = details.appAppleID }
        // A list begins with the newest: from its end there is next to nothing to sort.
        for (row, details) in details.more.reversed() { add(row, details, index, settlement) }
        for (offset, row) in shown.enumerated().reversed() {
            add(row, details.rows.indices.contains(offset) ? details.rows[offset] : nil, index, settlement)
        }
    }

    private mutating func add(_ row: TimelineRow, _ details: RowDetails?, _ statement: Int, _ settlement: Settlement) {
        let answer = settlement.answers[statement - settlement.statements.count]
        let isAnswer = answer?.isListed == false
        guard let index = indices[row.transaction] else {
            indices[row.transaction] = entries.count
            let details = details ?? RowDetails()
            return entries.append(Entry(row: row, details: details, shownBy: [statement], isAnswered: isAnswer))
        }
        if let cancelled = row.cancellation, entries[index].row.cancellation == nil {
            // Only of rows that settling does not see.
            entries[index].row.cancellation = cancelled
            entries[index].row.isUpgraded = row.isUpgraded
            entries[index].row.reason = row.reason
        }
        if let before = entries[index].row.expires, let after = row.expires, after > before {
            // What notifications show is in the history.
            if let answer, after - before >= settlement.parameters.extensionAtLeast {
                entries[index].changes.add(before, until: answer.time)
            }
            entries[index].row.expires = after
        }
        if isAnswer { entries[index].isAnswered = true }
        if entries[index].isAnswered,
            row.contradicts(entries[index].row, settlement.parameters)
                || details?.contradicts(entries[index].details) == true
        {
            entries[index].isContradicted = true
        }
        entries[index].shownBy.append(statement)
        guard var details else { return }
        details.complete(from: entries[index].details)
        entries[index].details = details
    }

    /// The renewals between two transactions that nothing shows: the later period begins a whole number of periods after
    /// the end of the one before it, and nothing says that renewal failed or was off.
    private func renewals(between index: Int, and next: Int, _ settlement: Settlement) -> [Entry] {
        let (before, after) = (entries[index].row, entries[next].row)
        guard let end = before.expires, let nextEnd = after.expires, nextEnd > after.begin,
            after.begin - end > settlement.parameters.contiguous, before.product == after.product, !before.isUpgraded,
            entries[index].cancellations.isEmpty, after.offerType == 0, entries[next].details.isTrial != true,
            !settlement.saysThatRenewalEnded(before.purchase..<after.purchase),
            !settlement.isLapse(from: before, to: after)
        else { return [] }
        let parameters = settlement.parameters
        let period = RenewalPeriod(after.begin..<nextEnd, parameters.periodMonths)
        var found: [Entry] = []
        var begin = end
        while abs(begin - after.begin) > parameters.contiguous {
            guard begin < after.begin, found.count < parameters.deducedRenewalsMost else { return [] }
            var row = TimelineRow()
            row.transaction = after.transaction &+ UInt64(found.count) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(1) << 63
            row.product = after.product
            row.productText = after.productText
            row.purchase = begin
            begin = period.end(after: found.count + 1, from: end)
            row.expires = begin
            var entry = Entry(row: row)
            entry.isDeduced = true
            found.append(entry)
        }
        return found
    }

    /// The earliest end of a transaction, or reversal of one, that is later than an instant; one may end as another begins.
    func nextEnd(after instant: Int64, _ settlement: Settlement) -> Int64? {
        var ends = entries.flatMap { [$0.row.expires, $0.row.cancellation, $0.row.purchase].compactMap(\.self) }
        ends += entries.flatMap(\.changes.gaps).flatMap { [$0.lowerBound, $0.upperBound] }
        let reversals = settlement.order.filter { settlement.isEvent($0) && settlement.role($0) == .restores }
        ends += reversals.map { settlement.statements[$0].time }
        return ends.filter { $0 > instant }.min()
    }

    func index(of transaction: UInt64) -> Int? { indices[transaction] }
}

extension Ledger.Entry {
    /// The end of the period that was known at an instant.
    func expires(knownAt instant: Int64) -> Int64? { changes.earlierEnd(knownAt: instant) ?? row.expires }

    /// When the transaction was refunded or revoked as a whole, though some of these were reversed.
    var cancellations: [Int64] {
        let own = row.isUpgraded && upgradedAfterRefund == nil ? nil : row.endedEarly
        return (changes.gaps.map(\.lowerBound) + [own].compactMap(\.self)).sorted()
    }
}

extension Ledger.Entry {
    /// The transaction as an event has it, but for its cancellation.
    func transaction(_ original: String) -> UnifiedEvent.Transaction {
        var shown = details.shown
        var transaction = UnifiedEvent.Transaction()
        transaction.exchange(&shown, EventExchange(texts: nil))
        (transaction.originalTransactionID, transaction.transactionID) = (original, row.transactionID)
        transaction.webOrderLineItemID =
            details.webOrderLineItemNumber.map { String($0) } ?? transaction.webOrderLineItemID
        transaction.productID = row.productText.string
        transaction.productType = transaction.productType ?? (row.expires == nil ? nil : .autoRenewableSubscription)
        transaction.purchasedAt = EventTime(milliseconds: row.begin)
        transaction.expiresAt = row.expires.map(EventTime.init)
        transaction.offerType = row.offerType == 0 ? nil : .init(rawValue: Int64(row.offerType))
        transaction.offerID = row.offerText.string.flatMap { $0.isEmpty ? nil : $0 }
        return transaction
    }
}

/// How long a period of a subscription is: a number of months, or else of milliseconds.
private struct RenewalPeriod {
    private let months: Int64?
    private let length: Int64

    /// The months have the days of the calendar; in the sandbox no period is as long as one.
    init(_ period: Range<Int64>, _ periodMonths: [Int64]) {
        let day: Int64 = 86_400_000
        length = period.upperBound - period.lowerBound
        months = periodMonths.first { months in
            abs(CivilTime.adding(months: months, to: period.lowerBound) - period.upperBound) < day
        }
    }

    /// The end of one of several periods that follow an instant.
    func end(after count: Int, from start: Int64) -> Int64 {
        months.map { CivilTime.adding(months: $0 * Int64(count), to: start) } ?? start + length * Int64(count)
    }
}

extension Settlement {
    /// Whether a notification of some time says that a renewal failed, that renewal was off or that a period was the last.
    fileprivate func saysThatRenewalEnded(_ time: Range<Int64>) -> Bool {
        indices(in: time).contains { index in
            statements[index].autoRenewStatus == false || statements[index].graceUntil != nil
                || role(index) == .fails || role(index) == .ends
        }
    }

    /// Whether nothing was renewed between two transactions: a list or a complete history shows none, or the later one is
    /// reported as a resubscription.
    fileprivate func isLapse(from before: TimelineRow, to after: TimelineRow) -> Bool {
        if history.isComplete(from: before.purchase, to: after.purchase) { return true }
        if let until = answers.completeUntil, until >= after.purchase { return true }
        return anyAbout(after.transaction) { isEvent($0) && SilentTable.current.returns.contains(outcomes[$0].pair) }
    }
}
