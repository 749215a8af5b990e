extension Parameters {
    /// Whether two receptions are as far apart as two different attempts to deliver one notification.
    ///
    /// Attempts are late and hardly ever early.
    func isAttempt(_ distance: Int64) -> Bool {
        for (place, later) in deliveryAttempts.enumerated() {
            for earlier in deliveryAttempts[..<place]
            where -attemptEarly...attemptSlack ~= distance - (later - earlier) {
                return true
            }
        }
        return false
    }

    /// Whether a notification may be delivered this long after what it reports: soon, or soon after a later attempt.
    func mayDeliver(_ delay: Int64) -> Bool {
        delay <= lateDelivery || deliveryAttempts.contains { (-attemptEarly...lateDelivery).contains(delay - $0) }
    }

    /// How a period that begins at a distance from the end of another follows it.
    func gap(_ distance: Int64) -> FactValue.Gap {
        if abs(distance) <= contiguous { return .contiguous }
        if distance < 0 { return .overlap }
        return distance >= retryEnd ? .longLapse : .lapse
    }

    /// Where a change of status that is so long after the end of its period is.
    func changedAt(_ distance: Int64) -> FactValue.ChangedAt {
        if distance >= retryEnd { return .retryEnd }
        if distance >= retryLastDay { return .retryLastDay }
        if distance >= 0 { return .afterExpiry }
        return distance >= -justBeforeExpiry ? .justBeforeExpiry : .beforeExpiry
    }
}
