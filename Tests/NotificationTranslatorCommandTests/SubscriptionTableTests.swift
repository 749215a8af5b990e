import NotificationTranslation
import SimulatedLives
import Testing

/// What the commands `state`, `transactions` and `worklist` write.
@Suite("Tables of subscriptions") struct SubscriptionTableTests {
    private static let archive = Cluster.archive(lives: 12, isPlain: true)

    private static func cells(_ row: String) -> [String] {
        row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Runs a command over an archive.
    private static func table(
        _ words: [String], _ command: Command, archive: [String] = archive, code: Int32 = 0
    ) throws -> [String] {
        try command.write(archive.asLines, to: "archive.ndjson")
        let run = try command.run([words[0], "-q", "--max-rejects", "99", "archive.ndjson"] + words.dropFirst())
        #expect(run.code == code && run.errors == "", "\(run.errors)")
        return run.lines.map(String.init)
    }

    @Test(
        "The order of the input and the number of workers change no row",
        arguments: [
            ["state"], ["state", "--at", "2022-08-01"], ["state", "--history"], ["transactions"], ["worklist"],
        ])
    func order(_ words: [String]) throws {
        let command = try Command()
        let rows = try Self.table(words, command)
        #expect(rows.count > 10)
        let reversed = try Self.table(words, command, archive: Self.archive.reversed())
        #expect(Set(reversed).symmetricDifference(rows).sorted() == [])
        #expect(reversed == rows)
        #expect(try Self.table(words + ["--jobs", "3"], command) == rows)
    }

    @Test(
        "The worklist asks nothing that no answer of Apple's settles",
        arguments: [("cancel-mixed", 1), ("interactive-family-first", 0)])
    func worklistAsksWhatAppleKnows(_ fixture: String, _ rows: Int) throws {
        let body = Command.root + "/Fixtures/v1-to-v2/\(fixture)/input.json"
        let run = try Command().run("worklist", "--as-of", "2021-06-25", body)
        #expect(run.lines.count == rows)
    }

    @Test("The worklist is sorted by every digit of an id")
    func worklistOrder() throws {
        let archive = (700..<740).map { id in
            Body.version1("DID_RENEW", [Body.row("\(id)", from: 1_650_000_000_000)])
        }
        let rows = try Self.table(["worklist", "--as-of", "2023-01-01"], Command(), archive: archive)
        let ids = rows.map { $0.components(after: #""original_transaction_id":""#).prefix(3) }
        #expect(ids == (700..<740).map { "\($0)" })
    }

    @Test("Intervals of a history touch, and agree with the state at an instant")
    func history() throws {
        let command = try Command()
        let history = try Self.table(["state", "--history", "--format", "csv"], command).map(Self.cells)
        let names = try #require(history.first)
        let (id, from, to) = (1, 3, 4)
        #expect(names[id] == "original_transaction_id" && names[from] == "valid_from" && names[to] == "valid_to")
        let begun = Set(history.dropFirst().map { $0[from] }).sorted()
        #expect(begun.count > 40)
        for instant in ["2022-06-01T00:00:00.000Z"] + stride(from: 0, to: begun.count, by: 40).map({ begun[$0] }) {
            let rows = try Self.table(["state", "--at", instant, "--format", "csv"], command).dropFirst().map(
                Self.cells)
            for row in rows {
                let own = history.dropFirst().filter { $0[id] == row[id] && $0[5] == row[5] && $0[6] == row[6] }
                for (one, next) in zip(own, own.dropFirst()) { #expect(one[to] == next[from]) }
                #expect(own.last?[to] == "")
                let covering = try #require(own.last { $0[from] <= instant })
                #expect(Array(covering[5...]) == Array(row[5...]))
            }
        }
    }

    @Test(
        "Both halves of a grouped pipe give the rows that one command gives", arguments: ["state", "transactions"],
        [false, true])
    func settled(_ table: String, isAnswered: Bool) throws {
        let command = try Command()
        let asOf = "2024-03-01T00:00:00.000Z"
        let option = table == "state" ? "--at" : "--as-of"
        let archive = Self.archive + (isAnswered ? Cluster.answers(lives: 12) : [])
        let rows = try Self.table([table, option, asOf], command, archive: archive)
        let keyed = try command.run("evidence", input: .text(archive.asLines))
        let sorted = keyed.lines.filter { !$0.hasPrefix("\t") }.sorted()
        let run = try command.run("settle", "--to", table, "--as-of", asOf, input: .text(sorted.asLines))
        #expect(run.lines.map(String.init).sorted() == rows.sorted())
    }

    @Test(
        "The summary of a table counts no events, and --strict tells how many of its rows are open",
        arguments: [
            ("state", "entitled", ["null"], "states are not known"),
            ("transactions", "certainty", ["\"ambiguous\""], "transactions are not certain"),
            ("worklist", "schema_version", [""], "subscriptions are open"),
        ])
    func strict(_ table: String, _ key: String, _ open: [String], _ finding: String) throws {
        let command = try Command()
        let rows = try Self.table([table], command)
        let count = rows.count { open.contains(String($0.value(of: key))) }
        let run = try command.run(table, "--max-rejects", "99", "--strict", "archive.ndjson")
        #expect(run.code == (count > 0 ? 1 : 0))
        #expect(run.errors.contains("\n    converted "))
        #expect(!run.errors.contains("exact") && !run.errors.contains("flag"), "\(run.errors)")
        #expect(run.errors.hasSuffix(": \(count) \(finding) (--strict)\n") == (count > 1), "\(run.errors)")
        // A CANCEL that may mean an upgrade, so that each table has one open row.
        let body = Command.root + "/Fixtures/v1-to-v2/cancel-undecided/input.json"
        let one = try command.run(table, "--strict", body)
        #expect(one.code == 1 && one.errors.hasSuffix(" (--strict)\n"), "\(one.errors)")
    }

    @Test("Our own table compared with itself differs in nothing; planted errors are named, and no others")
    func compare() throws {
        let command = try Command()
        let csv = try Self.table(["state", "--format", "csv"], command)
        try command.write(csv.asLines, to: "own.csv")
        #expect(try Self.table(["state", "--compare", "own.csv"], command) == [])
        let ndjson = try Self.table(["state"], command)
        try command.write(ndjson.asLines, to: "own.ndjson")
        #expect(try Self.table(["state", "--compare", "own.ndjson", "--strict"], command) == [])

        _ = try Self.table(["state", "-o", "packed.csv.gz"], command)
        #expect(try Self.table(["state", "--compare", "packed.csv.gz"], command) == [])

        let names = Self.cells(csv[0])
        var rows = csv.dropFirst().map(Self.cells)
        let place = { (name: String) throws -> Int in try #require(names.firstIndex(of: name)) }
        let (status, entitled) = try (place("status"), place("entitled"))
        let (product, certainty) = try (place("product_id"), place("certainty"))
        let known = rows.indices.filter { rows[$0][certainty] != "unknown" }
        let lost = try #require(known.first { rows[$0][entitled] == "true" && rows[$0][status] != "" })
        let given = try #require(known.first { rows[$0][entitled] == "false" && rows[$0][status] != "" })
        let other = try #require(known.last { $0 != lost && $0 != given })
        var expected: Set<String> = []
        rows[lost][entitled] = "f"
        expected.insert(rows[lost][1] + " entitled true false")
        rows[given][entitled] = "1"
        expected.insert(rows[given][1] + " entitled false true")
        rows[other][product] = "com.example.unknown"
        rows[other][certainty] = rows[other][certainty] == "exact" ? "inferred" : "exact"
        expected.insert(rows[other][1] + " certainty false false")
        expected.insert(rows[other][1] + " product_id false false")
        let absent = try #require(known.first { $0 != lost && $0 != given && $0 != other })
        expected.insert(rows[absent][1] + " original_transaction_id \(rows[absent][entitled] == "true") false")
        rows.remove(at: absent)
        let kept = [1, status, entitled, product, certainty]
        let table = ([names] + rows + [rows[0].indices.map { $0 == 1 ? "9000000000000001" : "" }]).map { row in
            kept.map { row[$0] }.joined(separator: ",") + "\n"
        }
        expected.insert("9000000000000001 original_transaction_id false false")
        expected.insert("9000000000000002 original_transaction_id false true")
        try command.write(table.joined() + "9000000000000002,,t,,\n", to: "legacy.csv")
        let differences = try Self.table(["state", "--compare", "legacy.csv"], command)
        let found = differences.map { line -> String in
            ["original_transaction_id", "field", "access_lost", "access_given"].map { line.value(of: $0) }
                .joined(separator: " ").filter { $0 != "\"" }
        }
        #expect(Set(found) == expected)
        let report = try command.run(["report", "archive.ndjson", "--compare", "legacy.csv", "--format", "json"])
        let counted = report.output.filter { $0 > " " }
        #expect(counted.contains(#""shut_out":\#(found.count { $0.hasSuffix(" true false") })"#))
        #expect(counted.contains(#""let_in":\#(found.count { $0.hasSuffix(" true") })"#))
        let changesAccess = found.map { $0.hasSuffix(" true") || $0.hasSuffix(" true false") }
        #expect(changesAccess == changesAccess.sorted { $0 && !$1 })
        #expect(changesAccess.count(where: \.self) == 3)
    }

    @Test(
        "A table as databases export it differs in nothing but what was planted",
        arguments: [
            (",", "", "Production", "t", "f"), (";", "NULL", "production", "yes", "no"), ("\t", "\\N", "", "1", "0"),
        ])
    func exported(_ form: (delimiter: String, null: String, environment: String, yes: String, no: String)) throws {
        let command = try Command()
        let csv = try Self.table(["state", "--format", "csv"], command).map(Self.cells)
        let names = csv[0]
        let place = { (name: String) throws -> Int in try #require(names.firstIndex(of: name)) }
        let (entitled, certainty, environment) = try (place("entitled"), place("certainty"), place("environment"))
        // Other columns between them, and in another order.
        let kept = try ["expires_at", "entitled", "environment", "original_transaction_id", "status", "product_id"].map(
            place)
        func write(_ rows: [[String]]) throws {
            var lines = [(["Expires_At "] + kept.dropFirst().map { " " + names[$0] } + ["note"])]
            for row in rows where row[environment] == "Production" {
                let cells = kept.map { place -> String in
                    switch (place, row[place]) {
                    case (_, ""): form.null
                    case (entitled, let text): text == "true" ? form.yes : form.no
                    case (environment, _): form.environment
                    case (kept[0], let text) where form.yes == "1": String(text.prefix(10))
                    case (kept[0], let text): text.dropLast(5).replacing("T", with: " ") + "+00"
                    case (_, let text): "\"\(text)\""
                    }
                }
                lines.append(cells + ["\"a \"\"note\"\"\(form.delimiter) of two\nlines\""])
            }
            try command.write(lines.map { $0.joined(separator: form.delimiter) + "\r\n" }.joined(), to: "legacy.csv")
        }
        func differences() throws -> [String] {
            try Self.table(["state", "--compare", "legacy.csv"], command).filter { !$0.contains("\"theirs\":null") }
        }
        var rows = Array(csv.dropFirst())
        try write(rows)
        #expect(try differences() == [])
        let isKnown = { (row: [String]) in row[certainty] != "unknown" && row[environment] == "Production" }
        let planted = try #require(rows.firstIndex { $0[entitled] == "true" && isKnown($0) })
        rows[planted][entitled] = "false"
        try write(rows)
        let found = try differences()
        #expect(found.count == 1)
        #expect(found.first?.contains("\"\(rows[planted][1])\",\"field\":\"entitled\"") == true)
        #expect(found.first?.contains("\"access_lost\":true") == true)
    }

    @Test("A blank is an id, and null in every other column")
    func blankIDs() throws {
        let blank = Body.version1("INITIAL_BUY", [Body.row(" ", from: 1_650_000_000_000)])
        let command = try Command(["archive.ndjson": blank])
        let own = try command.run(["state", "-q", "archive.ndjson", "--format", "csv"])
        #expect(own.output.contains("\n1, ,"))
        try command.write(own.output, to: "legacy.csv")
        let compared = try command.run(["state", "-q", "archive.ndjson", "--compare", "legacy.csv"])
        #expect(compared.output + compared.errors == "")
        try command.write("original_transaction_id,entitled\n , \n", to: "legacy.csv")
        let without = try command.run(["state", "-q", "archive.ndjson", "--compare", "legacy.csv"])
        #expect(without.lines.count == 1 && without.output.contains(#""theirs":null"#))
    }

    @Test("A table that has an id twice is compared by the first row, and says so")
    func repeatedIDs() throws {
        let rows = "original_transaction_id,status\n1,1\n1,2\n2,1\n"
        let command = try Command(["archive.ndjson": Self.archive.asLines, "legacy.csv": rows])
        let run = try command.run(["state", "archive.ndjson", "--compare", "legacy.csv"])
        let line =
            "legacy.csv: 1 row with the id and environment of an earlier row; only the first row of each is compared"
        #expect(run.errors.contains(line))
    }

    @Test("A table whose values cannot be read is refused with the place, and nothing is guessed")
    func unreadable() throws {
        let command = try Command(["archive.ndjson": Self.archive.asLines])
        for (text, problem) in [
            ("id,status\n1,1\n", "no column original_transaction_id, or two columns of one name"),
            (
                "original_transaction_id,access,product\n1,t,pro\n",
                "no column but the id is one of a state's, such as status, entitled or product_id"
            ),
            ("original_transaction_id,status\n1,perhaps\n", "row 2: the value of status cannot be read"),
            ("original_transaction_id,expires_at\n1,01/02/2020\n", "row 2: the value of expires_at cannot be read"),
            ("original_transaction_id,environment\n1,live\n", "row 2: the value of environment cannot be read"),
            ("original_transaction_id,status\n1\n", "row 2: 1 fields, not 2"),
            (
                "{\"original_transaction_id\":\"1\",\"entitled\":\"maybe\"}\n",
                "line 1: the value of entitled cannot be read"
            ),
        ] {
            try command.write(text, to: "legacy.csv")
            let run = try command.run(["state", "-q", "archive.ndjson", "--compare", "legacy.csv"])
            #expect(run.code == 2 && run.output == "")
            #expect(run.errors.contains("cannot compare with legacy.csv: \(problem)"), "\(run.errors)")
        }
    }

    @Test("Each transaction has one row, and an id")
    func transactions() throws {
        let command = try Command()
        let rows = try Self.table(["transactions", "--format", "csv"], command).dropFirst().map(Self.cells)
        // A deduced one has none.
        let ids = rows.filter { !$0.contains("deduced") }.map { $0[2] + " " + $0[4] }
        #expect(ids.count > 40)
        #expect(Set(ids).count == ids.count)
        #expect(!ids.contains { $0.first == " " })
    }

    /// A version 2 payload about a transaction of `1`, at days after 2022-03-01.
    private static func body(
        _ type: String, _ subtype: String?, day: Int64, _ transaction: Int64, _ period: Range<Int64>,
        _ more: String = "", data: String = ""
    ) -> String {
        let (start, length): (Int64, Int64) = (1_646_092_800_000, 86_400_000)
        func time(_ day: Int64) -> Int64 { start + day * length }
        return #"{"notificationType":"\#(type)",\#(subtype.map { "\"subtype\":\"\($0)\"," } ?? "")"#
            + #""notificationUUID":"00000000-0000-4000-8000-0000000000\#(10 + day)","signedDate":\#(time(day)),"#
            + #""data":{"environment":"Production","bundleId":"com.example.news",\#(data)"transactionInfo":{"#
            + #""transactionId":"\#(transaction)","originalTransactionId":"1","productId":"news.monthly","#
            + #""type":"Auto-Renewable Subscription","purchaseDate":\#(time(period.lowerBound)),"#
            + #""expiresDate":\#(time(period.upperBound)),"signedDate":\#(time(day))\#(more)}}}"#
    }

    /// The values of some columns of each row.
    private static func cells(_ columns: [String], _ table: [String]) -> [[String]] {
        let rows = table.map(cells)
        let places = columns.compactMap { rows.first?.firstIndex(of: $0) }
        return rows.dropFirst().map { row in places.map { row[$0] } }
    }

    @Test("A trial, a refund of a part and a restored purchase are rows of what they are")
    func kindsOfTransactions() throws {
        let refund =
            #","revocationDate":1647820800000,"revocationReason":0,"revocationType":"REFUND_PRORATED","#
            + #""revocationPercentage":50000"#
        let trial = #","offerType":1,"offerDiscountType":"FREE_TRIAL","price":0,"currency":"USD""#
        func row(_ id: Int, _ begin: Int64, _ end: Int64) -> String {
            Body.row("5", "\(id)", of: "yearly", from: begin, lasting: end - begin, #","is_trial_period":"false""#)
        }
        let later = [row(8, 1_678_000_000_000, 1_709_536_000_000), row(7, 1_646_464_000_000, 1_678_000_000_000)]
        // 6 is the purchase 5, restored on another device.
        let first = [6, 5].map { row($0, 1_640_000_000_000, 1_646_464_000_000) }
        let rows = try Self.table(
            ["transactions", "--format", "csv", "--as-of", "2023-06-01"], Command(),
            archive: [
                Self.body("SUBSCRIBED", "INITIAL_BUY", day: 0, 1, 0..<7, trial),
                Self.body("DID_RENEW", nil, day: 7, 2, 7..<37, #","price":9990,"currency":"USD""#),
                Self.body("REFUND", nil, day: 20, 2, 7..<37, refund),
                Body.version1("DID_RENEW", later + first),
            ])
        let columns = ["transaction_id", "end_reason", "reason", "is_trial", "price", "flags"]
        #expect(
            Self.cells(columns, rows) == [
                ["1", "expired", "PURCHASE", "true", "0", ""],
                ["2", "expired", "RENEWAL", "", "9990", "REFUND_PARTIAL"],
                ["5", "expired", "PURCHASE", "false", "", ""], ["7", "expired", "RENEWAL", "false", "", ""],
                ["8", "", "RENEWAL", "false", "", ""],
            ])
    }

    @Test("A question about a price, a grace period and what follows it are in the rows of state")
    func consentAndGrace() throws {
        func renewal(_ more: String) -> String {
            #""renewalInfo":{"originalTransactionId":"1","autoRenewProductId":"news.monthly","autoRenewStatus":1,\#(more)},"#
        }
        let archive = [
            Self.body("SUBSCRIBED", "INITIAL_BUY", day: 0, 1, 0..<30),
            Self.body("PRICE_INCREASE", "PENDING", day: 20, 1, 0..<30, data: renewal(#""priceIncreaseStatus":0"#)),
            Self.body(
                "DID_FAIL_TO_RENEW", "GRACE_PERIOD", day: 30, 1, 0..<30,
                data: renewal(#""priceIncreaseStatus":1,"gracePeriodExpiresDate":1650067200000"#) + #""status":4,"#),
        ]
        let columns = ["status", "entitled", "access_until", "grace_period_expires_at", "price_increase_status"]
        // Day 46 ends the grace period, and 60 days after the period Apple tries no longer.
        let grace = "2022-04-16T00:00:00.000Z"
        for (day, cells) in [
            ("2022-03-10", ["1", "true", "2022-03-31T00:00:00.000Z", "", ""]),
            ("2022-03-25", ["1", "true", "2022-03-31T00:00:00.000Z", "", "0"]),
            ("2022-04-10", ["4", "true", grace, grace, "1"]), ("2022-04-20", ["3", "false", "", grace, "1"]),
            ("2022-06-10", ["2", "false", "", grace, "1"]),
        ] {
            let rows = try Self.table(["state", "--at", day, "--format", "csv"], Command(), archive: archive)
            #expect(Self.cells(columns, rows) == [cells], "\(day)")
        }
    }

    @Test("Renewals that nothing shows are deduced where the next period begins whole periods later")
    func deducedRenewals() throws {
        let command = try Command()
        // From 31 January 2023 to 28 February, and from 28 April to 28 May.
        let first = Self.body("SUBSCRIBED", nil, day: 336, 1, 336..<364)
        let failed = Self.body("DID_FAIL_TO_RENEW", nil, day: 364, 2, 336..<364)
        let last = Self.body("DID_RENEW", nil, day: 423, 3, 423..<453)
        func rows(_ archive: [String]) throws -> [[String]] {
            let wanted = ["transaction_id", "purchased_at", "expires_at", "reason", "basis", "certainty", "flags"]
            return Self.cells(wanted, try Self.table(["transactions", "--format", "csv"], command, archive: archive))
        }
        let deduced = try rows([first, last])
        #expect(deduced.map { $0[0] } == ["1", "", "", "3"])
        #expect(
            deduced[2] == [
                "", "2023-03-28T00:00:00.000Z", "2023-04-28T00:00:00.000Z", "RENEWAL", "deduced", "inferred",
                "DEDUCED_LIKELY",
            ])
        #expect(try rows([first, failed, last]).count == 2)
        let state = try Self.table(["state", "--at", "2023-03-15"], command, archive: [first, last])
        #expect(state.count == 1)
        #expect(state[0].contains(#""status":1,"entitled":true,"access_until":"2023-03-28T00:00:00.000Z""#))
        #expect(state[0].contains(#""transaction_id":null"#) && state[0].contains(#""certainty":"inferred""#))
    }

    @Test("A name that ends in .csv means CSV, and options that a mode does not use are refused")
    func options() throws {
        let command = try Command()
        _ = try Self.table(["state", "-o", "state.csv"], command)
        #expect(try command.text("state.csv").hasPrefix("schema_version,original_transaction_id,at,"))
        for words in [
            ["state", "--history", "--at", "2022-01-01"], ["worklist", "--format", "csv"],
            ["transactions", "--at", "2022-01-01"],
            ["state", "--infer", "all"], ["state", "-o", "state.parquet"], ["worklist", "-o", "list.csv"],
        ] {
            let run = try command.run(words + ["archive.ndjson"])
            #expect(run.code == 2 && run.output == "", "\(words)")
        }
    }
}
