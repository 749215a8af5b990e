/// Acts between five seconds and five days apart: on and off around a purchase, a refund and another plan within a
/// minute, two refunds at once, a change taken back and made again.
extension SubscriptionStory {
    private enum DenseAct {
        case toggle, upgrade, downgrade, keepPlan, redeem, extend, refund, refundOlder, refundBoth, revoke
        case raisePrice, consent, reverseOlder
    }

    /// Lives through some such acts; returns how it goes on.
    mutating func liveDensely(until end: Instant) -> Phase {
        var left = random.number(6...16)
        var phase = Phase.running
        while left > 0, clock < end, phase != .over {
            left -= 1
            let next = (clock + gap()) / .second * .second
            switch phase {
            case .running: phase = act(at: beforeTheEnd() ?? next)
            case .lapsed: phase = linger(until: next)
            case .over: break
            }
        }
        return phase
    }

    /// Five seconds to five days, the short ones as likely as the long; in the sandbox up to three minutes.
    private mutating func gap() -> Instant {
        let isProduction = setting.environment == .production
        let doublings = random.number(0...Int64(isProduction ? 16 : 5))
        let result = (5 * Instant.second << doublings) * random.number(100...199) / 100
        return min(result, isProduction ? 5 * .day : 3 * .minute)
    }

    /// Now and then the customer waits for the last minutes of the period.
    private mutating func beforeTheEnd() -> Instant? {
        guard random.chance(8), let expires = current.expires else { return nil }
        let instant = expires - random.number(5...900) * .second
        return instant > clock + .second ? instant / .second * .second : nil
    }

    private mutating func act(at instant: Instant) -> Phase {
        guard let expires = current.expires, instant < expires - 2 * .second else { return endDensePeriod() }
        switch nextDenseAct() {
        case .toggle: setAutoRenewal(!renewal.autoRenews, at: instant)
        case .upgrade:
            let plans = group.plans.filter { $0 != currentPlan && currentPlan.changesAtOnce(to: $0) }
            if !plans.isEmpty { upgrade(to: random.pick(plans), at: instant) }
        case .downgrade:
            let plans = group.plans.filter { $0 != currentPlan && !currentPlan.changesAtOnce(to: $0) }
            if !plans.isEmpty { downgrade(to: random.pick(plans), at: instant) }
        case .keepPlan: keepPlan(at: instant)
        case .redeem: redeemOffer(at: instant)
        case .extend: extendPeriod(at: instant)
        case .refund:
            refund(rowAt: state.rows.count - 1, at: instant)
            return .lapsed
        case .refundOlder:
            if let index = olderRows.last { refund(rowAt: index, at: instant) }
        case .refundBoth:
            if let index = olderRows.last { refund(rowAt: index, at: instant) }
            refund(rowAt: state.rows.count - 1, at: clock + random.number(0...2) * .second)
            return .lapsed
        case .reverseOlder:
            if let index = refundedRows.last { reverseRefund(rowAt: index, at: instant) }
        case .raisePrice: raisePrice(at: instant)
        case .consent: agree(at: instant)
        case .revoke:
            revoke(at: instant)
            return .over
        }
        return .running
    }

    private var olderRows: [Int] {
        state.rows.indices.dropLast().filter { state.rows[$0].cancellation == nil && !state.rows[$0].isTrial }
    }

    private var refundedRows: [Int] {
        state.rows.indices.dropLast().filter { state.rows[$0].cancellation != nil && !state.rows[$0].isUpgraded }
    }

    private mutating func nextDenseAct() -> DenseAct {
        let isWaiting = renewal.nextProductId != current.productId
        let isPurchaser = ownership == .purchased
        let changes = renewal.autoRenews && !isWaiting
        let isPaid = isPurchaser && !current.isTrial
        return random.weighted([
            (30, DenseAct.toggle),
            (14, .upgrade),
            (changes ? 14 : 0, .downgrade),
            (renewal.autoRenews && isWaiting ? 26 : 0, .keepPlan),
            (changes && isPurchaser && clock >= AppleCalendar.promotionalOffers ? 2 : 0, .redeem),
            (isPurchaser && clock >= AppleCalendar.renewalExtensions ? 2 : 0, .extend),
            (isPaid ? 9 : 0, .refund),
            (isPurchaser && !olderRows.isEmpty ? 8 : 0, .refundOlder),
            (isPaid && !olderRows.isEmpty ? 4 : 0, .refundBoth),
            (isPurchaser ? 0 : 5, .revoke),
            (isPurchaser && !refundedRows.isEmpty ? 3 : 0, .reverseOlder),
            (isPurchaser && changes && setting.era != .legacy && renewal.priceConsent == nil ? 3 : 0, .raisePrice),
            (renewal.priceConsent == "0" ? 20 : 0, .consent),
        ])
    }

    private mutating func endDensePeriod() -> Phase {
        if renewal.priceConsent == "0", renewal.autoRenews {
            endUnrenewed("PRICE_INCREASE", intent: "3")
            return .lapsed
        }
        guard setting.environment == .sandbox else { return endPeriod() }
        guard renewal.autoRenews else {
            lapse()
            return .lapsed
        }
        renew()
        return .running
    }

    /// After the end: a return within seconds or days, a late refund, a refund taken back.
    private mutating func linger(until instant: Instant) -> Phase {
        let last = state.rows.count - 1
        if current.cancellation != nil, !current.isUpgraded, random.chance(12) {
            reverseRefund(rowAt: last, at: instant)
            renewal.expirationIntent = nil
            remember(at: instant)
            return instant < current.expires ?? instant ? .running : .lapsed
        }
        if current.cancellation == nil, ownership == .purchased, random.chance(12) {
            refund(rowAt: last, at: instant)
            return .lapsed
        }
        resubscribe(to: random.chance(45) ? currentPlan : random.pick(group.plans), at: instant)
        return .running
    }
}
