/// One customer's life with an app: what version 1 posted, and what version 2 would have said.
///
/// The same seed and era give the same bytes. Everything follows from Apple's published tables of the day, from what
/// happened to the customer; nothing is read back out of the bodies.
package struct SimulatedLife: Sendable {
    package let seed: UInt64
    package let era: SimulatedEra
    /// In the order of arrival.
    package let deliveries: [Delivery]
    /// Told and silent ones, in the order of time.
    package let happenings: [Happening]

    /// - Parameters:
    ///   - seed: Which life; any number.
    ///   - era: The age it falls in.
    ///   - receiptLength: How long the invented base64 receipts are, in characters.
    ///   - lostPercent: How many notifications in a hundred never arrive; a companion then takes its leader's place.
    package init(
        seed: UInt64,
        era: SimulatedEra,
        receiptLength: ClosedRange<Int> = 64...200,
        lostPercent: Double = 0
    ) {
        self.seed = seed
        self.era = era
        var random = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D &+ era.span.lowerBound.magnitude)
        var cast = Cast(setting: Setting(era: era, receiptLength: receiptLength, random: &random))
        cast.assemble(random: &random)
        if lostPercent > 0 { cast.lose(lostPercent, random: &random) }
        (deliveries, happenings) = cast.post(random: &random)
    }
}

/// The stories that make up a life, gathered by account.
private struct Cast {
    let setting: Setting
    var accounts: [Account] = []
    var notices: [(notice: Notice, account: Int)] = []
    var happenings: [(happening: Happening, account: Int)] = []

    init(setting: Setting) {
        self.setting = setting
    }

    /// Takes notices away; what was said by a lost leader is then said by a companion, or by nobody.
    mutating func lose(_ percent: Double, random: inout SeededGenerator) {
        var left: [(notice: Notice, account: Int)] = []
        var orphans: Set<Int> = []
        for posted in notices {
            if random.chance(percent) {
                if posted.notice.leads { orphans.insert(posted.notice.happening) }
            } else {
                left.append(posted)
            }
        }
        for index in left.indices where orphans.remove(left[index].notice.happening) != nil {
            left[index].notice.leads = true
        }
        for happening in orphans { happenings[happening].happening.isSilent = true }
        notices = left
    }

    mutating func assemble(random: inout SeededGenerator) {
        let span = setting.era.span
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
        if setting.era == .unified, setting.environment == .production, random.chance(10) {
            let story = tell(in: 0, from: start + spread(0...90, random: &random), as: .familyShared, random: &random)
            add(story.notices, story.happenings, account: 1)
            accounts.append(Account(books: [story.versions]))
        }
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
        story.run(until: setting.era.span.upperBound)
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

extension Cast {
    /// Posts every notice before the end of the archive and settles the answers.
    mutating func post(random: inout SeededGenerator) -> (deliveries: [Delivery], happenings: [Happening]) {
        let end = setting.era.span.upperBound
        notices.removeAll { $0.notice.at > end }
        notices = notices.indices
            .sorted { (notices[$0].notice.at, $0) < (notices[$1].notice.at, $1) }
            .map { notices[$0] }
        for index in notices.indices {
            notices[index].notice.shape = shape(of: notices[index].notice, random: &random)
        }
        let place = settleHappenings(until: end)

        var office = PostOffice(setting: setting)
        for (number, posted) in notices.enumerated() {
            office.carry(posted.notice, number: number, account: accounts[posted.account], random: &random)
        }
        let deliveries = office.arrivals.map { letter in
            delivery(of: letter, notices[letter.notice].notice, place: place)
        }
        return (linked(deliveries, office.arrivals), happenings.map(\.happening))
    }

    private func shape(of notice: Notice, random: inout SeededGenerator) -> BodyShape {
        switch setting.era {
        case .legacy: return .legacy
        case .unified: return .unified
        case .transition:
            if notice.state.renewal == nil { return .unified }
            if notice.at < AppleCalendar.lastLegacyOnlyBody, random.chance(8) { return .legacy }
            return random.chance(68) ? .both : .unified
        }
    }

    /// Drops what lies after the archive, sorts by time, and returns where each happening went.
    private mutating func settleHappenings(until end: Instant) -> [Int: Int] {
        let order = happenings.indices
            .filter { happenings[$0].happening.at <= end }
            .sorted { (happenings[$0].happening.at, $0) < (happenings[$1].happening.at, $1) }
        let place = [Int: Int](uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
        happenings = order.map { happenings[$0] }
        for account in accounts.indices {
            let own = notices.filter { $0.account == account }.map(\.notice)
            let evidence = Evidence(notices: own, account: accounts[account])
            for index in happenings.indices where happenings[index].account == account {
                let happening = happenings[index].happening
                happenings[index].happening.isShown = !happening.isSilent || evidence.shows(happening)
            }
        }
        return place
    }

    private func delivery(of letter: PostOffice.Letter, _ notice: Notice, place: [Int: Int]) -> Delivery {
        let index = place[notice.happening] ?? 0
        let happening = happenings[index].happening
        return Delivery(
            type: letter.type,
            body: letter.body,
            receivedAt: letter.receivedAt,
            happening: index,
            truth: Truth(
                pair: notice.leads ? happening.pair : nil,
                also: notice.also,
                leader: nil,
                isRepeat: letter.isRepeat,
                originalTransactionId: happening.originalTransactionId,
                transactionId: notice.transactionId,
                time: happening.dated
            )
        )
    }

    /// Points companions at their leader and repeats at their first delivery.
    private func linked(_ deliveries: [Delivery], _ letters: [PostOffice.Letter]) -> [Delivery] {
        var result = deliveries
        for index in result.indices {
            let truth = result[index].truth
            if truth.isRepeat {
                result[index].truth.leader = letters.firstIndex { $0.notice == letters[index].notice && !$0.isRepeat }
            } else if truth.pair == nil {
                result[index].truth.leader = deliveries.firstIndex {
                    $0.happening == deliveries[index].happening && $0.truth.pair != nil && !$0.truth.isRepeat
                }
            }
        }
        return result
    }
}
