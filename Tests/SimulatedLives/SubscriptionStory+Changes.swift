extension SubscriptionStory {
    /// The customer turns automatic renewal off or on in the settings.
    mutating func setAutoRenewal(_ isOn: Bool, at instant: Instant, also: [V2Pair] = []) {
        clock = instant
        renewal.autoRenews = isOn
        remember(at: instant)
        let subtype = isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED"
        let happening = happen("DID_CHANGE_RENEWAL_STATUS", subtype, dated: instant)
        if practice.tellsStatus {
            post("DID_CHANGE_RENEWAL_STATUS", of: happening, at: instant, statusChangedAt: instant, also: also)
        }
    }

    /// A change to a plan that takes effect at once: an upgrade, or a crossgrade of the same duration.
    mutating func upgrade(to plan: Plan, at instant: Instant) {
        clock = instant
        let before = renewal.nextProductId
        let isLoose = setting.manner == .loose
        var row = transaction(of: plan, from: instant + random.number(setting.spread(0, loose: 3)) * .second)
        let hasOffer = instant >= AppleCalendar.promotionalOffers && random.chance(12)
        if hasOffer { row.promotionalOfferId = random.pick(["upgrade_deal", "plus_half_price"]) }
        current.cancellation = instant
        current.isUpgraded = true
        if random.chance(60) { current.cancellationReason = "0" }
        let cancelled = current
        var beforePurchase = state
        beforePurchase.renewal?.autoRenews = true
        beforePurchase.renewal?.nextProductId = random.chance(25) ? before : row.productId
        state.rows.append(row)
        renewal = RenewalState(nextProductId: row.productId)
        remember(at: instant)

        let happening = happen(hasOffer ? "OFFER_REDEEMED" : "DID_CHANGE_RENEWAL_PREF", "UPGRADE", dated: row.purchase)
        // Nobody knows the day on which the CANCEL of an upgrade ended, only that of the page.
        let isUnsure = isLoose && abs(clock - AppleCalendar.upgradeWithoutCancel) < 150 * .day && random.chance(25)
        let cancels = practice.cancelsOnUpgrade != isUnsure && setting.environment == .production
        if cancels {
            post(
                "CANCEL",
                of: happening,
                leads: false,
                at: instant,
                showing: random.chance(30) ? beforePurchase : nil,
                cancelled: cancelled
            )
        }
        let isShortSet = cancels && random.chance(20)
        if practice.tellsStatusBeside, !isShortSet {
            let statusChangedAt = row.purchase + random.number(setting.statusDelay) * .second
            post(
                "DID_CHANGE_RENEWAL_STATUS",
                of: happening,
                leads: false,
                at: instant,
                statusChangedAt: statusChangedAt
            )
        }
        post("INTERACTIVE_RENEWAL", of: happening, at: instant)
    }

    /// A change to a plan that waits for the renewal: a downgrade, or a crossgrade of another duration.
    mutating func downgrade(to plan: Plan, at instant: Instant) {
        clock = instant
        renewal.nextProductId = plan.productId
        let hasOffer = instant >= AppleCalendar.promotionalOffers && random.chance(10)
        renewal.promotionalOfferId = hasOffer ? random.pick(["stay_lite", "save_30"]) : nil
        renewal.offerCode = nil
        remember(at: instant)
        let happening = happen(hasOffer ? "OFFER_REDEEMED" : "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", dated: instant)
        if practice.tellsDowngradeTwice, setting.manner == .documented || random.chance(70) {
            post("INTERACTIVE_RENEWAL", of: happening, leads: false, at: instant)
        }
        post("DID_CHANGE_RENEWAL_PREF", of: happening, at: instant)
    }

    /// A waiting downgrade is taken back.
    mutating func keepPlan(at instant: Instant) {
        clock = instant
        renewal.nextProductId = current.productId
        renewal.promotionalOfferId = nil
        renewal.offerCode = nil
        remember(at: instant)
        let happening = happen("DID_CHANGE_RENEWAL_PREF", dated: instant)
        post("DID_CHANGE_RENEWAL_PREF", of: happening, at: instant)
    }

    /// A change of plan, taken back, and made again before the period ends: each is a notification of its own, and
    /// the first and the last say the same.
    mutating func waver(about plan: Plan, at instant: Instant, until last: Instant) {
        downgrade(to: plan, at: instant)
        let back = instant + random.number(60...172_800) * .second
        guard back < last else { return }
        keepPlan(at: back)
        let again = back + random.number(60...172_800) * .second
        guard again < last else { return }
        downgrade(to: plan, at: again)
    }

    /// An active subscriber redeems an offer for the same product; version 1 had no word for it.
    mutating func redeemOffer(at instant: Instant) {
        clock = instant
        if instant >= AppleCalendar.offerCodes, random.chance(50) {
            renewal.offerCode = "LOYAL"
            renewal.promotionalOfferId = nil
        } else {
            renewal.promotionalOfferId = "loyal_20"
            renewal.offerCode = nil
        }
        remember(at: instant)
        happen("OFFER_REDEEMED", dated: instant)
    }

    /// The developer gives some days for free.
    mutating func extendPeriod(at instant: Instant) {
        clock = instant
        current.expires = (current.expires ?? instant) + random.number(3...30) * .day
        remember(at: instant)
        happen("RENEWAL_EXTENDED", dated: instant)
    }

    /// Apple asks for consent to a higher price.
    mutating func raisePrice(at instant: Instant) {
        clock = instant
        renewal.priceConsent = "0"
        remember(at: instant)
        let happening = happen("PRICE_INCREASE", "PENDING", dated: instant)
        if practice.tellsPriceConsent { post("PRICE_INCREASE_CONSENT", of: happening, at: instant) }
    }

    /// The customer agrees, of which version 1 said nothing.
    mutating func agree(at instant: Instant) {
        clock = instant
        renewal.priceConsent = "1"
        remember(at: instant)
        happen("PRICE_INCREASE", "ACCEPTED", dated: instant)
    }

    enum PriceAnswer { case accepted, refused, left }

    /// Apple asks for consent to a higher price; returns what came of it.
    mutating func askForConsent() -> PriceAnswer {
        let expires = current.expires ?? clock
        let asked = expires - currentPlan.period.priceNotice + random.number(0...180) * .minute
        raisePrice(at: asked)
        let answered = asked + random.number(2...100) * (expires - asked - 26 * .hour) / 100
        let answer: PriceAnswer = random.weighted([(50, .accepted), (28, .refused), (22, .left)])
        switch answer {
        case .accepted: agree(at: answered)
        case .left:
            setAutoRenewal(false, at: answered, also: [V2Pair("DID_CHANGE_RENEWAL_STATUS")])
        case .refused: break
        }
        return answer
    }
}
