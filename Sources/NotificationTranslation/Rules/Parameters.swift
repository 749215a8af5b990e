extension Parameters {
    /// When Apple delivers, in the sandbox or elsewhere.
    func delivery(isSandbox: Bool) -> DeliveryModel {
        DeliveryModel(
            tolerance: isSandbox ? sameTimeSandbox : sameTimeProduction,
            horizon: isSandbox ? sameTimeSandbox : deliveryHorizon, chargedAhead: isSandbox ? 0 : chargedAhead,
            shownWithin: isSandbox ? shownWithinSandbox : shownWithin)
    }

    /// Whether two receptions are as far apart as two different attempts to deliver one notification.
    ///
    /// Attempts are late and hardly ever early.
    func isAttempt(_ distance: Int64) -> Bool {
        deliveryAttempts.enumerated().contains { index, later in
            deliveryAttempts[..<index].contains { -attemptEarly...attemptSlack ~= distance - (later - $0) }
        }
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

/// When Apple delivers a notification, and what a body that it wrote then must show.
///
/// A notification is tried again hours and days later; the sandbox delivers once. In production a renewal may be charged
/// before its period begins.
struct DeliveryModel {
    /// How far apart two instants of one act may be.
    let tolerance: Int64
    /// How long after something happened it may still be reported.
    let horizon: Int64
    /// How long before its period a renewal may be charged.
    let chargedAhead: Int64
    /// How long it may take until what happened shows in every body.
    let shownWithin: Int64
}
