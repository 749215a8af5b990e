/// The stories that make up a life, gathered by account.
struct Cast {
    let setting: Setting
    var accounts: [Account] = []
    var notices: [(notice: Notice, account: Int)] = []
    var happenings: [(happening: Happening, account: Int)] = []
    /// When the archive begins; nobody is asked to deduce what had been before.
    var begin = Instant.min

    init(setting: Setting) { self.setting = setting }

    mutating func assemble(random: inout SeededGenerator) {
        let span = setting.span
        let latest = (span.upperBound - span.lowerBound) * 65 / 100
        let start = (span.lowerBound + random.number(0...latest)) / .second * .second
        var books: [[StateVersion]] = []
        if !random.chance(4) {
            books.append(live(in: 0, from: start, isSteady: random.chance(0.5), random: &random))
            if random.chance(15) {
                let later = start + spread(0...200, random: &random)
                books.append(live(in: 1, from: later, random: &random))
            }
        }
        if setting.company == .oneTimePurchases { books += buyOnce(from: start, random: &random) }
        if books.isEmpty || random.chance(18) {
            for _ in 0..<random.number(1...3) {
                let bought = start + spread(0...300, random: &random)
                var fork = random.fork()
                let story = OneTimeStory(setting: setting, start: bought, random: &fork)
                books.append(story.versions)
                add(story.notices, story.happenings, account: 0)
            }
        }
        if random.chance(12) { books += strangers(around: start, random: &random) }
        accounts.append(Account(books: books))
        if setting.company == .family { assembleFamily(from: start, random: &random) }
        if setting.era == .unified, setting.environment == .production, random.chance(10) {
            let story = tell(in: 0, from: start + spread(0...90, random: &random), as: .familyShared, random: &random)
            add(story.notices, story.happenings, account: accounts.count)
            accounts.append(Account(books: [story.versions]))
        }
    }

    /// Purchases close together, some refunded in one act.
    private mutating func buyOnce(from start: Instant, random: inout SeededGenerator) -> [[StateVersion]] {
        var bought = start + spread(0...60, random: &random)
        let together = bought + spread(5...30, random: &random)
        var books: [[StateVersion]] = []
        for _ in 0..<random.number(3...6) {
            var fork = random.fork()
            let refunded = random.chance(45) && bought < together ? together + random.number(0...2) * .second : nil
            let story = OneTimeStory(setting: setting, start: bought, refundedAt: refunded, random: &fork)
            add(story.notices, story.happenings, account: 0)
            books.append(story.versions)
            bought += random.chance(50) ? random.number(5...600) * .second : spread(0...4, random: &random) + .second
        }
        return books
    }

    /// A member with a subscription of their own and one that the family shares.
    private mutating func assembleFamily(from start: Instant, random: inout SeededGenerator) {
        let begin = start + spread(0...90, random: &random)
        let own = tell(in: 1, from: begin + spread(-20...20, random: &random), as: .purchased, random: &random)
        let shared = tell(in: 0, from: begin, as: .familyShared, random: &random)
        add(own.notices, own.happenings, account: accounts.count)
        add(shared.notices, shared.happenings, account: accounts.count)
        accounts.append(Account(books: [own.versions, shared.versions]))
    }

    private mutating func live(
        in group: Int,
        from start: Instant,
        isSteady: Bool = false,
        random: inout SeededGenerator
    ) -> [StateVersion] {
        let story = tell(in: group, from: start, as: .purchased, isSteady: isSteady, random: &random)
        add(story.notices, story.happenings, account: 0)
        return story.versions
    }

    /// Subscriptions whose rows share the receipt while their notifications go elsewhere.
    private func strangers(around start: Instant, random: inout SeededGenerator) -> [[StateVersion]] {
        (0..<random.number(1...2)).map { _ in
            if random.chance(8) {
                let begin = start - spread(500...900, random: &random)
                return tell(in: 0, from: begin, as: .purchased, isSteady: true, random: &random).versions
            }
            let isShared = setting.era == .unified && random.chance(30)
            let begin = start - spread(-60...300, random: &random)
            return tell(in: isShared ? 0 : 1, from: begin, as: isShared ? .familyShared : .purchased, random: &random)
                .versions
        }
    }

    private func tell(
        in group: Int,
        from start: Instant,
        as ownership: Ownership,
        isSteady: Bool = false,
        random: inout SeededGenerator
    ) -> SubscriptionStory {
        var story = SubscriptionStory(
            setting: setting,
            group: setting.app.groups[group],
            ownership: ownership,
            isSteady: isSteady,
            start: start,
            random: random.fork()
        )
        story.run(until: setting.span.upperBound)
        return story
    }

    /// Some days, which in the sandbox pass in minutes.
    private func spread(_ days: ClosedRange<Int64>, random: inout SeededGenerator) -> Instant {
        random.number(days) * (setting.environment == .production ? .day : 2 * .minute)
            + random.number(0...86_399) * (setting.environment == .production ? .second : 0)
    }

    private mutating func add(_ told: [Notice], _ truths: [Happening], account: Int) {
        let offset = happenings.count
        happenings += truths.map { ($0, account) }
        for var notice in told {
            notice.happening += offset
            notices.append((notice, account))
        }
    }
}
