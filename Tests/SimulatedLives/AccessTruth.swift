/// What Apple's rules give a customer of one subscription or one-time purchase, at every instant.
///
/// Access runs from the purchase of a period until it expires, is refunded, revoked or replaced by an upgrade
/// ("Reducing involuntary subscriber churn": continue to provide service until the grace period ends).
package struct AccessTruth: Sendable {
    package enum Kind: Sendable {
        case subscription, nonConsumable
        /// A consumable or a non-renewing subscription: the app decides how long it lasts.
        case other
    }

    package let originalTransactionId: String
    package let kind: Kind
    private let versions: [StateVersion]

    init(versions: [StateVersion], app: App) {
        self.versions = versions
        let state = versions.first?.state
        originalTransactionId = state?.originalTransactionId ?? ""
        let product = state?.rows.first?.productId ?? ""
        if state?.rows.first?.expires != nil {
            kind = .subscription
        } else {
            let isConsumable = app.oneTimeProducts.contains { $0.productId == product && $0.isConsumable }
            kind = isConsumable || product.contains("season") ? .other : .nonConsumable
        }
    }

    /// Whether the customer has access by Apple's books.
    package func gives(at instant: Instant) -> Bool {
        guard let state = versions.last(where: { $0.since <= instant })?.state else { return false }
        var known = KnownAccess()
        known.learn(state.rows, state.renewal, at: instant)
        return known.gives(at: instant)
    }

    /// How Apple's books have the subscription or purchase at an instant; `nil` before it was bought.
    package func state(at instant: Instant) -> StateTruth? {
        guard let state = versions.last(where: { $0.since <= instant })?.state else { return nil }
        let begun = state.rows.filter { $0.purchase <= instant }
        guard let row = begun.max(by: { ($0.purchase, $0.transactionId) < ($1.purchase, $1.transactionId) }) else {
            return nil
        }
        var truth = StateTruth(transactionId: row.transactionId, productId: row.productId, gives: gives(at: instant))
        truth.wasReversed =
            versions.contains { version in
                version.since <= instant
                    && version.state.rows.contains { $0.transactionId == row.transactionId && $0.cancellation != nil }
            } && row.cancellation == nil
        guard kind == .subscription else { return truth }
        truth.autoRenews = state.renewal?.autoRenews
        let isInRetry = state.renewal?.isInRetry == true
        if let cancelled = row.cancellation, cancelled <= instant {
            truth.status = 5
        } else if let expires = row.expires, expires <= instant {
            // Access lasts until the grace period ends, also where renewal was switched off in it.
            truth.status = truth.gives ? 4 : isInRetry ? 3 : 2
        } else {
            truth.status = 1
        }
        return truth
    }

    /// The instants at which ``gives(at:)`` may change.
    package var turns: [Instant] {
        versions.flatMap { version in
            [version.since] + [version.state.renewal?.graceUntil].compactMap(\.self)
                + version.state.rows.suffix(3).flatMap(KnownAccess.turns)
        }
    }
}

/// How a subscription, or a one-time purchase, stands in Apple's books.
package struct StateTruth: Sendable {
    package let transactionId: String
    package let productId: String
    /// Whether the customer has access.
    package let gives: Bool
    /// Apple's number: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; `nil` for one-time purchases.
    package var status: Int64?
    package var autoRenews: Bool?
    /// Whether its transaction was refunded and that was reversed, which Apple reported to nobody before June 2023.
    package var wasReversed = false
}

/// What the notifications received so far say about access.
package struct KnownAccess: Sendable {
    private var rows: [String: (row: ReceiptRow, at: Instant)] = [:]
    private var renewal: (state: RenewalState, at: Instant)?

    package init() {}

    /// Takes in a body; what was written later is the truer.
    package mutating func learn(_ shown: Shown) { learn(shown.rows, shown.renewal, at: shown.at) }

    mutating func learn(_ shown: [ReceiptRow], _ state: RenewalState?, at instant: Instant) {
        for row in shown where (rows[row.transactionId]?.at ?? .min) <= instant {
            rows[row.transactionId] = (row, instant)
        }
        if let state, (renewal?.at ?? .min) <= instant { renewal = (state, instant) }
    }

    /// Whether the customer has access as far as is known: the newest period that has begun decides.
    package func gives(at instant: Instant) -> Bool {
        let begun = rows.values.map(\.row).filter { $0.purchase <= instant }
        guard let newest = begun.max(by: { ($0.purchase, $0.transactionId) < ($1.purchase, $1.transactionId) }) else {
            return false
        }
        if let cancelled = newest.cancellation, cancelled <= instant { return false }
        guard let expires = newest.expires, expires <= instant else { return true }
        return (renewal?.state.graceUntil ?? .min) > instant
    }

    /// The instants at which ``gives(at:)`` may change by itself.
    package var turns: [Instant] {
        [renewal?.state.graceUntil].compactMap(\.self) + rows.values.flatMap { KnownAccess.turns($0.row) }
    }

    static func turns(_ row: ReceiptRow) -> [Instant] {
        [row.purchase] + [row.expires, row.cancellation].compactMap(\.self)
    }
}
