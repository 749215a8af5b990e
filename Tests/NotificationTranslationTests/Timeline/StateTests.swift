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
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var score = Score()
        for number in 0..<lives {
            let life = sort.life(number, seed: seed)
            var random = Random(seed: life.seed)
            let archive = try LifeArchive(life, normalizer, tellsReceiveTimes: sort.tellsReceiveTimes)
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

    @Test("A one-time purchase of which only the refund was reported gave access from its purchase on")
    func oneTimePurchase() throws {
        let body = #"""
            {"notification_type":"REFUND","environment":"PROD","bid":"com.example.app","unified_receipt":{
            "latest_receipt_info":[{"transaction_id":"310000000000003","original_transaction_id":"310000000000003",
            "product_id":"com.example.lifetime","quantity":"1","purchase_date_ms":"1620036000000",
            "original_purchase_date_ms":"1620036000000","cancellation_date_ms":"1620900000000",
            "cancellation_reason":"0"}]}}
            """#
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var timeline = SubscriptionTimeline()
        for entry in try normalizer.timelineEntries(from: Array(body.utf8)) { timeline.append(entry) }
        let history = timeline.history
        #expect(history.map(\.isEntitled) == [true, false])
        #expect(history.map(\.validFrom.milliseconds) == [1_620_036_000_000, 1_620_900_000_000])
        #expect(history.map(\.knownFrom?.milliseconds) == [1_620_036_000_000, 1_620_036_000_000])
    }

    @Test("After a refund that nothing dates, no purchase that is made once gives access for certain")
    func undatedRefund() throws {
        let bodies = [
            #"""
            {"notification_type":"CONSUMPTION_REQUEST","environment":"PROD","bid":"com.example.app",
            "original_transaction_id":"310000000000003","unified_receipt":{
            "latest_receipt_info":[{"transaction_id":"310000000000003","original_transaction_id":"310000000000003",
            "product_id":"com.example.coins","purchase_date_ms":"1620036000000"}]}}
            """#,
            #"""
            {"notification_type":"REFUND","environment":"PROD","bid":"com.example.app",
            "original_transaction_id":"310000000000003","latest_receipt":"MIIb"}
            """#,
        ]
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var timeline = SubscriptionTimeline()
        for body in bodies {
            for entry in try normalizer.timelineEntries(from: Array(body.utf8)) { timeline.append(entry) }
        }
        #expect(timeline.history.last.map { $0.isEntitled == true } == false)
    }

    @Test("A period that was refunded, given back and refunded again is revoked after its end too")
    func refundedAgain() throws {
        func body(_ type: String, _ cancelled: String, _ received: String) -> String {
            #"""
            {"received_at":"\#(received)","body":{"notification_type":"\#(type)","environment":"PROD",
            "bid":"com.example.app","auto_renew_status":"false","unified_receipt":{"latest_receipt_info":[
            {"transaction_id":"310000000000007","original_transaction_id":"310000000000007",
            "product_id":"com.example.monthly","purchase_date_ms":"1620036000000","expires_date_ms":"1622714400000"
            \#(cancelled)}],"pending_renewal_info":[{"original_transaction_id":"310000000000007",
            "auto_renew_product_id":"com.example.monthly","product_id":"com.example.monthly","auto_renew_status":"0"}]}}}
            """#
        }
        func refunded(_ time: String) -> String { #","cancellation_date_ms":"\#(time)","cancellation_reason":"0""# }
        let bodies = [
            body("INITIAL_BUY", "", "2021-05-03T10:00:05Z"),
            body("CANCEL", refunded("1620900000000"), "2021-05-13T10:00:10Z"),
            body("CANCEL", refunded("1621000000000"), "2021-05-14T13:46:50Z"),
        ]
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var timeline = SubscriptionTimeline(asOf: EventTime(milliseconds: 1_625_000_000_000))
        for body in bodies {
            for entry in try normalizer.timelineEntries(from: Array(body.utf8)) { timeline.append(entry) }
        }
        let history = timeline.history
        #expect(history.map(\.status?.rawValue) == [1, 5, 5])
        #expect(history.last?.isEntitled == false)
    }

    /// Of V1, the body of one subscription that shows some of its periods.
    private static func body(_ type: String, _ members: String, _ rows: [(id: Int, purchase: Int64)]) -> String {
        let shown = rows.map { id, purchase in
            #"{"transaction_id":"\#(id)","original_transaction_id":"310000000000007","product_id":"com.example.monthly","#
                + #""purchase_date_ms":"\#(purchase)","expires_date_ms":"\#(purchase + 2_678_400_000)"}"#
        }
        return #"{\#(members),"body":{"notification_type":"\#(type)","environment":"PROD","bid":"com.example.app","#
            + #""auto_renew_status":"\#(type.hasSuffix("STATUS") ? "false" : "true")","unified_receipt":{"#
            + #""latest_receipt_info":[\#(shown.joined(separator: ","))]}}}"#
    }

    private static func timeline(_ bodies: [String], asOf: Int64? = nil) throws -> SubscriptionTimeline {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var timeline = SubscriptionTimeline(asOf: asOf.map(EventTime.init))
        for body in bodies {
            for entry in try normalizer.timelineEntries(from: Array(body.utf8)) { timeline.append(entry) }
        }
        return timeline
    }

    private static func history(_ bodies: [String]) throws -> [SubscriptionState] { try timeline(bodies).history }

    @Test("A switch that nothing dates is left out if its body does not know the current period")
    func oldSwitch() throws {
        let (first, second) = (
            (310_000_000_000_007, 1_620_036_000_000 as Int64), (310_000_000_000_008, 1_622_714_400_000 as Int64)
        )
        func states(_ shown: [(id: Int, purchase: Int64)]) throws -> SubscriptionState? {
            try Self.history([
                Self.body("INITIAL_BUY", #""received_at":"2021-05-03T10:00:05Z""#, [first]),
                Self.body("DID_RENEW", #""received_at":"2021-06-03T10:00:05Z""#, [second, first]),
                Self.body("DID_CHANGE_RENEWAL_STATUS", #""received_at":"2021-06-04T12:00:00Z""#, shown),
            ]).last
        }
        #expect(try states([first])?.renewal.autoRenewStatus?.rawValue == 1)
        #expect(try states([second, first])?.renewal.autoRenewStatus?.rawValue == 0)
    }

    @Test("A beginning of version 2 that is signed after a switch off proves nothing of renewal")
    func signedAfterASwitch() throws {
        let first = (310_000_000_000_007, 1_620_036_000_000 as Int64)
        let signed = #"""
            {"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY","notificationUUID":"5c9e7a30-0000-4000-8000-000000000001",
            "version":"2.0","signedDate":1620900000000,"data":{"bundleId":"com.example.app","environment":"Production",
            "transactionInfo":{"transactionId":"310000000000007","originalTransactionId":"310000000000007",
            "productId":"com.example.monthly","purchaseDate":1620036000000,"expiresDate":1622714400000,
            "type":"Auto-Renewable Subscription"},"renewalInfo":{"originalTransactionId":"310000000000007",
            "autoRenewProductId":"com.example.monthly","autoRenewStatus":1,"signedDate":1620900000000}}}
            """#
        let off = #""received_at":"2021-05-10T10:00:05Z""#
        let body = Self.body("DID_CHANGE_RENEWAL_STATUS", off, [first]).replacing(
            #""bid""#, with: #""auto_renew_status_change_date_ms":"1620640800000","bid""#)
        let state = try Self.history([
            Self.body("INITIAL_BUY", #""received_at":"2021-05-03T10:00:05Z""#, [first]), body, signed,
        ]).last
        #expect(state?.renewal.autoRenewStatus?.rawValue == 1)
        #expect(state?.certainty == .inferred)
    }

    /// Of V2, a decoded body about the first or the second period of a month: `id` 1 or 2.
    private static func signed(
        _ type: String, _ id: Int, at signed: Int64, received: Int64? = nil, status: Int, renews: Bool,
        _ more: String = ""
    ) -> String {
        let begin: Int64 = id == 1 ? 1_640_995_200_000 : 1_643_673_600_000
        return #"{"received_at":\#(received ?? signed),"body":{"notificationType":"\#(type)","version":"2.0","#
            + #""notificationUUID":"5c9e7a30-0000-4000-8000-\#(signed / 10)","signedDate":\#(signed),"#
            + #""data":{"bundleId":"com.example.app","environment":"Production","status":\#(status),"#
            + #""transactionInfo":{"transactionId":"\#(id)","originalTransactionId":"1","productId":"monthly","#
            + #""type":"Auto-Renewable Subscription","purchaseDate":\#(begin),"expiresDate":\#(begin + 2_678_400_000)\#(more)},"#
            + #""renewalInfo":{"originalTransactionId":"1","autoRenewProductId":"monthly","#
            + #""autoRenewStatus":\#(renews ? 1 : 0),"gracePeriodExpiresDate":\#(id == 1 ? 1_645_056_000_000 : 0)}}}}"#
    }

    private static func state(_ bodies: [String], at instant: Int64) throws -> SubscriptionState? {
        try history(bodies).last { $0.validFrom.milliseconds <= instant }
    }

    @Test("A period after a failed renewal begins when a body that shows it was written, not when that arrived")
    func lateRecovery() throws {
        // The first period ended on 1 February, grace until the 17th.
        let failed = Self.signed("DID_FAIL_TO_RENEW", 1, at: 1_643_673_603_000, status: 4, renews: true)
        let recovered = Self.signed(
            "DID_RENEW", 2, at: 1_643_846_400_000, received: 1_645_228_800_000, status: 1, renews: true)
        let paid = try Self.state([failed, recovered], at: 1_645_142_400_000)
        #expect(paid?.status == .active && paid?.isEntitled == true)
        #expect(paid?.validFrom.milliseconds == 1_643_846_400_000)

        let refund = Self.signed(
            "REFUND", 2, at: 1_645_315_203_000, received: 1_645_315_205_000, status: 5, renews: false,
            #","revocationDate":1645315200000,"revocationReason":0"#)
        let refunded = try Self.state([failed, refund], at: .max)
        #expect(refunded?.status == .revoked && refunded?.isEntitled == false)
        #expect(refunded?.renewal.autoRenewStatus == .off)

        let off = Self.signed(
            "DID_CHANGE_RENEWAL_STATUS", 2, at: 1_645_315_200_000, received: 1_645_488_000_000, status: 1, renews: false
        )
        let switched = try Self.state([failed, off], at: 1_645_400_000_000)
        #expect(switched?.isEntitled == true && switched?.renewal.autoRenewStatus == .off)
    }

    @Test("A billing retry that ends by time ends renewal, and the default instant is the latest signature")
    func byTime() throws {
        let failed = Self.signed("DID_FAIL_TO_RENEW", 1, at: 1_643_673_603_000, status: 4, renews: true)
        #expect(try Self.history([failed]).last?.status == .gracePeriod)
        let timeline = try Self.timeline([failed], asOf: 1_650_000_000_000)
        #expect(timeline.history.last?.status == .expired && timeline.history.last?.renewal.autoRenewStatus == .off)

        let bought = Self.signed("SUBSCRIBED", 1, at: 1_640_995_203_000, status: 1, renews: true)
        let refund = Self.signed(
            "REFUND", 1, at: 1_643_500_000_000, status: 5, renews: false,
            #","revocationDate":1641859200000,"revocationReason":0"#)
        let refunded = try Self.timeline([bought, refund]).history.last
        #expect(refunded?.renewal.autoRenewStatus == .off && refunded?.certainty == .exact)
    }

    @Test("Renewal is not claimed for certain where only a history of transactions shows a period")
    func historyAlone() throws {
        let history = #"""
            {"bundleId":"com.example.app","environment":"Production","hasMore":false,"signedTransactions":[
            {"transactionId":"1","originalTransactionId":"1","productId":"monthly","type":"Auto-Renewable Subscription",
            "purchaseDate":1640995200000,"expiresDate":1643673600000,"signedDate":1642000000000}]}
            """#
        var timeline = SubscriptionTimeline()
        for answer in try NotificationNormalizer(policy: .trustingTheSource).answers(from: Array(history.utf8)) {
            timeline.append(answer: answer)
        }
        #expect(timeline.history.map(\.certainty) == [.ambiguous])
        #expect(timeline.history.first?.flags.map(\.rawValue) == ["AUTO_RENEW_STATE_UNKNOWN"])
    }

    @Test("A transaction ends with what version 2 says of its end, and not before the instant that is asked for")
    func ends() throws {
        func ends(_ bodies: [String], asOf: Int64? = nil) throws -> [String] {
            try Self.timeline(bodies, asOf: asOf).transactions.map { row in
                let words = [row.endReason?.rawValue, row.endedAt?.description, row.replacedBy]
                return words.map { $0 ?? "-" }.joined(separator: " ")
            }
        }
        let bought = Self.signed("SUBSCRIBED", 1, at: 1_640_995_203_000, status: 1, renews: true)
        let cancelled = #","revocationDate":1641859200000,"revocationReason":0"#
        let refund = Self.signed("REFUND", 1, at: 1_641_859_203_000, status: 5, renews: false, cancelled)
        let reversal = Self.signed("REFUND_REVERSED", 1, at: 1_642_723_203_000, status: 1, renews: true)
        #expect(try ends([bought, refund]) == ["refunded 2022-01-11T00:00:00.000Z -"])
        #expect(try ends([bought, refund], asOf: 1_641_000_000_000) == ["- - -"])
        #expect(try ends([bought, refund, reversal]) == ["- - -"])
        #expect(
            try ends([bought, refund, reversal], asOf: 1_642_000_000_000) == ["refunded 2022-01-11T00:00:00.000Z -"])
        let upgrade = Self.signed("DID_CHANGE_RENEWAL_PREF", 2, at: 1_643_000_003_000, status: 1, renews: true)
            .replacing(#""version""#, with: #""subtype":"UPGRADE","version""#)
            .replacing(#""purchaseDate":1643673600000"#, with: #""purchaseDate":1643000000000"#)
            .replacing(#""productId":"monthly""#, with: #""productId":"yearly""#)
        #expect(try ends([bought, upgrade]) == ["upgraded 2022-01-24T04:53:20.000Z 2", "- - -"])
    }

    @Test("What Apple answered is in the states and transactions of the library too")
    func answered() throws {
        let story = try Story(Fixture(table: "timelines", name: "answer-says-bought-in-retry"))
        var timeline = SubscriptionTimeline()
        for entry in story.entries { timeline.append(entry) }
        let (states, transactions) = (timeline.history, timeline.transactions)
        for answer in story.answers { timeline.append(answer: answer) }
        let (answered, shown) = (timeline.history, timeline.transactions)
        #expect(answered != states)
        #expect(shown != transactions && shown.contains { $0.transaction.price != nil })
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
