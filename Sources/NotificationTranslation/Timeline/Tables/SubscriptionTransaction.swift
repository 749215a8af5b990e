/// One transaction: what was bought, renewed, refunded or replaced, whoever reported it.
public struct SubscriptionTransaction: Hashable, Sendable {
    /// Why its period is over.
    @nonexhaustive
    public enum EndReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// It ran to its end, renewed or not.
        case expired
        case refunded
        /// The family member lost access.
        case revoked
        case upgraded
    }

    /// Who shows it; the first that applies.
    @nonexhaustive
    public enum Basis: String, Hashable, Sendable, Codable, CaseIterable {
        /// A notification reports that it began or what became of it.
        case notification
        /// An answer of Apple's shows it.
        case answer
        /// A list in a body shows it.
        case list
        /// It follows from other notifications.
        case deduced
    }

    /// The id of the subscription or purchase.
    public var originalTransactionID: String
    /// `Production`, `Sandbox`, or as given.
    public var environment: String?
    /// The app.
    public var bundleID: String?
    /// What is known of it, as in an event; without an id if it was deduced.
    public var transaction = UnifiedEvent.Transaction()
    /// When its period was over; `nil` while it runs.
    public var endedAt: EventTime?
    /// Why its period is over; `nil` while it runs.
    public var endReason: EndReason?
    /// `PURCHASE` or `RENEWAL`; `nil` if it is not known.
    public var reason: String?
    /// Whether it was a trial for nothing.
    public var isTrial: Bool?
    /// The transaction that an upgrade put in its place.
    public var replacedBy: String?
    /// Who shows it; the first that applies.
    public var basis = Basis.list
    /// The ids of the events that report it.
    public var reportedBy: [String] = []
    /// How sure the transaction itself is, not the pair of an event that reports it.
    public var certainty = Certainty.exact
    /// Why it is not exact.
    public var flags: [AmbiguityFlag] = []

    init(originalTransactionID: String) { self.originalTransactionID = originalTransactionID }
}

extension SubscriptionTransaction: TableRecord {
    /// The columns in the order of the contract.
    package static let columns: [TableColumn<SubscriptionTransaction>] = [
        .init("schema_version", .text) { _ in .text("1") },
        .init("original_transaction_id", .text) { .text($0.originalTransactionID) },
        .init("transaction_id", .text) { .text($0.transaction.transactionID) },
        .init("web_order_line_item_id", .text) { .text($0.transaction.webOrderLineItemID) },
        .init("environment", .text) { .text($0.environment) },
        .init("bundle_id", .text) { .text($0.bundleID) },
        .init("product_id", .text) { .text($0.transaction.productID) },
        .init("product_type", .text) { .text($0.transaction.productType?.rawValue) },
        .init("subscription_group_id", .text) { .text($0.transaction.subscriptionGroupID) },
        .init("purchased_at", .time) { .time($0.transaction.purchasedAt) },
        .init("expires_at", .time) { .time($0.transaction.expiresAt) },
        .init("ended_at", .time) { .time($0.endedAt) },
        .init("end_reason", .text) { .text($0.endReason?.rawValue) },
        .init("reason", .text) { .text($0.reason) },
        .init("quantity", .number) { .number($0.transaction.quantity) },
        .init("ownership", .text) { .text($0.transaction.ownership?.rawValue) },
        .init("app_account_token", .text) { .text($0.transaction.appAccountToken) },
        .init("offer_type", .number) { .number($0.transaction.offerType?.rawValue) },
        .init("offer_id", .text) { .text($0.transaction.offerID) },
        .init("offer_discount_type", .text) { .text($0.transaction.offerDiscountType?.rawValue) },
        .init("is_trial", .truth) { .truth($0.isTrial) },
        .init("price", .number) { .number($0.transaction.price) },
        .init("currency", .text) { .text($0.transaction.currency) },
        .init("storefront", .text) { .text($0.transaction.storefront) },
        .init("revoked_at", .time) { .time($0.transaction.revokedAt) },
        .init("revocation_reason", .number) { .number($0.transaction.revocationReason?.rawValue) },
        .init("replaced_by", .text) { .text($0.replacedBy) },
        .init("basis", .text) { .text($0.basis.rawValue) },
        .init("reported_by", .list) { .list($0.reportedBy) },
        .init("certainty", .text) { .text($0.certainty.rawValue) },
        .init("flags", .list) { .list($0.flags.map(\.rawValue)) },
    ]
}

extension Ledger {
    /// The transactions as rows, the oldest first.
    ///
    /// - Parameters:
    ///   - settlement: What the ledger was made of.
    ///   - asOf: What counts as now for a period that runs.
    /// - Returns: One for each transaction.
    func transactions(_ settlement: Settlement, asOf: Int64) -> [SubscriptionTransaction] {
        let rows = TransactionRows(settlement, self, asOf: asOf)
        return entries.indices.map(rows.row)
    }
}

/// Makes a row of each transaction of a subscription, as of an instant.
private struct TransactionRows {
    private let settlement: Settlement
    private let ledger: Ledger
    private let asOf: Int64
    private let common: SubscriptionTransaction
    /// The events that report each transaction, in the order of events.
    private let reports: [UInt64: [Int]]
    /// The events that report the refund, the revocation or the upgrade of each transaction.
    private let cancellations: [UInt64: [Int]]
    /// By the ledger index of each transaction that was charged ahead and never began, that of the one that replaced it.
    private let overtaken: [Int: Int]

    init(_ settlement: Settlement, _ ledger: Ledger, asOf: Int64) {
        (self.settlement, self.ledger, self.asOf) = (settlement, ledger, asOf)
        let named = settlement.deliveries.first { !$0.originalTransactionID.isAbsent }
        var common = SubscriptionTransaction(originalTransactionID: named?.originalTransactionID.string ?? "")
        (common.bundleID, common.environment) = (settlement.app.bundleID, settlement.app.environment)
        self.common = common
        // A notification without a transaction id is about the only transaction, if that began then.
        let only = ledger.entries.count == 1 ? ledger.entries[0].row : nil
        reports = Dictionary(
            grouping: settlement.order.filter { settlement.isEvent($0) && Self.reports($0, settlement) }
        ) {
            let named = settlement.statements[$0].transaction
            guard named == TimelineID.none, let only, Self.fits($0, only, settlement) else { return named }
            return only.transaction
        }
        let cancelling = settlement.order.filter { index in
            let isAbout = settlement.isAboutCancelled(settlement.statements[index])
            return settlement.isEvent(index) && (isAbout || Self.isRefund(index, settlement))
        }
        cancellations = Dictionary(grouping: cancelling) { settlement.statements[$0].transaction }
        overtaken = PeriodReports(settlement: settlement).overtaken(ledger.entries.map(\.row))
    }

    /// Whether an event that names no transaction may be about one.
    private static func fits(_ index: Int, _ row: TimelineRow, _ settlement: Settlement) -> Bool {
        guard settlement.role(index) == .begins else { return true }
        let statement = settlement.statements[index]
        if settlement.shape(of: statement)?.transaction == .first {
            return row.transaction == TimelineID.of(statement.originalTransactionID)
        }
        let delivery = settlement.delivery(statement)
        return row.begin - delivery.chargedAhead...row.begin + delivery.horizon ~= statement.time
    }

    private static func isRefund(_ index: Int, _ settlement: Settlement) -> Bool {
        let role = settlement.role(index)
        return role == .refunds
            || role == .ends && settlement.table.events.pairs[settlement.outcomes[index].pair].effect == .cancels
    }

    /// Whether a notification reports that its transaction began, was refunded or revoked, or that its refund was
    /// reversed; of a one-time purchase, any event.
    private static func reports(_ index: Int, _ settlement: Settlement) -> Bool {
        let pair = settlement.outcomes[index].pair
        let pairs = settlement.table.events.pairs
        return switch settlement.role(index) {
        case .begins, .refunds, .restores: true
        case .ends: pairs[pair].type == "REVOKE"
        default: pair >= 0 && !pairs[pair].isSubscription
        }
    }

    func row(_ index: Int) -> SubscriptionTransaction {
        let (entry, reports) = (ledger.entries[index], reports(of: index))
        var end = doubted(end(index), of: index)
        if entry.isContradicted {
            end.certainty = end.certainty.atMost(.inferred)
            end.flags.formUnion(.answerContradicts)
        }
        var row = common
        row.transaction = entry.transaction(row.originalTransactionID)
        row.isTrial = entry.details.isTrial
        row.reportedBy = reports.compactMap { settlement.id(of: $0).string }
        row.basis = !reports.isEmpty ? .notification : entry.isAnswered ? .answer : .list
        row.reason = reason(index, isFirst: row.transaction.transactionID == row.originalTransactionID)
        (row.endReason, row.endedAt) = (end.reason, end.at.map(EventTime.init))
        row.replacedBy = end.replacedBy?.transactionID
        (row.certainty, row.flags) = (end.certainty, end.flags.names)
        if let refund = end.refund {
            row.transaction.revokedAt = refund.cancellation.map(EventTime.init)
            row.transaction.revocationReason = refund.reason == .notStated ? nil : .init(rawValue: Int64(refund.reason))
        }
        if entry.isDeduced {
            (row.transaction.transactionID, row.basis, row.reason) = (nil, .deduced, "RENEWAL")
            (row.certainty, row.flags) = (.inferred, FlagSet.deducedLikely.names)
        }
        if !ledger.isCertain {
            row.certainty = row.certainty.atMost(.ambiguous)
            row.flags.append(contentsOf: FlagSet.subjectUncertain.names)
        }
        return row
    }

    private func reports(of index: Int) -> [Int] { reports[ledger.entries[index].row.transaction] ?? [] }

    /// The index of the transaction that began after one.
    private func next(_ index: Int) -> Int? { ledger.entries.indices[(index + 1)...].first { overtaken[$0] == nil } }

    // MARK: How it ended

    /// How a period ended; `reason` is `nil` while it runs.
    private struct End {
        var reason: SubscriptionTransaction.EndReason?
        var at: Int64?
        var replacedBy: TimelineRow?
        /// The transaction with its refund or revocation, where that is told.
        var refund: TimelineRow?
        var certainty = Certainty.exact
        var flags = FlagSet()
    }

    private func end(_ index: Int) -> End {
        let period = period(index)
        if var end = replacement(index, period) {
            end.at = end.at.map { max($0, min(period.begin, asOf)) }
            return end
        }
        guard let cancelled = period.cancellation else { return reportedRefund(index, period) ?? expiry(period) }
        guard period.isInPart else { return refund(index, period, at: cancelled) }
        var end = expiry(period)
        (end.refund, end.flags) = (period, .refundPartial)
        return end
    }

    /// An end, less certain where its report is ambiguous or reports another kind of end, where a cancellation that names no
    /// transaction falls in its period, and where a later list lacks the cancellation.
    private func doubted(_ end: End, of index: Int) -> End {
        var (end, row) = (end, ledger.entries[index].row)
        func doubt(_ limit: Certainty, _ flags: FlagSet) {
            end.certainty = end.certainty.atMost(limit)
            end.flags.formUnion(flags)
        }
        for report in cancellations[row.transaction] ?? [] where settlement.statements[report].time <= asOf {
            // What begins another plan reports an upgrade; the others report a refund or a revocation.
            let isOther = (settlement.role(report) == .begins) != (end.reason == .upgraded)
            let sureness = settlement.sureness(of: report)
            guard end.reason != nil, end.reason != .expired, isOther || sureness == .ambiguous else { continue }
            doubt(sureness.atMost(.inferred), settlement.outcomes[report].decision?.flags ?? FlagSet())
        }
        let isTakenBack = settlement.history.contradictions.contains {
            $0.kind == .restored && $0.transaction == row.transaction && $0.cancelled == row.cancellation
        }
        if end.refund != nil, isTakenBack { doubt(.inferred, .statusUnreported) }
        let run = row.begin..<max(row.begin, row.expires ?? .max)
        for report in cancellations[TimelineID.none] ?? [] where run.contains(settlement.statements[report].time) {
            if end.refund == nil, end.reason != .upgraded { doubt(.ambiguous, .transactionUncertain) }
        }
        if end.certainty != .exact, end.flags.isEmpty { end.flags = .statusInferred }
        return end
    }

    /// A transaction as it stood at `asOf`: a refund, reversal or upgrade after that instant does not count.
    private func period(_ index: Int) -> TimelineRow {
        let entry = ledger.entries[index]
        var period = entry.row
        // A refund that was reversed later.
        if let gap = entry.changes.gaps.first(where: { $0.contains(asOf) }) { period.cancellation = gap.lowerBound }
        // Version 2 says itself that a refund was reversed.
        if let reversed = reversal(of: index), reversed >= period.cancellation ?? .max { period.cancellation = nil }
        let replaced = next(index).map { ledger.entries[$0].row.purchase }
        if period.cancellation ?? (period.isUpgraded ? replaced : nil) ?? .min > asOf {
            period.cancellation = nil
            if replaced ?? .max > asOf { period.isUpgraded = false }
        }
        if entry.upgradedAfterRefund ?? .min > asOf { period.isUpgraded = false }
        return period
    }

    /// When a notification last reported, by `asOf`, that the refund of a transaction was reversed.
    private func reversal(of index: Int) -> Int64? {
        let last = reports(of: index).last {
            settlement.role($0) == .restores && settlement.statements[$0].time <= asOf
        }
        return last.map { settlement.statements[$0].time }
    }

    /// The end of a period that another plan replaced; `nil` for all others.
    private func replacement(_ index: Int, _ period: TimelineRow) -> End? {
        if let other = overtaken[index].map({ ledger.entries[$0].row }), period.cancellation == nil,
            other.purchase <= asOf
        {
            return End(
                reason: .upgraded, at: other.purchase, replacedBy: other, certainty: .inferred, flags: .deducedLikely)
        }
        guard let following = next(index) else {
            return period.isUpgraded ? End(reason: .upgraded, at: period.cancellation) : nil
        }
        let next = ledger.entries[following].row
        let isOther = next.product != period.product
        let isAtOnce = period.cancellation.map { abs(next.purchase - $0) <= settlement.parameters.replacedWithin }
        let isReplaced = isOther && isAtOnce ?? period.isUpgraded
        if period.isUpgraded, isOther, !isReplaced, let end = replacement(of: period, index, by: next) { return end }
        if period.isUpgraded || isReplaced && period.cancellation != nil && refundReport(index) == nil {
            let replacing = isReplaced ? next : nil
            return End(reason: .upgraded, at: period.cancellation ?? replacing?.purchase, replacedBy: replacing)
        }
        return period.cancellation == nil ? endInMiddle(index, of: period, following, next) : nil
    }

    /// The end of a transaction that was replaced and refunded later; or refunded, the refund reversed, and then replaced.
    private func replacement(of period: TimelineRow, _ index: Int, by next: TimelineRow) -> End? {
        guard let refunded = period.cancellation else { return nil }
        let isRefundedLater = next.purchase < refunded
        guard isRefundedLater || ledger.entries[index].upgradedAfterRefund ?? .max <= asOf else { return nil }
        return End(
            reason: .upgraded, at: next.purchase, replacedBy: next, refund: isRefundedLater ? period : nil)
    }

    /// The end of a period in whose middle another one began: two of a subscription never run side by side.
    private func endInMiddle(_ index: Int, of period: TimelineRow, _ following: Int, _ next: TimelineRow) -> End? {
        guard let expires = period.expires, next.purchase <= asOf, next.purchase < expires else { return nil }
        let table = SilentTable.current
        let pairs = reports(of: following).map { (index: $0, pair: settlement.outcomes[$0].pair) }
        if let upgrade = pairs.first(where: { table.replaces.contains($0.pair) }) {
            return End(
                reason: .upgraded, at: next.purchase, replacedBy: next,
                certainty: settlement.sureness(of: upgrade.index))
        }
        // A renewal that was charged ahead does not end this period.
        guard expires - next.purchase > settlement.parameters.chargedAhead else { return nil }
        // A resubscription means that no period was running: this one was refunded, and that notification is missing.
        if pairs.contains(where: { table.returns.contains($0.pair) }) {
            guard refundReport(index) == nil else { return nil }
            return End(reason: .refunded, at: next.purchase, certainty: .ambiguous, flags: .deducedLikely)
        }
        // The notification of the upgrade is lost.
        guard next.product != period.product else { return nil }
        return End(
            reason: .upgraded, at: next.purchase, replacedBy: next, certainty: .inferred, flags: .deducedLikely)
    }

    /// The last notification that reports the refund or revocation of a transaction.
    private func refundReport(_ index: Int) -> Int? {
        reports(of: index).last { settlement.role($0) == .refunds || settlement.role($0) == .ends }
    }

    /// How the period ended if a notification reports its refund or revocation and no list of transactions shows it (for
    /// example because the bodies have no lists); `nil` without such a report.
    private func reportedRefund(_ index: Int, _ period: TimelineRow) -> End? {
        // A refund that was reversed since has its dates in the ledger.
        guard let report = refundReport(index), ledger.entries[index].cancellations.isEmpty else { return nil }
        let (statement, sureness) = (settlement.statements[report], settlement.sureness(of: report))
        guard statement.time <= asOf, reversal(of: index) ?? .min < statement.time else { return nil }
        var period = period
        period.cancellation = statement.isTimeless ? nil : statement.ownTime
        let ownListContradicts = statement.hasList && ledger.entries[index].shownBy.contains(report)
        var end = ownListContradicts ? expiry(period) : refund(index, period, at: statement.time)
        end.certainty = end.certainty.atMost(ownListContradicts ? .ambiguous : sureness)
        if statement.isUndated { end.certainty = end.certainty.atMost(.inferred) }
        guard end.certainty != .exact else { return end }
        end.flags.formUnion(settlement.outcomes[report].decision?.flags ?? FlagSet())
        if ownListContradicts { end.flags.formUnion(.transactionUncertain) }
        if statement.isUndated { end.flags.formUnion(.timeLowerBound) }
        return end
    }

    private func refund(_ index: Int, _ period: TimelineRow, at cancelled: Int64) -> End {
        let (entry, report) = (ledger.entries[index], refundReport(index))
        let isShared = entry.details.shown.ownership.string == UnifiedEvent.Ownership.familyShared.rawValue
        let isRevoked = report.map { settlement.role($0) == .ends } ?? isShared
        // What was charged ahead ends where it would have begun.
        let instant = min(max(cancelled, min(period.begin, asOf)), period.expires ?? .max)
        var end = End(reason: isRevoked ? .revoked : .refunded, at: instant)
        end.refund = period
        let decision = report.flatMap { settlement.outcomes[$0].decision }
        let sureness = report.map(settlement.sureness)
        if let sureness, sureness == .ambiguous || decision?.candidates.contains(.companion) == true {
            // The report is ambiguous, or the cancellation may be a part of an upgrade.
            (end.certainty, end.flags) = (sureness.atMost(.inferred), decision?.flags ?? FlagSet())
        } else if let later = stillRuns(entry, after: cancelled) {
            end.certainty = .inferred
            end.flags = later.isAnswer ? .answerContradicts : .statusInferred
        }
        return end
    }

    /// What was signed after a refund and says that the period runs.
    private func stillRuns(_ entry: Ledger.Entry, after cancelled: Int64) -> Statement? {
        let deliveries = settlement.deliveries
        return entry.shownBy.lazy.map { deliveries[$0] }.first {
            $0.transaction == entry.row.transaction && $0.access.status == EventTable.current.access.active
                && $0.time > cancelled && $0.time < entry.row.expires ?? .max
        }
    }

    private func expiry(_ period: TimelineRow) -> End {
        guard let expires = period.expires, expires <= asOf else { return End() }
        return End(reason: .expired, at: expires)
    }

    // MARK: How it began

    /// Apple's `transactionReason`, as far as an answer, a notification or the dates say it.
    private func reason(_ index: Int, isFirst: Bool) -> String? {
        let entry = ledger.entries[index]
        if let reason = entry.details.reason.string { return reason }
        let begin = reports(of: index).first { settlement.role($0) == .begins }
        if let begin, settlement.sureness(of: begin) != .ambiguous {
            return settlement.table.events.pairs[settlement.outcomes[begin].pair].type == "DID_RENEW"
                ? "RENEWAL" : "PURCHASE"
        }
        if entry.row.expires == nil || isFirst || entry.details.shown.originalPurchasedAt == entry.row.begin {
            return "PURCHASE"
        }
        guard index > 0, let end = ledger.entries[index - 1].expires(knownAt: .max) else { return nil }
        let isContiguous = abs(end - entry.row.purchase) <= settlement.parameters.contiguous
        return isContiguous && ledger.entries[index - 1].cancellations.isEmpty ? "RENEWAL" : nil
    }
}
