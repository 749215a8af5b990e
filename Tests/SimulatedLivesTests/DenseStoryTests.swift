import Testing

@testable import SimulatedLives

/// Dense lives hold what loose ones leave out.
@Suite("Lives of quick customers")
struct DenseStoryTests {
    private static func lives(_ count: UInt64) -> [SimulatedLife] {
        var plan = LifePlan()
        plan.environment = .production
        plan.pace = .dense
        return (0..<count).map { SimulatedLife(seed: $0, era: .unified, plan: plan) }
    }

    @Test("Quick customers hold the situations that tolerances confuse")
    func situations() {
        var seen: Set<String> = []
        for life in Self.lives(150) {
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
        for life in Self.lives(30) {
            for truth in life.access where truth.kind == .subscription {
                let upgrades = life.happenings.filter {
                    $0.originalTransactionId == truth.originalTransactionId && $0.pair.subtype == "UPGRADE"
                }
                #expect(upgrades.allSatisfy { truth.gives(at: $0.dated - 1) && truth.gives(at: $0.dated) })
            }
        }
    }
}
