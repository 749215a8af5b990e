import NotificationTranslation
import SimulatedLives
import Testing

/// How often a notification judged with its whole subscription in view is right.
///
/// The figures are printed, so that a change of the rules shows in CI; what is demanded is what the README promises.
/// `LIVES=2000 SEED=7` in the environment makes it a longer run of other lives.
@Suite("Simulated lives, each with its whole timeline in view")
struct SimulatedTimelineTests {
    static func score(lives: Int, seed: Int, lost: Double = 0) throws -> TimelineScore {
        var total = TimelineScore()
        for era in SimulatedEra.allCases {
            var score = TimelineScore()
            for number in 0..<lives {
                let life = SimulatedLife(
                    seed: UInt64(seed * 200_000 + number), era: era, receiptLength: 8...8, lostPercent: lost,
                    cutOverPercent: 40)
                score.take(life, try LifeArchive(life).settled())
            }
            print("\(era): \(score)")
            total.add(score)
        }
        print("all: \(total)")
        for (what, count) in total.failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(20) {
            print("\(count) \(what)")
        }
        return total
    }

    @Test("Simulated lives in timelines get the true pair, folded companions, repeats and silent events")
    func whole() throws {
        let score = try Self.score(lives: Environment.number("LIVES") ?? 100, seed: Environment.number("SEED") ?? 1)
        #expect(score.wrongExact == [])
        #expect(score.percent(.among, of: .deliveries) >= 99.8)
        #expect(score.percent(.answered, of: .deliveries) >= 98)
        #expect(score.percent(.rightLeader, of: .companions) >= 98)
        #expect(score.percent(.toldTwice, of: .told) < 0.5)
        #expect(score.percent(.toldNever, of: .told) < 0.5)
        #expect(score.percent(.markedRepeats, of: .repeats) >= 98)
        #expect(score.percent(.joinedTwins, of: .twins) >= 98)
        #expect(score.percent(.complete, of: .lives) >= 95)
    }

    @Test("Simulated lives in timelines get the true pair although some notifications never arrived")
    func withLosses() throws {
        let score = try Self.score(
            lives: Environment.number("LIVES") ?? 60, seed: Environment.number("SEED") ?? 1, lost: 3)
        #expect(score.wrongExact == [])
        #expect(score.percent(.among, of: .deliveries) >= 99.5)
        #expect(score.percent(.answered, of: .deliveries) >= 97)
        #expect(score.percent(.toldTwice, of: .told) < 1)
    }
}

extension TimelineScore: CustomStringConvertible {
    mutating func add(_ other: TimelineScore) {
        figures.merge(other.figures, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
        wrongExact += other.wrongExact
    }

    var description: String {
        """
        \(self[.deliveries]) notifications, answer \(percent(.answered, of: .deliveries)) %, \
        among the answers \(percent(.among, of: .deliveries)) %, exact \(percent(.exact, of: .deliveries)) %, \
        wrong though exact \(wrongExact.count), \
        right leader \(percent(.rightLeader, of: .companions)) % of \(self[.companions]), \
        told twice \(percent(.toldTwice, of: .told)) %, never \(percent(.toldNever, of: .told)) %, \
        repeats marked \(percent(.markedRepeats, of: .repeats)) % of \(self[.repeats]), \
        twins joined \(percent(.joinedTwins, of: .twins)) % of \(self[.twins]), \
        false duplicates \(self[.falseDuplicates]), false companions \(self[.falseCompanions]), \
        complete \(percent(.complete, of: .lives)) % of \(self[.lives]) lives, \
        missing \(self[.missing]), doubled \(self[.doubled]), untrue \(self[.untrue]), inferred \(self[.inferred])
        """
    }
}
