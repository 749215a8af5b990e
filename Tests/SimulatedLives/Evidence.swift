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
            let shown = notice.omitsRows ? [] : account.rows(with: notice.state, at: notice.at)
            rows = Dictionary(grouping: shown, by: \.originalTransactionId)
            let states = account.neighbours(of: notice.state, at: notice.at) + [notice.state]
            renewals = states.reduce(into: [:]) { $0[$1.originalTransactionId] = $1.renewal }
        }
    }

    private let views: [View]

    init(notices: [Notice], account: Account) {
        views = notices.filter { $0.signed == nil }.map { View(of: $0, account: account) }
    }

    /// Whether bodies give it away: those about the same subscription only, or all.
    func shows(_ happening: Happening, elsewhere: Bool) -> Bool {
        let views =
            elsewhere
            ? self.views
            : self.views.filter { $0.notice.state.originalTransactionId == happening.originalTransactionId }
        let id = happening.transactionId
        switch (happening.pair.type, happening.pair.subtype) {
        case ("DID_RENEW", "BILLING_RECOVERY"):
            return views.contains { row(of: happening, in: $0) != nil } && failed(before: happening.at, in: views)
        case ("DID_RENEW", _), ("SUBSCRIBED", _):
            return views.contains { row(of: happening, in: $0) != nil }
        case ("REFUND", _):
            return views.contains { row(of: happening, in: $0)?.cancellation != nil }
        case ("REFUND_REVERSED", _):
            return views.contains { $0.notice.at < happening.at && row(of: happening, in: $0)?.cancellation != nil }
                && views.contains {
                    guard $0.notice.at >= happening.at, let row = row(of: happening, in: $0) else { return false }
                    return row.cancellation == nil
                }
        case ("EXPIRED", "VOLUNTARY"):
            return views.contains { showsLapse(happening, in: $0) }
        case ("EXPIRED", "BILLING_RETRY"):
            let hasReturned = views.contains { view in
                rows(of: happening, in: view).contains { $0.purchase > happening.at }
            }
            return hasReturned && failed(before: happening.at, in: views)
        case ("OFFER_REDEEMED", nil):
            return views.contains { $0.notice.at >= happening.at && showsOffer(happening, in: $0) }
        case ("GRACE_PERIOD_EXPIRED", _):
            let isKnown = views.contains {
                $0.notice.shape.hasHistory && renewal(of: happening, in: $0)?.graceUntil == happening.dated
            }
            return isKnown && views.contains { $0.notice.at > happening.at && $0.notice.shape.hasHistory }
        case ("PRICE_INCREASE", "ACCEPTED"):
            return views.contains { $0.notice.type == "PRICE_INCREASE_CONSENT" && $0.notice.transactionId == id }
                && views.contains { $0.notice.at > happening.at && showsConsent(happening, in: $0) }
        case ("RENEWAL_EXTENDED", _):
            let before = views.filter { $0.notice.at < happening.at }.compactMap { row(of: happening, in: $0)?.expires }
            let after = views.filter { $0.notice.at >= happening.at }.compactMap { row(of: happening, in: $0)?.expires }
            return before.contains { early in after.contains { $0 > early } }
        default: return false
        }
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

    /// An offer waiting for the next period, or the next period of the same product bought with it.
    private func showsOffer(_ happening: Happening, in view: View) -> Bool {
        let rows = rows(of: happening, in: view)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return false }
        if index < rows.count - 1 {
            let (row, next) = (rows[index], rows[index + 1])
            guard next.purchase == row.expires, next.productId == row.productId else { return false }
            return next.promotionalOfferId != nil || next.offerCode != nil
        }
        guard let renewal = renewal(of: happening, in: view), renewal.nextProductId == rows[index].productId else {
            return false
        }
        return renewal.promotionalOfferId != nil || renewal.offerCode != nil
    }

    /// The answer itself, or the renewal that would not have come without it.
    private func showsConsent(_ happening: Happening, in view: View) -> Bool {
        let rows = rows(of: happening, in: view)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return false }
        return index < rows.count - 1 || renewal(of: happening, in: view)?.priceConsent == "1"
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
