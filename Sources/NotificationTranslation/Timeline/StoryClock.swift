/// What counts as now while a story is settled, and the next instant at which an answer may change by itself.
///
/// Every comparison with now goes through it. So nothing changes before ``next`` unless a notification arrives.
final class StoryClock {
    /// Milliseconds since 1970.
    let now: Int64
    /// The earliest instant after now that anybody asked for; the greatest number if there is none.
    private(set) var next = Int64.max

    init(_ now: Int64) {
        self.now = now
    }

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
