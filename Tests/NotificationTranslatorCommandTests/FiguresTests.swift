import NotificationLibC
import NotificationTranslation
import SimulatedLives
import Testing

/// The five queries of the article Moving to V2, on databases, against figures counted here from the rows.
///
/// PGHOST names a server of PostgreSQL with the user `postgres`; DuckDB runs in `python3`, PYTHONPATH is passed on.
@Suite("Figures from the tables") struct FiguresTests {
    private typealias Row = [String: String]

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func shell(_ lines: String, in command: Command) throws -> (
        code: Int32, output: String, errors: String
    ) {
        let variables = ["PYTHONPATH", "PGHOST", "PGPORT"].compactMap { name in
            variable(name).map { "export \(name)='\($0)'; " }
        }
        return try ReadmeTests.shell(variables.joined() + "export PGUSER=postgres; " + lines, in: command)
    }

    private static func block(_ name: String) throws -> String {
        let lines = try ReadmeTests.section(name).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.hasPrefix("```") }.joined(separator: "\n") + "\n"
    }

    private static let hasDuckDB: Bool = {
        guard let command = try? Command() else { return false }
        return (try? shell("python3 -c 'import duckdb'", in: command).code) == 0
    }()

    // MARK: The archive

    /// Subscriptions of version 2 whose prices are known, with a trial and a refund.
    private static var priced: [String] {
        let day: Int64 = 86_400_000
        return [(7, 990, "EUR"), (30, 4990, "EUR"), (30, 5990, "USD"), (365, 49_900, "USD")].enumerated().flatMap {
            number, plan in
            (0..<(plan.0 == 365 ? 2 : 12)).flatMap { period -> [String] in
                let begin = 1_641_800_000_000 + Int64(number) * 11 * day + Int64(period * plan.0) * day
                let isTrial = number == 1 && period == 0
                let id = 9_100_000_000_000_000 + number * 1000
                func line(_ type: String, _ at: Int64, _ more: String) -> String {
                    #"{"notificationType":"\#(type)","notificationUUID":"00000000-0000-4000-8000-\#(id % 1_000_000 + 100_000)\#(at / 1000 % 1_000_000 + 1_000_000)","#
                        + #""version":"2.0","signedDate":\#(at),"data":{"bundleId":"com.example.priced","#
                        + #""environment":"Production","transactionInfo":{"originalTransactionId":"\#(id)","#
                        + #""transactionId":"\#(id + period)","bundleId":"com.example.priced","productId":"plan.\#(number)","#
                        + #""purchaseDate":\#(begin),"originalPurchaseDate":1641800000000,"quantity":1,"#
                        + #""expiresDate":\#(begin + Int64(plan.0) * day),"type":"Auto-Renewable Subscription","#
                        + #""inAppOwnershipType":"PURCHASED","environment":"Production","currency":"\#(plan.2)","#
                        + #""price":\#(isTrial ? 0 : plan.1)\#(isTrial ? #","offerType":1,"offerDiscountType":"FREE_TRIAL""# : "")\#(more)}}}"#
                }
                let first = line(period == 0 ? "SUBSCRIBED" : "DID_RENEW", begin + 1000, "")
                guard number == 2, period == 5 else { return [first] }
                let refunded = begin + 3 * day
                return [
                    first,
                    line("REFUND", refunded + 1000, #","revocationDate":\#(refunded),"revocationReason":0"#),
                ]
            }
        }
    }

    /// A folder with both tables, as CSV and as lines, and the SQL of the article; and the rows.
    private static func tables() throws -> (command: Command, history: [Row], transactions: [Row]) {
        let command = try Command()
        let lives = Cluster.archive(lives: 25).filter {
            !Cluster.oddKeys.contains($0) && !Cluster.withoutEvent.contains($0)
        }
        try command.write((lives + priced).map { $0 + "\n" }.joined(), to: "archive.ndjson")
        for words in [["state", "--history", "-o", "history"], ["transactions", "-o", "transactions"]] {
            for ending in [".csv", ".ndjson"] {
                let run = try command.run(words.dropLast() + [words[words.count - 1] + ending, "-q", "archive.ndjson"])
                #expect(run.code == 0, "\(run.errors)")
            }
        }
        try command.write(block("figures"), to: "figures.sql")
        return (command, try rows("history.csv", command), try rows("transactions.csv", command))
    }

    private static func rows(_ name: String, _ command: Command) throws -> [Row] {
        let lines = try command.text(name).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = try #require(lines.first)
        return lines.dropFirst().filter { $0[names.firstIndex(of: "environment") ?? 0] != "Sandbox" }.map {
            Dictionary(uniqueKeysWithValues: zip(names, $0))
        }
    }

    // MARK: The figures, counted

    private static func first(_ time: String) -> String { time.prefix(7) + "-01" }

    private static func following(_ month: String) -> String {
        let (year, number) = (Int(month.prefix(4)) ?? 0, Int(month.dropFirst(5).prefix(2)) ?? 0)
        let next = number == 12 ? (year + 1, 1) : (year, number + 1)
        return "\(next.0)-\(next.1 < 10 ? "0" : "")\(next.1)-01"
    }

    private static func key(_ row: Row) -> String {
        ["bundle_id", "environment", "original_transaction_id"].map { row[$0] ?? "" }.joined(separator: " ")
    }

    /// A quotient with a point; empty where nothing is divided by.
    private static func share(_ part: Double, of whole: Double) -> String {
        whole == 0 ? "" : "\(part / whole)"
    }

    private static func count(_ rows: [Row], _ holds: (Row) -> Bool) -> String { "\(rows.count { holds($0) })" }

    private static func figures(_ history: [Row], _ transactions: [Row]) -> [[String]] {
        let begin = first(
            history.compactMap {
                $0["original_purchased_at", default: ""].isEmpty ? $0["valid_from"] : $0["original_purchased_at"]
            }
            .min() ?? "")
        let latest = history.compactMap { $0["last_reported_at"] }.max() ?? ""
        var months = [begin]
        while let last = months.last, following(last) <= latest { months.append(following(last)) }
        let subscriptions = history.filter { $0["product_type"] == "Auto-Renewable Subscription" }
        var monthly: [String: [Row]] = [:]
        for month in months {
            let instant = month + "T00:00:00.000Z"
            monthly[month] = subscriptions.filter {
                $0["valid_from", default: ""] <= instant
                    && ($0["valid_to", default: ""] > instant || $0["valid_to", default: ""].isEmpty)
            }
        }
        var lines: [[String]] = []
        for month in months.dropLast() {
            let active = (monthly[month] ?? []).filter { $0["entitled"] == "true" }
            if active.isEmpty { continue }
            let later = Dictionary(
                uniqueKeysWithValues: (monthly[following(month)] ?? []).map { (key($0), $0["entitled", default: ""]) })
            let ends = active.map { later[key($0)] ?? "" }
            let lost = ends.count { $0 == "false" }
            let known = ends.count { !$0.isEmpty }
            lines.append([
                month, "\(active.count)", "\(lost)", "\(ends.count - known)",
                share(100 * Double(lost), of: Double(known)),
            ])
        }
        let trials = Dictionary(grouping: transactions.filter { $0["is_trial"] == "true" }) {
            first($0["purchased_at", default: ""])
        }
        for (month, rows) in trials.sorted(by: { $0.key < $1.key }) {
            let converted = count(rows) { trial in
                transactions.contains {
                    $0["original_transaction_id"] == trial["original_transaction_id"]
                        && $0["environment"] == trial["environment"] && $0["is_trial"] != "true"
                        && $0["purchased_at", default: ""] > trial["purchased_at", default: ""]
                }
            }
            lines.append([month, "\(rows.count)", count(rows) { $0["end_reason"] == "" }, converted])
        }
        let refunds = Dictionary(grouping: transactions.filter { $0["end_reason"] == "refunded" }) {
            // Null sorts last.
            [
                first($0["revoked_at", default: ""]),
                $0["currency", default: ""].isEmpty ? "~" : $0["currency", default: ""],
            ]
        }
        for (group, rows) in refunds.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let prices = rows.compactMap { Double($0["price", default: ""]) }
            let money = prices.isEmpty ? "" : share(prices.reduce(0, +), of: 1000)
            lines.append([group[0], group[1] == "~" ? "" : group[1], "\(rows.count)", "\(prices.count)", money])
        }
        lines += revenue(months, monthly, transactions)
        let begun = Dictionary(grouping: subscriptions, by: key).values.map { rows in
            (
                rows.compactMap { $0["original_purchased_at"] }.filter { !$0.isEmpty }.min() ?? "~",
                rows.compactMap { $0["known_from"] }.min() ?? ""
            )
        }
        for month in months {
            let instant = month + "T00:00:00.000Z"
            let before = begun.count { $0.0 <= instant && instant < $0.1 }
            let open = (monthly[month] ?? []).filter { $0["entitled"] != "false" }
            let unknown = open.count { $0["entitled"] == "" }
            let whole = before + open.count
            if whole == 0 { continue }
            lines.append([
                month, "\(whole)", "\(before)", "\(unknown)",
                share(100 * Double(before + unknown), of: Double(whole)),
            ])
        }
        return lines
    }

    private static func revenue(
        _ months: [String], _ monthly: [String: [Row]], _ transactions: [Row]
    ) -> [[String]] {
        func id(_ row: Row) -> [String] {
            ["original_transaction_id", "transaction_id", "purchased_at", "environment"].map { row[$0, default: ""] }
        }
        let byID = Dictionary(grouping: transactions, by: id)
        var lines: [[String]] = []
        for month in months {
            let running = (monthly[month] ?? []).filter {
                $0["entitled"] == "true" && $0["ownership"] != "FAMILY_SHARED"
            }.flatMap { byID[id($0)] ?? [] }
                .filter { $0["expires_at", default: ""] > month + "T00:00:00.000Z" }
            let groups = Dictionary(grouping: running) {
                $0["currency", default: ""].isEmpty ? "~" : $0["currency", default: ""]
            }
            for (currency, rows) in groups.sorted(by: { $0.key < $1.key }) {
                let amounts = rows.compactMap { row -> Double? in
                    guard let price = Double(row["price", default: ""]),
                        let begin = EventTime(row["purchased_at", default: ""]),
                        let end = EventTime(row["expires_at", default: ""])
                    else { return nil }
                    let days = Double(end.milliseconds - begin.milliseconds) / 86_400_000
                    return price / 1000 / (days < 28 ? days / 30.4375 : (days / 30.4375).rounded())
                }
                lines.append([
                    month, currency == "~" ? "" : currency, "\(rows.count)", "\(amounts.count)",
                    amounts.isEmpty ? "" : share(amounts.reduce(0, +), of: 1),
                ])
            }
        }
        return lines
    }

    /// Whether a database says the same; its fractions are rounded.
    private static func compare(_ output: String, _ expected: [[String]]) {
        let lines = output.split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(lines.count == expected.count)
        for (found, counted) in zip(lines, expected) {
            let isSame =
                found.count == counted.count
                && zip(found, counted).allSatisfy { one, other in
                    guard other.contains("."), let one = Double(one), let other = Double(other) else {
                        return one == other
                    }
                    return abs(one - other) < 0.051
                }
            #expect(isSame, "\(found) is counted as \(counted)")
        }
    }

    // MARK: The databases

    @Test(
        "Figures of PostgreSQL agree with the rows, and loading again changes nothing",
        .enabled(if: variable("PGHOST") != nil, "PGHOST names no server"))
    func postgres() throws {
        let (command, history, transactions) = try Self.tables()
        let expected = Self.figures(history, transactions)
        #expect(expected.count > 100)
        let state = try command.run("state", "-q", "archive.ndjson", "-o", "state.csv")
        #expect(state.code == 0)
        try command.write(Self.block("tables-postgres"), to: "load.sh")
        let database = "figures_\(getpid())"
        defer { _ = try? Self.shell("dropdb \(database)", in: command) }
        let psql = "export PGDATABASE=\(database); sh load.sh && psql -XqAt -v ON_ERROR_STOP=1"
        let run = try Self.shell("createdb \(database) && \(psql) -f figures.sql", in: command)
        Self.compare(run.output, expected)
        #expect(run.code == 0, "\(run.errors)")
        let again = try Self.shell("\(psql) -f figures.sql", in: command)
        #expect(again.output == run.output, "\(again.errors)")
        // Everybody's access has run out by the clock of today, save for purchases made once.
        let today = "select count(*), count(access_until) from access_today"
        let access = try Self.shell("\(psql) -c '\(today)'", in: command).output.split(separator: "|")
        #expect(access.count == 2 && access[0] != "0" && access[1] == "0\n")
        // A file that is not there leaves the table as it was.
        let broken = try Self.shell(
            "export PGDATABASE=\(database); mv history.csv old.csv; psql -Xq -f history.sql; psql -XqAt -c 'select count(*) > 0 from subscription_history'",
            in: command)
        #expect(broken.output == "t\n")
    }

    @Test("Figures of DuckDB agree with the rows", .enabled(if: hasDuckDB, "python3 has no duckdb"))
    func duckDB() throws {
        let (command, history, transactions) = try Self.tables()
        let run = """

            for statement in open('figures.sql').read().split(';\\n'):
                if not statement.strip(): continue
                rows = database.execute(statement).fetchall()
                if statement.strip().startswith('set') or 'create or replace' in statement: continue
                for row in rows: print('|'.join('' if value is None else str(value) for value in row))
            """
        try command.write(Self.block("tables-duckdb") + run, to: "figures.py")
        for _ in 0..<2 {
            let run = try Self.shell("python3 figures.py", in: command)
            Self.compare(run.output, Self.figures(history, transactions))
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
