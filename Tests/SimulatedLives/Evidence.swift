/// Judges which silent happenings the version 1 bodies of an account give away.
struct Evidence: Sendable {
    /// What one body shows: the books of each subscription in it.
    private struct View: Sendable {
        let notice: Notice
        let rows: [String: [ReceiptRow]]
        let renewals: [String: RenewalState]

        init(of notice: Notice, account: Account) {
            self.notice = notice
            guard notice.shape.hasHistory else {
                var row = notice.cancelled ?? notice.state.rows.last
                row?.promotionalOfferId = nil
                row?.offerCode = nil
                rows = [notice.state.originalTransactionId: row.map { [$0] } ?? []]
                let renewal = RenewalState(autoRenews: notice.state.renewal?.autoRenews ?? true)
                renewals = [notice.state.originalTransactionId: renewal]
                return
            }
            rows = Dictionary(grouping: notice.rows(in: account), by: \.originalTransactionId)
            let states = account.neighbours(of: notice.state, at: notice.at) + [notice.state]
            renewals = states.reduce(into: [:]) { $0[$1.originalTransactionId] = $1.renewal }
        }
    }

    private let views: [View]
    private let happenings: [Happening]

    /// The evidence of notices about an account to which these happenings occurred.
    init(notices: [Notice], account: Account, happenings: [Happening]) {
        views = notices.filter { $0.signed == nil }.map { View(of: $0, account: account) }
        self.happenings = happenings
    }

    /// Whether bodies about the same subscription give it away.
    func shows(_ happening: Happening) -> Bool {
        let views = self.views.filter { $0.notice.state.originalTransactionId == happening.originalTransactionId }
        let id = happening.transactionId
        switch (happening.pair.type, happening.pair.subtype) {
        case ("DID_RENEW", "BILLING_RECOVERY"):
            return views.contains { row(of: happening, in: $0) != nil } && failed(before: happening.at, in: views)
        case ("DID_RENEW", _), ("SUBSCRIBED", _):
            return views.contains { row(of: happening, in: $0) != nil }
        case ("REFUND", _):
            return views.contains { row(of: happening, in: $0)?.cancellation != nil }
        case ("REFUND_REVERSED", _):
            return showsReversal(happening, in: views)
        case ("EXPIRED", "VOLUNTARY"):
            return !hidesReversal(happening, in: views) && views.contains { showsLapse(happening, in: $0) }
        case ("EXPIRED", "BILLING_RETRY"):
            let hasReturned = views.contains { view in
                rows(of: happening, in: view).contains { $0.purchase > happening.at }
            }
            return hasReturned && failed(before: happening.at, in: views)
        case ("OFFER_REDEEMED", nil):
            return showsRedemption(happening, in: views)
        case ("GRACE_PERIOD_EXPIRED", _):
            let isKnown = views.contains {
                $0.notice.shape.hasHistory && renewal(of: happening, in: $0)?.graceUntil == happening.dated
            }
            return isKnown && views.contains { $0.notice.at > happening.at && $0.notice.shape.hasHistory }
        case ("PRICE_INCREASE", "ACCEPTED"):
            return views.contains { $0.notice.type == "PRICE_INCREASE_CONSENT" && $0.notice.transactionId == id }
                && views.contains { $0.notice.at > happening.at && showsConsent(happening, in: $0) }
        case ("RENEWAL_EXTENDED", _):
            // Two extensions with no body between them look like one.
            let stretch = stretch(of: happening, between: ["RENEWAL_EXTENDED"])
            let shown = views.filter { row(of: happening, in: $0)?.expires != nil }.map(\.notice.at)
            return shown.contains { $0 >= stretch.lowerBound && $0 < happening.at }
                && shown.contains { $0 >= happening.at && $0 < stretch.upperBound }
        default: return false
        }
    }

    /// From the last happening of some types before one to the next one after it, of the same transaction.
    private func stretch(of happening: Happening, between types: [String]) -> Range<Instant> {
        let others = happenings.filter {
            types.contains($0.pair.type) && $0.transactionId == happening.transactionId && $0.at != happening.at
        }.map(\.at)
        return (others.filter { $0 < happening.at }.max() ?? .min)..<(others.filter { $0 > happening.at }.min() ?? .max)
    }

    /// A body that shows the refund, and one that no longer does: without it, or with a later one.
    private func showsReversal(_ happening: Happening, in views: [View]) -> Bool {
        let stretch = stretch(of: happening, between: ["REFUND"])
        let isRefundShown = views.contains {
            guard $0.notice.at >= stretch.lowerBound, $0.notice.at < happening.at else { return false }
            return row(of: happening, in: $0)?.cancellation != nil
        }
        return isRefundShown
            && views.contains {
                guard $0.notice.at >= happening.at, let row = row(of: happening, in: $0) else { return false }
                return $0.notice.at < stretch.upperBound ? row.cancellation == nil : row.cancellation != nil
            }
    }

    /// Whether the last body from before the end shows the period refunded: that the refund was taken back before the end,
    /// and not after it or never, nobody is told then.
    private func hidesReversal(_ happening: Happening, in views: [View]) -> Bool {
        let before = views.filter { $0.notice.at <= happening.at && row(of: happening, in: $0) != nil }
        guard let last = before.map(\.notice.at).max() else { return false }
        // Of bodies of one instant, one that shows the refund was written after the others.
        return before.contains { $0.notice.at == last && row(of: happening, in: $0)?.cancellation != nil }
    }

    /// A failed renewal told in the sixty days of retrying before an instant.
    private func failed(before instant: Instant, in views: [View]) -> Bool {
        views.contains {
            $0.notice.type == "DID_FAIL_TO_RENEW" && (instant - 64 * .day..<instant).contains($0.notice.at)
        }
    }

    /// A later purchase after a gap, or automatic renewal off in the last period.
    private func showsLapse(_ happening: Happening, in view: View) -> Bool {
        let rows = rows(of: happening, in: view)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return false }
        if index < rows.count - 1 { return rows[index + 1].purchase > rows[index].end }
        return renewal(of: happening, in: view)?.autoRenews == false
    }

    /// A body from before the next redemption shows the offer, and the last one since the redemption before showed
    /// another: two redemptions with no body between them look like one, and so does the same offer redeemed again.
    private func showsRedemption(_ happening: Happening, in views: [View]) -> Bool {
        let stretch = stretch(of: happening, between: ["OFFER_REDEEMED"])
        let shown = views.filter { $0.notice.at >= happening.at && $0.notice.at < stretch.upperBound }
        guard let offer = shown.lazy.compactMap({ offer(of: happening, in: $0) }).first else { return false }
        let before = views.filter { $0.notice.at >= stretch.lowerBound && $0.notice.at < happening.at }
        guard let last = before.max(by: { $0.notice.at < $1.notice.at }) else { return stretch.lowerBound == .min }
        return self.offer(of: happening, in: last) != offer
    }

    /// The offer that waits for the next period, or with which the next period of the same product was bought.
    private func offer(of happening: Happening, in view: View) -> String? {
        let rows = rows(of: happening, in: view)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return nil }
        if index < rows.count - 1 {
            let (row, next) = (rows[index], rows[index + 1])
            guard next.purchase == row.expires, next.productId == row.productId else { return nil }
            return next.promotionalOfferId ?? next.offerCode
        }
        guard let renewal = renewal(of: happening, in: view), renewal.nextProductId == rows[index].productId else {
            return nil
        }
        return renewal.promotionalOfferId ?? renewal.offerCode
    }

    /// The answer itself, or the renewal that would not have come without it; another plan has another price.
    private func showsConsent(_ happening: Happening, in view: View) -> Bool {
        let rows = rows(of: happening, in: view)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return false }
        let isAgreed = renewal(of: happening, in: view)?.priceConsent == "1"
        guard index < rows.count - 1 else { return isAgreed }
        let (row, next) = (rows[index], rows[index + 1])
        guard next.purchase == row.expires else { return false }
        return next.productId == row.productId || isAgreed && index == rows.count - 2
    }

    private func row(of happening: Happening, in view: View) -> ReceiptRow? {
        rows(of: happening, in: view).first { $0.transactionId == happening.transactionId }
    }

    private func rows(of happening: Happening, in view: View) -> [ReceiptRow] {
        view.rows[happening.originalTransactionId] ?? []
    }

    private func renewal(of happening: Happening, in view: View) -> RenewalState? {
        view.renewals[happening.originalTransactionId]
    }
}
