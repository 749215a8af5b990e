import SimulatedLives
import Testing

/// What is demanded of each sort of lives is what holds today; whoever comes closer to the goal raises it.
@Suite("Simulated lives, sort by sort")
struct LifeSortTests {
    /// A backend that follows the events may be wrong about access in so many percent of the customers' time; the goal.
    ///
    /// What is kept a little longer is a refund that a switch-off beside it shows first: that one says nothing about
    /// access, and the refund may arrive hours later.
    private static let demandedAccess = 0.05
    /// Percent of the happenings that both versions may have told that are told by two events; the goal.
    private static let demandedTwice = 0.1

    /// Sorts of which every backend is right about access.
    private static let access = [
        "v1-2020", "v1-2022", "v1-stormy", "v1-begun", "v2", "v2-late", "v2-stormy", "cutover", "mixed", "mixed-late",
        "mixed-stormy",
    ]
    /// With failures told ahead, a slow clock and late deliveries only those backends are that have the whole archive.
    private static let late = ["late-2020", "late-2022", "late-v2", "late-mixed"]
    /// Archives of both versions: every event is told once, in the words of version 2.
    private static let mixed = [
        "cutover", "cutover-lossy", "mixed", "mixed-late", "mixed-stormy", "mixed-lossy", "mixed-loose",
    ]
    /// How many lives of a hundred must have nothing missing, doubled or untrue; the goal is 98.
    ///
    /// Customers who act within seconds, buy beside their subscriptions, share with a family or live in the sandbox, and
    /// archives whose bodies lost their lists or times.
    private static let complete: [String: Double] = [
        "dense-2018": 90,
        "dense-2020": 90,
        "dense-2022": 98,
        "dense-v2": 100,
        "dense-cutover": 90,
        "newest-2020": 90,
        "newest-2022": 98,
        "listless-2020": 65,
        "listless-mixed": 98,
        "timeless-2022": 90,
        "once-2022": 98,
        "once-mixed": 98,
        "family": 98,
        "family-dense": 90,
        "sandbox": 98,
        "sandbox-dense": 90,
    ]
    private static let others = ["v1-2018", "v1-loose", "dense-mixed"]

    @Test(
        "Lives of every sort are judged with no wrong answer that is exact, and with a flag for what is not",
        arguments: Set(access + late + mixed + complete.keys + others).sorted())
    func judged(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let modes: [AccessMode] =
            Self.access.contains(name) ? AccessMode.allCases : Self.late.contains(name) ? [.arrived, .batch] : []
        let lives = Environment.number("LIVES") ?? 12
        let board = try ScoreboardTests.score(
            sort, lives: lives, seed: Environment.number("SEED") ?? 1, following: modes)
        print(board.row)
        let percent = { (part: Int, whole: Int) in AccessScore.percent(Double(part), of: Double(whole)) }
        #expect(board.timeline.wrongExact == [])
        #expect(board.timeline[.exact] > lives)
        #expect(board.findings.filter { $0.key.hasPrefix("unsound") } == [:])
        for mode in modes {
            let score = try #require(board.access[mode])
            #expect(score.entitled > 0)
            #expect(score.cutOffPercent <= Self.demandedAccess, "\(mode)")
            #expect(score.keptPercent <= Self.demandedAccess, "\(mode)")
        }
        if Self.late.contains(name) || Self.complete[name] != nil { #expect(board.alone.wrongExact == []) }
        if Self.late.contains(name) { #expect(board.otherTransactions == 0) }
        if Self.mixed.contains(name) {
            #expect(board.timeline[.second] > 40 && board.timeline[.leading] == board.timeline[.second])
            #expect(percent(board.timeline[.toldTwice], board.timeline[.told]) <= Self.demandedTwice)
            #expect(board.timeline[.mistimed] == 0)
        }
        if let complete = Self.complete[name] {
            #expect(board.safe[.wrongInferred] == 0)
            #expect(percent(board.timeline[.wrongInferred], board.timeline[.inferred]) <= 3)
            #expect(board.timeline.percent(.complete, of: .lives) >= complete)
        }
    }

    @Test(
        "Archives of both versions give the same in any order of the versions",
        arguments: ["mixed", "mixed-stormy", "cutover"])
    func order(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        for number in 0..<(Environment.number("LIVES") ?? 15) {
            let life = sort.life(number, seed: Environment.number("SEED") ?? 1)
            let archive = try LifeArchive(life)
            let places = Array(life.deliveries.indices)
            let first = places.filter { !life.deliveries[$0].isVersion2 }
            let second = places.filter { life.deliveries[$0].isVersion2 }
            let usual = TimelinePropertyTests.judgements(archive.whole, duplicates: false)
            for order in [first + second, second + first] {
                let other = TimelinePropertyTests.judgements(archive.settled(order), duplicates: false)
                #expect(TimelinePropertyTests.difference(usual, other) == [], "life \(life.seed)")
            }
        }
    }
}
