import SimulatedLives
import Testing

/// Customers who act within seconds, buy beside their subscriptions, share with a family or live in the sandbox, and
/// archives whose bodies lost their lists of transactions or the times of their receipt.
///
/// Nothing that was called certain may be wrong. Of complete lives, what is demanded is what holds today; whoever comes
/// closer to the goal raises it.
@Suite("Dense lives")
struct DenseLivesTests {
    /// How many lives of a hundred must have nothing missing, doubled or untrue; the goal is 98.
    static let complete: [String: Double] = [
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

    @Test("Dense lives are judged with no wrong answer that is exact", arguments: complete.keys.sorted())
    func certain(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let demanded = try #require(Self.complete[name])
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
        #expect(exact == 0)
        #expect(alone == 0)
        #expect(safe == 0)
        #expect(all <= 3)
        #expect(complete >= demanded)
    }
}
