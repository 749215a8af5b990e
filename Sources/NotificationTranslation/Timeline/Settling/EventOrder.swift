/// The order of the events that notifications report, whatever the order of their arrival; where that says nothing, by
/// content.
///
/// If two notifications are still equal, or neither has a date, their position in the input decides.
struct EventOrder: ~Copyable {
    let settlement: Settlement

    func comes(_ one: Int, before other: Int) -> Bool {
        let (a, b) = (settlement.statements[one], settlement.statements[other])
        if a.time != b.time { return a.time < b.time }
        let (first, second) = (urgency(a), urgency(b))
        if first != second { return first < second }
        if let left = a.receivedAt, let right = b.receivedAt, left != right { return left < right }
        if a.isUndated != b.isUndated { return b.isUndated }
        if let left = a.importedAt, let right = b.importedAt, left != right { return left < right }
        if a.isUndated, a.importedAt == nil, b.importedAt == nil { return one < other }
        return comesByContent(one, before: other)
    }

    private func comesByContent(_ one: Int, before other: Int) -> Bool {
        let (a, b) = (settlement.statements[one], settlement.statements[other])
        let (left, right) = ((a.type, a.id.number, lastShown(a)), (b.type, b.id.number, lastShown(b)))
        if left != right { return left < right }
        if (a.receivedAt == nil) != (b.receivedAt == nil) { return a.receivedAt != nil }
        if a.hasLentArrival != b.hasLentArrival { return b.hasLentArrival }
        // What was imported, or received in one millisecond, is in any order. Of two that say the same it does not matter
        // which is the first.
        let isAtOnce = a.importedAt != nil && b.importedAt != nil || a.receivedAt != nil && b.receivedAt != nil
        let (first, second) = (settlement.evidence[one], settlement.evidence[other])
        return isAtOnce && !first.elementsEqual(second) ? first.lexicographicallyPrecedes(second) : one < other
    }

    /// The latest date among the transactions that a body shows: it was written after that.
    private func lastShown(_ statement: Statement) -> Int64 {
        settlement.shownRows[statement.rows].reduce(.min) { max($0, $1.purchase, $1.cancellation ?? .min) }
    }

    /// Among notifications of one instant: what ended before what began, what began before what changed.
    private func urgency(_ statement: Statement) -> Int {
        guard let shape = settlement.shape(of: statement) else { return 5 }
        if statement.isTimeless { return 4 }
        switch shape.time {
        case .expiry: return 0
        case .cancellation: return 1
        case .purchase: return 2
        case .statusChange: return 3
        case nil: return 4
        }
    }
}

extension [Statement] {
    /// Gives a version 1 notification that nothing dates the earliest arrival of a copy that says the same: a dump beside
    /// the archive, for example.
    mutating func lendArrivals() {
        let undated = indices.filter { !self[$0].isV2 && self[$0].isUndated }
        guard !undated.isEmpty, undated.count < count else { return }
        var arrivals: [UInt64: Int64] = [:]
        for statement in self {
            guard let received = statement.receivedAt else { continue }
            arrivals[statement.id.number] = Swift.min(received, arrivals[statement.id.number] ?? .max)
        }
        for index in undated {
            guard let arrival = arrivals[self[index].id.number] else { continue }
            (self[index].receivedAt, self[index].hasLentArrival) = (arrival, true)
        }
    }
}

/// What counts as now while a subscription is settled, and the next instant at which an answer may change by itself.
///
/// Every comparison with now goes through it. So nothing changes before ``next`` unless a notification arrives.
final class ViewClock {
    /// Milliseconds since 1970.
    let now: Int64
    /// The earliest instant after now that anybody asked for; the greatest number if there is none.
    private(set) var next = Int64.max

    init(_ now: Int64) { self.now = now }

    /// Whether an instant is now or earlier.
    func hasReached(_ instant: Int64) -> Bool {
        if now >= instant { return true }
        next = min(next, instant)
        return false
    }

    /// Whether now is more than a stretch of time after an instant.
    func isLater(than instant: Int64, by stretch: Int64) -> Bool {
        let (end, overflow) = instant.addingReportingOverflow(stretch + 1)
        return hasReached(overflow ? .max : end)
    }
}
