import Testing

/// What answers of Apple's API do to states, transactions and stored evidence, and what they do not prove.
@Suite("States and answers") struct AnsweredStateTests {
    private static let day: Int64 = 86_400_000
    /// 2022-03-01.
    private static let start: Int64 = 1_646_092_800_000
    private static let app = #""bundleId":"com.example.news","environment":"Production""#

    /// A month, by its number: bought again at the end of the one before.
    private static func row(_ number: Int64, _ more: String = "") -> String {
        let begin = start + number * 30 * day
        return #"{"original_transaction_id":"11","transaction_id":"\#(11 + number)","product_id":"news.monthly","#
            + #""purchase_date_ms":"\#(begin)","expires_date_ms":"\#(begin + 30 * day)"\#(more)}"#
    }

    /// A body with a list, received at a day after the start.
    private static func body(
        _ type: String, _ rows: [String], at day: Int64, next: String = "news.monthly", _ more: String = ""
    ) -> String {
        #"{"receivedAt":\#(start + day * Self.day + 9_000),"body":{"notification_type":"\#(type)","environment":"PROD","#
            + #""bid":"com.example.news","auto_renew_status":"true","auto_renew_product_id":"\#(next)"\#(more),"#
            + #""unified_receipt":{"environment":"Production","status":0,"#
            + #""latest_receipt_info":[\#(rows.joined(separator: ","))],"#
            + #""pending_renewal_info":[{"original_transaction_id":"11","product_id":"news.monthly","#
            + #""auto_renew_product_id":"\#(next)","auto_renew_status":"1"}]}}}"#
    }

    /// A transaction as the App Store Server API shows it, signed at a day after the start.
    private static func transaction(_ number: Int64, at day: Int64, _ more: String = "") -> String {
        let begin = start + number * 30 * Self.day
        return #"{\#(app),"originalTransactionId":"11","transactionId":"\#(11 + number)","productId":"news.monthly","#
            + #""purchaseDate":\#(begin),"expiresDate":\#(begin + 30 * Self.day),"type":"Auto-Renewable Subscription","#
            + #""signedDate":\#(start + day * Self.day)\#(more)}"#
    }

    private static func status(_ status: Int, _ number: Int64, at day: Int64, renewal: String?) -> String {
        let renewal = renewal.map {
            #","signedRenewalInfo":{"originalTransactionId":"11","autoRenewProductId":"\#($0)","autoRenewStatus":1,"#
                + #""signedDate":\#(start + day * Self.day)}"#
        }
        return #"{\#(app),"data":[{"lastTransactions":[{"originalTransactionId":"11","status":\#(status),"#
            + #""signedTransactionInfo":\#(transaction(number, at: day))\#(renewal ?? "")}]}]}"#
    }

    private static func answer(_ transactions: [String], isRefundHistory: Bool = false) -> String {
        #"{"revision":"1","hasMore":false,\#(isRefundHistory ? "" : app + ",")"signedTransactions":["#
            + transactions.joined(separator: ",") + "]}"
    }

    private static func time(_ day: Int64) -> String { "\((start + day * Self.day) / 1000)" }

    /// Runs a command over lines.
    private static func run(_ words: [String], _ lines: [String]) throws -> Command.Result {
        let run = try Command.run(
            words + ["archive.ndjson"], over: lines.map { $0 + "\n" }.joined(), as: "archive.ndjson")
        #expect(run.code == 0, "\(run.errors)")
        return run
    }

    /// The value of a column in the only row.
    private static func state(_ column: String, at day: Int64, _ lines: [String]) throws -> String {
        let output = try run(["state", "--at", time(day), "-q"], lines).output
        #expect(output.split(separator: "\n").count == 1)
        let rest = output.components(after: "\"\(column)\":")
        return String(rest.prefix { $0 != "," && $0 != "}" })
    }

    @Test("A status without renewal info sets the state")
    func statusWithoutRenewalInfo() throws {
        let bought = Self.body("INITIAL_BUY", [Self.row(0)], at: 0)
        let answer = Self.status(3, 0, at: 40, renewal: nil)
        #expect(try Self.state("status", at: 41, [bought]) == "null")
        #expect(try Self.state("status", at: 41, [bought, answer]) == "3")
        #expect(try Self.state("certainty", at: 41, [bought, answer]) == "\"exact\"")
    }

    @Test("An answer from before a plan was changed does not take the change back")
    func beforeAPlanWasChanged() throws {
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.status(1, 0, at: 5, renewal: "news.monthly"),
            Self.body("DID_CHANGE_RENEWAL_PREF", [Self.row(0)], at: 10, next: "news.yearly"),
        ]
        #expect(try Self.state("auto_renew_product_id", at: 6, lines) == "\"news.monthly\"")
        #expect(try Self.state("auto_renew_product_id", at: 11, lines) == "\"news.yearly\"")
    }

    @Test("An answer from before a period began does not end it")
    func beforeAPeriodBegan() throws {
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.status(2, 0, at: 40, renewal: "news.monthly"),
            Self.answer([Self.transaction(0, at: 40)]),
            Self.body("INTERACTIVE_RENEWAL", [Self.row(2), Self.row(0)], at: 60),
        ]
        #expect(try Self.state("status", at: 45, lines) == "2")
        #expect(try Self.state("status", at: 61, lines) == "1")
        #expect(try Self.state("transaction_id", at: 61, lines) == "\"13\"")
    }

    @Test("An answer from before a refund was reversed does not keep it")
    func beforeARefundWasReversed() throws {
        let revoked = #","revocationDate":\#(Self.start + 10 * Self.day),"revocationReason":0"#
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.answer([Self.transaction(0, at: 12, revoked)]),
            #"{"notificationType":"REFUND_REVERSED","notificationUUID":"r","version":"2.0","signedDate":"#
                + #"\#(Self.start + 15 * Self.day),"data":{\#(Self.app),"status":1,"signedTransactionInfo":"#
                + Self.transaction(0, at: 15) + "}}",
        ]
        #expect(try Self.state("status", at: 12, lines) == "5")
        #expect(try Self.state("status", at: 16, lines) == "1")
        #expect(try Self.state("entitled", at: 16, lines) == "true")
    }

    /// A notification of version 2 about the first month, signed at a day after the start.
    private static func signed(_ type: String, at day: Int64, renewal: String) -> String {
        #"{"notificationType":"\#(type)","notificationUUID":"\#(day)","version":"2.0","signedDate":"#
            + #"\#(start + day * Self.day),"data":{\#(app),"signedTransactionInfo":\#(transaction(0, at: day)),"#
            + #""signedRenewalInfo":{"originalTransactionId":"11",\#(renewal)}}}"#
    }

    @Test("An answer that is older than what is open does not keep the worklist silent")
    func olderThanWhatIsOpen() throws {
        let bodies = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.body("DID_RENEW", [Self.row(1), Self.row(0)], at: 30),
        ]
        func worklist(_ answers: [String]) throws -> String {
            try Self.run(["worklist", "-q", "--as-of", Self.time(100)], bodies + answers).output
        }
        #expect(try worklist([]).contains(#""opens":["state"]"#))
        #expect(try worklist([Self.status(1, 0, at: 5, renewal: "news.monthly")]) == worklist([]))
        #expect(try worklist([Self.status(2, 1, at: 90, renewal: "news.monthly")]) == "")
    }

    @Test("A switch that version 2 reports too was made when the body of version 1 says")
    func switchedBeforeItWasSigned() throws {
        let off = Self.body(
            "DID_CHANGE_RENEWAL_STATUS", [Self.row(0)], at: 5,
            #","auto_renew_status_change_date_ms":"\#(Self.start + 5 * Self.day)""#
        ).replacing(#""auto_renew_status":"true""#, with: #""auto_renew_status":"false""#)
            .replacing(#""auto_renew_status":"1""#, with: #""auto_renew_status":"0""#)
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), off,
            Self.signed(
                #"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED"#, at: 20, renewal: #""autoRenewStatus":0"#),
        ]
        #expect(try Self.state("auto_renew_status", at: 4, lines) == "1")
        #expect(try Self.state("auto_renew_status", at: 6, lines) == "0")
    }

    @Test("A lapse that the customer chose leaves open when renewal was switched off, and says that it was")
    func lostSwitch() throws {
        let lines = [
            Self.signed(#"SUBSCRIBED","subtype":"INITIAL_BUY"#, at: 0, renewal: #""autoRenewStatus":1"#),
            Self.signed(
                #"EXPIRED","subtype":"VOLUNTARY"#, at: 31, renewal: #""autoRenewStatus":0,"expirationIntent":1"#),
        ]
        #expect(try Self.state("auto_renew_status", at: 20, lines) == "1")
        #expect(try Self.state("certainty", at: 20, lines) == "\"ambiguous\"")
        #expect(try Self.state("auto_renew_status", at: 30, lines) == "0")
        #expect(try Self.state("certainty", at: 32, lines) == "\"exact\"")
        let reported = Self.signed(
            #"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED"#, at: 10, renewal: #""autoRenewStatus":0"#)
        #expect(try Self.state("certainty", at: 5, lines + [reported]) == "\"exact\"")
    }

    @Test("What is reported after a period was charged ahead is not undone when it begins")
    func reportedBeforeThePeriodBegan() throws {
        let hour = Self.day / 24
        let renewed = Self.signed("DID_RENEW", at: 0, renewal: #""autoRenewStatus":1"#)
            .replacing(Self.transaction(0, at: 0), with: Self.transaction(1, at: 0))
            .replacing(
                #""signedDate":\#(Self.start),"data""#,
                with: #""signedDate":\#(Self.start + 30 * Self.day - 6 * hour),"data""#)
        let off = renewed.replacing("DID_RENEW\"", with: #"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED""#)
            .replacing("\(Self.start + 30 * Self.day - 6 * hour)", with: "\(Self.start + 30 * Self.day - 3 * hour)")
            .replacing(#""autoRenewStatus":1"#, with: #""autoRenewStatus":0"#)
        let lines = [Self.body("INITIAL_BUY", [Self.row(0)], at: 0), renewed, off]
        #expect(try Self.state("auto_renew_status", at: 29, lines) == "1")
        #expect(try Self.state("access_until", at: 29, lines) == "\"2022-03-31T00:00:00.000Z\"")
        #expect(try Self.state("auto_renew_status", at: 31, lines) == "0")
        #expect(try Self.state("status", at: 61, lines) == "2")
        let refund = renewed.replacing("DID_RENEW", with: "REFUND").replacing(
            #""type":"Auto"#,
            with: #""revocationReason":0,"revocationDate":\#(Self.start + 30 * Self.day - 3 * hour),"type":"Auto"#)
        #expect(try Self.state("status", at: 31, [lines[0], renewed, refund]) == "5")
        let reversed = renewed.replacing("DID_RENEW", with: "REFUND_REVERSED").replacing(
            "\(Self.start + 30 * Self.day - 6 * hour)", with: "\(Self.start + 30 * Self.day - 1 * hour)")
        #expect(try Self.state("status", at: 31, [lines[0], renewed, refund, reversed]) == "1")
        // A plan that is bought after that refund is not the one that was refunded.
        let yearly = Self.transaction(2, at: 0).replacing("news.monthly", with: "news.yearly").replacing(
            "\(Self.start + 60 * Self.day)", with: "\(Self.start + 30 * Self.day - 1 * hour)")
        let upgrade = renewed.replacing("DID_RENEW\"", with: #"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE""#)
            .replacing(Self.transaction(1, at: 0), with: yearly)
            .replacing("\(Self.start + 30 * Self.day - 6 * hour)", with: "\(Self.start + 30 * Self.day - 1 * hour)")
        #expect(try Self.state("status", at: 31, [lines[0], renewed, refund, upgrade]) == "1")
        #expect(try Self.state("product_id", at: 31, [lines[0], renewed, refund, upgrade]) == "\"news.yearly\"")
    }

    @Test("A recovery within grace that nothing dates does not prove that the grace period never ran")
    func undatedRecovery() throws {
        func bare(_ type: String, _ rows: [String], _ more: String = "") -> String {
            let line = Self.body(type, rows, at: 0, more)
            return String(line.components(after: #""body":"#).dropLast())
        }
        let grace =
            #""grace_period_expires_date_ms":"\#(Self.start + 46 * Self.day)","is_in_billing_retry_period":"1","#
        let lines = [
            bare("INITIAL_BUY", [Self.row(0)]),
            bare("DID_FAIL_TO_RENEW", [Self.row(0)]).replacing(
                #""pending_renewal_info":[{"#, with: #""pending_renewal_info":[{\#(grace)"#),
            bare("DID_RECOVER", [Self.row(1), Self.row(0)]),
        ]
        #expect(try Self.state("status", at: 32, lines) == "1")
        #expect(try Self.state("certainty", at: 32, lines) == "\"inferred\"")
        #expect(try Self.state("flags", at: 32, lines) == #"["TIME_LOWER_BOUND"]"#)
    }

    @Test(
        "A restored id that an answer shows is its first one, and a refund that is taken back later counts until then")
    func restoredAndTakenBack() throws {
        let restored = Self.transaction(1, at: 35).replacing(#""transactionId":"12""#, with: #""transactionId":"99""#)
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.body("DID_RENEW", [Self.row(1), Self.row(0)], at: 30),
            Self.answer([restored, Self.transaction(1, at: 35), Self.transaction(0, at: 35)]),
        ]
        let rows = try Self.run(["transactions", "-q"], lines).output.split(separator: "\n")
        #expect(rows.count == 2 && rows[1].contains(#""transaction_id":"12""#), "\(rows)")
        #expect(try Self.state("certainty", at: 36, lines) == "\"exact\"")

        let cancelled = Self.row(0, #","cancellation_date_ms":"\#(Self.start + 5 * Self.day)""#)
        let reversed = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.body("CANCEL", [cancelled], at: 5),
            Self.body(
                "DID_CHANGE_RENEWAL_STATUS", [Self.row(0)], at: 12,
                #","auto_renew_status_change_date_ms":"\#(Self.start + 12 * Self.day)""#),
        ]
        let reasons = try [Int64(4), 8, 13].map { day in
            let row = try Self.run(["transactions", "-q", "--as-of", Self.time(day)], reversed).output
            return row.components(after: #""end_reason":"#).prefix { $0 != "," }
        }
        #expect(reasons == ["null", "\"refunded\"", "null"])
    }

    @Test("A refund that Apple signed while the subscription ran does not end an access whose end is not known")
    func refundOfAnOldPeriod() throws {
        let revoked = #","revocationDate":\#(Self.start + 40 * Self.day),"revocationReason":1"#
        let refund = Self.signed("REFUND", at: 40, renewal: #""autoRenewStatus":0"#)
            .replacing(Self.transaction(0, at: 40), with: Self.transaction(0, at: 40, revoked))
            .replacing(#""data":{"#, with: #""data":{"status":1,"#)
        let lines = [Self.body("INITIAL_BUY", [Self.row(0)], at: 0), refund]
        #expect(try Self.state("status", at: 41, lines) == "null")
        #expect(try Self.state("entitled", at: 41, lines) == "null")
    }

    @Test("The refund of a transaction that was upgraded before keeps its money and its successor")
    func refundedAfterAnUpgrade() throws {
        let revoked = #","revocationDate":\#(Self.start + 20 * Self.day),"revocationReason":1,"isUpgraded":true"#
        let upgraded = Self.transaction(1, at: 21).replacing("news.monthly", with: "news.plus")
            .replacing("\(Self.start + 30 * Self.day)", with: "\(Self.start + 10 * Self.day)")
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0),
            Self.answer([upgraded, Self.transaction(0, at: 21, revoked)]),
        ]
        let row = try Self.run(["transactions", "-q"], lines).output.prefix { $0 != "\n" }
        #expect(row.contains(#""ended_at":"2022-03-11T00:00:00.000Z","end_reason":"upgraded""#), "\(row)")
        #expect(
            row.contains(#""revoked_at":"2022-03-21T00:00:00.000Z","revocation_reason":1,"replaced_by":"12""#), "\(row)"
        )
    }

    @Test("A refund that was given back before an upgrade is one until then")
    func givenBackBeforeAnUpgrade() throws {
        let yearly = Self.row(0).replacing("news.monthly", with: "news.yearly").replacing(
            #""transaction_id":"11""#, with: #""transaction_id":"12""#
        ).replacing("\(Self.start)", with: "\(Self.start + 8 * Self.day)")
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0),
            Self.body("CANCEL", [Self.row(0, #","cancellation_date_ms":"\#(Self.start + 5 * Self.day)""#)], at: 5),
            Self.body("INTERACTIVE_RENEWAL", [yearly, Self.row(0, #","is_upgraded":"true""#)], at: 8),
        ]
        #expect(try [4, 6, 9].map { try Self.state("status", at: $0, lines) } == ["1", "5", "1"])
        let row = try Self.run(["transactions", "-q"], lines).output.prefix { $0 != "\n" }
        #expect(row.contains(#""ended_at":"2022-03-09T00:00:00.000Z","end_reason":"upgraded""#), "\(row)")
        #expect(row.contains(#""replaced_by":"12""#))
    }

    @Test("A period in whose middle another plan begins was replaced, whatever reports it")
    func replacedInItsMiddle() throws {
        let weekly = Self.row(0).replacing("news.monthly", with: "news.weekly").replacing(
            #""transaction_id":"11""#, with: #""transaction_id":"12""#
        ).replacing("\(Self.start)", with: "\(Self.start + 3 * Self.day)")
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0),
            Self.body("DID_CHANGE_RENEWAL_PREF", [weekly, Self.row(0)], at: 5),
        ]
        let rows = try Self.run(["transactions", "-q", "--as-of", Self.time(20)], lines).output
        let first = rows.prefix { $0 != "\n" }
        #expect(first.contains(#""end_reason":"upgraded""#) && first.contains(#""replaced_by":"12""#), "\(first)")
        #expect(first.contains(#""certainty":"inferred","flags":["DEDUCED_LIKELY"]"#), "\(first)")
    }

    @Test("What a filtered history leaves out is there all the same")
    func filteredHistory() throws {
        let bodies = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.body("DID_RENEW", [Self.row(1), Self.row(0)], at: 30),
        ]
        // Asked with a filter, a history shows the first month alone and is complete by its own word.
        let lines = bodies + [Self.answer([Self.transaction(0, at: 35)])]
        #expect(try Self.state("status", at: 36, lines) == "1")
        #expect(try Self.state("transaction_id", at: 36, lines) == "\"12\"")
        let (before, after) = try (
            Self.run(["convert", "-q"], bodies).output, Self.run(["convert", "-q"], lines).output
        )
        #expect(after.split(separator: "\n").last == before.split(separator: "\n").last)
        #expect(try Self.run(["transactions", "-q"], lines).output.split(separator: "\n").count == 2)
    }

    @Test("A refund history proves refunds, and nothing of what it does not show")
    func refundHistory() throws {
        let bodies = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.body("DID_RENEW", [Self.row(1), Self.row(0)], at: 30),
        ]
        let revoked = #","revocationDate":\#(Self.start + 32 * Self.day),"revocationReason":1"#
        let first = Self.answer([Self.transaction(0, at: 35, revoked)], isRefundHistory: true)
        let second = Self.answer([Self.transaction(1, at: 35, revoked)], isRefundHistory: true)
        #expect(try Self.state("status", at: 36, bodies + [first]) == "1")
        #expect(try Self.state("status", at: 36, bodies + [second]) == "5")
        #expect(try Self.state("status", at: 31, bodies + [second]) == "1")
        let rows = try Self.run(["transactions", "-q"], bodies + [second]).output
        #expect(rows.split(separator: "\n").map { $0.contains(#""end_reason":"refunded""#) } == [false, true])
        // A period that ended in silence stays unknown: nothing says that no other one followed.
        #expect(try Self.state("status", at: 70, bodies + [first]) == "null")
        #expect(try Self.run(["worklist", "-q", "--as-of", Self.time(70)], bodies + [first]).output != "")
    }

    @Test("An answer that contradicts a notification is told, and neither wins in silence")
    func contradiction() throws {
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0),
            Self.answer([Self.transaction(0, at: 5).replacing("news.monthly", with: "news.weekly")]),
        ]
        let output = try Self.run(["convert", "-q"], lines).output
        #expect(output.contains("ANSWER_CONTRADICTS") && output.contains(#""product_id":"news.monthly""#))
        let report = try Self.run(["report"], lines).output
        #expect(report.contains("ANSWER_CONTRADICTS"))
    }

    @Test("Rows that rest on answers are counted in the summary and in the report")
    func rowsAreCounted() throws {
        let lines = [
            Self.body("INITIAL_BUY", [Self.row(0)], at: 0), Self.status(2, 0, at: 40, renewal: "news.monthly"),
            Self.status(1, 0, at: 41, renewal: "news.monthly").replacing("\"11\"", with: "\"22\""),
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
        func shared(_ id: String) -> String {
            #"{"original_transaction_id":"\#(id)","transaction_id":"\#(id)","product_id":"news.\#(id)","#
                + #""in_app_ownership_type":"FAMILY_SHARED","purchase_date_ms":"\#(Self.start)","#
                + #""expires_date_ms":"\#(Self.start + 30 * Self.day)","cancellation_date_ms":"\#(Self.start + Self.day)"}"#
        }
        let line = Self.body("REVOKE", [shared("31"), shared("32")], at: 1)
        let command = try Command()
        try command.write(line + "\n", to: "line.ndjson")
        let run = try command.run("evidence", input: .file("line.ndjson"))
        let parts = run.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(parts.map { $0[0] } == ["31", "32"], "\(run.output)")
        #expect(parts.map { $0[2].hasPrefix(#"{"event":null,"#) } == [false, true])
        try command.write(run.output, to: "evidence.tsv")
        let settled = try command.run("settle", input: .file("evidence.tsv"))
        #expect(settled.output.split(separator: "\n").count == 1 && settled.output.contains("\"REVOKE\""), "\(settled)")
    }
}
