import SimulatedLives
import Testing

/// What the command makes of answers of Apple's API beside an archive, and without one.
@Suite("What Apple answered") struct AnswerTests {
    private static let archive = Cluster.archive(lives: 20, isPlain: true)
    private static let answers = Cluster.answers(lives: 20)

    /// Two subscriptions of one customer, one of them refunded, in a history of one page.
    private static let twoSubscriptions = """
        {"revision":"1","hasMore":false,"bundleId":"com.example.news","environment":"Production","signedTransactions":[\
        {"transactionId":"11","originalTransactionId":"11","bundleId":"com.example.news","productId":"news.monthly",\
        "purchaseDate":1591002000000,"expiresDate":1593594000000,"type":"Auto-Renewable Subscription",\
        "revocationDate":1591790400000,"revocationReason":0,"transactionReason":"PURCHASE","price":4990,"currency":"EUR",\
        "environment":"Production","signedDate":1760000000000},\
        {"transactionId":"22","originalTransactionId":"22","bundleId":"com.example.news","productId":"puzzles.yearly",\
        "purchaseDate":1591002000000,"expiresDate":1622538000000,"type":"Auto-Renewable Subscription",\
        "transactionReason":"PURCHASE","price":19990,"currency":"EUR","environment":"Production",\
        "signedDate":1760000000000}]}
        """

    private static let cancel = """
        {"receivedAt":"2020-06-10T12:00:09Z","body":{"notification_type":"CANCEL","environment":"PROD",\
        "bid":"com.example.news","auto_renew_status":"true","auto_renew_product_id":"news.monthly",\
        "cancellation_date_ms":"1591790400000","latest_expired_receipt_info":{"original_transaction_id":"11",\
        "transaction_id":"11","product_id":"news.monthly","purchase_date_ms":"1591002000000",\
        "expires_date":"1593594000000","cancellation_date_ms":"1591790400000"}}}
        """

    @Test("A report compares candidates without a V2 pair with Apple's answer")
    func companionAmongCandidates() throws {
        let body = Body.version1(
            "DID_CHANGE_RENEWAL_STATUS", [Body.row("11", "12", from: 1_654_862_400_000)],
            #","auto_renew_status":"true","auto_renew_status_change_date_ms":"1654862545000""#, bid: nil,
            pending: #""original_transaction_id":"11","auto_renew_status":"1""#)
        let answer = #"""
            {"signedTransactions":[{"transactionId":"12","originalTransactionId":"11","productId":"news.monthly",\
            "purchaseDate":1654862400000,"expiresDate":1657454400000,"transactionReason":"RENEWAL"}]}
            """#.replacing("\\\n", with: "")
        let command = try Command(["archive": body + "\n" + answer + "\n"])
        let run = try command.run("report", "archive", "--format", "json")
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("The command explain names the record and the fields of the answer on which an event rests")
    func explainNamesTheAnswer() throws {
        let command = try Command(["old.ndjson": Self.cancel + "\n"])
        try command.write("\n" + Self.twoSubscriptions + "\n", to: "answers.ndjson")
        let run = try command.run("explain", "old.ndjson:1", "old.ndjson", "answers.ndjson")
        #expect(run.code == 0)
        #expect(run.output.contains("rule        cancel-refund-answered"))
        #expect(run.output.contains("answer      answers.ndjson:2  "))
        #expect(run.output.contains("revocationDate"))
        let answer = try command.run("explain", "answers.ndjson:2", "old.ndjson", "answers.ndjson")
        #expect(answer.code == 0 && answer.errors.contains("answers.ndjson:2: an answer from Apple"), "\(answer)")
        let alone = try command.run("explain", "old.ndjson:1", "old.ndjson")
        #expect(!alone.output.contains("answer      "))
    }

    @Test("An answer about subscriptions that no notification names makes rows and no event")
    func answersAloneMakeRows() throws {
        let command = try Command(["answers.ndjson": Self.twoSubscriptions + "\n"])
        let events = try command.run("convert", "-q", "answers.ndjson")
        #expect(events.code == 0 && events.output == "")
        let states = try command.run("state", "-q", "answers.ndjson").lines
        #expect(states.count == 2)
        #expect(states.contains { $0.contains(#""original_transaction_id":"22""#) })
        let transactions = try command.run("transactions", "-q", "answers.ndjson").lines
        #expect(transactions.count == 2)
        #expect(transactions.allSatisfy { $0.contains(#""basis":"answer""#) && $0.contains(#""currency":"EUR""#) })
        #expect(transactions.contains { $0.contains(#""end_reason":"refunded""#) })
        #expect(try command.run("worklist", "-q", "answers.ndjson").output == "")
    }

    @Test("Each subscription of an answer goes to its own")
    func eachSubscriptionGoesToItsOwn() throws {
        let command = try Command(["both.ndjson": Self.cancel + "\n" + Self.twoSubscriptions + "\n"])
        let events = try command.run("convert", "-q", "both.ndjson").output
        #expect(events.contains("\"REFUND\"") && events.contains("\"price\":4990") && !events.contains("19990"))
        let transactions = try command.run("transactions", "-q", "both.ndjson").lines
        #expect(transactions.count { $0.contains(#""basis":"answer""#) } == 1)
    }

    @Test("A report says what rests on answers and what Apple's history confirms")
    func aReportSaysWhatRestsOnAnswers() throws {
        let command = try Command(["archive.ndjson": (Self.archive + Self.answers).asLines])
        let json = try command.run("report", "--format", "json", "--max-rejects", "99", "archive.ndjson").output
        let found = String(json.components(after: "\"answers\""))
        func number(_ key: String) -> Int {
            Int(found.components(after: "\"\(key)\"").drop { !$0.isNumber }.prefix { $0.isNumber }) ?? -1
        }
        #expect(number("events") > 100 && number("prices") > 100 && number("transactions") > 10)
        let page = try command.run("report", "--max-rejects", "99", "archive.ndjson").output
        #expect(page.contains("Apple's own history confirms "))
        #expect(page.contains("| era | compared |"))
        try command.write(Self.archive.asLines, to: "archive.ndjson")
        let without = try command.run("report", "--max-rejects", "99", "archive.ndjson").output
        #expect(!without.contains("Apple's own history"))
    }

    @Test("A worklist shrinks to a tenth once Apple has answered")
    func aWorklistShrinks() throws {
        let command = try Command()
        var (asked, left) = (0, 0)
        // The answers of an era were made at its end, so they are none to what is open later.
        for era in SimulatedEra.allCases {
            let archive = Cluster.archive(lives: 20, of: [era], isPlain: true)
            try command.write(archive.asLines, to: "archive.ndjson")
            try command.write(Cluster.answers(lives: 20, of: [era]).asLines, to: "answers.ndjson")
            let before = try command.run("worklist", "-q", "--max-rejects", "99", "archive.ndjson").output
            let after = try command.run("worklist", "-q", "--max-rejects", "99", "archive.ndjson", "answers.ndjson")
                .output
            asked += before.split(separator: "\n").count
            left += after.split(separator: "\n").count
        }
        #expect(asked > 10)
        #expect(left * 10 <= asked, "\(asked) -> \(left)")
    }
}
