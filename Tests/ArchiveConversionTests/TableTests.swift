import NotificationTranslation
import Testing

@testable import NotificationArchives

/// Tables: every row an envelope whose keys are the names of the columns.
@Suite("Archives that are tables") struct TableTests {
    private static func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }

    private static func afterBackslashes(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }

    private static let time = "2020-11-03 09:12:44.5+00"

    struct Sample: CustomTestStringConvertible {
        var name: String
        var text: String
        var testDescription: String { name }
    }

    /// Three bodies in each kind of table, the second of them pretty-printed where that can be.
    static let samples: [Sample] =
        [",", ";", "\t", "|"].map { delimiter in
            Sample(
                name: "RFC 4180 with \(delimiter == "\t" ? "a tab" : delimiter)",
                text: ["id", "payload", "received_at"].joined(separator: delimiter) + "\r\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)].map { body in
                        ["7", quoted(body), time].joined(separator: delimiter) + "\r\n"
                    }.joined())
        } + [
            Sample(
                name: "COPY text with a header",
                text: "id\tpayload\treceived_at\tnote\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)].map { "7\t\(escaped($0))\t\(time)\t\\N\n" }
                    .joined()),
            Sample(
                name: "COPY text without a header",
                text: [Body.cancel(1), Body.pretty(2), Body.cancel(3)].map { "7\t\(escaped($0))\t\(time)\t\\N\n" }
                    .joined() + "\\.\n"),
            Sample(
                name: "mysql --batch",
                text: "id\tsome_json\tnote\treceived_at\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)].map { "7\t\(escaped($0))\tNULL\t\(time)\n" }
                    .joined()),
            Sample(
                name: "quotes behind backslashes",
                text: "id,payload,received_at\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)]
                    .map { "7,\(afterBackslashes($0)),\"\(time)\"\n" }.joined()),
            Sample(
                name: "RFC 4180 that begins with the payload",
                text: "payload,received_at\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)].map { quoted($0) + ",\(time)\n" }.joined()),
            Sample(
                name: "RFC 4180 without a header",
                text: [Body.cancel(1), Body.pretty(2), Body.cancel(3)].map { "7," + quoted($0) + ",\(time)\n" }
                    .joined()),
            Sample(
                name: "a time as Azure shows it",
                text: "TimeGenerated [UTC],Message\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)]
                    .map { "\"11/3/2020, 9:12:44.500 AM\"," + quoted($0) + "\n" }.joined()),
            Sample(
                name: "lines of a log",
                text: "@timestamp,@message\n"
                    + [Body.cancel(1), Body.cancel(2), Body.cancel(3)]
                    .map { "\(time)," + quoted("2020-11-03T09:12:44.5Z\tid\tINFO\t" + $0) + "\n" }.joined()),
            Sample(
                name: "a column that is padded",
                text: "id | received_at | payload" + String(repeating: " ", count: 60_000) + "\n---+---\n"
                    + [Body.cancel(1), Body.cancel(2), Body.cancel(3)].map { " 7 | \(time) | \($0)\n" }.joined()
                    + "(3 rows)\n"),
            Sample(
                name: "another column in braces that is no JSON",
                text: "id,tags,received_at,payload\n"
                    + [Body.cancel(1), Body.pretty(2), Body.cancel(3)]
                    .map { "7,\"{a,b}\",\(time),\(quoted($0))\n" }.joined()),
        ]

    @Test("A table is recognised by its start", arguments: samples) func areFoundByThemselves(_ sample: Sample) throws {
        let workspace = try Workspace()
        try workspace.write(sample.text, to: "a")
        let trial = try Trial(["a"], in: workspace)
        #expect(trial.faults == [])
        #expect(trial.outcome.tally.converted == 3)
        #expect(trial.outcome.tally.received == 3)
        let time = "\"received_at\":\"2020-11-03T09:12:44.500Z\""
        #expect(trial.events.split(separator: "\n").allSatisfy { $0.contains(time) })
    }

    @Test("The output is the same for any chunk size and any number of jobs", arguments: samples, [1, 2])
    func sameBytesForAnyChunkSizeAndAnyNumberOfJobs(_ sample: Sample, jobs: Int) throws {
        let workspace = try Workspace()
        try workspace.write(sample.text, to: "a")
        let plain = try Trial(["a"], in: workspace)
        for chunkSize in [1, 3, 64, 200] {
            let other = try Trial(["a"], in: workspace) {
                $0.chunkSize = chunkSize
                $0.jobs = jobs
            }
            #expect(other.events == plain.events)
        }
    }

    @Test("The width of a header costs next to nothing") func theWidthOfAHeaderCostsNextToNothing() throws {
        let workspace = try Workspace()
        let sample = try #require(Self.samples.first { $0.name == "a column that is padded" })
        try workspace.write(sample.text, to: "a")
        let start = ContinuousClock.now
        _ = try Trial(["a"], in: workspace)
        #expect(ContinuousClock.now - start < .seconds(1.5))
    }

    @Test("A header without rows is a table without records", arguments: ["id,received_at,payload\n", "id\tbody"])
    func aHeaderWithoutRowsIsATableWithoutRecords(text: String) throws {
        let workspace = try Workspace()
        try workspace.write(text, to: "a")
        let trial = try Trial(["a"], in: workspace)
        #expect(trial.faults == [])
        #expect(trial.outcome.tally.records == 0)
        try workspace.write("Hello, world\n", to: "b")
        #expect(try Trial(["b"], in: workspace).faults.count == 1)
    }

    @Test("Offset and length give the row back") func offsetAndLengthGiveTheRowBack() throws {
        let workspace = try Workspace()
        let rows = [
            "7," + Self.quoted(#"{"notification_type":"CANCEL""#) + ",x", "8," + Self.quoted(Body.cancel(1)) + ",y",
        ]
        let text = "id,payload,note\n" + rows.joined(separator: "\n") + "\n"
        try workspace.write(text, to: "a")
        let trial = try Trial(["a"], in: workspace) { $0.rejectsAreRaw = true }
        #expect(trial.places == ["3@\(16 + rows[0].utf8.count + 1)"])
        #expect(trial.faults == ["2@16+\(rows[0].utf8.count) json.unexpected-end"])
        #expect(trial.rejects.contains("\"content\":\"7,\\\""))
    }

    @Test("A row whose quotes are not closed costs only itself", arguments: [1, 16, 100, 1 << 20])
    func aRowWhoseQuotesDoNotAddUpCostsItself(chunkSize: Int) throws {
        let workspace = try Workspace()
        let good = Self.quoted(Body.cancel(1))
        for broken in ["\"{\"\"a\"\":1}", "\"x\"y\"", good + "x", good + ",1,2,3"] {
            try workspace.write("id,payload\n1,\(good)\n2,\(broken)\n3,\(good)\n4,\(good)\n", to: "a")
            let trial = try Trial(["a"], in: workspace) {
                $0.chunkSize = chunkSize
                $0.inputFormat = .csv
            }
            #expect(trial.outcome.tally.converted == 3, "\(broken)")
            #expect(trial.outcome.tally.rejected == 1, "\(broken)")
        }
    }

    @Test("A field that is too long is rejected and not kept", arguments: [64, 100, 4096])
    func aFieldThatIsTooLongIsRejectedAndNotKept(chunkSize: Int) throws {
        let workspace = try Workspace()
        let good = Self.quoted(Body.cancel(1))
        for long in [Self.quoted(String(repeating: "\"x", count: 900)), String(repeating: "y", count: 900)] {
            try workspace.write("id,payload\n1,\(good)\n2,\(long)\n3,\(good)\n", to: "a")
            let trial = try Trial(["a"], in: workspace) {
                $0.chunkSize = chunkSize
                $0.longestRecord = 300
            }
            #expect(trial.faults.count == 1)
            #expect(trial.faults.first?.hasSuffix("record.too-long") == true)
            #expect(trial.outcome.tally.converted == 2)
        }
    }
}
