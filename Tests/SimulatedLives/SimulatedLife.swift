/// One customer's life with an app: what version 1 posted, and what version 2 said or would have said.
///
/// The same seed and era give the same bytes. Everything follows from Apple's published tables of the day, from what
/// happened to the customer; nothing is read back out of the bodies.
package struct SimulatedLife: Sendable {
    package let seed: UInt64
    package let era: SimulatedEra
    /// When the first life may begin and when the archive ends.
    package let span: ClosedRange<Instant>
    /// In the order of arrival.
    package let deliveries: [Delivery]
    /// Told and silent ones, in the order of time.
    package let happenings: [Happening]
    /// What Apple's rules give the customer, subscription by subscription.
    package let access: [AccessTruth]
    let setting: Setting
    let accounts: [Account]

    /// - Parameters:
    ///   - seed: Which life; any number.
    ///   - era: The age it falls in.
    ///   - manner: How closely Apple keeps to its pages.
    ///   - receiptLength: How long the invented base64 receipts are, in characters.
    ///   - lostPercent: How many notifications in a hundred never arrive; a companion then takes its leader's place.
    ///   - cutOverPercent: How many servers in a hundred move to version 2 on the way; only where version 2 existed.
    package init(
        seed: UInt64,
        era: SimulatedEra,
        manner: Manner = .documented,
        receiptLength: ClosedRange<Int> = 64...200,
        lostPercent: Double = 0,
        cutOverPercent: Double = 0
    ) {
        var plan = LifePlan()
        plan.manner = manner
        plan.receiptLength = receiptLength
        plan.lostPercent = lostPercent
        plan.versions = .cutOver(percent: cutOverPercent)
        self.init(seed: seed, era: era, plan: plan)
    }

    /// A life as planned.
    package init(seed: UInt64, era: SimulatedEra, plan: LifePlan) {
        self.seed = seed
        self.era = era
        var random = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D &+ era.span.lowerBound.magnitude)
        var cast = Cast(setting: Setting(era: era, plan: plan, random: &random))
        span = cast.setting.span
        cast.assemble(random: &random)
        cast.choose(plan.versions, random: &random)
        if plan.beginsMidway { cast.beginMidway(random: &random) }
        if plan.lostPercent > 0 { cast.lose(plan.lostPercent, random: &random) }
        (deliveries, happenings) = cast.post(random: &random)
        setting = cast.setting
        accounts = cast.accounts
        access = cast.accounts.flatMap(\.books).map { AccessTruth(versions: $0, app: cast.setting.app) }
    }
}
