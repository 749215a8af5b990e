/// Everything one App Store account has in an app: what its receipts show at an instant.
struct Account: Sendable {
    /// The books of each subscription and one-time purchase, oldest version first.
    let books: [[StateVersion]]

    /// The states that a receipt shows beside the subject's, as they were at an instant.
    func neighbours(of subject: SubscriptionState, at instant: Instant) -> [SubscriptionState] {
        books.compactMap { versions in
            guard let first = versions.first, first.state.originalTransactionId != subject.originalTransactionId else {
                return nil
            }
            return versions.last { $0.since <= instant }?.state
        }
    }

    /// The rows a unified receipt lists: the newest hundred, oldest first.
    func rows(with subject: SubscriptionState, at instant: Instant) -> [ReceiptRow] {
        let states = neighbours(of: subject, at: instant) + [subject]
        let rows = states.filter { !$0.hiddenFromReceipt }.flatMap(\.rows)
        let order = rows.indices.sorted { (rows[$0].purchase, $0) < (rows[$1].purchase, $1) }
        return order.suffix(100).map { rows[$0] }
    }
}
