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

    init(originalTransactionID: String) {
        self.originalTransactionID = originalTransactionID
    }
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

extension Ledger {
    /// The transactions as rows, the oldest first.
    ///
    /// - Parameters:
    ///   - settlement: What the ledger was made of.
    ///   - asOf: What counts as now for a period that runs.
    /// - Returns: One for each transaction.
    func transactions(_ settlement: Settlement, asOf: Int64) -> [SubscriptionTransaction] {
        let named = settlement.deliveries.first { !$0.originalTransactionID.isAbsent }
        var common = SubscriptionTransaction(originalTransactionID: named?.originalTransactionID.string ?? "")
        (common.bundleID, common.environment) = (settlement.app.bundleID, settlement.app.environment)
        let reports = Dictionary(
            grouping: settlement.story.filter { settlement.isEvent($0) && Self.reports($0, settlement) }
        ) { settlement.statements[$0].transaction }
        return entries.indices.map { place in
            var row = common
            take(place, settlement, reports, asOf, &row)
            return row
        }
    }

    private func take(
        _ place: Int, _ settlement: Settlement, _ all: [UInt64: [Int]], _ asOf: Int64,
        _ row: inout SubscriptionTransaction
    ) {
        let entry = entries[place]
        let reports = all[entry.row.transaction] ?? []
        row.transaction = entry.transaction(row.originalTransactionID)
        row.isTrial = entry.details.isTrial
        row.reportedBy = reports.compactMap { settlement.id(of: $0).string }
        let isAnswered = entry.shownBy.contains { $0 >= settlement.statements.count }
        row.basis = !reports.isEmpty ? .notification : isAnswered ? .answer : .list
        let next = entries.indices.contains(place + 1) ? all[entries[place + 1].row.transaction] : nil
        let upgrade = next?.first { SilentTable.current.replaces.contains(settlement.outcomes[$0].pair) }
        takeEnd(place, settlement, reports, upgrade: upgrade, asOf, &row)
        let isFirst = row.transaction.transactionID == row.originalTransactionID
        row.reason = reason(place, isFirst: isFirst, settlement, reports)
        if entry.isDeduced {
            (row.transaction.transactionID, row.basis, row.reason) = (nil, .deduced, "RENEWAL")
            row.certainty = .inferred
            row.flags = FlagSet.deducedLikely.names
        }
        if !isCertain {
            row.certainty = row.certainty.atMost(.ambiguous)
            row.flags.append(contentsOf: FlagSet.subjectUncertain.names)
        }
    }

    private func takeEnd(
        _ place: Int, _ settlement: Settlement, _ reports: [Int], upgrade: Int?, _ asOf: Int64,
        _ row: inout SubscriptionTransaction
    ) {
        var period = entries[place].row
        // A refund that was taken back later.
        if let gap = entries[place].changes.gaps.first(where: { $0.contains(asOf) }) {
            period.cancellation = gap.lowerBound
        }
        // Version 2 says itself that a refund was taken back.
        let reversal = reports.last { settlement.role($0) == .restores }
        let reversed = reversal.map { settlement.statements[$0].order }
        if let reversed, reversed >= period.cancellation ?? .max, reversed <= asOf { period.cancellation = nil }
        let next = entries.indices.contains(place + 1) ? entries[place + 1].row : nil
        // At the instant that is asked for, a period still ran that was refunded or replaced later.
        if period.cancellation ?? (period.isUpgraded ? next?.purchase : nil) ?? .min > asOf {
            period.cancellation = nil
            if next?.purchase ?? .max > asOf { period.isUpgraded = false }
        }
        let upgraded = entries[place].upgradedAfterRefund
        if upgraded ?? .min > asOf { period.isUpgraded = false }
        let replacing = next.flatMap { next in
            next.product != period.product
                && period.cancellation.map { isReplaced(at: $0, by: next, settlement) } ?? period.isUpgraded
                ? next : nil
        }
        let report = reports.last { settlement.role($0) == .refunds || settlement.role($0) == .ends }
        if let next, period.isUpgraded, replacing == nil, next.product != period.product,
            let refunded = period.cancellation,
            next.purchase < refunded || upgraded ?? .max <= asOf
        {
            // Replaced and refunded later; or refunded, the refund reversed, and then replaced.
            (row.endReason, row.replacedBy) = (.upgraded, next.transactionID)
            row.endedAt = EventTime(milliseconds: next.purchase)
            if next.purchase < refunded { row.takeRevocation(of: period) }
        } else if period.isUpgraded || replacing != nil && period.cancellation != nil && report == nil {
            row.endReason = .upgraded
            row.replacedBy = replacing?.transactionID
            row.endedAt = (period.cancellation ?? replacing?.purchase).map(EventTime.init)
        } else if let next, period.cancellation == nil, next.purchase <= asOf, let end = period.expires,
            next.purchase < end, upgrade != nil || isOfOtherPlan(next, inMiddleOf: period, settlement)
        {
            (row.endReason, row.replacedBy) = (.upgraded, next.transactionID)
            row.endedAt = EventTime(milliseconds: next.purchase)
            row.certainty = row.certainty.atMost(upgrade.map(settlement.sureness) ?? .inferred)
            // Two periods of a subscription never run side by side: the notification of the upgrade is lost.
            if upgrade == nil { row.flags.append(contentsOf: FlagSet.deducedLikely.names) }
        } else if let cancelled = period.cancellation {
            row.takeRevocation(of: period)
            guard !period.isInPart else {
                row.flags.append(contentsOf: FlagSet.refundPartial.names)
                return expire(period, asOf, &row)
            }
            let isRevoked = report.map { settlement.role($0) == .ends } ?? (row.transaction.ownership == .familyShared)
            row.endReason = isRevoked ? .revoked : .refunded
            row.endedAt = EventTime(milliseconds: min(cancelled, period.expires ?? .max))
            if let report, settlement.sureness(of: report) == .ambiguous {
                row.certainty = .ambiguous
                row.flags.append(contentsOf: (settlement.outcomes[report].decision?.flags ?? FlagSet()).names)
            }
            if row.certainty == .exact, let later = stillRuns(entries[place], after: cancelled, settlement) {
                row.certainty = .inferred
                row.flags += (later.isAnswer ? FlagSet.answerContradicts : .statusInferred).names
            }
        } else {
            expire(period, asOf, &row)
        }
    }

    /// What was signed after a refund and says that the period runs.
    private func stillRuns(_ entry: Entry, after cancelled: Int64, _ settlement: Settlement) -> Statement? {
        let deliveries = settlement.deliveries
        return entry.shownBy.lazy.map { deliveries[$0] }.first {
            $0.transaction == entry.row.transaction && $0.access.status == EventTable.current.access.active
                && $0.order > cancelled && $0.order < entry.row.expires ?? .max
        }
    }

    private func isReplaced(at cancelled: Int64, by next: TimelineRow, _ settlement: Settlement) -> Bool {
        abs(next.purchase - cancelled) <= settlement.parameters.replacedWithin
    }

    /// Whether a transaction of another plan began before a period ended, and is not its renewal that was paid ahead.
    private func isOfOtherPlan(
        _ next: TimelineRow, inMiddleOf period: TimelineRow, _ settlement: Settlement
    ) -> Bool {
        guard let end = period.expires, next.product != period.product else { return false }
        return end - next.purchase > settlement.parameters.chargedAhead
    }

    private func expire(_ period: TimelineRow, _ asOf: Int64, _ row: inout SubscriptionTransaction) {
        guard let expires = period.expires, expires <= asOf else { return }
        row.endReason = .expired
        row.endedAt = EventTime(milliseconds: expires)
    }

    /// Apple's `transactionReason`, as far as an answer, a notification or the dates say it.
    private func reason(_ place: Int, isFirst: Bool, _ settlement: Settlement, _ reports: [Int]) -> String? {
        let entry = entries[place]
        if let reason = entry.details.reason.string { return reason }
        let begin = reports.first { settlement.role($0) == .begins }
        if let begin, settlement.sureness(of: begin) != .ambiguous {
            return settlement.table.events.pairs[settlement.outcomes[begin].pair].type == "DID_RENEW"
                ? "RENEWAL" : "PURCHASE"
        }
        if entry.row.expires == nil || isFirst || entry.details.shown.originalPurchasedAt == entry.row.begin {
            return "PURCHASE"
        }
        guard place > 0, let end = entries[place - 1].expires(knownAt: .max) else { return nil }
        let isContiguous = abs(end - entry.row.purchase) <= settlement.parameters.contiguous
        return isContiguous && entries[place - 1].cancellations.isEmpty ? "RENEWAL" : nil
    }

    /// Whether a notification reports that its transaction began, was refunded, taken back or given again.
    private static func reports(_ place: Int, _ settlement: Settlement) -> Bool {
        let pair = settlement.outcomes[place].pair
        let pairs = settlement.table.events.pairs
        return switch settlement.role(place) {
        case .begins, .refunds, .restores: true
        case .ends: pairs[pair].type == "REVOKE"
        default: pair >= 0 && !pairs[pair].isSubscription
        }
    }
}

extension SubscriptionTransaction {
    fileprivate mutating func takeRevocation(of row: TimelineRow) {
        transaction.revokedAt = row.cancellation.map(EventTime.init)
        transaction.revocationReason = row.reason == .notStated ? nil : .init(rawValue: Int64(row.reason))
    }
}

extension Settlement {
    /// How sure the pair of a notification is.
    func sureness(of place: Int) -> Certainty {
        let certainty = outcomes[place].decision?.certainty ?? (statements[place].isV2 ? .exact : .inferred)
        return outcomes[place].limit.map(certainty.atMost) ?? certainty
    }
}
