/// A period that was cancelled: what its row and the dates say of whether it was refunded, or an upgrade replaced it.
///
/// A single body and a timeline read it the same way; a timeline then also asks what neighbours say.
struct CancelledPeriod {
    var cancelledAt: Int64
    /// Whether the row says that an upgrade cancelled it.
    var isUpgraded: Bool
    /// Whether it is in a list of transactions, which marks what an upgrade cancelled, without that mark.
    var isUnmarked: Bool
    /// Whether its reason is an issue with the app, which only a refund has.
    var isIssue: Bool

    /// Whether it was refunded before a purchase: by its reason, by the era, or because a list does not mark it.
    func isRefund(before purchase: Int64, _ parameters: Parameters) -> Bool {
        guard !isUpgraded, cancelledAt <= purchase else { return false }
        return isIssue || cancelledAt >= parameters.cancelsAreRefundsFrom
            || isUnmarked && purchase - cancelledAt > parameters.replacedWithin
    }

    /// What became of it, for a purchase at the time of the cancellation.
    ///
    /// A product is not replaced by itself, so the same product means a refund; another one makes an upgrade likely.
    func fate(at purchase: Int64, isSameProduct: Bool, _ parameters: Parameters) -> FactValue.Upgraded {
        if isUpgraded { return .yes }
        guard abs(cancelledAt - purchase) <= parameters.contiguous else { return .no }
        if isRefund(before: purchase, parameters) { return .refunded }
        guard isSameProduct else { return .likely }
        return cancelledAt <= purchase ? .refunded : .no
    }
}
