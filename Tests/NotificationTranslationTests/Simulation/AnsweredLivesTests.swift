import NotificationTranslation
import SimulatedLives
import Testing

/// What Apple's answers settle, over simulated lives whose answers the simulator makes.
///
/// `LIVES=1000 SEED=7` makes it a longer run of other lives; the figures are printed.
@Suite("Simulated lives with Apple's answers")
struct AnsweredLivesTests {
    /// Figures of one sort of lives, without the answers and with them.
    struct Score: CustomStringConvertible {
        var before = TimelineScore()
        var after = TimelineScore()
        var undecided = (before: 0, after: 0)
        var ofAccess = 0
        var priced = 0
        var ofTransaction = 0
        var flagged = 0
        var wrongPrices = 0
        var changedIDs = 0
        /// Of certain events, without a flag that says so.
        var wrongTransactions = 0
        mutating func take(_ life: SimulatedLife, _ before: LifeArchive.Settled, _ after: LifeArchive.Settled) {
            self.before.add(Self.score(life, before))
            self.after.add(Self.score(life, after))
            for (place, (one, other)) in zip(before.told, after.told).enumerated() {
                if one.id != other.id { changedIDs += 1 }
                let truth = life.deliveries[place].truth
                if other.disposition == .event, truth.pair != nil, !truth.isPromoted,
                    let id = other.transaction?.transactionID, id != truth.transactionId,
                    id != one.transaction?.transactionID, other.certainty != .ambiguous,
                    !other.flags.contains(AmbiguityFlag(rawValue: "TRANSACTION_UNCERTAIN"))
                {
                    wrongTransactions += 1
                }
                guard other.disposition == .event, other.source.version == .v1 else { continue }
                ofAccess += 1
                if one.entitlement == .undecided { undecided.before += 1 }
                if other.entitlement == .undecided { undecided.after += 1 }
                if other.flags.contains(AmbiguityFlag(rawValue: "SETTLED_BY_ANSWER")) { flagged += 1 }
                guard let transaction = other.transaction else { continue }
                ofTransaction += 1
                guard let price = transaction.price else { continue }
                priced += 1
                if price != 0, let product = transaction.productID, price != SimulatedLife.price(of: product) {
                    wrongPrices += 1
                }
            }
        }

        private static func score(_ life: SimulatedLife, _ settled: LifeArchive.Settled) -> TimelineScore {
            var score = TimelineScore()
            score.take(life, settled)
            return score
        }

        static func share(_ part: Int, _ whole: Int) -> Double { Double(part * 10_000 / max(1, whole)) / 100 }

        var description: String {
            func both(_ figure: TimelineScore.Figure) -> String {
                "\(figure) \(before.percent(figure, of: .deliveries)) -> \(after.percent(figure, of: .deliveries)) %"
            }
            return [
                both(.exact), both(.answered), both(.among),
                "wrong exact \(before.wrongExact.count) -> \(after.wrongExact.count)",
                "undecided \(Self.share(undecided.before, ofAccess)) -> \(Self.share(undecided.after, ofAccess)) %",
                "priced \(Self.share(priced, ofTransaction)) %, flagged \(Self.share(flagged, ofAccess)) %",
                "deduced \(before[.inferred]) -> \(after[.inferred]), wrong \(before[.wrongInferred]) -> \(after[.wrongInferred])",
                "wrong transactions \(wrongTransactions)",
                "twice \(before[.toldTwice]) -> \(after[.toldTwice]), never \(before[.toldNever]) -> \(after[.toldNever])",
            ].joined(separator: ", ")
        }
    }

    private static let sorts: [LifeSort] = [
        LifeSort("2020", .transition, .environment(.production)),
        LifeSort("2022", .unified, .environment(.production)),
        LifeSort("2020 without lists", .transition, .listing(.none), .environment(.production)),
        LifeSort("2022 without lists", .unified, .listing(.none), .environment(.production)),
    ]

    static func answers(
        _ life: SimulatedLife, _ questions: [AppleQuestion] = [.history, .statuses], at instant: Int64? = nil
    ) throws -> [Evidence] {
        try questions.flatMap { life.answers(to: $0, at: instant ?? life.span.upperBound) }
            .flatMap { try trusting.answers(from: $0) }
    }

    @Test("Answers settle what notifications leave open, and are never wrong", arguments: sorts)
    func answersSettle(sort: LifeSort) throws {
        var score = Score()
        for number in 0..<(Environment.number("LIVES") ?? 25) {
            let life = sort.life(number, seed: Environment.number("SEED") ?? 1)
            guard !life.deliveries.isEmpty else { continue }
            let archive = try LifeArchive(life)
            score.take(life, archive.whole, archive.settled(answers: try Self.answers(life)))
        }
        print("answered \(sort): \(score)")
        #expect(score.after.wrongExact == [])
        #expect(score.changedIDs == 0)
        #expect(score.wrongPrices == 0)
        #expect(score.wrongTransactions == 0)
        #expect(score.after[.toldNever] == 0)
        #expect(score.after[.toldTwice] <= score.before[.toldTwice])
        #expect(Score.share(score.priced, score.ofTransaction) >= 70)
        #expect(Score.share(score.undecided.after, score.ofAccess) <= 5)
        #expect(score.after.percent(.answered, of: .deliveries) >= 99)
        #expect(score.after.percent(.exact, of: .deliveries) >= (sort.name.contains("without") ? 65 : 72))
    }

    @Test("The order of answers does not matter, nor how often they are there", arguments: sorts)
    func orderDoesNotMatter(sort: LifeSort) throws {
        for number in 0..<4 {
            let life = sort.life(number, seed: 3)
            guard !life.deliveries.isEmpty else { continue }
            let archive = try LifeArchive(life)
            let middle = life.deliveries[life.deliveries.count / 2].receivedAt
            let answers = try Self.answers(life, AppleQuestion.allCases) + Self.answers(life, at: middle)
            let settled = archive.settled(answers: answers)
            let again = archive.settled(answers: answers.reversed() + answers)
            #expect(again.told == settled.told)
            #expect(Set(again.inferred) == Set(settled.inferred))
        }
    }

    @Test("An answer from the middle of a life, or of verifyReceipt alone, is never wrong either", arguments: sorts)
    func anAnswerFromTheMiddleIsNeverWrong(sort: LifeSort) throws {
        var (middle, receipts) = (Score(), Score())
        for number in 0..<12 {
            let life = sort.life(number, seed: 5)
            guard !life.deliveries.isEmpty else { continue }
            let archive = try LifeArchive(life)
            let instant = life.deliveries[life.deliveries.count / 2].receivedAt
            middle.take(life, archive.whole, archive.settled(answers: try Self.answers(life, at: instant)))
            receipts.take(life, archive.whole, archive.settled(answers: try Self.answers(life, [.receipt])))
        }
        print("from the middle \(sort): \(middle)\nverifyReceipt \(sort): \(receipts)")
        for score in [middle, receipts] {
            #expect(score.after.wrongExact == [])
            #expect(score.changedIDs == 0)
            #expect(score.wrongTransactions == 0)
        }
    }
}
