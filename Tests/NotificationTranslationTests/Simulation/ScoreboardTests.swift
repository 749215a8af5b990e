import NotificationTranslation
import SimulatedLives
import Testing

/// The scoreboard: one row of figures for each sort of simulated lives, for people who change the rules.
///
///     SORTS=all LIVES=200 SEED=1 swift test --filter Scoreboard
///
/// `SORTS` names the sorts, by the beginnings of their names; `SHOW=text` prints what is wrong in full where its name
/// contains the text, or one of several that `|` separates, `FIRST` of them, and with `BODIES=1` the deliveries too, as
/// an archive keeps them. `SHOW='missing:|doubled:|untrue:'` prints what makes lives incomplete.
@Suite("The scoreboard of simulated lives")
struct ScoreboardTests {
    static func score(
        _ sort: LifeSort, lives: Int, seed: Int, following modes: [AccessMode] = AccessMode.allCases,
        showing: (name: String, count: Int)? = nil
    ) throws -> Scoreboard {
        var board = Scoreboard(sort, following: modes, showing: showing)
        for number in 0..<lives { try board.take(sort.life(number, seed: seed)) }
        return board
    }

    @Test("The scoreboard of simulated lives is printed on demand", .enabled(if: Environment.text("SORTS") != nil))
    func table() throws {
        let wanted = (Environment.text("SORTS") ?? "all").split(separator: ",")
        let sorts = LifeSort.all.filter { sort in wanted.contains { $0 == "all" || sort.name.hasPrefix($0) } }
        let showing = Environment.text("SHOW").map { ($0, Environment.number("FIRST") ?? 3) }
        #expect(!sorts.isEmpty)
        var boards: [Scoreboard] = []
        for sort in sorts {
            let board = try Self.score(
                sort, lives: Environment.number("LIVES") ?? 100, seed: Environment.number("SEED") ?? 1,
                showing: showing)
            boards.append(board)
            print(Scoreboard.head)
            print(board.row)
            for line in Scoreboard.list(board.findings, Environment.number("LIST") ?? 12) { print(line) }
        }
        print("\nALL\n" + Scoreboard.head)
        for board in boards { print(board.row) }
        let findings = boards.reduce(into: [:]) { $0.merge($1.findings, uniquingKeysWith: +) }
        print("\nALL, what is wrong most often")
        for line in Scoreboard.list(findings, Environment.number("LIST") ?? 12) { print(line) }
    }
}
