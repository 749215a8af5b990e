extension SubscriptionStory {
    private enum RetryEnd { case recoveredInGrace, recovered, givenUpInGrace, givenUp, lost, boughtByHand }

    /// The renewal fails and Apple retries for about sixty days; returns whether the subscription lives on.
    mutating func failToRenew() -> Bool {
        let expires = current.expires ?? clock
        clock = expires
        let hasGrace = setting.hasGrace && !current.isTrial
        let graceEnd = expires + (setting.shortGrace ? 3 * .day : currentPlan.period.grace)
        renewal.isInRetry = true
        renewal.expirationIntent = random.chance(85) ? "2" : nil
        renewal.graceUntil = hasGrace ? graceEnd : nil
        let isToldAhead = !setting.isPunctual && random.chance(40)
        let failedAt = expires + (isToldAhead ? random.number(-20 * 60 ... -60) : random.number(0...30)) * .minute
        remember(at: failedAt)
        let failure = happen("DID_FAIL_TO_RENEW", hasGrace ? "GRACE_PERIOD" : nil, dated: expires, at: failedAt)
        if practice.tellsFailure { post("DID_FAIL_TO_RENEW", of: failure, at: failedAt) }

        let ends: [(weight: Int, value: RetryEnd)] =
            hasGrace
            ? [
                (34, .recoveredInGrace), (18, .recovered), (8, .givenUpInGrace), (11, .givenUp), (27, .lost),
                (2, .boughtByHand),
            ]
            : [(48, .recovered), (20, .givenUp), (29, .lost), (3, .boughtByHand)]
        let end = random.weighted(ends)
        if hasGrace, end != .recoveredInGrace, end != .givenUpInGrace {
            leaveGrace(at: graceEnd)
        }
        let afterGrace = hasGrace ? graceEnd + .hour : expires + 2 * .hour
        let duringRetry = random.number(afterGrace...expires + 59 * .day + 18 * .hour)
        let duringGrace = random.number(expires + 2 * .hour...graceEnd - 2 * .hour)
        switch end {
        case .recoveredInGrace: recover(at: duringGrace, from: expires)
        case .recovered: recover(at: duringRetry, from: duringRetry / .second * .second)
        case .givenUpInGrace: giveUp(at: duringGrace, endingAt: graceEnd)
        case .givenUp: giveUp(at: duringRetry, endingAt: duringRetry)
        case .lost:
            churn(
                at: expires + 60 * .day + (random.number(-4...84) - random.number(setting.spread(0, loose: 12))) * .hour
            )
        case .boughtByHand:
            let plan = random.pick(group.plans.filter { $0 != currentPlan })
            let recovery = V2Pair("DID_RENEW", "BILLING_RECOVERY")
            resubscribe(to: plan, at: duringRetry / .second * .second, also: [recovery])
        }
        return end == .recoveredInGrace || end == .recovered || end == .boughtByHand
    }

    private mutating func leaveGrace(at instant: Instant) {
        clock = instant
        happen("GRACE_PERIOD_EXPIRED", dated: instant)
    }

    /// The payment goes through: within grace the billing cycle is kept, after it a new one starts.
    private mutating func recover(at instant: Instant, from start: Instant) {
        clock = instant
        var row = transaction(of: group.plan(renewal.nextProductId), from: start)
        row.isRenewal = true
        state.rows.append(row)
        renewal = RenewalState(nextProductId: row.productId)
        remember(at: instant)
        let happening = happen("DID_RENEW", "BILLING_RECOVERY", dated: start, at: instant)
        guard practice.tellsRecoveryByName else {
            post("RENEWAL", of: happening, at: instant)
            return
        }
        let wasSlowToChange = practice.tellsRecoveryAsRenewal && clock < AppleCalendar.lastLegacyOnlyBody
        if wasSlowToChange, random.chance(20) {
            post("RENEWAL", of: happening, at: instant)
            return
        }
        post("DID_RECOVER", of: happening, at: instant)
        if practice.tellsRecoveryAsRenewal, random.chance(80) {
            post("RENEWAL", of: happening, leads: false, at: instant)
        }
    }

    /// The customer turns automatic renewal off while Apple still retries.
    private mutating func giveUp(at instant: Instant, endingAt end: Instant) {
        renewal.isInRetry = random.chance(70) ? false : nil
        renewal.expirationIntent = random.weighted([(45, "1"), (35, "2"), (20, nil)])
        if instant >= end { renewal.graceUntil = nil }
        setAutoRenewal(false, at: instant)
        clock = end
        let happening = happen("EXPIRED", "VOLUNTARY", dated: end, isDocumented: false)
        if renewal.graceUntil != nil { happenings[happening].also = [V2Pair("GRACE_PERIOD_EXPIRED")] }
    }

    /// Sixty days and some hours of retrying end without a payment.
    private mutating func churn(at instant: Instant) {
        clock = instant
        renewal.autoRenews = false
        renewal.isInRetry = random.chance(85) ? false : nil
        renewal.expirationIntent = random.chance(88) ? "2" : nil
        renewal.graceUntil = nil
        remember(at: instant)
        let happening = happen("EXPIRED", "BILLING_RETRY", dated: instant)
        if practice.tellsStatusBeside {
            post("DID_CHANGE_RENEWAL_STATUS", of: happening, at: instant, statusChangedAt: instant)
        }
    }
}
