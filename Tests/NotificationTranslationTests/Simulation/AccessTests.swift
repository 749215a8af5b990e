import SimulatedLives
import Testing

/// A backend that does what events say is right about its customers' access.
///
/// What is demanded is what holds today; the goal stands beside it, and whoever comes closer lowers the demand.
@Suite("A backend that follows the events")
struct AccessTests {
    /// Percent of the customers' time with access.
    ///
    /// What is kept a little longer is a refund that a switch-off beside it
    /// shows first: that one says nothing about access, and the refund may arrive hours later.
    static let demandedCutOff = 0.05
    static let demandedKept = 0.05
    static let goal = 0.05

    static let sorts = [
        "v1-2020", "v1-2022", "v1-stormy", "v1-begun", "v2", "v2-late", "v2-stormy", "cutover", "mixed", "mixed-late",
        "mixed-stormy",
    ]

    @Test("A backend that follows the events never ends paid access and never keeps unpaid access", arguments: sorts)
    func rightOnEveryDay(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let lives = Environment.number("LIVES") ?? 10
        let board = try ScoreboardTests.score(sort, lives: lives, seed: Environment.number("SEED") ?? 1)
        for mode in AccessMode.allCases {
            let score = try #require(board.access[mode])
            print(
                "\(name), \(mode): cut off \(score.cutOffPercent) %, kept \(score.keptPercent) %, goal \(Self.goal) %")
            #expect(score.entitled > 0)
            #expect(score.cutOffPercent <= Self.demandedCutOff)
            #expect(score.keptPercent <= Self.demandedKept)
        }
    }

    @Test(
        "With failures told ahead, a slow clock and late deliveries what is exact and who has access stay right",
        arguments: ["late-2020", "late-2022", "late-v2", "late-mixed"])
    func late(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let lives = Environment.number("LIVES") ?? 6
        let board = try ScoreboardTests.score(sort, lives: lives, seed: Environment.number("SEED") ?? 1)
        #expect(board.alone.wrongExact == [])
        #expect(board.timeline.wrongExact == [])
        #expect(board.timeline[.exact] > lives)
        #expect(board.otherTransactions == 0)
        for mode in [AccessMode.arrived, .batch] {
            let score = try #require(board.access[mode])
            #expect(score.entitled > 0)
            #expect(score.cutOffPercent <= Self.goal)
            #expect(score.keptPercent <= Self.goal)
        }
    }
}

/// Archives that hold version 1 and version 2 of the same lives.
@Suite("Archives of both versions")
struct MixedArchiveTests {
    /// Percent of the notifications of version 2 that are the event of their happening.
    static let demandedLeading = 100.0
    static let goalLeading = 100.0
    /// Percent of the happenings that are told by two events.
    static let demandedTwice = 0.1
    static let goalTwice = 0.1
    /// Percent of the events of version 1 that are an hour off though they arrived at once.
    static let demandedMistimed = 0.0
    static let goalMistimed = 0.0

    static let sorts = [
        "cutover", "cutover-lossy", "mixed", "mixed-late", "mixed-stormy", "mixed-lossy", "mixed-loose",
    ]

    @Test("Archives of both versions report each event once, in the words of version 2", arguments: sorts)
    func together(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let lives = Environment.number("LIVES") ?? 15
        let board = try ScoreboardTests.score(sort, lives: lives, seed: Environment.number("SEED") ?? 1)
        let mixed = board.mixed
        let leading = AccessScore.percent(Double(mixed.leading), of: Double(mixed.second))
        let twice = AccessScore.percent(Double(mixed.toldTwice), of: Double(mixed.told))
        let mistimed = AccessScore.percent(Double(mixed.mistimed), of: Double(mixed.timed))
        print("\(name): V2 leads \(leading) %, told twice \(twice) %, mistimed \(mistimed) %")
        #expect(mixed.second > 40)
        #expect(leading >= Self.demandedLeading)
        #expect(twice <= Self.demandedTwice)
        #expect(mistimed <= Self.demandedMistimed)
        #expect(board.timeline.wrongExact == [])
    }

    @Test(
        "Archives of both versions give the same in any order of the versions",
        arguments: ["mixed", "mixed-stormy", "cutover"])
    func order(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        for number in 0..<(Environment.number("LIVES") ?? 15) {
            let life = sort.life(number, seed: Environment.number("SEED") ?? 1)
            let archive = try LifeArchive(life, TimelinePropertyTests.normalizer)
            let places = Array(life.deliveries.indices)
            let first = places.filter { !life.deliveries[$0].isVersion2 }
            let second = places.filter { life.deliveries[$0].isVersion2 }
            let usual = TimelinePropertyTests.judgements(archive.settled(places), duplicates: false)
            for order in [first + second, second + first] {
                let other = TimelinePropertyTests.judgements(archive.settled(order), duplicates: false)
                #expect(TimelinePropertyTests.difference(usual, other) == [], "life \(life.seed)")
            }
        }
    }
}
