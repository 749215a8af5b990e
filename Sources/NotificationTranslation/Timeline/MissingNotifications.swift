/// When version 1 notifications of each app arrived from production, the first and the last.
package struct DeliverySpans: Sendable {
    private var spans: [(app: UInt64, first: Int64, last: Int64)] = []

    package init() {}

    /// Takes note of a notification.
    package mutating func note(_ event: inout EventDraft) {
        guard event.source.version == .v1, event.environment.hasSameBytes(as: .production),
            let time = event.source.receivedAt ?? event.occurredAt, !event.bundleID.isAbsent
        else { return }
        note(TimelineID.of(event.bundleID), time, time)
    }

    /// Adds those of another part.
    package mutating func add(_ other: DeliverySpans) {
        for span in other.spans { note(span.app, span.first, span.last) }
    }

    package mutating func removeAll() { spans.removeAll(keepingCapacity: true) }

    private mutating func note(_ app: UInt64, _ first: Int64, _ last: Int64) {
        guard let index = spans.firstIndex(where: { $0.app == app }) else { return spans.append((app, first, last)) }
        if first < spans[index].first { spans[index].first = first }
        if last > spans[index].last { spans[index].last = last }
    }

    func span(of app: UInt64) -> ClosedRange<Int64>? {
        spans.first { $0.app == app }.flatMap { $0.first <= $0.last ? $0.first...$0.last : nil }
    }
}

/// Notifications that were surely sent and are not in the archive, by ``CivilTime/month(_:)``.
package struct MissingNotifications: Sendable, Equatable {
    /// Those of one month.
    package struct Month: Sendable, Equatable {
        /// Renewals that lists prove and no notification reports.
        package var renewals = 0
        /// Notifications that only pages of Apple's notification history have.
        package var listed = 0
        /// How often Apple tried to send the latter.
        package var attempts = 0
        /// Those of them that Apple sent with success, so that they were lost on the server.
        package var sent = 0

        mutating func add(_ other: Month) {
            renewals += other.renewals
            listed += other.listed
            attempts += other.attempts
            sent += other.sent
        }
    }

    private var months: [Int: Month] = [:]

    package init() {}

    /// The months in which something is missing, in their order.
    package var byMonth: [(month: Int, missing: Month)] {
        months.sorted { $0.key < $1.key }.map { (month: $0.key, missing: $0.value) }
    }

    package var total: Month { months.values.reduce(into: Month()) { $0.add($1) } }

    package mutating func add(_ other: MissingNotifications) {
        for (month, missing) in other.months { months[month, default: Month()].add(missing) }
    }

    /// Adds those of a settled subscription.
    mutating func add(_ settlement: Settlement, _ spans: DeliverySpans) {
        addListed(settlement.statements)
        let reported = settlement.order.filter { settlement.role($0) == .begins }
        addRenewals(
            settlement.history.rows, named: settlement.statements.first { !$0.bundleID.isAbsent },
            reported: Set(reported.map { settlement.statements[$0].transaction }), spans)
    }

    /// Adds those of a notification that is alone.
    mutating func add(_ statement: Statement, showing rows: [TimelineRow], begins: Bool, _ spans: DeliverySpans) {
        addListed([statement])
        guard rows.count > 1 else { return }
        let rows = rows.reversed().sorted { $0.comes(before: $1) }
        addRenewals(rows, named: statement, reported: begins ? [statement.transaction] : [], spans)
    }

    private mutating func addListed(_ statements: [Statement]) {
        guard statements.contains(where: \.isInHistory) else { return }
        let notifications = Dictionary(grouping: statements.filter(\.isV2)) { $0.id.number }
        for copies in notifications.values where copies.allSatisfy(\.isInHistory) {
            let month = CivilTime.month(copies[0].signature ?? copies[0].time)
            let isSent = copies.contains { $0.kind.contains(.isSent) }
            let attempts = copies.lazy.map { Int($0.attempts) }.max() ?? 0
            months[month, default: Month()].add(Month(listed: 1, attempts: attempts, sent: isSent ? 1 : 0))
        }
    }

    /// Adds renewals: a list proves them, and no notification reports them, though the app received version 1
    /// notifications before and, for as long as Apple tries, after.
    ///
    /// - Parameters:
    ///   - rows: The transactions, the oldest first.
    ///   - named: A notification that names the app.
    ///   - reported: The transactions that some notification says began.
    ///   - spans: When notifications of each app arrived.
    private mutating func addRenewals(
        _ rows: [TimelineRow], named: Statement?, reported: Set<UInt64>, _ spans: DeliverySpans
    ) {
        guard rows.count > 1, let named, named.isProduction, let span = spans.span(of: TimelineID.of(named.bundleID))
        else { return }
        let parameters = DecisionTable.current.parameters
        for (before, row) in zip(rows, rows.dropFirst()) {
            guard let end = before.expires, abs(end - row.purchase) <= parameters.contiguous,
                before.product == row.product,
                row.purchase >= parameters.renewalsToldSince, row.purchase > span.lowerBound,
                row.purchase < span.upperBound - parameters.deliveryHorizon, !reported.contains(row.transaction)
            else { continue }
            months[CivilTime.month(row.purchase), default: Month()].renewals += 1
        }
    }
}
