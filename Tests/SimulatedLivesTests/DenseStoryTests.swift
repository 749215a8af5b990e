import Testing

@testable import SimulatedLives

/// Dense lives hold what loose ones leave out.
@Suite("Lives of quick customers")
struct DenseStoryTests {
    static func lives(_ count: UInt64 = 80, choose: (inout LifePlan) -> Void) -> [SimulatedLife] {
        var plan = LifePlan()
        plan.environment = .production
        choose(&plan)
        return (0..<count).map { SimulatedLife(seed: $0, era: .unified, plan: plan) }
    }

    @Test("Quick customers have acts seconds apart and days apart")
    func gaps() {
        var gaps: [Instant] = []
        for life in Self.lives(choose: { $0.pace = .dense }) {
            let times = life.happenings.map(\.dated).sorted()
            gaps += zip(times, times.dropFirst()).map { $1 - $0 }
        }
        #expect(gaps.filter { $0 > 2 * .second && $0 < .minute }.count > 100)
        #expect(gaps.filter { $0 > .minute && $0 < .hour }.count > 100)
        #expect(gaps.filter { $0 > .day }.count > 100)
    }

    @Test("Quick customers hold the situations that tolerances confuse")
    func situations() {
        var seen: Set<String> = []
        for life in Self.lives(150, choose: { $0.pace = .dense }) {
            for story in Dictionary(grouping: life.happenings, by: \.originalTransactionId).values {
                for (one, next) in zip(story, story.dropFirst()) where next.dated - one.dated < 2 * .minute {
                    seen.insert("\(one.pair) \(next.pair)")
                }
            }
        }
        let off = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
        let on = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"
        for expected in [
            "\(off) \(on)", "\(on) \(off)", "SUBSCRIBED/INITIAL_BUY \(off)", "\(off) SUBSCRIBED/RESUBSCRIBE",
            "REFUND/- REFUND/-", "SUBSCRIBED/RESUBSCRIBE DID_CHANGE_RENEWAL_PREF/UPGRADE",
            "DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_CHANGE_RENEWAL_PREF/-", "SUBSCRIBED/RESUBSCRIBE REFUND/-",
        ] {
            #expect(seen.contains(expected), "\(expected)")
        }
    }

    @Test("Quick customers never act on a period that has ended")
    func order() {
        for life in Self.lives(30, choose: { $0.pace = .dense }) {
            for truth in life.access where truth.kind == .subscription {
                let upgrades = life.happenings.filter {
                    $0.originalTransactionId == truth.originalTransactionId && $0.pair.subtype == "UPGRADE"
                }
                #expect(upgrades.allSatisfy { truth.gives(at: $0.dated - 1) && truth.gives(at: $0.dated) })
            }
        }
    }

    @Test("Quick customers refund several one-time purchases in one act")
    func together() {
        let refunds = Self.lives { $0.company = .oneTimePurchases }.map { life in
            life.happenings.filter { $0.pair.type == "REFUND" && $0.originalTransactionId == $0.transactionId }
        }
        #expect(refunds.contains { zip($0, $0.dropFirst()).contains { $1.dated - $0.dated <= 2 * .second } })
    }

    @Test("Quick customers have family members with subscriptions of their own")
    func family() {
        var beside = 0
        for life in Self.lives(60, choose: { $0.company = .family }) {
            for delivery in life.deliveries where delivery.type == "REVOKE" {
                let text = String(decoding: delivery.body, as: UTF8.self)
                if text.contains("\"PURCHASED\"") && text.contains("\"FAMILY_SHARED\"") { beside += 1 }
            }
        }
        #expect(beside > 5)
    }
}
