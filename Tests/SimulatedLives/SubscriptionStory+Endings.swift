extension SubscriptionStory {
    /// The paid period runs out with automatic renewal off; version 1 said nothing.
    mutating func lapse() {
        clock = current.expires ?? clock
        renewal.expirationIntent = random.chance(85) ? "1" : nil
        renewal.isInRetry = false
        renewal.priceConsent = nil
        remember(at: clock)
        happen("EXPIRED", "VOLUNTARY", dated: clock)
    }

    /// The period ends without a renewal for the customer's or the developer's reason, told by a change of status.
    mutating func endUnrenewed(_ subtype: String, intent: String) {
        let expires = current.expires ?? clock
        clock = expires + random.number((setting.manner == .loose ? -1 : 0)...40) * .minute
        renewal.autoRenews = false
        renewal.expirationIntent = intent
        renewal.isInRetry = false
        remember(at: clock)
        let happening = happen("EXPIRED", subtype, dated: clock)
        if practice.tellsStatusBeside {
            post("DID_CHANGE_RENEWAL_STATUS", of: happening, at: clock, statusChangedAt: clock)
        }
    }

    /// Apple refunds the row at an index; refunding the running period ends the subscription.
    mutating func refund(rowAt index: Int, at instant: Instant) {
        clock = instant
        let isCurrent = index == state.rows.count - 1
        let wasRunning = instant < current.end
        let stopsRenewal = renewal.autoRenews && (isCurrent || random.chance(35))
        state.rows[index].cancellation = instant
        state.rows[index].cancellationReason = random.chance(25) ? "1" : "0"
        let refunded = state.rows[index]
        let beforeStatus = state
        if stopsRenewal { renewal.autoRenews = false }
        if isCurrent {
            renewal.expirationIntent = random.chance(50) ? "1" : nil
            renewal.isInRetry = wasRunning ? nil : false
            if renewal.nextProductId != current.productId {
                // The offer was for the plan that was to come.
                renewal.promotionalOfferId = nil
                renewal.offerCode = nil
            }
            renewal.nextProductId = current.productId
        }
        remember(at: instant)

        let happening = happen("REFUND", dated: instant, to: refunded)
        let showsOldStatus = random.chance(10)
        post("CANCEL", of: happening, at: instant, showing: showsOldStatus ? beforeStatus : nil, cancelled: refunded)
        guard stopsRenewal else { return }
        let statusChangedAt = instant + random.number(setting.statusDelay) * .second
        let status = happen(
            "DID_CHANGE_RENEWAL_STATUS",
            "AUTO_RENEW_DISABLED",
            dated: statusChangedAt,
            isDocumented: practice.tellsStatusBeside
        )
        if practice.tellsStatusBeside {
            post("DID_CHANGE_RENEWAL_STATUS", of: status, at: statusChangedAt, statusChangedAt: statusChangedAt)
        }
    }

    /// Apple takes a refund back, of which version 1 said nothing.
    ///
    /// The fields of the cancellation vanish from later receipts (Apple's staff in the developer forums, thread 757986).
    mutating func reverseRefund(rowAt index: Int, at instant: Instant) {
        clock = instant
        state.rows[index].cancellation = nil
        state.rows[index].cancellationReason = nil
        remember(at: instant)
        happen("REFUND_REVERSED", dated: instant, to: state.rows[index])
    }

    /// A family member loses what was shared.
    mutating func revoke(at instant: Instant) {
        clock = instant
        current.cancellation = instant
        current.cancellationReason = random.chance(30) ? "1" : "0"
        if random.chance(60) { renewal.autoRenews = false }
        remember(at: instant)
        let happening = happen("REVOKE", dated: instant)
        post("REVOKE", of: happening, at: instant, cancelled: current)
    }
}
