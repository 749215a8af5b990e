import NotificationTranslation
import Testing

/// `Fixtures/receipts/untimed.ndjson`: a DID_CHANGE_RENEWAL_PREF around a receipt of 10:00:04, received hours after it, at
/// a time that nobody knows, and three seconds before it.
@Suite("The creation date of a receipt")
struct ReceiptDateTests {
    private static let folder = Command.root + "/Fixtures/receipts/"
    private static let verify = ["--verify-receipts", folder + "replay-root.pem"]

    private static func lines(_ name: String = "untimed.ndjson") throws -> [String] {
        try Command.file("Fixtures/receipts/" + name).split(separator: "\n").map(String.init)
    }

    private static func piped(_ body: String, _ options: [String]) throws -> UnifiedEvent {
        let run = try Command().run(["pipe"] + options, input: .pipe(Array((body + "\n").utf8)))
        return try #require(try Command.events(run.output).first)
    }

    private static func times(_ events: [UnifiedEvent]) -> [String] {
        events.map { "\($0.occurredAt?.description ?? "null") \($0.occurredAtBasis ?? "null")" }
    }

    @Test("The creation date of a receipt dates what has no time of its own, unless it was received before")
    func untimed() throws {
        let command = try Command()
        let run = try command.run(
            ["convert", "--context", "record", Self.folder + "untimed.ndjson"] + Self.verify)
        let events = try Command.events(run.output)
        #expect(
            Self.times(events) == [
                "2027-02-11T10:00:04.000Z receipt_creation_date", "2027-02-11T10:00:04.000Z receipt_creation_date",
                "2027-02-11T10:00:01.000Z received_at",
            ])
        #expect(events.allSatisfy { !$0.flags.contains(.timeLowerBound) && $0.flags.contains(.identityWeak) })
        let plain = try Command.events(
            command.run("convert", "--context", "record", Self.folder + "untimed.ndjson").output)
        #expect(
            Self.times(plain) == [
                "2027-02-11T16:30:00.000Z received_at", "2027-02-01T10:00:00.000Z purchase_date_ms",
                "2027-02-11T10:00:01.000Z received_at",
            ])
        #expect(plain.map(\.id) == events.map(\.id))
    }

    @Test("The creation date dates the same in a timeline, after a cluster's sort, and for each order of the lines")
    func timeline() throws {
        for output in try Self.timelines(Self.verify) {
            let times = Self.times(try Command.events(output))
            #expect(times == Array(repeating: "2027-02-11T10:00:04.000Z receipt_creation_date", count: 2))
        }
    }

    /// What `convert` and a cluster make of the first two lines, in either order of them.
    private static func timelines(_ options: [String]) throws -> [String] {
        let command = try Command()
        let lines = try lines().prefix(2)
        return try [Array(lines), lines.reversed()].flatMap { order in
            try command.write(order.joined(separator: "\n") + "\n", to: "a")
            let run = try command.run(["convert", "a"] + options)
            let keyed = try command.run(["evidence"] + options, input: .file("a"))
            let grouped = try command.run("settle", input: .pipe(Array(keyed.output.utf8)))
            return [run.output, grouped.output]
        }
    }

    @Test("The creation date of a receipt is the latest time of everything else, and changes no id")
    func bound() throws {
        let second = try Self.lines("replay.ndjson")[1]
        let event = try Self.piped(second, Self.verify)
        // The body says 12 March.
        #expect(Self.times([event]) == ["2027-03-01T10:00:09.000Z receipt_creation_date"])
        #expect(event.flags.contains("TIME_AFTER_RECEIPT"))
        let plain = try Self.piped(second, [])
        #expect(Self.times([plain]) == ["2027-03-12T09:00:00.000Z auto_renew_status_change_date_ms"])
        #expect(plain.id == event.id && !plain.flags.contains("TIME_AFTER_RECEIPT"))
    }

    @Test("The creation date of a receipt dates nothing that it contradicts")
    func contradicted() throws {
        let body = try Self.lines()[1].replacing(
            "com.example.news.month\",\"quantity", with: "com.example.other\",\"quantity")
        let event = try Self.piped(body, Self.verify)
        #expect(event.flags.contains("RECEIPT_CONTRADICTS_ROW"))
        #expect(event.occurredAtBasis == "purchase_date_ms" && event.flags.contains(.timeLowerBound))
    }
}
