import Testing

@testable import SimulatedLives

/// The truth about access follows Apple's pages.
@Suite("What a customer may use")
struct AccessTruthTests {
    static let start = CivilTime(2022, 3, 1).instant

    static func row(_ id: String, from start: Instant, days: Int64) -> ReceiptRow {
        ReceiptRow(
            productId: "plus", transactionId: id, originalTransactionId: "1", purchase: start, originalPurchase: start,
            expires: start + days * .day)
    }

    static func known(_ rows: [ReceiptRow], _ renewal: RenewalState = RenewalState()) -> KnownAccess {
        var known = KnownAccess()
        known.learn(rows, renewal, at: start)
        return known
    }

    @Test("Access is the paid period, from its purchase to its end")
    func period() {
        let known = Self.known([Self.row("1", from: Self.start, days: 30)])
        #expect(!known.gives(at: Self.start - 1))
        #expect(known.gives(at: Self.start))
        #expect(known.gives(at: Self.start + 30 * .day - 1))
        #expect(!known.gives(at: Self.start + 30 * .day))
    }

    @Test("Access continues through the grace period and not through billing retry")
    func grace() {
        let row = Self.row("1", from: Self.start, days: 30)
        var renewal = RenewalState()
        renewal.isInRetry = true
        #expect(!Self.known([row], renewal).gives(at: Self.start + 31 * .day))
        renewal.graceUntil = Self.start + 46 * .day
        #expect(Self.known([row], renewal).gives(at: Self.start + 31 * .day))
        #expect(!Self.known([row], renewal).gives(at: Self.start + 46 * .day))
    }

    @Test("Access ends with a refund of the running period and not with that of an older one")
    func refunds() {
        var older = Self.row("1", from: Self.start, days: 30)
        var running = Self.row("2", from: Self.start + 30 * .day, days: 30)
        older.cancellation = Self.start + 33 * .day
        #expect(Self.known([older, running]).gives(at: Self.start + 34 * .day))
        running.cancellation = Self.start + 35 * .day
        #expect(Self.known([older, running]).gives(at: Self.start + 34 * .day))
        #expect(!Self.known([older, running]).gives(at: Self.start + 36 * .day))
    }

    @Test("Access is that of the plan upgraded to, even if that is refunded")
    func upgrade() {
        let basic = Self.row("1", from: Self.start, days: 365)
        var plus = Self.row("2", from: Self.start + 3 * .day, days: 30)
        plus.cancellation = Self.start + 5 * .day
        let known = Self.known([basic, plus])
        #expect(known.gives(at: Self.start + 4 * .day))
        #expect(!known.gives(at: Self.start + 6 * .day))
    }

    @Test("Access is what the newest body says, whichever arrives last")
    func newest() {
        var extended = Self.row("1", from: Self.start, days: 45)
        var known = KnownAccess()
        known.learn([extended], nil, at: Self.start + 10 * .day)
        extended.expires = Self.start + 30 * .day
        known.learn([extended], nil, at: Self.start)
        #expect(known.gives(at: Self.start + 40 * .day))
    }

    @Test("Access is known of every life that has purchases")
    func lives() {
        var kinds: Set<AccessTruth.Kind> = []
        for seed in UInt64(0)..<80 {
            var plan = LifePlan()
            plan.versions = .second
            let life = SimulatedLife(seed: seed, era: .unified, plan: plan)
            let ids = Set(life.access.map(\.originalTransactionId))
            #expect(life.deliveries.allSatisfy { ids.contains($0.truth.originalTransactionId) })
            kinds.formUnion(life.access.map(\.kind))
            for truth in life.access where truth.kind == .subscription {
                #expect(truth.turns.contains { truth.gives(at: $0) })
            }
        }
        #expect(kinds == [.subscription, .nonConsumable, .other])
    }
}

/// Which versions a server receives, and how.
@Suite("Lives of both versions")
struct VersionTests {
    static func lives(_ choose: (inout LifePlan) -> Void) -> [SimulatedLife] {
        var plan = LifePlan()
        choose(&plan)
        return (UInt64(0)..<60).map { SimulatedLife(seed: $0, era: .unified, plan: plan) }
    }

    @Test("Lives of both versions report in both for weeks to years")
    func overlap() {
        var spans: [Instant] = []
        for life in Self.lives({ $0.versions = .overlap }) {
            let twins = life.deliveries.filter { $0.truth.twinOf != nil }.map(\.receivedAt)
            if let first = twins.first, let last = twins.last { spans.append(last - first) }
        }
        #expect(spans.contains { $0 > 365 * .day })
        #expect(spans.contains { $0 < 30 * .day })
    }

    @Test("Lives have version 2 alone where it was received alone")
    func second() {
        let lives = Self.lives { $0.versions = .second }
        #expect(lives.flatMap(\.deliveries).allSatisfy { $0.isVersion2 })
        #expect(lives.filter { !$0.deliveries.isEmpty }.count > 40)
    }

    @Test("Lives arrive late and again, at the hours of the schedule of retries")
    func stormy() {
        let deliveries = Self.lives {
            $0.versions = .both
            $0.carriage = .stormy
            $0.environment = .production
        }.flatMap(\.deliveries)
        let delays = deliveries.map { $0.receivedAt - $0.shown.at }
        #expect(delays.allSatisfy { $0 < 160 * .hour && $0 > 0 })
        #expect(delays.filter { $0 > 24 * .hour }.count > deliveries.count / 10)
        #expect(deliveries.filter(\.truth.isRepeat).count > deliveries.count / 10)
        #expect(deliveries.map(\.receivedAt) != deliveries.map(\.shown.at).sorted())
    }
}
