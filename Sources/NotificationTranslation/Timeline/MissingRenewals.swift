/// When version 1 notifications of each app arrived from production, the first and the last.
package struct DeliverySpans: Sendable {
    private var spans: [(app: UInt64, first: Int64, last: Int64)] = []

    package init() {}

    /// Takes note of a notification.
    mutating func note(_ event: inout EventDraft) {
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
        guard let place = spans.firstIndex(where: { $0.app == app }) else { return spans.append((app, first, last)) }
        if first < spans[place].first { spans[place].first = first }
        if last > spans[place].last { spans[place].last = last }
    }

    func span(of app: UInt64) -> ClosedRange<Int64>? {
        spans.first { $0.app == app }.flatMap { $0.first <= $0.last ? $0.first...$0.last : nil }
    }
}

/// Renewals that were surely reported to the server and are not in the archive, by ``CivilTime/month(_:)``.
package struct MissingRenewals: Sendable, Equatable {
    package private(set) var months: [Int: Int] = [:]

    package init() {}

    package var count: Int { months.values.reduce(0, +) }

    package mutating func add(_ other: MissingRenewals) { months.merge(other.months) { $0 + $1 } }

    /// Adds those of a settled subscription: a list proves them, and no notification reports them, though the app received
    /// version 1 notifications before and, for as long as Apple tries, after.
    mutating func add(_ settlement: Settlement, _ spans: DeliverySpans) {
        let rows = settlement.history.rows
        guard rows.count > 1, let named = settlement.statements.first(where: { !$0.bundleID.isAbsent }),
            named.isProduction, let span = spans.span(of: TimelineID.of(named.bundleID))
        else { return }
        let parameters = settlement.table.parameters
        var reported: Set<UInt64> = []
        for place in settlement.story where settlement.role(place) == .begins {
            reported.insert(settlement.statements[place].transaction)
        }
        for (before, row) in zip(rows, rows.dropFirst()) {
            guard let end = before.expires, abs(end - row.purchase) <= parameters.contiguous,
                before.product == row.product,
                row.purchase >= parameters.renewalsToldSince, row.purchase > span.lowerBound,
                row.purchase < span.upperBound - parameters.deliveryHorizon, !reported.contains(row.transaction)
            else { continue }
            months[CivilTime.month(row.purchase), default: 0] += 1
        }
    }
}
