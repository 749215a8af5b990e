import NotificationTranslation
import Testing

/// `Fixtures/receipts/untimed.ndjson`: a DID_CHANGE_RENEWAL_PREF around a receipt of 10:00:04, received hours after it, at
/// a time that nobody knows, and three seconds before it.
@Suite("The creation date of a receipt")
struct ReceiptDateTests {
    private static let verify = ReceiptTests.verifyReplay

    private static func times(_ events: [UnifiedEvent]) -> [String] {
        events.map { "\($0.occurredAt?.description ?? "null") \($0.occurredAtBasis ?? "null")" }
    }

    @Test("The creation date of a receipt dates what has no time of its own, unless it was received before")
    func untimed() throws {
        let command = try Command()
        let words = ["convert", "--context", "record", ReceiptTests.folder + "untimed.ndjson"]
        let events = try command.run(words + Self.verify).events
        #expect(
            Self.times(events) == [
                "2027-02-11T10:00:04.000Z receipt_creation_date", "2027-02-11T10:00:04.000Z receipt_creation_date",
                "2027-02-11T10:00:01.000Z received_at",
            ])
        #expect(events.allSatisfy { !$0.flags.contains(.timeLowerBound) && $0.flags.contains(.identityWeak) })
        let plain = try command.run(words).events
        #expect(
            Self.times(plain) == [
                "2027-02-11T16:30:00.000Z received_at", "2027-02-01T10:00:00.000Z purchase_date_ms",
                "2027-02-11T10:00:01.000Z received_at",
            ])
        #expect(plain.map(\.id) == events.map(\.id))
    }

    @Test("The creation date dates the same in a timeline, after a cluster's sort, and for each order of the lines")
    func timeline() throws {
        let lines = try ReceiptTests.lines("untimed").prefix(2)
        for order in [Array(lines), lines.reversed()] {
            let command = try Command(["a": order.asLines])
            let keyed = try command.run(["evidence"] + Self.verify, input: .file("a"))
            for run in [
                try command.run(["convert", "a"] + Self.verify),
                try command.run("settle", input: .text(keyed.output)),
            ] {
                let time = "2027-02-11T10:00:04.000Z receipt_creation_date"
                #expect(try Self.times(run.events) == [time, time])
            }
        }
    }

    @Test("The creation date of a receipt is the latest time of everything else, and changes no id")
    func bound() throws {
        let second = try ReceiptTests.lines("replay")[1]
        let event = try ReceiptTests.event(second, Self.verify)
        // The body says 12 March.
        #expect(Self.times([event]) == ["2027-03-01T10:00:09.000Z receipt_creation_date"])
        #expect(event.flags.contains("TIME_AFTER_RECEIPT"))
        let plain = try ReceiptTests.event(second, [])
        #expect(Self.times([plain]) == ["2027-03-12T09:00:00.000Z auto_renew_status_change_date_ms"])
        #expect(plain.id == event.id && !plain.flags.contains("TIME_AFTER_RECEIPT"))
    }

    @Test("The creation date of a receipt dates nothing that it contradicts")
    func contradicted() throws {
        let body = try ReceiptTests.lines("untimed")[1].replacing(
            "com.example.news.month\",\"quantity", with: "com.example.other\",\"quantity")
        let event = try ReceiptTests.event(body, Self.verify)
        #expect(event.flags.contains("RECEIPT_CONTRADICTS_ROW"))
        #expect(event.occurredAtBasis == "purchase_date_ms" && event.flags.contains(.timeLowerBound))
    }
}
