import NotificationLibC
import Testing

/// The five queries of the article Moving to V2, on databases, against figures that were counted by hand.
///
/// PGHOST names a server of PostgreSQL with the user `postgres`; DuckDB runs in `python3`, PYTHONPATH is passed on.
@Suite("Figures from the tables") struct FiguresTests {
    private static let hasPostgres = getenv("PGHOST") != nil

    // MARK: The archive

    /// A day of 2022 by its number from 0.
    private static func time(_ day: Int) -> Int { 1_640_995_200_000 + day * 86_400_000 }

    /// What version 2 tells of a period; the last three digits of the id are the day on which the purchase began.
    private static func told(
        _ type: String, _ id: Int, _ days: Range<Int>, _ price: Int, _ currency: String, _ more: String = "",
        at day: Int? = nil, environment: String = "Production"
    ) -> String {
        let at = day ?? days.lowerBound
        let isForEver = days.isEmpty
        return #"{"notificationType":"\#(type)","notificationUUID":"00000000-0000-4000-8000-\#(id)0000\#(1000 + at)","#
            + #""version":"2.0","signedDate":\#(time(at) + 1000),"data":{"bundleId":"com.example.priced","#
            + #""environment":"\#(environment)","transactionInfo":{"originalTransactionId":"\#(id)","#
            + #""transactionId":"\#(id)\#(days.lowerBound)","bundleId":"com.example.priced","productId":"plan","#
            + #""purchaseDate":\#(time(days.lowerBound)),"originalPurchaseDate":\#(time(id % 1000)),"quantity":1,"#
            + (isForEver ? "" : #""expiresDate":\#(time(days.upperBound)),"#)
            + #""type":"\#(isForEver ? "Non-Consumable" : "Auto-Renewable Subscription")","price":\#(price),"#
            + #""currency":"\#(currency)","environment":"\#(environment)"\#(more)}}}"#
    }

    private static var archive: [String] {
        let trial = #","offerType":1,"offerDiscountType":"FREE_TRIAL""#
        let refund = #","revocationDate":\#(time(94)),"revocationReason":0"#
        let shared = #","inAppOwnershipType":"FAMILY_SHARED""#
        // Four weeks, of whose end nobody told.
        return [9, 16, 23, 30].map { told($0 == 9 ? "SUBSCRIBED" : "DID_RENEW", 1009, $0..<$0 + 7, 990, "EUR") } + [
            told("SUBSCRIBED", 2020, 20..<50, 0, "EUR", trial), told("DID_RENEW", 2020, 50..<80, 4990, "EUR"),
            told("DID_RENEW", 2020, 80..<110, 4990, "EUR"),
            told("SUBSCRIBED", 3031, 31..<61, 5990, "USD"), told("DID_RENEW", 3031, 61..<91, 5990, "USD"),
            told("DID_RENEW", 3031, 91..<121, 5990, "USD"), told("REFUND", 3031, 91..<121, 5990, "USD", refund, at: 94),
            told("SUBSCRIBED", 4042, 42..<407, 49_900, "USD"),
            told("SUBSCRIBED", 5014, 14..<44, 990, "USD", environment: "Sandbox"),
            told("SUBSCRIBED", 6050, 50..<80, 9990, "EUR", shared),
            told("EXPIRED", 6050, 50..<80, 9990, "EUR", shared, at: 80),
            told("ONE_TIME_CHARGE", 7060, 60..<60, 1990, "USD"),
            // Of a subscription that began in December only a renewal in March, told by version 1.
            #"{"receivedAt":\#(time(63) + 5000),"body":{"notification_type":"DID_RENEW","environment":"PROD","#
                + #""bid":"com.example.priced","unified_receipt":{"latest_receipt_info":[{"transaction_id":"8003","#
                + #""original_transaction_id":"8000","product_id":"old","purchase_date_ms":"\#(time(63))","#
                + #""original_purchase_date_ms":"\#(time(-27))","expires_date_ms":"\#(time(93))"}]}}}"#,
        ]
    }

    /// Subscribers, trials, refunds, recurring revenue, and what is not known; dates are the first of a month.
    private static let figures = """
        2022-02-01|2|0|1|0.0
        2022-03-01|4|1|0|25.0
        2022-01-01|1|0|1
        2022-04-01|USD|1|1|5.99
        2022-02-01|EUR|2|2|4.3
        2022-03-01|EUR|1|1|4.99
        2022-03-01|USD|2|2|10.15
        2022-04-01|EUR|1|1|4.99
        2022-04-01|USD|2|2|10.15
        2022-04-01||1|0|
        2022-01-01|1|1|0|100.0
        2022-02-01|4|2|0|50.0
        2022-03-01|6|1|1|33.3
        2022-04-01|5|0|1|20.0
        """

    /// A folder with both tables, as CSV and as lines, and the SQL of the article.
    private static func tables() throws -> Command {
        let command = try Command(["archive.ndjson": archive.asLines])
        for words in [["state", "--history", "-o", "history"], ["transactions", "-o", "transactions"]] {
            for ending in [".csv", ".ndjson"] {
                let run = try command.run(words.dropLast() + [words[words.count - 1] + ending, "-q", "archive.ndjson"])
                #expect(run.code == 0, "\(run.errors)")
            }
        }
        try command.write(ReadmeTests.code(of: "figures"), to: "figures.sql")
        return command
    }

    /// The cells of rows, numbers as they count: one database writes 4.30, the other 4.3.
    private static func cells(_ rows: String) -> [[String]] {
        rows.split(separator: "\n").map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).map { Double($0).map { "\($0)" } ?? String($0) }
        }
    }

    // MARK: The databases

    @Test(
        "Figures of PostgreSQL are those that were counted, and loading again changes nothing",
        .enabled(if: hasPostgres, "PGHOST names no server"))
    func postgres() throws {
        let command = try Self.tables()
        let state = try command.run("state", "-q", "archive.ndjson", "-o", "state.csv")
        #expect(state.code == 0)
        try command.write(ReadmeTests.code(of: "tables-postgres"), to: "load.sh")
        let database = "figures_\(getpid())"
        defer { _ = try? ReadmeTests.shell("dropdb \(database)", in: command) }
        let psql = "export PGDATABASE=\(database); sh load.sh && psql -XqAt -v ON_ERROR_STOP=1"
        let run = try ReadmeTests.shell("createdb \(database) && \(psql) -f figures.sql", in: command)
        #expect(Self.cells(run.output) == Self.cells(Self.figures))
        #expect(run.code == 0, "\(run.errors)")
        let again = try ReadmeTests.shell("\(psql) -f figures.sql", in: command)
        #expect(again.output == run.output, "\(again.errors)")
        // Everybody's access has run out by the clock of today, save for the purchase made once.
        let today = "select count(*), count(access_until) from access_today"
        #expect(try ReadmeTests.shell("\(psql) -c '\(today)'", in: command).output == "1|0\n")
        // A file that is not there leaves the table as it was.
        let broken = try ReadmeTests.shell(
            "export PGDATABASE=\(database); mv history.csv old.csv; psql -Xq -f history.sql; psql -XqAt -c 'select count(*) > 0 from subscription_history'",
            in: command)
        #expect(broken.output == "t\n")
    }

    @Test(
        "Figures of DuckDB are those that were counted",
        .enabled(if: ReadmeTests.python(has: "duckdb"), "python3 has no duckdb"))
    func duckDB() throws {
        let command = try Self.tables()
        let run = """

            for statement in open('figures.sql').read().split(';\\n'):
                if not statement.strip(): continue
                rows = database.execute(statement).fetchall()
                if statement.strip().startswith('set') or 'create or replace' in statement: continue
                for row in rows: print('|'.join('' if value is None else str(value) for value in row))
            """
        try command.write(ReadmeTests.code(of: "tables-duckdb") + "\n" + run, to: "figures.py")
        for _ in 0..<2 {
            let run = try ReadmeTests.shell("python3 figures.py", in: command)
            #expect(Self.cells(run.output) == Self.cells(Self.figures))
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
