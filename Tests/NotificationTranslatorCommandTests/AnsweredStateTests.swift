import Testing

/// What answers of Apple's API do to states, transactions and stored evidence, and what they do not prove.
@Suite("States and answers") struct AnsweredStateTests {
    private static let app = #""bundleId":"com.example.news","environment":"Production""#
    private static let bought = body("INITIAL_BUY", [row(0)], at: 0)
    private static let renewed = body("DID_RENEW", [row(1), row(0)], at: 30)

    /// The milliseconds of a day after 2022-03-01.
    private static func time(_ day: Double) -> Int64 { 1_646_092_800_000 + Int64(day * 86_400_000) }

    private static func date(_ key: String, _ day: Double) -> String { #","\#(key)":"\#(time(day))""# }

    /// A month, by its number: bought again at the end of the one before, if no other day is given.
    private static func row(
        _ number: Int, of product: String = "news.monthly", from begin: Double? = nil, _ more: String = ""
    ) -> String {
        Body.row("11", "\(11 + number)", of: product, from: time(begin ?? Double(number) * 30), more)
    }

    /// A body with a list, received at a day if one is given.
    private static func body(
        _ type: String, _ rows: [String], at day: Double?, next: String = "news.monthly", renews: Bool = true,
        _ more: String = "", pending: String = ""
    ) -> String {
        let entry =
            #""original_transaction_id":"11","product_id":"news.monthly","auto_renew_product_id":"\#(next)","#
            + #""auto_renew_status":"\#(renews ? 1 : 0)"\#(pending)"#
        let top = #","auto_renew_status":"\#(renews)","auto_renew_product_id":"\#(next)""#
        return Body.version1(type, rows, top + more, pending: entry, at: day.map { time($0) + 9_000 })
    }

    /// A transaction as the App Store Server API shows it, signed at a day.
    private static func transaction(
        _ number: Int, of product: String = "news.monthly", from begin: Double? = nil, at day: Double,
        _ more: String = ""
    ) -> String {
        let begin = time(begin ?? Double(number) * 30)
        return #"{\#(app),"originalTransactionId":"11","transactionId":"\#(11 + number)","productId":"\#(product)","#
            + #""purchaseDate":\#(begin),"expiresDate":\#(begin + 2_592_000_000),"type":"Auto-Renewable Subscription","#
            + #""signedDate":\#(time(day))\#(more)}"#
    }

    private static func revoked(_ day: Double) -> String { #","revocationDate":\#(time(day)),"revocationReason":1"# }

    private static func status(_ status: Int, _ number: Int, at day: Double, renewal: Bool = true) -> String {
        let info =
            #","signedRenewalInfo":{"originalTransactionId":"11","autoRenewProductId":"news.monthly","#
            + #""autoRenewStatus":1,"signedDate":\#(time(day))}"#
        return #"{\#(app),"data":[{"lastTransactions":[{"originalTransactionId":"11","status":\#(status),"#
            + #""signedTransactionInfo":\#(transaction(number, at: day))\#(renewal ? info : "")}]}]}"#
    }

    private static func answer(_ transactions: [String], isRefundHistory: Bool = false) -> String {
        #"{"revision":"1","hasMore":false,\#(isRefundHistory ? "" : app + ",")"signedTransactions":["#
            + transactions.joined(separator: ",") + "]}"
    }

    /// A notification of version 2, signed at a day; about the first month if it is about no other.
    private static func signed(
        _ type: String, at day: Double, _ transaction: String? = nil, renews: Bool, _ renewal: String = "",
        status: String = ""
    ) -> String {
        #"{"notificationType":"\#(type)","notificationUUID":"\#(day)","version":"2.0","signedDate":\#(time(day)),"#
            + #""data":{\#(app)\#(status),"signedTransactionInfo":\#(transaction ?? Self.transaction(0, at: day)),"#
            + #""signedRenewalInfo":{"originalTransactionId":"11","autoRenewStatus":\#(renews ? 1 : 0)\#(renewal)}}}"#
    }

    /// Runs a command over lines.
    private static func run(_ words: [String], _ lines: [String]) throws -> Command.Result {
        let run = try Command.run(words + ["archive.ndjson"], over: lines.asLines, as: "archive.ndjson")
        #expect(run.code == 0, "\(run.errors)")
        return run
    }

    /// The values of columns in the only row.
    private static func state(_ columns: String, at day: Double, _ lines: [String]) throws -> String {
        let run = try run(["state", "--at", "\(time(day))", "-q"], lines)
        #expect(run.lines.count == 1)
        return columns.split(separator: " ").map { run.output.value(of: $0) }.joined(separator: " ")
    }

    /// The rows of `transactions`, at a day if one is given.
    private static func transactions(_ lines: [String], at day: Double? = nil) throws -> [Substring] {
        try run(["transactions", "-q"] + (day.map { ["--as-of", "\(time($0))"] } ?? []), lines).lines
    }

    @Test("A status without renewal info sets the state")
    func statusWithoutRenewalInfo() throws {
        let answer = Self.status(3, 0, at: 40, renewal: false)
        #expect(try Self.state("status", at: 41, [Self.bought]) == "null")
        #expect(try Self.state("status certainty", at: 41, [Self.bought, answer]) == #"3 "exact""#)
    }

    @Test("An answer from before a plan was changed does not take the change back")
    func beforeAPlanWasChanged() throws {
        let change = Self.body("DID_CHANGE_RENEWAL_PREF", [Self.row(0)], at: 10, next: "news.yearly")
        let lines = [Self.bought, Self.status(1, 0, at: 5), change]
        #expect(try Self.state("auto_renew_product_id", at: 6, lines) == "\"news.monthly\"")
        #expect(try Self.state("auto_renew_product_id", at: 11, lines) == "\"news.yearly\"")
    }

    @Test("An answer from before a period began does not end it")
    func beforeAPeriodBegan() throws {
        let lines = [
            Self.bought, Self.status(2, 0, at: 40), Self.answer([Self.transaction(0, at: 40)]),
            Self.body("INTERACTIVE_RENEWAL", [Self.row(2), Self.row(0)], at: 60),
        ]
        #expect(try Self.state("status", at: 45, lines) == "2")
        #expect(try Self.state("status transaction_id", at: 61, lines) == #"1 "13""#)
    }

    @Test("An answer from before a refund was reversed does not keep it")
    func beforeARefundWasReversed() throws {
        let lines = [
            Self.bought, Self.answer([Self.transaction(0, at: 12, Self.revoked(10))]),
            Self.signed("REFUND_REVERSED", at: 15, renews: true, status: #","status":1"#),
        ]
        #expect(try Self.state("status", at: 12, lines) == "5")
        #expect(try Self.state("status entitled", at: 16, lines) == "1 true")
    }

    @Test("An answer that is older than what is open does not keep the worklist silent")
    func olderThanWhatIsOpen() throws {
        func worklist(_ answers: [String]) throws -> String {
            try Self.run(["worklist", "-q", "--as-of", "\(Self.time(100))"], [Self.bought, Self.renewed] + answers)
                .output
        }
        #expect(try worklist([]).contains(#""opens":["state"]"#))
        #expect(try worklist([Self.status(1, 0, at: 5)]) == worklist([]))
        #expect(try worklist([Self.status(2, 1, at: 90)]) == "")
    }

    @Test("A switch that version 2 reports too was made when the body of version 1 says")
    func switchedBeforeItWasSigned() throws {
        let time = Self.date("auto_renew_status_change_date_ms", 5)
        let lines = [
            Self.bought, Self.body("DID_CHANGE_RENEWAL_STATUS", [Self.row(0)], at: 5, renews: false, time),
            Self.signed(#"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED"#, at: 20, renews: false),
        ]
        #expect(try Self.state("auto_renew_status", at: 4, lines) == "1")
        #expect(try Self.state("auto_renew_status", at: 6, lines) == "0")
    }

    @Test("A lapse that the customer chose leaves open when renewal was switched off, and says that it was")
    func lostSwitch() throws {
        let lines = [
            Self.signed(#"SUBSCRIBED","subtype":"INITIAL_BUY"#, at: 0, renews: true),
            Self.signed(#"EXPIRED","subtype":"VOLUNTARY"#, at: 31, renews: false, #","expirationIntent":1"#),
        ]
        #expect(try Self.state("auto_renew_status certainty", at: 20, lines) == #"1 "ambiguous""#)
        #expect(try Self.state("auto_renew_status", at: 30, lines) == "0")
        #expect(try Self.state("certainty", at: 32, lines) == "\"exact\"")
        let off = Self.signed(#"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED"#, at: 10, renews: false)
        #expect(try Self.state("certainty", at: 5, lines + [off]) == "\"exact\"")
    }

    @Test("What is reported after a period was charged ahead is not undone when it begins")
    func reportedBeforeThePeriodBegan() throws {
        let second = Self.transaction(1, at: 0)
        let ahead = [Self.bought, Self.signed("DID_RENEW", at: 29.75, second, renews: true)]
        let off = Self.signed(
            #"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED"#, at: 29.875, second, renews: false)
        let now = try Self.state("auto_renew_status access_until", at: 29, ahead + [off])
        #expect(now == #"1 "2022-03-31T00:00:00.000Z""#)
        #expect(try Self.state("auto_renew_status", at: 31, ahead + [off]) == "0")
        #expect(try Self.state("status", at: 61, ahead + [off]) == "2")
        let refunded = Self.transaction(1, at: 0, Self.revoked(29.875))
        let refund = ahead + [Self.signed("REFUND", at: 29.875, refunded, renews: true)]
        #expect(try Self.state("status", at: 31, refund) == "5")
        let reversal = Self.signed("REFUND_REVERSED", at: 29.9375, second, renews: true)
        #expect(try Self.state("status", at: 31, refund + [reversal]) == "1")
        // A plan that is bought after that refund is not the one that was refunded.
        let yearly = Self.transaction(2, of: "news.yearly", from: 29.9375, at: 0)
        let upgrade = Self.signed(#"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE"#, at: 29.9375, yearly, renews: true)
        #expect(try Self.state("status product_id", at: 31, refund + [upgrade]) == #"1 "news.yearly""#)
    }

    @Test("A recovery within grace that nothing dates does not prove that the grace period never ran")
    func undatedRecovery() throws {
        let grace = Self.date("grace_period_expires_date_ms", 46) + #","is_in_billing_retry_period":"1""#
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: nil),
            Self.body("DID_FAIL_TO_RENEW", [Self.row(0)], at: nil, pending: grace),
            Self.body("DID_RECOVER", [Self.row(1), Self.row(0)], at: nil),
        ]
        let state = try Self.state("status certainty flags", at: 32, lines)
        #expect(state == #"1 "inferred" ["TIME_LOWER_BOUND"]"#)
    }

    @Test(
        "A restored id that an answer shows is its first one, and a refund that is taken back later counts until then")
    func restoredAndTakenBack() throws {
        let restored = Self.transaction(1, at: 35).replacing(#""transactionId":"12""#, with: #""transactionId":"99""#)
        let lines = [
            Self.bought, Self.renewed,
            Self.answer([restored, Self.transaction(1, at: 35), Self.transaction(0, at: 35)]),
        ]
        let rows = try Self.transactions(lines)
        #expect(rows.count == 2 && rows[1].contains(#""transaction_id":"12""#), "\(rows)")
        #expect(try Self.state("certainty", at: 36, lines) == "\"exact\"")

        let cancelled = Self.row(0, Self.date("cancellation_date_ms", 5))
        let time = Self.date("auto_renew_status_change_date_ms", 12)
        let reversed = [
            Self.bought, Self.body("CANCEL", [cancelled], at: 5),
            Self.body("DID_CHANGE_RENEWAL_STATUS", [Self.row(0)], at: 12, time),
        ]
        let reasons = try [4, 8, 13].map { try Self.transactions(reversed, at: $0)[0].value(of: "end_reason") }
        #expect(reasons == ["null", "\"refunded\"", "null"])
    }

    @Test("A refund that Apple signed while the subscription ran does not end an access whose end is not known")
    func refundOfAnOldPeriod() throws {
        let refunded = Self.transaction(0, at: 40, Self.revoked(40))
        let refund = Self.signed("REFUND", at: 40, refunded, renews: false, status: #","status":1"#)
        #expect(try Self.state("status entitled", at: 41, [Self.bought, refund]) == "null null")
    }

    @Test("The refund of a transaction that was upgraded before keeps its money and its successor")
    func refundedAfterAnUpgrade() throws {
        let upgraded = Self.transaction(1, of: "news.plus", from: 10, at: 21)
        let refunded = Self.transaction(0, at: 21, Self.revoked(20) + #","isUpgraded":true"#)
        let row = try Self.transactions([Self.bought, Self.answer([upgraded, refunded])])[0]
        #expect(row.contains(#""ended_at":"2022-03-11T00:00:00.000Z","end_reason":"upgraded""#), "\(row)")
        let money = #""revoked_at":"2022-03-21T00:00:00.000Z","revocation_reason":1,"replaced_by":"12""#
        #expect(row.contains(money), "\(row)")
    }

    @Test("A refund that was given back before an upgrade is one until then")
    func givenBackBeforeAnUpgrade() throws {
        let rows = [Self.row(1, of: "news.yearly", from: 8), Self.row(0, #","is_upgraded":"true""#)]
        let lines = [
            Self.bought, Self.body("CANCEL", [Self.row(0, Self.date("cancellation_date_ms", 5))], at: 5),
            Self.body("INTERACTIVE_RENEWAL", rows, at: 8),
        ]
        #expect(try [4, 6, 9].map { try Self.state("status", at: $0, lines) } == ["1", "5", "1"])
        let row = try Self.transactions(lines)[0]
        #expect(row.contains(#""ended_at":"2022-03-09T00:00:00.000Z","end_reason":"upgraded""#), "\(row)")
        #expect(row.contains(#""replaced_by":"12""#))
    }

    @Test("A period in whose middle another plan begins was replaced, whatever reports it")
    func replacedInItsMiddle() throws {
        let rows = [Self.row(1, of: "news.weekly", from: 3), Self.row(0)]
        let first = try Self.transactions([Self.bought, Self.body("DID_CHANGE_RENEWAL_PREF", rows, at: 5)], at: 20)[0]
        #expect(first.contains(#""end_reason":"upgraded""#) && first.contains(#""replaced_by":"12""#), "\(first)")
        #expect(first.contains(#""certainty":"inferred","flags":["DEDUCED_LIKELY"]"#), "\(first)")
    }

    @Test("What a filtered history leaves out is there all the same")
    func filteredHistory() throws {
        let bodies = [Self.bought, Self.renewed]
        // Asked with a filter, a history shows the first month alone and is complete by its own word.
        let lines = bodies + [Self.answer([Self.transaction(0, at: 35)])]
        #expect(try Self.state("status transaction_id", at: 36, lines) == #"1 "12""#)
        let (before, after) = try (Self.run(["convert", "-q"], bodies), Self.run(["convert", "-q"], lines))
        #expect(after.lines.last == before.lines.last)
        #expect(try Self.transactions(lines).count == 2)
    }

    @Test("A refund history proves refunds, and nothing of what it does not show")
    func refundHistory() throws {
        let bodies = [Self.bought, Self.renewed]
        let (first, second) = (
            bodies + [Self.answer([Self.transaction(0, at: 35, Self.revoked(32))], isRefundHistory: true)],
            bodies + [Self.answer([Self.transaction(1, at: 35, Self.revoked(32))], isRefundHistory: true)]
        )
        #expect(try Self.state("status", at: 36, first) == "1")
        #expect(try [31, 36].map { try Self.state("status", at: $0, second) } == ["1", "5"])
        let reasons = try Self.transactions(second).map { $0.contains(#""end_reason":"refunded""#) }
        #expect(reasons == [false, true])
        // A period that ended in silence stays unknown: nothing says that no other one followed.
        #expect(try Self.state("status", at: 70, first) == "null")
        #expect(try Self.run(["worklist", "-q", "--as-of", "\(Self.time(70))"], first).output != "")
    }

    @Test("An answer that contradicts a notification is told, and neither wins in silence")
    func contradiction() throws {
        let lines = [Self.bought, Self.answer([Self.transaction(0, of: "news.weekly", at: 5)])]
        let output = try Self.run(["convert", "-q"], lines).output
        #expect(output.contains("ANSWER_CONTRADICTS") && output.contains(#""product_id":"news.monthly""#))
        #expect(try Self.run(["report"], lines).output.contains("ANSWER_CONTRADICTS"))
        for table in ["state", "transactions"] {
            let row = try Self.run([table, "-q"], lines).output
            #expect(row.contains(#""certainty":"inferred","flags":["ANSWER_CONTRADICTS"]"#), "\(row)")
        }
        let disputed = try Self.run(
            ["state", "-q"], [Self.bought, Self.status(1, 0, at: 5), Self.status(2, 0, at: 5)])
        #expect(disputed.output.contains(#""certainty":"ambiguous","flags":["ANSWER_CONTRADICTS"]"#))
    }

    @Test("An answer without any date changes no other row", arguments: ["state", "report", "worklist"])
    func undated(name: String) throws {
        let entry = #"{"original_transaction_id":"11"}"#
        let status = #"{\#(Self.app),"data":[{"lastTransactions":[{"originalTransactionId":"12","status":1}]}]}"#
        let undated = [#"{"pending_renewal_info":[\#(entry)]}"#, status]
        let run = try Self.run([name, "-q"], [Self.bought] + undated)
        #expect(try run.code == 0 && run.output == Self.run([name, "-q"], [Self.bought]).output || name == "report")
        #expect(try Self.run([name, "-q"], undated).code == 0)
    }

    @Test("A subscription that no record dates is a question for Apple, and has no state")
    func undatedSubscription() throws {
        let lines = [
            #"{"notification_type":"INITIAL_BUY","environment":"PROD","bid":"a","original_transaction_id":"11"}"#
        ]
        #expect(try Self.run(["state", "-q"], lines).output == "")
        let item = try Self.run(["worklist", "-q"], lines).output
        #expect(item.contains(#""opens":["state","events"]"#) && item.contains(#""last_reported_at":null"#), "\(item)")
    }

    @Test("Rows that rest on answers are counted in the summary and in the report")
    func rowsAreCounted() throws {
        let lines = [
            Self.bought, Self.status(2, 0, at: 40), Self.status(1, 0, at: 41).replacing("\"11\"", with: "\"22\""),
            Self.body("INITIAL_BUY", [Self.row(2)], at: 60).replacing("\"11\"", with: "\"33\""),
        ]
        for (name, count) in [("state", 2), ("transactions", 1)] {
            let run = try Self.run([name, "-o", "/dev/null"], lines)
            let line = "answered    \(count)   would be other rows without Apple's answers\n"
            #expect(run.errors.contains(line), "\(run.errors)")
        }
        let alone = try Self.run(["state", "-o", "/dev/null"], [lines[0]])
        #expect(!alone.errors.contains("answered"))
        #expect(try Self.run(["report", "--format", "json"], lines).output.contains("\"answered\": 2"))
        let page = try Self.run(["report"], lines).output
        #expect(page.contains("2 subscriptions would stand otherwise without the answers."))
    }

    @Test("A notification that may concern several purchases gives a line of evidence for each")
    func evidenceForEach() throws {
        let rows = ["31", "32"].map { id in
            Body.row(
                id, of: "news." + id, from: Self.time(0),
                #","in_app_ownership_type":"FAMILY_SHARED""# + Self.date("cancellation_date_ms", 1))
        }
        let command = try Command(["line.ndjson": Self.body("REVOKE", rows, at: 1) + "\n"])
        let run = try command.run("evidence", input: .file("line.ndjson"))
        let parts = run.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        // The list is a line of its own, for the rows of each purchase.
        #expect(parts.map { $0[0] } == ["31", "32", "31", "32"], "\(run.output)")
        #expect(parts.map { $0[2].hasPrefix(#"{"event":null,"#) } == [false, true, true, true])
        let lines = [Self.body("REVOKE", rows, at: 1)]
        for table in ["state", "transactions"] {
            let rows = try command.run(["settle", "--to", table], input: .text(run.output)).lines
            #expect(try rows == Self.run([table, "-q"], lines).lines)
        }
        let settled = try command.run("settle", input: .text(run.output))
        #expect(settled.lines.count == 1 && settled.output.contains("\"REVOKE\""), "\(settled)")
    }

    @Test("What a notification lists of other purchases counts for their rows, and for no event")
    func listsOfOthers() throws {
        let other = Body.row("22", of: "world.monthly", from: Self.time(0))
        let refunded = Self.date("cancellation_date_ms", 40) + #","cancellation_reason":"0""#
        let listed = [
            Body.row("22", "23", of: "world.monthly", from: Self.time(30), refunded), other,
            Body.row("33", of: "forever", from: Self.time(1), lasting: nil),
        ]
        func named(_ id: String) -> String { #","original_transaction_id":"\#(id)""# }
        let lines = [
            Body.version1("INITIAL_BUY", [other], named("22"), at: Self.time(0)), Self.bought,
            Self.body("DID_RENEW", [2, 1, 0].map { Self.row($0) } + listed, at: 60, named("11")),
        ]
        func rows(_ command: String) throws -> [String] { try Self.run([command], lines).lines.map(String.init) }
        let transactions = try rows("transactions")
        #expect(
            transactions.map { $0.contains(#""basis":"list","reported_by":[]"#) } == [
                false, true, false, false, true, true,
            ])
        #expect(
            transactions[4].contains(#""end_reason":"refunded""#) && transactions[4].contains(#""transaction_id":"23""#)
        )
        let states = try rows("state")
        #expect(states.map { $0.contains(#""entitled":true"#) } == [true, false, true])
        #expect(states[1].contains(#""status":5,"#) && states[1].contains(#""transaction_id":"23""#), "\(states[1])")
        #expect(try !rows("worklist").contains { $0.contains("33") })
        let command = try Command()
        let keyed = try command.run("evidence", input: .text(lines.asLines)).lines.sorted().asLines
        for (words, expected) in [(["--to", "state"], states), ([], try rows("convert"))] {
            let settled = try command.run(["settle"] + words, input: .text(keyed))
            #expect(settled.lines.count == expected.count)
        }
    }

    @Test("The list of a notification sets the renewal status of another subscription")
    func renewalOfOthers() throws {
        let other = Body.row("22", of: "world.monthly", from: Self.time(0))
        func entry(_ id: String, _ renews: Int) -> String {
            #""original_transaction_id":"\#(id)","auto_renew_status":"\#(renews)""#
        }
        let bought = Body.version1(
            "INITIAL_BUY", [other], #","original_transaction_id":"22""#, pending: entry("22", 1),
            at: Self.time(0) + 9_000)
        let renewed = Self.body(
            "DID_RENEW", [Self.row(1, from: 20), other], at: 20, #","original_transaction_id":"11""#,
            pending: "},{" + entry("22", 0))
        let states = try Self.run(
            ["state", "-q", "--history"], [bought, renewed, Self.body("DID_RENEW", [Self.row(2)], at: 60)]
        )
        .lines.filter { $0.contains(#""original_transaction_id":"22""#) }
        let expected = [
            #""auto_renew_status":1"#, #""auto_renew_status":0"#, #""status":2,"entitled":false"#,
        ]
        #expect(states.count == 3 && zip(states, expected).allSatisfy { $0.contains($1) }, "\(states)")
        #expect(states.first?.contains("AUTO_RENEW_STATE_UNKNOWN") == true)
    }

    @Test("A report changes no event, whichever app a list names")
    func reportChangesNothing() throws {
        func body(_ type: String, _ id: String, _ rows: [String], _ bid: String?, at day: Double) -> String {
            let top = #","original_transaction_id":"\#(id)","auto_renew_status":"true""#
            return Body.version1(type, rows, top, bid: bid, at: Self.time(day) + 9_000)
        }
        let rows = [Self.row(1), Self.row(0)]
        let lines = [
            Self.bought, body("DID_CHANGE_RENEWAL_STATUS", "11", rows, nil, at: 31),
            body("INTERACTIVE_RENEWAL", "11", rows, "com.example.news", at: 30),
            body("INITIAL_BUY", "22", [Body.row("22", from: Self.time(40)), Self.row(1)], "com.example.other", at: 40),
        ]
        let events = try Self.run(["convert"], lines).output
        #expect(events.contains("COMPANION_OF_INTERACTIVE_RENEWAL"))
        #expect(try Self.run(["convert", "--report", "report.json"], lines).output == events)
    }

    @Test("The default instant of a state is the latest arrival, and the end of a report's name decides its form")
    func defaults() throws {
        let command = try Command()
        try command.write(Body.version1("INITIAL_BUY", [Self.row(0)], at: Self.time(3)) + "\n", to: "a")
        let state = try command.run(["state", "a", "-q"])
        #expect(state.output.contains(#""at":"2022-03-04T00:00:00.000Z""#), "\(state.output)")
        for (name, begin) in [("r.json", "{"), ("r.html", "<!DOCTYPE html>"), ("r.txt", "# ")] {
            #expect(try command.run(["report", "a", "-q", "-o", name]).code == 0)
            #expect(try command.text(name).hasPrefix(begin), "\(name)")
        }
    }
}
