/// The subject's transactions in one body: the one the notification is about and those around it.
///
/// What they say goes straight into the reading. Nothing here changes: who reads the fields through a value that
/// may change meanwhile has to count a reference to them each time.
struct V1Rows: ~Copyable {
    let fields: V1Fields
    let view: TextView
    let subject: V1Subject
    /// The index of the type, -1 for one that this build does not know, and how it is read.
    let type: Int
    let shape: TypeRules.Shape?
    let table: DecisionTable
    let delivery: DeliveryModel
    let isProduction: Bool
    let receivedAt: Int64?

    /// How long before its period a renewal may be charged; zero in the sandbox, where that does not happen.
    var chargedAhead: Int64 { isProduction ? table.parameters.chargedAhead : 0 }
    /// Whether the type may report a purchase by hand, which is then the newest.
    private var isByHand: Bool { table.timeline.byHand.contains(type) }
    /// Whether the type reports a recovery, whose period may have begun long before.
    private var isRecovery: Bool { table.timeline.recovers.contains(type) }

    /// A row of the subject; lists have the newest first.
    struct DatedRow {
        var index: Int
        var date: V1Date?

        /// The purchase, or before all others.
        var purchase: Int64 { date?.milliseconds ?? .min }
    }

    func collect(_ reading: inout V1Reading) {
        var candidates: [DatedRow] = []
        candidates.reserveCapacity(fields.rows.count)
        for index in 0..<fields.rows.count {
            let isTaken =
                subject.row.map { $0 == index }
                ?? (fields.isRow(index, of: subject.originalTransactionID, view) || isUnowned(index, &reading))
            guard isTaken else { continue }
            let (date, unreadable) = fields.date(.purchase, row: index, view)
            if unreadable { reading.rows.isUnreadable = true }
            reading.rows.takeSubjectRow(index)
            candidates.append(DatedRow(index: index, date: date))
        }
        let root = rootDates(&reading)
        guard !subject.isNone else {
            // No row is the one meant; the rows still say how late it was at least.
            reading.time = root
            if root == nil { latest(candidates, &reading) }
            return
        }
        candidates.sort { one, other in
            one.purchase != other.purchase
                ? one.purchase > other.purchase : fields.isNewer(one.index, than: other.index, view)
        }
        let isDated = candidates.allSatisfy { $0.date != nil }
        if isDated, candidates.count > 1, chargedAhead > 0 { putReplacedBack(&candidates, &reading) }
        choose(candidates, root, &reading)
    }

    /// Whether a row that names no subscription, and may be another one's, is what was cancelled, as no other was.
    private func isUnowned(_ index: Int, _ reading: inout V1Reading) -> Bool {
        guard fields[row: index, .originalTransactionID].isBlank, !subject.originalTransactionID.isBlank else {
            return false
        }
        if shape?.transaction == .cancelled, fields.isOnlyCancelled(index, view) {
            reading.rows.hasUnowned = true
            return true
        }
        let isPeriod = fields.date(.expires, row: index, view).date != nil
        if isPeriod, shape?.subject == .subscription { reading.rows.hasUnowned = true }
        return false
    }

    /// Puts renewals that were charged ahead and replaced before they began after what replaced them.
    private func putReplacedBack(_ candidates: inout [DatedRow], _ reading: inout V1Reading) {
        for newer in candidates.indices.dropLast()
        where RenewalAhead.mayBeReplaced(candidates[newer].purchase, by: candidates[newer + 1].purchase, chargedAhead) {
            if isReplaced(newer, candidates, &reading) { candidates.swapAt(newer, newer + 1) }
        }
    }

    private func isReplaced(_ newer: Int, _ candidates: [DatedRow], _ reading: inout V1Reading) -> Bool {
        let ahead = row(candidates[newer], &reading)
        let other = row(candidates[newer + 1], &reading)
        let product = fields[row: ahead.index, .productID]
        guard !view.same(product, fields[row: other.index, .productID]) else { return false }
        let continues =
            !ahead.isUpgraded && other.cancellation == nil
            && view.same(fields[row: other.index, .productID], fields[.autoRenewProductID])
            && continues(newer, product, candidates, &reading)
        let renewal = RenewalAhead(
            purchase: candidates[newer].purchase, cancelled: ahead.cancellation?.milliseconds,
            isUpgraded: ahead.isUpgraded,
            continues: continues)
        return renewal.isReplaced(
            byOneThatEnds: other.isUpgraded ? other.cancellation?.milliseconds : other.end,
            isUpgraded: other.isUpgraded)
    }

    /// Whether a row begins where an earlier one of its product ends.
    private func continues(_ newer: Int, _ product: JSONText, _ candidates: [DatedRow], _ reading: inout V1Reading)
        -> Bool
    {
        // More than were ever bought within a day.
        let before = candidates[(newer + 2)...].prefix(64).first {
            view.same(fields[row: $0.index, .productID], product)
        }
        let end = before.flatMap { row($0, &reading).expires?.milliseconds }
        return end.map { abs($0 - candidates[newer].purchase) <= table.parameters.atBoundary } ?? false
    }

    private func choose(_ candidates: [DatedRow], _ root: V1Date?, _ reading: inout V1Reading) {
        let isList = fields.unifiedRows > 0 || fields.receiptRows > 0
        reading.rows.history = candidates.isEmpty ? .none : isList ? .rows : .single
        reading.rows.isCut = reading.rows.history == .rows && !candidates.reversed().contains { isFirst($0) }
        chooseNotified(candidates, root, &reading)
        if let purchase = reading.notified?.purchase?.milliseconds { around(purchase, candidates, &reading) }
        if reading.time == nil { reading.time = ownTime(root, &reading) }
        if reading.time == nil { latest(candidates, &reading) }
    }

    /// The dates at the top level that a type takes its time from.
    private func rootDates(_ reading: inout V1Reading) -> V1Date? {
        guard fields.root.count > 0 else { return nil }
        let found =
            shape?.time == .statusChange
            ? fields.date(.statusChange, view) : fields.date(.rootCancellation, view)
        if found.isUnreadable { reading.rows.isUnreadable = true }
        return found.date
    }

    func row(_ candidate: DatedRow, _ reading: inout V1Reading) -> V1Reading.Row {
        let expires = fields.date(.expires, row: candidate.index, view)
        let cancellation = fields.date(.cancellation, row: candidate.index, view)
        if expires.isUnreadable || cancellation.isUnreadable { reading.rows.isUnreadable = true }
        return V1Reading.Row(
            index: candidate.index, purchase: candidate.date, expires: expires.date, cancellation: cancellation.date,
            isUpgraded: view.truth(fields[row: candidate.index, .isUpgraded]) ?? false)
    }

    // MARK: The transaction it is about

    private func chooseNotified(_ candidates: [DatedRow], _ root: V1Date?, _ reading: inout V1Reading) {
        switch shape?.transaction {
        case .cancelled:
            chooseCancelled(candidates, root, &reading)
        case .atTime:
            reading.time = root
            let limit = root.map { $0.milliseconds + delivery.tolerance } ?? .max
            if let candidate = candidates.first(where: { $0.purchase <= limit }) ?? candidates.last {
                reading.notified = row(candidate, &reading)
            }
            if let changed = root?.milliseconds {
                let near = changed - delivery.tolerance...changed + delivery.tolerance
                reading.rows.refundNear = refund(within: near, candidates, &reading) != nil
            }
        default:
            let isRenewal = !isByHand && shape?.time == .purchase
            let first =
                shape?.transaction == .first
                ? firstTransaction(candidates, &reading)
                : isRenewal ? newestRenewed(candidates, &reading) : candidates.first
            if let candidate = first ?? candidates.first {
                let isMissing = lacksOwn(candidate, candidates, receivedAt)
                if isMissing != lacksOwn(candidate, candidates, nil) { reading.subject.dependsOnArrival = true }
                if !isMissing { reading.notified = row(candidate, &reading) }
            }
        }
        if let index = reading.notified?.index, let newest = candidates.first {
            reading.rows.isNotifiedLatest = newest.index == index
        }
    }

    /// The newest row that did not replace a running period, as an upgrade does, which is bought by hand.
    private func newestRenewed(_ candidates: [DatedRow], _ reading: inout V1Reading) -> DatedRow? {
        // Another row may have been put before that of the latest purchase; a renewal is never by hand.
        guard var index = candidates.indices.prefix(2).max(by: { candidates[$0].purchase < candidates[$1].purchase })
        else {
            return nil
        }
        while index + 1 < candidates.count, isUpgrade(candidates[index], of: candidates[index + 1], &reading) {
            index += 1
        }
        return candidates[index]
    }

    private func isUpgrade(_ candidate: DatedRow, of other: DatedRow, _ reading: inout V1Reading) -> Bool {
        guard view.truth(fields[row: other.index, .isUpgraded]) == true else { return false }
        let ended = row(other, &reading).expires?.milliseconds ?? .min
        return ended > candidate.purchase && candidate.purchase > other.purchase
            && !view.same(fields[row: candidate.index, .productID], fields[row: other.index, .productID])
    }

    /// Whether the period that began is not in the list yet, which still ends with an older one.
    ///
    /// A renewal is never the first transaction, and nothing that began is in billing retry. What is received when
    /// the newest period is over, or about to be renewed, is about the next one; later than Apple delivers that, or
    /// than billing retry lasts, the time of reception may be that of an import.
    private func lacksOwn(_ newest: DatedRow, _ candidates: [DatedRow], _ receivedAt: Int64?) -> Bool {
        let isList = fields.unifiedRows > 0 || fields.receiptRows > 0
        guard let shape, shape.time == .purchase, isList else { return false }
        let isFirst = isFirst(newest)
        if isFirst, shape.transaction == .first { return false }
        let expires = fields.date(.expires, row: newest.index, view).date?.milliseconds
        let over = receivedAt.flatMap { received in expires.map { received - $0 } }
        if isInRetry, over.map({ $0 >= 0 }) ?? true { return true }
        if isFirst, !isByHand {
            // Ids that somebody masked are all the same.
            let original = fields.date(.originalPurchase, row: newest.index, view).date?.milliseconds
            let isMasked =
                candidates.count > 1
                || newest.date.map { date in
                    original.map { abs(date.milliseconds - $0) > delivery.tolerance } ?? false
                } ?? false
            return !isMasked && over.map { $0 >= -chargedAhead } ?? true
        }
        guard chargedAhead > 0, let receivedAt, let over, newest.date != nil else { return false }
        // Apple, DID_RECOVER: an expired subscription was recovered, so the period that runs is the recovered one.
        let isOnTime = table.timeline.onTime.contains(type)
        return over >= (isByHand || isRecovery ? 0 : -chargedAhead)
            && over <= (isOnTime ? table.parameters.deliveryHorizon : table.parameters.retryEnd)
            && receivedAt - newest.purchase > table.parameters.deliveryHorizon
    }

    private var isInRetry: Bool {
        (0..<fields.pending.count).contains { entry in
            let id = fields[pending: entry, .originalTransactionID]
            return
                (id.isBlank
                ? fields.pending.count == 1 && fields.isEntry(entry, of: subject.originalTransactionID, view)
                : view.same(id, subject.originalTransactionID))
                && view.truth(fields[pending: entry, .isInBillingRetryPeriod]) == true
        }
    }

    /// The row whose transaction id is the original one, or the newest.
    ///
    /// It is the newest if that was bought after a lapse and the body came so late that Apple would no longer have
    /// delivered the first purchase.
    private func firstTransaction(_ candidates: [DatedRow], _ reading: inout V1Reading) -> DatedRow? {
        guard let first = candidates.first(where: { isFirst($0) }), candidates.count > 1, let newest = candidates.first,
            first.purchase != .min
        else { return candidates.first { isFirst($0) } }
        let (age, isFar) = newest.purchase.subtractingReportingOverflow(first.purchase)
        let before = candidates.first { $0.purchase < newest.purchase }
        guard isFar || age > delivery.horizon, let end = before.flatMap({ row($0, &reading).end }) else { return first }
        let (gap, isLong) = newest.purchase.subtractingReportingOverflow(end)
        return isLong || gap > table.parameters.contiguous ? newest : first
    }

    private func isFirst(_ candidate: DatedRow) -> Bool {
        view.same(fields[row: candidate.index, .transactionID], fields[row: candidate.index, .originalTransactionID])
    }

    // MARK: Around it

    private func around(_ purchase: Int64, _ candidates: [DatedRow], _ reading: inout V1Reading) {
        guard let candidate = candidates.firstIndex(where: { $0.purchase < purchase && $0.purchase != .min }) else {
            return
        }
        let previous = row(candidates[candidate], &reading)
        reading.previous = previous
        if isRecovery, chargedAhead > 0 {
            let older = candidates[(candidate + 1)...].first { $0.purchase < candidates[candidate].purchase }
            reading.rows.mayBeOfPrevious =
                isRecovered(
                    previous, since: older.map { row($0, &reading).end } ?? nil, before: purchase)
                && !isFirst(candidates[candidate])
        }
    }

    /// Whether a recovery within the grace period may have begun a period, and may still be reported when the next
    /// one is shown.
    private func isRecovered(_ row: V1Reading.Row, since end: Int64?, before next: Int64) -> Bool {
        let contiguous = table.parameters.contiguous
        guard let begin = row.purchase?.milliseconds, let expires = row.expires?.milliseconds,
            abs(next - expires) <= contiguous, end.map({ abs(begin - $0) <= contiguous }) ?? true
        else { return false }
        let latest = begin + min(table.parameters.longestGrace, expires - begin) + delivery.horizon
        // Received later than any recovery of either is reported, it says nothing.
        let received = receivedAt.flatMap { $0 <= next + table.parameters.longestGrace + delivery.horizon ? $0 : nil }
        return received ?? next <= latest
    }

    private func ownTime(_ root: V1Date?, _ reading: inout V1Reading) -> V1Date? {
        switch shape?.time {
        case .purchase: reading.notified?.purchase
        case .expiry: reading.notified?.expires
        case .cancellation: root ?? reading.notified?.cancellation
        case .statusChange: root
        case nil: nil
        }
    }

    /// The newest date that is not after the notification: a purchase or cancellation of the subject or a date of
    /// the top level, else what other dates there are.
    private func latest(_ candidates: [DatedRow], _ reading: inout V1Reading) {
        func latest(_ dates: [V1Date?]) -> V1Date? {
            dates.compactMap(\.self).max { $0.milliseconds < $1.milliseconds }
        }
        let rows = candidates.map { row($0, &reading) }
        let known = rows.flatMap { [$0.purchase, $0.cancellation] }
        guard fields.root.count > 0 else { return reading.latestKnown = latest(known) }
        reading.latestKnown =
            latest(known + [fields.date(.statusChange, view).date, fields.date(.rootCancellation, view).date])
            ?? latest(dates(.originalPurchase, candidates.map(\.index)) + rows.dropFirst().map(\.expires))
            ?? anyDate(latest)
    }

    /// A date of a body that has none of those: one of another purchase or, as this may lie ahead, the earliest end.
    private func anyDate(_ latest: ([V1Date?]) -> V1Date?) -> V1Date? {
        let all = 0..<fields.rows.count
        let others = all.flatMap { row in
            [V1DateForms.purchase, .cancellation, .originalPurchase].flatMap { dates($0, [row]) }
        }
        let graces = (0..<fields.pending.count).map { fields.date(.gracePeriodExpires, pending: $0, view).date }
        let ends = (dates(.expires, all) + graces).compactMap(\.self)
        return latest(others) ?? ends.min { $0.milliseconds < $1.milliseconds }
    }

    private func dates(_ forms: V1DateForms, _ rows: some Sequence<Int>) -> [V1Date?] {
        rows.map { fields.date(forms, row: $0, view).date }
    }
}

extension V1Fields {
    /// Whether a row is the newer one of two that were bought at the same time, or when nobody knows; by what the rows
    /// hold and never by where they stand.
    func isNewer(_ one: Int, than other: Int, _ view: TextView) -> Bool {
        for forms in [V1DateForms.purchase, .expires, .originalPurchase] {
            let first = date(forms, row: one, view).date?.milliseconds ?? .min
            let second = date(forms, row: other, view).date?.milliseconds ?? .min
            if first != second { return first > second }
        }
        // Ids are numbers that grow, so the longer one is the later one.
        let first = self[row: one, .transactionID]
        let second = self[row: other, .transactionID]
        if first.count != second.count { return first.count > second.count }
        return view.comesAfter(rows, one, other, from: V1Keys.Row.transactionID.rawValue) ?? (one < other)
    }

    /// Whether a row is one of a subscription's transactions; a single receipt of the old form that says again what the
    /// list says is none.
    func isRow(_ index: Int, of subject: JSONText, _ view: TextView) -> Bool {
        let original = self[row: index, .originalTransactionID]
        guard subject.isBlank || view.same(original, subject) else { return false }
        guard index >= unifiedRows, index < rows.count - receiptRows else { return true }
        if let repeats { return !repeats.contains(index) }
        let id = self[row: index, .transactionID]
        guard !id.isBlank else { return true }
        // No closure: it would be given a copy of all this for every row, asked or not.
        for other in 0..<index where view.same(self[row: other, .transactionID], id) { return false }
        return true
    }
}
