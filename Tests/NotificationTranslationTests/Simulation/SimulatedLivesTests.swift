import NotificationTranslation
import SimulatedLives
import Testing

/// How often a record judged by itself is right, over lives written from Apple's tables and not from the rules.
///
/// The figures are printed, so that a change of the rules shows in CI; what is demanded is what the README promises.
/// `LIVES=2000 SEED=7` in the environment makes it a longer run of other lives.
@Suite("Simulated lives, each notification judged by itself")
struct SimulatedLivesTests {
    struct Score: CustomStringConvertible {
        var notifications = 0
        var answered = 0
        var among = 0
        var exact = 0
        var wrongExact: [String] = []
        var candidates = 0

        mutating func take(_ event: UnifiedEvent, _ truth: Truth) {
            let right = [NotificationPair(truth.pair)] + truth.also.map { NotificationPair($0) }
            notifications += 1
            candidates += event.candidates.count
            let isAnswer = right.contains(event.v2)
            if isAnswer { answered += 1 }
            if isAnswer || event.candidates.contains(where: right.contains) { among += 1 }
            guard event.certainty == .exact else { return }
            exact += 1
            if !isAnswer {
                wrongExact.append("\(event.source.rule ?? "?") said \(event.v2), the truth is \(right[0])")
            }
        }

        func percent(_ part: Int) -> Double { Double(part * 10000 / max(1, notifications)) / 100 }

        var description: String {
            "\(notifications) notifications, answer \(percent(answered)) %, among candidates \(percent(among)) %, "
                + "exact \(percent(exact)) %, wrong though exact \(wrongExact.count), "
                + "candidates \(Double(candidates * 100 / max(1, notifications)) / 100) each"
        }
    }

    @Test("A notification alone gets the true pair as the answer or a candidate, and is never wrong where exact")
    func judgedAlone() throws {
        let lives = Environment.number("LIVES") ?? 60
        let seed = Environment.number("SEED") ?? 1
        var total = Score()
        for era in SimulatedEra.allCases {
            var score = Score()
            for number in 0..<lives {
                let life = SimulatedLife(seed: UInt64(seed * 100_000 + number), era: era)
                for delivery in life.deliveries {
                    let event = try trusting.event(
                        from: delivery.body, receivedAt: EventTime(milliseconds: delivery.receivedAt))
                    score.take(event, delivery.truth)
                    total.take(event, delivery.truth)
                }
            }
            print("\(era): \(score)")
        }
        print("all: \(total)")
        #expect(total.notifications > lives)
        #expect(total.wrongExact == [])
        #expect(total.percent(total.among) >= 99.8)
        #expect(total.percent(total.answered) >= 95)
        #expect(total.percent(total.exact) >= 45)
        #expect(total.candidates < 2 * total.notifications)
    }
}
