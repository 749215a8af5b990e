/// Judges which silent happenings the version 1 bodies of an account give away.
struct Evidence: Sendable {
    let notices: [Notice]
    let account: Account

    func shows(_ happening: Happening) -> Bool {
        let id = happening.transactionId
        let own = notices.filter { $0.state.originalTransactionId == happening.originalTransactionId }
        switch (happening.pair.type, happening.pair.subtype) {
        case ("DID_RENEW", _), ("SUBSCRIBED", _):
            return notices.contains { rows(of: happening, in: $0).contains { $0.transactionId == id } }
        case ("REFUND", _):
            return notices.contains { notice in
                rows(of: happening, in: notice).contains { $0.transactionId == id && $0.cancellation != nil }
            }
        case ("EXPIRED", "VOLUNTARY"):
            return notices.contains { showsLapse(happening, in: $0) }
        case ("OFFER_REDEEMED", nil):
            return notices.contains { $0.at >= happening.at && showsOffer(happening, in: $0) }
        case ("GRACE_PERIOD_EXPIRED", _):
            return own.contains { $0.at > happening.at && $0.shape.hasHistory }
        case ("PRICE_INCREASE", "ACCEPTED"):
            return own.contains { $0.type == "PRICE_INCREASE_CONSENT" && $0.transactionId == id }
                && own.contains { $0.at > happening.at }
        case ("RENEWAL_EXTENDED", _):
            return own.contains { $0.at < happening.at && $0.transactionId == id }
                && own.contains { $0.at >= happening.at }
        default: return false
        }
    }

    /// A later purchase after a gap, or automatic renewal off in the last period.
    private func showsLapse(_ happening: Happening, in notice: Notice) -> Bool {
        let rows = rows(of: happening, in: notice)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return false }
        if index < rows.count - 1 { return rows[index + 1].purchase > rows[index].end }
        return books(of: happening, in: notice)?.renewal?.autoRenews == false
    }

    /// An offer waiting for the next period, or the next period bought with it.
    private func showsOffer(_ happening: Happening, in notice: Notice) -> Bool {
        let rows = rows(of: happening, in: notice)
        guard let index = rows.firstIndex(where: { $0.transactionId == happening.transactionId }) else { return false }
        if index < rows.count - 1 {
            return rows[index + 1].promotionalOfferId != nil || rows[index + 1].offerCode != nil
        }
        let renewal = books(of: happening, in: notice)?.renewal
        return renewal?.promotionalOfferId != nil || renewal?.offerCode != nil
    }

    /// The books of the happening's subscription as far as the notice's body knows of them.
    private func books(of happening: Happening, in notice: Notice) -> SubscriptionState? {
        if notice.state.originalTransactionId == happening.originalTransactionId { return notice.state }
        guard notice.shape.hasHistory else { return nil }
        return account.neighbours(of: notice.state, at: notice.at)
            .first { $0.originalTransactionId == happening.originalTransactionId }
    }

    private func rows(of happening: Happening, in notice: Notice) -> [ReceiptRow] {
        guard let books = books(of: happening, in: notice) else { return [] }
        if notice.shape.hasHistory { return books.hiddenFromReceipt ? [] : books.rows }
        return notice.cancelled.map { [$0] } ?? books.rows.suffix(1)
    }
}
