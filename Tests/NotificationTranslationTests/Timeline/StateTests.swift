import NotificationTranslation
import SimulatedLives
import Testing

/// The states of subscriptions, held against Apple's books of simulated lives.
@Suite("The states of a subscription")
struct StateTests {
    /// What came of many instants.
    struct Score: CustomStringConvertible {
        var rows = 0
        var right = 0
        var unknown = 0
        var absent = 0
        /// Rows that are wrong only because nobody was told that a refund was reversed.
        var untold = 0
        /// Rows that are wrong because the only notification of the last change was lost and no later record shows it.
        var lost = 0
        /// Rows that say something wrong, by what is wrong of which certainty, with an example.
        var wrong: [String: (count: Int, example: String)] = [:]

        var known: Int { rows - unknown - untold - lost }
        var percent: Double { known == 0 ? 100 : 100 * Double(right) / Double(known) }
        var wrongExact: Int { wrong.filter { $0.key.hasPrefix("exact") }.values.reduce(0) { $0 + $1.count } }

        var description: String {
            let share = rows == 0 ? 0 : 1000 * unknown / rows
            let list = wrong.sorted { $0.value.count > $1.value.count }.map {
                "\n    \($0.key) × \($0.value.count): \($0.value.example)"
            }
            return
                "\(rows) rows, \(absent) absent, \(untold) untold, \(lost) lost, \(share) ‰ unknown, right \((percent * 100).rounded() / 100) %"
                + list.joined()
        }

        mutating func add(_ other: Score) {
            rows += other.rows
            right += other.right
            unknown += other.unknown
            absent += other.absent
            untold += other.untold
            lost += other.lost
            for (key, value) in other.wrong { wrong[key, default: (0, value.example)].count += value.count }
        }
    }

    static func score(_ sort: LifeSort, lives: Int, seed: Int) throws -> Score {
        var score = Score()
        for number in 0..<lives {
            let life = sort.life(number, seed: seed)
            var random = Random(seed: life.seed)
            let archive = try LifeArchive(life, tellsReceiveTimes: sort.tellsReceiveTimes)
            var timelines: [String: SubscriptionTimeline] = [:]
            for entry in archive.entries {
                guard let key = entry.evidence.key else { continue }
                let empty = SubscriptionTimeline(asOf: EventTime(milliseconds: life.span.upperBound))
                timelines[key, default: empty].append(entry)
            }
            for truth in life.access {
                guard let timeline = timelines[truth.originalTransactionId] else { continue }
                let history = timeline.history
                for (one, next) in zip(history, history.dropFirst()) { #expect(one.validTo == next.validFrom) }
                #expect(history.last?.validTo == nil)
                #expect(history.allSatisfy { $0.certainty == .exact || !$0.flags.isEmpty })
                for _ in 0..<6 {
                    let instant = random.instant(in: life.span)
                    let row = timeline.state(at: EventTime(milliseconds: instant)).first
                    compare(
                        row, history, truth, life, at: instant, "\(sort.name) \(number) \(truth.originalTransactionId)",
                        &score)
                }
            }
        }
        return score
    }

    private static func compare(
        _ row: SubscriptionState?, _ history: [SubscriptionState], _ truth: AccessTruth, _ life: SimulatedLife,
        at instant: Int64,
        _ name: String,
        _ score: inout Score
    ) {
        let covering = history.last { $0.validFrom.milliseconds <= instant }
        guard let row, let state = truth.state(at: instant) else {
            #expect((row == nil) == (covering == nil))
            if row == nil { score.absent += 1 }
            return
        }
        score.rows += 1
        if var same = covering {
            same.at = row.at
            same.validTo = row.validTo
            let differing = SubscriptionState.columns.filter { $0.cell(same) != $0.cell(row) }.map(\.name)
            #expect(differing == [], "\(name)")
        } else {
            Issue.record("no interval of the history at a row")
        }
        guard row.certainty != .unknown else {
            score.unknown += 1
            return
        }
        var faults: [String] = []
        if row.status?.rawValue != state.status {
            faults.append("status \(row.status?.rawValue ?? 0) is \(state.status ?? 0)")
        }
        if row.transaction.productID != state.productId { faults.append("product") }
        if let renews = state.autoRenews, row.renewal.autoRenewStatus != (renews ? .on : .off) {
            faults.append("renews is \(renews)")
        }
        if let gives = row.isEntitled, gives != state.gives { faults.append("access") }
        guard !faults.isEmpty else {
            score.right += 1
            return
        }
        // Nobody tells of the reversal of a one-time purchase in these lives.
        if state.wasReversed, row.isEntitled != true, row.certainty != .exact || state.status == nil {
            score.untold += 1
            return
        }
        if isLastChangeLost(of: truth, life, by: instant) {
            score.lost += 1
            return
        }
        let key = "\(row.certainty) \(faults.joined(separator: ", "))"
        if Environment.text("SHOW") != nil, score.wrong[key] == nil {
            print("\n\(key): \(name) at \(instant.clockText), truth \(state)")
            for row in history {
                print(
                    "  from \(row.validFrom) \(row.status?.rawValue ?? 0) \(row.certainty) access \(row.accessUntil?.description ?? "-")",
                    row.transaction.transactionID ?? "-", "renews \(row.renewal.autoRenewStatus?.rawValue ?? -1)",
                    row.flags)
            }
            for delivery in life.deliveries
            where delivery.truth.originalTransactionId == truth.originalTransactionId {
                print("  \(delivery.receivedAt.clockText) \(delivery.type) \(delivery.shown.summary)")
            }
        }
        let example = "\(name) at \(instant.clockText), row since \(row.validFrom)"
        score.wrong[key, default: (0, example)].count += 1
    }

    /// Whether something happened to a subscription by an instant that no notification reported, and after which none
    /// was written.
    private static func isLastChangeLost(of truth: AccessTruth, _ life: SimulatedLife, by instant: Int64) -> Bool {
        let id = truth.originalTransactionId
        let last = life.deliveries.filter { $0.truth.originalTransactionId == id }.map(\.shown.at).max() ?? .min
        return life.happenings.contains {
            $0.originalTransactionId == id && $0.isSilent && last < $0.at && $0.at <= instant
        }
    }

    struct Random {
        private var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

        mutating func instant(in span: ClosedRange<Int64>) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return span.lowerBound + Int64((state >> 33) % UInt64((span.upperBound - span.lowerBound) / 1000)) * 1000
        }
    }

    /// What a sort of lives must reach: percent of the rows that are known.
    static let demands: [(sort: String, percent: Double)] = [
        ("v1-2020", 99), ("v1-2022", 99), ("v1-stormy", 99), ("v1-lossy", 98), ("v1-begun", 99), ("late-2022", 99),
        ("newest-2022", 99), ("timeless-2022", 98), ("dense-2022", 99), ("v2", 99.9), ("v2-late", 99.9),
        ("v2-stormy", 99.9),
        ("cutover", 99.9), ("mixed", 99.9), ("mixed-stormy", 99.9), ("late-v2", 99.9), ("family", 99.9),
        ("once-2022", 99),
        ("sandbox", 99),
    ]

    @Test("States are those of Apple's books, and exact ones never wrong", arguments: demands)
    func states(_ demand: (sort: String, percent: Double)) throws {
        let sort = try #require(LifeSort.named(demand.sort))
        let score = try Self.score(sort, lives: Environment.number("LIVES") ?? 8, seed: Environment.number("SEED") ?? 1)
        #expect(score.known > 15)
        #expect(score.percent >= demand.percent, "\(score)")
        if !demand.sort.contains("lossy") { #expect(score.wrongExact == 0, "\(score)") }
    }

    @Test("Before version 1 told of renewals, no state is called expired because none was reported")
    func silence() throws {
        let sort = try #require(LifeSort.named("v1-2018"))
        let score = try Self.score(sort, lives: 20, seed: 1)
        #expect(score.unknown > 15)
        #expect(score.wrong.keys.filter { $0.contains("status 2 is 1") && !$0.hasPrefix("ambiguous") } == [])
    }

    @Test("What Apple answered is in the states and transactions of the library too")
    func answered() throws {
        let story = try Story.of(Fixture(table: "timelines", name: "answer-says-bought-in-retry"))
        let without = SubscriptionTimeline(story.entries)
        let answered = SubscriptionTimeline(story.entries, answers: story.answers)
        #expect(answered.history != without.history && answered.transactions != without.transactions)
        #expect(answered.transactions.contains { $0.transaction.price != nil })
    }

    @Test("What a notification lists of another purchase is in the tables of that one, and in no event")
    func listed() throws {
        let rows = ["11", "22"].map { #"{"original_transaction_id":"\#($0)","transaction_id":"\#($0)","# }
            .map { $0 + #""product_id":"forever","purchase_date_ms":"1646092800000"}"# }
        let body =
            #"{"notification_type":"REFUND","original_transaction_id":"11","environment":"PROD","bid":"app","#
            + #""unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}"#
        let others = try trusting.otherPurchases(from: body.utf8)
        #expect(others.map(\.key) == ["22"])
        let timeline = SubscriptionTimeline([], answers: others)
        #expect(timeline.settled() == [])
        #expect(timeline.transactions.map(\.basis) == [.list] && timeline.history.map(\.isEntitled) == [true])
    }

    @Test("States are printed sort by sort on demand", .enabled(if: Environment.text("STATES") != nil))
    func board() throws {
        let wanted = (Environment.text("STATES") ?? "all").split(separator: ",")
        var all = Score()
        for sort in LifeSort.all where wanted.contains(where: { $0 == "all" || sort.name.hasPrefix($0) }) {
            let score = try Self.score(
                sort, lives: Environment.number("LIVES") ?? 20, seed: Environment.number("SEED") ?? 1)
            print("\(sort.name): \(score)")
            all.add(score)
        }
        print("ALL: \(all)")
    }
}
