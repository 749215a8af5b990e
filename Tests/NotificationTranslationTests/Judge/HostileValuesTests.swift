import NotificationTranslation
import Testing

@Suite("A value that no body of Apple's has")
struct HostileValuesTests {
    /// Numbers at the ends of what 64 bits hold, and dates beyond the years that can be written.
    private static let values = [
        "1e-9223372036854775808", "1E9223372036854775807", "-9223372036854775808", "9223372036854775807",
        "\"1e-9223372036854775808\"", "\"-9223372036854775808\"", "\"9999-12-31T23:59:59-23:59\"",
        "\"0001-01-01T00:00:00+23:59\"", "\"9999-12-31 23:59:59 America/Los_Angeles\"",
    ]

    @Test(
        "A hostile value in any field costs at most its own record",
        arguments: [
            ("v1-to-v2", "renew"), ("v1-to-v2", "fail-grace"), ("v1-to-v2", "cancel-refund"),
            ("v2-to-event", "places-disagree"),
        ])
    func anyField(_ table: String, _ name: String) throws {
        let body = String(decoding: try Fixture(table: table, name: name).bytes("input.json"), as: UTF8.self)
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var tried = 0
        for (place, line) in lines.enumerated() {
            guard let colon = line.firstRange(of: "\": "), !line.hasSuffix("{"), !line.hasSuffix("[") else { continue }
            for value in Self.values {
                var changed = lines
                changed[place] = line[..<colon.upperBound] + value + (line.hasSuffix(",") ? "," : "")
                try Self.settle(changed.joined(separator: "\n"))
                tried += 1
            }
        }
        #expect(tried > 100)
    }

    @Test(
        "A hostile value in the envelope costs at most its own record",
        arguments: ["ts", "received_at", "timestamp", "receivedAt"])
    func envelope(_ key: String) throws {
        let body = String(
            decoding: try Fixture(table: "v1-to-v2", name: "renew").bytes("input.json"), as: UTF8.self)
        for value in Self.values {
            for wrapped in [value, "{\"$date\":\(value)}", "{\"seconds\":\(value),\"nanos\":\(value)}"] {
                try Self.settle("{\"\(key)\":\(wrapped),\"body\":\(body)}")
            }
        }
        for time in [EventTime(milliseconds: .min), EventTime(milliseconds: .max)] {
            #expect(try !Self.settle(body, receivedAt: time).isEmpty)
        }
    }

    /// Judges a text, and settles what it holds; nothing of it may be evidence that cannot be read again.
    @discardableResult
    private static func settle(_ text: String, receivedAt: EventTime? = nil) throws -> [UnifiedEvent] {
        let entries = try? trusting.timelineEntries(from: text.utf8, receivedAt: receivedAt)
        for entry in entries ?? [] {
            #expect(Evidence(text: entry.evidence.text) != nil, "\(text.prefix(300))")
        }
        return SubscriptionTimeline(entries ?? [], inferring: .all).settled()
    }
}
