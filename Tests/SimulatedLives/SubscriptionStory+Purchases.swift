extension SubscriptionStory {
    /// The first purchase of the group; a family member only gains access, which version 1 never said.
    mutating func subscribe() {
        let plan = random.pick(isSteady ? group.plans.filter { $0.period == .week } : group.plans)
        var row = transaction(of: plan, from: clock)
        switch random.number(0...99) {
        case ..<30 where setting.environment == .production:
            row.isTrial = true
            row.expires = clock + random.pick([3, 7]) * .day
        case ..<42: row.isIntroductory = true
        case ..<50 where clock >= AppleCalendar.offerCodes:
            row.offerCode = random.pick(["SPRING", "WELCOME21", "PODCAST"])
        case ..<52 where clock >= AppleCalendar.promotionalOffers:
            row.promotionalOfferId = "3fd2b1b0-3a2c-4c29-8f35-19a6f0f00d21"
        default: break
        }
        state.rows = [row]
        renewal = RenewalState(nextProductId: row.productId)
        remember(at: clock)

        guard ownership == .purchased else {
            gainFamilyAccess()
            return
        }
        let happening = happen("SUBSCRIBED", "INITIAL_BUY", dated: clock)
        post("INITIAL_BUY", of: happening, at: clock)
        if setting.environment == .sandbox, practice.tellsStatusBeside, random.chance(50) {
            post(
                "DID_CHANGE_RENEWAL_STATUS",
                of: happening,
                leads: false,
                at: clock,
                statusChangedAt: clock + random.number(0...3) * .second
            )
        }
    }

    /// INTERACTIVE_RENEWAL reached the family when the purchaser came back with another product.
    ///
    /// Version 2 says RESUBSCRIBE of access "to the same subscription or to another in the group", and INITIAL_BUY of
    /// "access for the first time": for a member's first access either may be meant.
    private mutating func gainFamilyAccess() {
        guard random.chance(15) else {
            happen("SUBSCRIBED", "INITIAL_BUY", dated: clock)
            return
        }
        let happening = happen("SUBSCRIBED", "RESUBSCRIBE", dated: clock)
        post("INTERACTIVE_RENEWAL", of: happening, at: clock, also: [V2Pair("SUBSCRIBED", "INITIAL_BUY")])
        post("DID_CHANGE_RENEWAL_STATUS", of: happening, leads: false, at: clock, statusChangedAt: clock)
    }

    /// A new purchase after the subscription ended, by lapse or by refund.
    mutating func resubscribe(to plan: Plan, at instant: Instant, also: [V2Pair] = []) {
        clock = instant
        let isSameProduct = plan.productId == current.productId
        var row = transaction(of: plan, from: instant)
        switch random.number(0...99) {
        case ..<14 where instant >= AppleCalendar.promotionalOffers:
            row.promotionalOfferId = random.pick(["comeback50", "return_3m"])
        case ..<20 where instant >= AppleCalendar.offerCodes: row.offerCode = random.pick(["MISSYOU", "SPRING"])
        default: break
        }
        state.rows.append(row)
        renewal = RenewalState(nextProductId: row.productId)
        remember(at: instant)

        let happening = happen("SUBSCRIBED", "RESUBSCRIBE", dated: instant)
        let statusChangedAt = instant + random.number(setting.statusDelay) * .second
        // The talk of 2019 had INTERACTIVE_RENEWAL for the same product as well.
        let isByTalk = setting.manner == .loose && isSameProduct && random.chance(30)
        if isByTalk {
            post("INTERACTIVE_RENEWAL", of: happening, at: instant, also: also)
            return
        }
        if practice.tellsStatusBeside, isSameProduct {
            post(
                "DID_CHANGE_RENEWAL_STATUS",
                of: happening,
                at: instant,
                statusChangedAt: statusChangedAt,
                also: also
            )
            return
        }
        post("INTERACTIVE_RENEWAL", of: happening, at: instant, also: also)
        if practice.tellsStatusBeside {
            post(
                "DID_CHANGE_RENEWAL_STATUS",
                of: happening,
                leads: false,
                at: instant,
                statusChangedAt: statusChangedAt
            )
        }
    }

    /// The next period begins where the last one ended.
    mutating func renew() {
        let boundary = current.expires ?? clock
        let isAhead = setting.renewsAhead && setting.environment == .production
        let drawn = isAhead ? random.number(10...600 + setting.spread(0, loose: 800).upperBound) * .minute : 0
        let lead = min(drawn, max(0, boundary - clock - .second))
        var row = transaction(of: group.plan(renewal.nextProductId), from: boundary)
        row.isRenewal = true
        row.promotionalOfferId = renewal.promotionalOfferId
        row.offerCode = renewal.offerCode
        let showsConsent = renewal.priceConsent != nil && random.chance(30)
        state.rows.append(row)
        renewal = RenewalState(nextProductId: row.productId, priceConsent: showsConsent ? renewal.priceConsent : nil)
        clock = boundary
        remember(at: boundary - lead)

        let happening = happen("DID_RENEW", dated: boundary, at: boundary - lead)
        if setting.practice(at: boundary - lead).tellsRenewal {
            let isStray = setting.environment == .sandbox && random.chance(6)
            post(isStray ? "DID_RECOVER" : "DID_RENEW", of: happening, at: boundary - lead)
        }
        renewal.priceConsent = nil
    }
}
