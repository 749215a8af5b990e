/// The transactions of one subscription as all its notifications together show them.
///
/// One body of the first era shows one transaction; later ones show lists. What any of them shows is known of all:
///
///     INITIAL_BUY           {1}    2020-01-01 … 02-01
///     CANCEL                {1}    cancelled 01-10        →  1, cancelled 01-10
///     INTERACTIVE_RENEWAL   {2}    2020-01-10 … 02-10     →  2, from 01-10 on: an upgrade, though no body says so
///
/// Held by reference, like the other parts of a ``Settlement`` that nothing changes once they are made: its copies stay small.
final class RowHistory {
    /// The oldest first; each transaction once, with what was written of it last.
    private(set) var rows: [TimelineRow] = []
    /// What later lists show otherwise than earlier ones, in the order of events.
    private(set) var contradictions: [Contradiction] = []
    /// The statements that would have undone what a newer receipt proved, and were not followed in it.
    private(set) var outdated: Set<Int> = []
    private var indices: [UInt64: Int] = [:]
    /// Of each list, up to which purchase date it reaches and from which on it is complete; by reach.
    private var lists: [(reach: Int64, from: Int64)] = []
    /// When transactions were refunded, ascending.
    private var refunds: [Int64] = []
    /// How long before its period a renewal may be charged; zero in the sandbox, where that does not happen.
    private var chargedAhead: Int64 = 0

    private let parameters: Parameters

    init(_ parameters: Parameters) { self.parameters = parameters }

    /// Few enough to look through one by one.
    private static let few = 24

    /// Two statements that do not say the same of a transaction.
    struct Contradiction {
        enum Kind { case restored, extended }

        var kind: Kind
        var transaction: UInt64
        var before: Int
        var after: Int
        /// When the transaction had been cancelled.
        var cancelled: Int64?
        /// Whether what shows it was certainly written when the cancellation showed everywhere.
        var isCertain = true
    }

    /// Takes in what a statement shows; later ones overrule earlier ones.
    ///
    /// - Parameters:
    ///   - shown: Its transactions.
    ///   - statement: What else it states.
    ///   - notification: Its index among the statements.
    func add(_ shown: ArraySlice<TimelineRow>, of statement: Statement, _ notification: Int) {
        chargedAhead = statement.isProduction ? parameters.chargedAhead : 0
        for row in shown {
            if let known = index(of: row.transaction) {
                merge(row, into: known, statement, notification)
            } else {
                insert(row, statement, notification)
            }
        }
        if statement.hasList, let newest = shown.first { lists.append((newest.purchase, statement.completeFrom)) }
    }

    private func insert(_ row: TimelineRow, _ statement: Statement, _ notification: Int) {
        if rows.count > Self.few || !indices.isEmpty { index(row.transaction) }
        let new = rows.count
        rows.append(row)
        rows[new].shownBy = notification
        rows[new].endShownBy = notification
        rows[new].provenAt = statement.provenAt
        if row.cancellation != nil { setCancelled(new, statement, notification) }
        noteCancellation(new, row, statement, notification)
    }

    private func merge(_ row: TimelineRow, into index: Int, _ statement: Statement, _ notification: Int) {
        let known = rows[index]
        if isOutdated(known, statement) { return takeOlder(row, into: index, statement, notification) }
        let isTakenBack = isRestored(known, row, statement) || isSoonRestored(known, row, statement)
        let isRestored = isTakenBack && mayRestore(known, statement)
        if isTakenBack, !isRestored { outdated.insert(notification) }
        let isAgain = isCancelledAgain(known, row, statement)
        compare(known, row, statement, notification, isRestored: isRestored, isAgain: isAgain)
        rows[index] = row
        rows[index].take(known, isEndShownBy: notification)
        rows[index].provenAt = statement.provenAt ?? known.provenAt
        if let before = known.cancellation, isRestored || before != row.cancellation ?? before {
            rows[index].earlierCancellation = min(before, known.earlierCancellation ?? before)
        }
        if row.cancellation != nil, known.cancellation == nil || isAgain {
            setCancelled(index, statement, notification)
        }
        noteCancellation(index, row, statement, notification)
        if !isRestored { rows[index].keepCancellation(of: known) }
    }

    /// Changes what is known of a transaction, or adds it.
    func update(_ transaction: UInt64, _ change: (TimelineRow?) -> TimelineRow) {
        if let known = index(of: transaction) {
            rows[known] = change(rows[known])
        } else {
            if rows.count > Self.few || !indices.isEmpty { index(transaction) }
            rows.append(change(nil))
        }
    }

    private func setCancelled(_ index: Int, _ statement: Statement, _ notification: Int) {
        rows[index].cancellationFirstShownBy = notification
        let shown = statement.signature ?? statement.receivedAt ?? statement.time
        let latest = max(rows[index].cancellation ?? .min, shown)
        rows[index].cancellationSeenAt = latest
    }

    private func noteCancellation(_ index: Int, _ row: TimelineRow, _ statement: Statement, _ notification: Int) {
        guard row.cancellation != nil else { return }
        rows[index].cancellationLastShownBy = notification
        if statement.hasList { rows[index].isCancelledUnmarked = !row.isUpgraded }
    }

    /// Whether a body shows that a cancellation was taken back and made again: its date is a later one.
    private func isCancelledAgain(_ known: TimelineRow, _ row: TimelineRow, _ statement: Statement) -> Bool {
        guard let before = known.cancellation, let after = row.cancellation, !known.isUpgraded else { return false }
        return after - before > parameters.cancelledAgain
    }

    /// Whether a body shows that a cancellation was taken back.
    ///
    /// It must have been written after the cancellation was shown first. One that was written before may lack it too:
    /// a cancellation is dated by itself and shows in receipts later.
    private func isRestored(_ known: TimelineRow, _ row: TimelineRow, _ statement: Statement) -> Bool {
        lacksCancellation(known, row, statement, shownBy: known.cancellationSeenAt + delivery(statement).shownWithin)
    }

    /// Whether a body lacks a cancellation that it would have shown if that shows as soon as it happened.
    private func isSoonRestored(_ known: TimelineRow, _ row: TimelineRow, _ statement: Statement) -> Bool {
        guard let cancelled = known.cancellation else { return false }
        return lacksCancellation(known, row, statement, shownBy: cancelled + delivery(statement).tolerance)
    }

    private func lacksCancellation(
        _ known: TimelineRow, _ row: TimelineRow, _ statement: Statement, shownBy instant: Int64
    ) -> Bool {
        guard known.cancellation != nil, row.cancellation == nil, !known.isUpgraded,
            statement.hasList || statement.isV2 && !statement.isOfCancellation
        else { return false }
        let ahead = TimeField.isPurchase(statement.ownField) ? parameters.chargedAhead : 0
        return statement.isWrittenAfter(instant + ahead)
    }

    private func delivery(_ statement: Statement) -> DeliveryModel {
        parameters.delivery(isSandbox: statement.isSandbox)
    }

    /// Whether a statement's receipt was made before one that bears out what is known of a transaction.
    ///
    /// Receipts are signed with their date, so only newer ones add to what is known of a transaction; a body of the
    /// first of March that is sent again after a refund changes nothing:
    ///
    ///     CANCEL      {1}  cancelled 03-09   receipt of 03-10
    ///     replayed    {1}                    receipt of 03-01      →  1 stays cancelled
    private func isOutdated(_ known: TimelineRow, _ statement: Statement) -> Bool {
        guard let provenAt = known.provenAt, let receipt = statement.receipt else { return false }
        return receipt.createdAt < provenAt
    }

    /// Takes from an older receipt's body what the newer one need not know: what receipts do not hold.
    private func takeOlder(_ row: TimelineRow, into index: Int, _ statement: Statement, _ notification: Int) {
        let known = rows[index]
        if isRestored(known, row, statement) || (row.cancellation != nil && known.cancellation == nil) {
            outdated.insert(notification)
        }
        if row.isUpgraded, row.cancellation == known.cancellation { rows[index].isUpgraded = true }
        if known.offerType == 0 { rows[index].takeOffer(of: row) }
    }

    /// Whether a statement that carries a verified receipt may show that a cancellation was taken back.
    ///
    /// Its receipt must bear out what it says, and must have been made when it would have shown the cancellation.
    private func mayRestore(_ known: TimelineRow, _ statement: Statement) -> Bool {
        guard let receipt = statement.receipt, let cancelled = known.cancellation else { return true }
        return receipt.bearsOut && receipt.createdAt > cancelled + delivery(statement).shownWithin
    }

    private func compare(
        _ known: TimelineRow, _ row: TimelineRow, _ statement: Statement, _ notification: Int, isRestored: Bool,
        isAgain: Bool
    ) {
        if isRestored || isAgain {
            let isCertain = !isAgain && self.isRestored(known, row, statement)
            contradictions.append(
                Contradiction(
                    kind: .restored, transaction: row.transaction, before: known.cancellationLastShownBy,
                    after: notification,
                    cancelled: known.cancellation, isCertain: isCertain))
        } else if let cancelled = row.cancellation, known.cancellation == nil {
            // The same cancellation again: the body that lacked it was not the later one.
            contradictions.removeAll {
                $0.kind == .restored && $0.transaction == row.transaction && $0.cancelled == cancelled
            }
        }
        if let before = known.expires, let after = row.expires, after - before >= parameters.extensionAtLeast {
            contradictions.append(
                Contradiction(
                    kind: .extended, transaction: row.transaction, before: known.endShownBy, after: notification))
        }
    }

    private func index(_ transaction: UInt64) {
        if indices.isEmpty { for (number, row) in rows.enumerated() { indices[row.transaction] = number } }
        indices[transaction] = rows.count
    }

    /// The index of a transaction in ``rows``.
    func index(of transaction: UInt64) -> Int? {
        guard indices.isEmpty else { return indices[transaction] }
        return rows.firstIndex { $0.transaction == transaction }
    }

    /// Puts everything in order; to be called when all statements are in.
    func close() {
        indices.removeAll(keepingCapacity: true)
        // Bodies show the newest first; sorting that took 8 % of a run on typical bodies.
        rows.reverse()
        rows.sort { $0.comes(before: $1) }
        if chargedAhead > 0 { putReplacedBack() }
        if rows.count > Self.few { for (index, row) in rows.enumerated() { indices[row.transaction] = index } }
        lists.sort { $0.reach != $1.reach ? $0.reach < $1.reach : $0.from < $1.from }
        var from = Int64.max
        for index in lists.indices.reversed() {
            from = min(from, lists[index].from)
            lists[index].from = from
        }
        refunds = rows.compactMap { $0.isUpgraded ? nil : $0.cancellation }.sorted()
    }

    /// Puts renewals that were charged ahead and replaced before they began before what replaced them.
    private func putReplacedBack() {
        for newer in rows.indices.dropFirst().reversed() {
            guard rows[newer].isReplaced(by: rows[newer - 1], chargedAhead),
                rows[..<(newer - 1)].last.map({ $0.purchase < rows[newer - 1].purchase }) ?? true
            else { continue }
            rows[newer].shownPurchase = rows[newer].purchase
            rows[newer].purchase = rows[newer - 1].purchase - 1
            rows.swapAt(newer, newer - 1)
        }
    }

    // MARK: Questions

    /// Restored transactions, each with the index of its original purchase in ``rows``.
    ///
    /// Restoring a purchase on another device gives it a further `transaction_id`; product and dates stay as they are:
    ///
    ///     {7}  2022-09-15 … 10-15        shown by DID_RENEW
    ///     {9}  2022-09-15 … 10-15        beside it in the next list    →  9 is 7, restored
    ///
    /// Apple, transaction_id: restoring gives a transaction another id. What has no end is bought once under one
    /// original id, whatever its date; a period of a subscription whose end is missing is not.
    func restored(isSubscription: Bool) -> [UInt64: Int] {
        struct Purchase: Hashable {
            var product: UInt64
            var expires: Int64?
        }
        var found: [UInt64: Int] = [:]
        var firsts: [Purchase: Int] = [:]
        var first = 0
        for index in rows.indices {
            let row = rows[index]
            if isSubscription, row.purchase != rows[first].purchase {
                first = index
                firsts.removeAll(keepingCapacity: true)
            }
            if isSubscription, row.expires == nil { continue }
            if let original = firsts[Purchase(product: row.product, expires: row.expires)] {
                found[row.transaction] = original
            } else {
                firsts[Purchase(product: row.product, expires: row.expires)] = index
            }
        }
        return found
    }

    /// When another plan replaced a transaction whose earlier refund was reversed; `nil` for all others.
    func upgradedAfterRefund(_ row: TimelineRow) -> Int64? {
        guard row.isUpgraded, let cancelled = row.cancellation, let own = index(of: row.transaction),
            own + 1 < rows.count
        else { return nil }
        let next = rows[own + 1]
        let isLater = next.purchase - cancelled > parameters.replacedWithin && next.purchase <= row.expires ?? .min
        return isLater && next.product != row.product ? next.purchase : nil
    }

    /// The last transaction bought before an instant, other than one.
    func last(before instant: Int64, otherThan transaction: UInt64) -> TimelineRow? {
        rows[..<rows.partitioningIndex { $0.purchase >= instant }].last { $0.transaction != transaction }
    }

    /// The last transaction bought before another one.
    func last(before row: TimelineRow) -> TimelineRow? { last(before: row.purchase, otherThan: row.transaction) }

    /// The indices of transactions bought within a distance of an instant.
    func near(_ instant: Int64, within tolerance: Int64) -> Range<Int> {
        let first = rows.partitioningIndex { $0.purchase >= instant - tolerance }
        return first..<max(first, rows.partitioningIndex { $0.purchase > instant + tolerance })
    }

    /// Whether a transaction may have begun in place of one that was cancelled at an instant: an upgrade ends the period
    /// that runs, so it was bought after that one, and nothing was bought between the two.
    func follows(_ other: TimelineRow, _ row: TimelineRow, cancelledAt instant: Int64) -> Bool {
        // The next period, charged ahead of its date, is cancelled with the running one.
        if other.purchase < row.purchase { return row.purchase > instant }
        let later = rows[rows.partitioningIndex { $0.purchase > row.purchase }...]
        return !later.prefix { $0.purchase < other.purchase }.contains { $0.shownPurchase == nil }
    }

    /// Whether a transaction was refunded within a distance of an instant.
    func hasRefund(near instant: Int64, within tolerance: Int64) -> Bool {
        let index = refunds.partitioningIndex { $0 >= instant - tolerance }
        return index < refunds.count && refunds[index] <= instant + tolerance
    }

    /// Whether some list leaves out nothing that was bought from one instant up to another.
    func isComplete(from first: Int64, to last: Int64) -> Bool {
        let index = lists.partitioningIndex { $0.reach >= last }
        return index < lists.count && lists[index].from <= first
    }
}

extension TimelineRow {
    /// By the date of purchase, then by id: numbers first, then texts in the order of their hashes.
    func comes(before other: TimelineRow) -> Bool {
        if purchase != other.purchase { return purchase < other.purchase }
        if let number, let one = other.number { return number < one }
        return number == nil && other.number == nil ? transaction < other.transaction : number != nil
    }

    /// Keeps what an earlier statement gave and this one does not say.
    fileprivate mutating func take(_ known: TimelineRow, isEndShownBy notification: Int) {
        shownBy = known.shownBy
        cancellationFirstShownBy = known.cancellationFirstShownBy
        cancellationSeenAt = known.cancellationSeenAt
        earlierCancellation = known.earlierCancellation
        cancellationLastShownBy = known.cancellationLastShownBy
        isCancelledUnmarked = known.isCancelledUnmarked
        if known.isUpgraded { isUpgraded = true }
        if offerType == 0 { takeOffer(of: known) }
        // A body that was written earlier and received later does not shorten what was extended.
        guard let before = known.expires, let after = expires, after < before else { return endShownBy = notification }
        endShownBy = known.endShownBy
        expires = before
    }

    mutating func takeOffer(of other: TimelineRow) {
        offerType = other.offerType
        offer = other.offer
        offerText = other.offerText
    }

    /// Keeps a cancellation that this statement does not show; one that was written before a second cancellation shows
    /// the first one.
    fileprivate mutating func keepCancellation(of known: TimelineRow) {
        if let cancellation, cancellation >= known.cancellation ?? .min { return }
        cancellation = known.cancellation
        reason = known.reason
        isInPart = known.isInPart
    }
}
