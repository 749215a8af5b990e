/// One transaction of a subscription as some body showed it; in ``RowHistory``, with who showed it and when.
struct TimelineRow {
    var transaction = TimelineID.none
    /// The id, as a text or as the number it is.
    var transactionText = EventText.absent
    var number: Int64?
    var product = TimelineID.none
    var productText = EventText.absent
    var purchase: Int64 = 0
    /// The date of purchase in the receipt, where ``purchase`` is earlier, as another plan replaced it before it began.
    var shownPurchase: Int64?
    var expires: Int64?
    var cancellation: Int64?
    /// When it had been cancelled before, where that was taken back or is dated otherwise now.
    var earlierCancellation: Int64?
    /// 0, 1, or not stated.
    var reason = UInt8.notStated
    var isUpgraded = false
    /// Whether its cancellation is the refund of a part only.
    var isInPart = false
    /// Apple's number of the offer, 0 for none.
    var offerType: UInt8 = 0
    var offerText = EventText.absent
    var offer = TimelineID.none
    /// The statement that showed it first, and the one that showed its cancellation first; -1 for none.
    var shownBy = -1
    var cancellationFirstShownBy = -1
    /// The last statement that showed its end as it is known now, and the last that showed its cancellation.
    var endShownBy = -1
    var cancellationLastShownBy = -1
    /// Whether a list, which marks what an upgrade cancelled, shows it cancelled and without that mark.
    var isCancelledUnmarked = false
    /// When the statement of ``cancellationFirstShownBy`` had certainly been written.
    var cancellationSeenAt = Int64.min
    /// Whether Apple's answers alone show it, so that ``shownBy`` is only near to it.
    var isAnswered = false
    /// What an answer says of its end.
    var fate: Fate?
    /// When the newest receipt was made that bears out a statement that showed it; `nil` for none.
    var provenAt: Int64?

    /// What an answer says of the end of a transaction.
    enum Fate: Equatable {
        case upgraded
        case refunded(Int64)

        /// Whether it is a refund of about an instant.
        func isRefund(near instant: Int64, within tolerance: Int64) -> Bool {
            if case .refunded(let refunded) = self { abs(refunded - instant) <= tolerance } else { false }
        }
    }

    /// Whether it was bought with an offer that the customer redeemed: promotional, by code, or later kinds.
    var isRedeemed: Bool { offerType >= UInt8(.promotional) }

    /// When it was cancelled as a whole.
    var endedEarly: Int64? { isInPart ? nil : cancellation }

    /// When the period was to begin.
    var begin: Int64 { shownPurchase ?? purchase }

    /// When the period ended: by itself, or with a refund before that.
    var end: Int64? {
        guard let expires else { return nil }
        guard let endedEarly, !isUpgraded else { return expires }
        return min(expires, endedEarly)
    }

    /// Whether another statement shows the same of the transaction.
    func isSame(as other: TimelineRow) -> Bool {
        transaction == other.transaction && purchase == other.purchase && expires == other.expires
            && cancellation == other.cancellation && isUpgraded == other.isUpgraded && offerType == other.offerType
    }

    /// Whether another statement shows it with another product, or a date of purchase that differs by more than two seconds.
    func contradicts(_ other: TimelineRow, _ parameters: Parameters) -> Bool {
        let isOther = product != TimelineID.none && other.product != TimelineID.none && product != other.product
        return isOther || abs(purchase - other.purchase) > parameters.cancelledAgain
    }

    /// Whether it was cancelled by an instant and that was taken back since, nobody knows when.
    func wasCancelledBefore(_ instant: Int64) -> Bool { earlierCancellation.map { $0 <= instant } ?? false }

    /// Whether it was charged ahead of its period, and another plan that was bought right before replaced it.
    ///
    /// Some body has to mark it as upgraded, and the other plan not to be refunded when the period began, or what began
    /// is a return.
    func isReplaced(by other: TimelineRow, _ ahead: Int64) -> Bool {
        guard RenewalAhead.mayBeReplaced(purchase, by: other.purchase, ahead), product != other.product,
            !other.wasCancelledBefore(purchase)
        else { return false }
        let renewal = RenewalAhead(
            purchase: purchase, cancelled: cancellation, isUpgraded: isUpgraded, continues: false)
        return renewal.isReplaced(
            byOneThatEnds: other.isUpgraded ? other.cancellation : other.end, isUpgraded: other.isUpgraded)
    }

    /// The id as Apple writes it.
    var transactionID: String? { number.map { String($0) } ?? transactionText.string }
}
