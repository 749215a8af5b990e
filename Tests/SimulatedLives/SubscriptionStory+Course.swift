extension SubscriptionStory {
    private enum Act {
        case turnOff, turnOn, upgrade, downgrade, waver, keepPlan, redeem, extend, refund, refundOlder, revoke
    }
    enum Phase { case running, lapsed, over }

    /// Lives from the first purchase until the customer leaves for good or the archive ends.
    mutating func run(until end: Instant) {
        subscribe()
        var phase = setting.pace == .dense ? liveDensely(until: end) : .running
        while clock < end, phase != .over {
            phase = phase == .running ? livePeriod() : stayAway()
        }
    }

    private mutating func livePeriod() -> Phase {
        periodsLeft -= 1
        if setting.environment == .sandbox { return liveSandboxPeriod() }
        let row = current
        let expires = row.expires ?? clock
        let asksForConsent = wantsPriceIncrease(until: expires)
        let first = max(clock, row.purchase) + 10 * .minute
        let last = (asksForConsent ? expires - currentPlan.period.priceNotice : expires) - 26 * .hour
        if !setting.isPunctual, ownership == .purchased, !row.isTrial, random.chance(10) {
            let instant = max(clock, row.purchase) + random.number(10...60 * 60) * .minute
            if instant < last {
                refund(rowAt: state.rows.count - 1, at: instant / .second * .second)
                return .lapsed
            }
        }
        for instant in actTimes(from: first, to: last) where instant > clock {
            if let phase = perform(nextAct(), at: instant, until: last) { return phase }
        }
        if periodsLeft <= 0, renewal.autoRenews, last > clock + .hour {
            if ownership == .familyShared, random.chance(60) {
                revoke(at: random.number(clock + .minute...last) / .second * .second)
                return .over
            }
            setAutoRenewal(false, at: random.number(clock + .minute...last))
        }
        if asksForConsent, renewal.autoRenews { return answerPriceIncrease() }
        return endPeriod()
    }

    /// Nobody pays a higher price without having agreed to it.
    private var isConsentOpen: Bool { renewal.priceConsent == "0" && renewal.nextProductId == current.productId }

    mutating func endPeriod() -> Phase {
        guard renewal.autoRenews else {
            lapse()
            return .lapsed
        }
        if isConsentOpen {
            endUnrenewed("PRICE_INCREASE", intent: "3")
            return .lapsed
        }
        if random.chance(0.4), clock >= AppleCalendar.unifiedReceipt {
            endUnrenewed("PRODUCT_NOT_FOR_SALE", intent: "4")
            return .lapsed
        }
        if random.chance(isSteady ? 0.5 : 13) { return failToRenew() ? .running : .lapsed }
        renew()
        return .running
    }

    private mutating func answerPriceIncrease() -> Phase {
        switch askForConsent() {
        case .accepted: renew()
        case .left:
            lapse()
            return .lapsed
        case .refused:
            endUnrenewed("PRICE_INCREASE", intent: "3")
            return .lapsed
        }
        return .running
    }

    /// After the end: perhaps a late refund, perhaps a return.
    private mutating func stayAway() -> Phase {
        let isRefunded = current.cancellation != nil
        if !isRefunded, ownership == .purchased, random.chance(6) {
            refund(rowAt: state.rows.count - 1, at: clock + random.number(60...60_000) * .minute)
            if random.chance(20) {
                reverseRefund(rowAt: state.rows.count - 1, at: clock + random.number(20...60 * 24) * .hour)
            }
        }
        guard periodsLeft > 0, random.chance(isRefunded ? 65 : 55) else { return .over }
        let wait =
            random.chance(isRefunded ? 60 : 25)
            ? random.number(3...4000) * .minute : random.number(2...110) * .day + random.number(0...86_400) * .second
        let isSandbox = setting.environment == .sandbox
        let returnAt = (clock + (isSandbox ? random.number(60...5000) * .second : wait)) / .second * .second
        let plan = random.chance(60) ? currentPlan : random.pick(group.plans)
        resubscribe(to: plan, at: returnAt)
        return .running
    }

    private mutating func actTimes(from first: Instant, to last: Instant) -> [Instant] {
        guard last > first + .hour else { return [] }
        let count = isSteady ? (random.chance(1) ? 1 : 0) : random.weighted([(52, 0), (33, 1), (11, 2), (4, 3)])
        return (0..<count).map { _ in random.number(first...last) / .second * .second }.sorted()
    }

    private mutating func nextAct() -> Act {
        let isWaiting = renewal.nextProductId != current.productId
        let isPurchaser = ownership == .purchased
        let offers = isPurchaser && renewal.autoRenews && !isWaiting && clock >= AppleCalendar.promotionalOffers
        let extends = isPurchaser && clock >= AppleCalendar.renewalExtensions
        return random.weighted([
            (renewal.autoRenews ? 22 : 0, Act.turnOff),
            (renewal.autoRenews ? 0 : 60, Act.turnOn),
            (14, Act.upgrade),
            (renewal.autoRenews && !isWaiting ? 15 : 0, Act.downgrade),
            (renewal.autoRenews && !isWaiting ? 2 : 0, Act.waver),
            (renewal.autoRenews && isWaiting ? 30 : 0, Act.keepPlan),
            (offers ? 2 : 0, Act.redeem),
            (extends ? 1 : 0, Act.extend),
            (isPurchaser ? 8 : 0, Act.refund),
            (isPurchaser && state.rows.count > 1 ? 4 : 0, Act.refundOlder),
            (isPurchaser ? 0 : 14, Act.revoke),
        ])
    }

    /// Returns the phase that follows when the period is over, nil when it goes on.
    private mutating func perform(_ act: Act, at instant: Instant, until last: Instant) -> Phase? {
        switch act {
        case .turnOff: setAutoRenewal(false, at: instant)
        case .turnOn: setAutoRenewal(true, at: instant)
        case .keepPlan: keepPlan(at: instant)
        case .redeem: redeemOffer(at: instant)
        case .extend:
            extendPeriod(at: instant)
            return .running
        case .upgrade:
            let plans = group.plans.filter { $0 != currentPlan && currentPlan.changesAtOnce(to: $0) }
            guard !plans.isEmpty else { return nil }
            upgrade(to: random.pick(plans), at: instant)
            return .running
        case .downgrade:
            let plans = group.plans.filter { $0 != currentPlan && !currentPlan.changesAtOnce(to: $0) }
            if !plans.isEmpty { downgrade(to: random.pick(plans), at: instant) }
        case .waver:
            let plans = group.plans.filter { $0 != currentPlan && !currentPlan.changesAtOnce(to: $0) }
            if !plans.isEmpty { waver(about: random.pick(plans), at: instant, until: last) }
        case .refund:
            guard !current.isTrial else { return nil }
            refund(rowAt: state.rows.count - 1, at: instant)
            return .lapsed
        case .refundOlder:
            let older = state.rows.indices.dropLast().filter {
                state.rows[$0].cancellation == nil && !state.rows[$0].isTrial
            }
            guard let index = older.last else { return nil }
            refund(rowAt: index, at: instant)
            let reversed = instant + random.number(20...60 * 24) * .hour
            if reversed < last, random.chance(40) { reverseRefund(rowAt: index, at: reversed) }
        case .revoke:
            revoke(at: instant)
            return .over
        }
        return nil
    }

    private mutating func wantsPriceIncrease(until expires: Instant) -> Bool {
        guard ownership == .purchased, setting.era != .legacy, renewal.autoRenews, periodsLeft > 0 else { return false }
        return current.purchase + 3 * .day < expires - currentPlan.period.priceNotice && random.chance(5)
    }

    /// The sandbox renews in minutes and turns itself off half a minute before its last period ends.
    private mutating func liveSandboxPeriod() -> Phase {
        let expires = current.expires ?? clock
        let middle = (current.purchase + expires) / 2 / .second * .second
        if middle > clock, random.chance(15) {
            let act = nextAct()
            let isSuitable = act != .extend && act != .redeem && act != .waver
            if isSuitable, let phase = perform(act, at: middle, until: middle) { return phase }
        }
        if periodsLeft <= 0, renewal.autoRenews {
            setAutoRenewal(false, at: expires - random.number(24...37) * .second)
            periodsLeft = random.chance(30) ? 3 : 0
        }
        guard renewal.autoRenews else {
            lapse()
            return .lapsed
        }
        renew()
        return .running
    }
}
