import NotificationTranslation
import Testing

/// A co-process that knows when it has everything: `evidence --ends` and `settle --ends`.
@Suite("Ends of groups") struct GroupEndTests {
    private static let renewal = body("DID_RENEW", 1_614_556_800_000)

    /// A notification of a subscription of one month.
    private static func body(_ type: String, _ begins: Int64, _ original: String = "100000700000001") -> String {
        let first = #","original_purchase_date_ms":"1612137600000""#
        return Body.version1(
            type, [Body.row(original, "\(begins / 1000)", from: begins, first)], #","auto_renew_status":"true""#,
            pending: #""original_transaction_id":"\#(original)","auto_renew_product_id":"news.monthly","#
                + #""auto_renew_status":"1""#)
    }

    private static func run(_ words: [String], _ lines: [String]) throws -> [String] {
        let run = try Command().run(words, input: .text(lines.asLines))
        #expect(run.code == 0, "\(run.errors)")
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test("The lines of each record are followed by an empty one, one for each notification in it")
    func evidence() throws {
        let several = "{\"notificationHistory\":[\(Body.cancel(1)),\(Self.renewal)]}"
        let input = [Self.renewal, "", several, "{", "{\"a\":1}"]
        let lines = try Self.run(["evidence", "--ends"], input)
        let kinds = lines.map { $0.isEmpty ? "end" : $0.contains("\"error\"") ? "error" : "event" }
        #expect(
            kinds == ["event", "end", "error", "end", "event", "event", "end", "error", "end", "error", "end"])
        #expect(try Self.run(["evidence"], input) == lines.filter { !$0.isEmpty })
    }

    @Test("Each group, also an empty one, is followed by its key, its lines and when time changes the answer")
    func settle() throws {
        let bodies = [Self.renewal, Self.renewal, Self.body("DID_RENEW", 1_614_556_800_000, "2"), "{", "{"]
        var keyed = try Self.run(["evidence"], bodies)
        keyed.insert("", at: 2)
        keyed.insert("", at: 2)
        keyed.insert("2021-03-04T05:06:07Z", at: 2)
        let lines = try Self.run(["settle", "--ends"], keyed)
        let kinds = lines.map { $0.hasPrefix("{\"group\"") ? $0 : $0.contains("\"error\"") ? "error" : "event" }
        func group(_ key: String, _ count: Int) -> String {
            "{\"group\":{\"key\":\(key),\"lines\":\(count),\"settle_at\":null}}"
        }
        #expect(
            kinds == [
                "event", "event", group("\"100000700000001\"", 2), group("null", 0), group("null", 0), "event",
                group("\"2\"", 1), "error", group("\"\"", 1), "error", group("\"\"", 1),
            ])
        // Without the option the ends are silent.
        let silent = try Self.run(["settle"], keyed)
        #expect(silent == lines.filter { !$0.hasPrefix("{\"group\"") })
    }

    @Test("Of transactions settle_at is the first end that is still to come")
    func endsOfTransactions() throws {
        let keyed = try Self.run(["evidence"], [Self.renewal])
        for (time, end) in [("2021-03-20", #""2021-03-31T00:00:00.000Z""#), ("2021-05-20", "null")] {
            let lines = try Self.run(["settle", "--ends", "--to", "transactions"], keyed + [time + "T00:00:00Z"])
            #expect(lines.last?.contains(#""settle_at":"# + end) == true, "\(lines)")
        }
    }

    @Test("A time ends a group and is its as-of; the answer changes at settle_at and not before")
    func times() throws {
        let failure = Self.body("DID_FAIL_TO_RENEW", 1_614_556_800_000)
        let keyed = try Self.run(["evidence"], [failure])
        func answer(_ time: String) throws -> (events: [String], settleAt: String) {
            let lines = try Self.run(["settle", "--ends", "--infer", "all"], [keyed[0], time])
            return (Array(lines.dropLast()), lines.last?.value(of: "settle_at") ?? "")
        }
        var (events, next) = try answer("2021-04-01T00:00:00Z")
        var seen = [events]
        while next != "null" {
            let time = String(next.dropFirst().dropLast())
            // A millisecond before it nothing is different.
            let instant = try #require(EventTime(time)).milliseconds
            #expect(try answer(EventTime(milliseconds: instant - 1).description).events == events)
            (events, next) = try answer(time)
            seen.append(events)
        }
        #expect(seen.count > 1 && seen.last != seen.first)
        let asOf = try Self.run(["settle", "--infer", "all", "--as-of", "2024-01-01T00:00:00Z"], [keyed[0]])
        #expect(try answer("2024-01-01T00:00:00Z").events == asOf)
    }
}
