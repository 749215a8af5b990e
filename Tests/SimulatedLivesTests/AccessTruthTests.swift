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
