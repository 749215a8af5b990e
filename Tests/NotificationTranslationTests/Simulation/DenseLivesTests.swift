import SimulatedLives
import Testing

/// Customers who act within seconds, buy beside their subscriptions, share with a family or live in the sandbox.
///
/// What is demanded is what holds today; the goal stands beside it, and whoever comes closer lowers the demand.
@Suite("Dense lives")
struct DenseLivesTests {
    /// What may be wrong, in percent of what was said.
    struct Limits {
        var exact: Double
        var safe: Double
        var all: Double
        /// At least so many lives with nothing missing, doubled or untrue; only where V1 told of failures.
        var complete: Double
    }

    static let goal = Limits(exact: 0, safe: 0, all: 3, complete: 98)
    static let demanded: [String: Limits] = [
        "dense-2018": Limits(exact: 8, safe: 0, all: 3, complete: 50),
        "dense-2020": Limits(exact: 2, safe: 2, all: 3, complete: 60),
        "dense-2022": Limits(exact: 1, safe: 0, all: 3, complete: 75),
        "dense-v2": Limits(exact: 0, safe: 0, all: 0, complete: 100),
        "dense-cutover": Limits(exact: 1, safe: 0, all: 3, complete: 75),
        "once-2022": Limits(exact: 0, safe: 0, all: 3, complete: 85),
        "once-mixed": Limits(exact: 0, safe: 0, all: 3, complete: 90),
        "family": Limits(exact: 0, safe: 0, all: 3, complete: 90),
        "family-dense": Limits(exact: 1, safe: 6, all: 5, complete: 75),
        "sandbox": Limits(exact: 0, safe: 0, all: 0, complete: 98),
        "sandbox-dense": Limits(exact: 1, safe: 4, all: 4, complete: 40),
    ]

    @Test("are told with nothing wrong that was called certain", arguments: demanded.keys.sorted())
    func certain(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let limits = try #require(Self.demanded[name])
        let lives = Environment.number("LIVES") ?? 12
        let board = try ScoreboardTests.score(sort, lives: lives, seed: Environment.number("SEED") ?? 1)
        let percent = { (part: Int, whole: Int) in AccessScore.percent(Double(part), of: Double(whole)) }
        let exact = percent(board.timeline.wrongExact.count, board.timeline[.exact])
        let alone = percent(board.alone.wrongExact.count, board.alone.exact)
        let safe = percent(board.safe[.wrongInferred], board.safe[.inferred])
        let all = percent(board.timeline[.wrongInferred], board.timeline[.inferred])
        let complete = board.timeline.percent(.complete, of: .lives)
        print(
            "\(name): wrong exact \(exact) % in context, \(alone) % alone, wrong safe \(safe) %, wrong of all \(all) %, "
                + "complete \(complete) %")
        #expect(board.timeline[.exact] > lives)
        #expect(exact <= limits.exact)
        #expect(alone <= limits.exact)
        #expect(safe <= limits.safe)
        #expect(all <= limits.all)
        #expect(complete >= limits.complete)
    }
}
