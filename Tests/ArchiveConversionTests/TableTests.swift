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

    /// The rows of three bodies, the second of them pretty-printed where that can be.
    private static func rows(of second: String = Body.pretty(2), _ row: (String) -> String) -> String {
        [Body.cancel(1), second, Body.cancel(3)].map(row).joined()
    }

    /// Three bodies in each kind of table.
    static let samples: [Sample] =
        [",", ";", "\t", "|"].map { delimiter in
            Sample(
                name: "RFC 4180 with \(delimiter == "\t" ? "a tab" : delimiter)",
                text: ["id", "payload", "received_at"].joined(separator: delimiter) + "\r\n"
                    + rows { ["7", quoted($0), time].joined(separator: delimiter) + "\r\n" })
        } + [
            Sample(
                name: "COPY text with a header",
                text: "id\tpayload\treceived_at\tnote\n" + rows { "7\t\(escaped($0))\t\(time)\t\\N\n" }),
            Sample(
                name: "COPY text without a header", text: rows { "7\t\(escaped($0))\t\(time)\t\\N\n" } + "\\.\n"),
            Sample(
                name: "mysql --batch",
                text: "id\tsome_json\tnote\treceived_at\n" + rows { "7\t\(escaped($0))\tNULL\t\(time)\n" }),
            Sample(
                name: "quotes behind backslashes",
                text: "id,payload,received_at\n" + rows { "7,\(afterBackslashes($0)),\"\(time)\"\n" }),
            Sample(
                name: "RFC 4180 that begins with the payload",
                text: "payload,received_at\n" + rows { quoted($0) + ",\(time)\n" }),
            Sample(name: "RFC 4180 without a header", text: rows { "7," + quoted($0) + ",\(time)\n" }),
            Sample(
                name: "a time as Azure shows it",
                text: "TimeGenerated [UTC],Message\n" + rows { "\"11/3/2020, 9:12:44.500 AM\"," + quoted($0) + "\n" }),
            Sample(
                name: "a time as JavaScript writes it",
                text: "created,payload\n"
                    + rows {
                        "Tue Nov 03 2020 10:12:44.500 GMT+0100 (Central European Standard Time)," + quoted($0) + "\n"
                    }),
            Sample(
                name: "lines of a log",
                text: "@timestamp,@message\n"
                    + rows(of: Body.cancel(2)) { "\(time)," + quoted("2020-11-03T09:12:44.5Z\tid\tINFO\t" + $0) + "\n" }
            ),
            Sample(
                name: "a column that is padded",
                text: "id | received_at | payload" + String(repeating: " ", count: 60_000) + "\n---+---\n"
                    + rows(of: Body.cancel(2)) { " 7 | \(time) | \($0)\n" } + "(3 rows)\n"),
            Sample(
                name: "Excel's word of its separator",
                text: "\u{FEFF}sep=;\r\nid;received_at;payload\r\n" + rows { "7,1;\(time);\(quoted($0))\r\n" }),
            Sample(
                name: "another column in braces that is no JSON",
                text: "id,tags,received_at,payload\n" + rows { "7,\"{a,b}\",\(time),\(quoted($0))\n" }),
        ]

    @Test("A table is recognised by its start", arguments: samples) func areFoundByThemselves(_ sample: Sample) throws {
        let trial = try Trial(of: sample.text)
        #expect(trial.faults == [])
        #expect(trial.tally.converted == 3)
        #expect(trial.tally.received == 3)
        let time = "\"received_at\":\"2020-11-03T09:12:44.500Z\""
        #expect(trial.lines.allSatisfy { $0.contains(time) })
    }

    @Test("The output is the same for any chunk size and any number of jobs", arguments: samples, [1, 2])
    func sameBytesForAnyChunkSizeAndAnyNumberOfJobs(_ sample: Sample, jobs: Int) throws {
        let plain = try Trial(of: sample.text)
        for chunkSize in [1, 3, 64, 200] {
            let other = try plain.again(asking(chunkSize, jobs: jobs))
            #expect(other.events == plain.events)
        }
    }

    @Test("A row that is longer than what the layout is found by is read all the same")
    func longRows() throws {
        let bodies = (1...3).map {
            Body.cancel($0).dropLast() + #","latest_receipt":"\#(String(repeating: "A", count: 70_000))"}"#
        }.map { String($0) }
        for text in [
            "id\tbody\n" + bodies.map { "7\t" + Self.quoted($0) + "\n" }.joined(),
            "id,body\n" + bodies.map { "7," + Self.afterBackslashes($0) + "\n" }.joined(),
            "COPY public.n (id, at, body) FROM stdin;\n"
                + bodies.map { "7\t\\N\t" + Self.escaped($0) + "\n" }.joined(),
            "Starting server, version 1, pid 2\n" + bodies.map { "2020-11-03 09:12:44 body=\($0)\n" }.joined(),
        ] {
            let trial = try Trial(of: text)
            #expect(trial.tally.converted == 3, "\(text.prefix(40))")
        }
    }

    @Test("An answer beside which a type is named is a record with signs")
    func answersBesideTypes() throws {
        let answer = Self.quoted(#"{"latest_receipt_info":[{"transaction_id":"1"}]}"#)
        let trial = try Trial(
            of: "_id,_source.notification_type,_source.unified_receipt\n1,CANCEL,\(answer)\n2,,\(answer)\n")
        #expect(trial.tally.evidence == 2)
        #expect(trial.tally.signs == 1)
    }

    @Test("The width of a header costs next to nothing") func theWidthOfAHeaderCostsNextToNothing() throws {
        let sample = try #require(Self.samples.first { $0.name == "a column that is padded" })
        let start = ContinuousClock.now
        _ = try Trial(of: sample.text)
        #expect(ContinuousClock.now - start < .seconds(1.5))
    }

    @Test("A header without rows is a table without records", arguments: ["id,received_at,payload\n", "id\tbody"])
    func aHeaderWithoutRowsIsATableWithoutRecords(text: String) throws {
        let trial = try Trial(of: text)
        #expect(trial.faults == [])
        #expect(trial.tally.records == 0)
        #expect(try Trial(of: "Hello, world\n").faults.count == 1)
    }

    @Test("Offset and length give the row back") func offsetAndLengthGiveTheRowBack() throws {
        let rows = [
            "7," + Self.quoted(#"{"notification_type":"CANCEL""#) + ",x", "8," + Self.quoted(Body.cancel(1)) + ",y",
        ]
        let text = "id,payload,note\n" + rows.asLines
        let trial = try Trial(of: text) { $0.rejectsAreRaw = true }
        #expect(trial.places == ["3@\(16 + rows[0].utf8.count + 1)"])
        #expect(trial.faults == ["2@16+\(rows[0].utf8.count) json.unexpected-end"])
        #expect(trial.rejects.contains("\"content\":\"7,\\\""))
    }

    @Test("A row whose quotes are not closed costs only itself", arguments: [1, 16, 100, 1 << 20])
    func aRowWhoseQuotesDoNotAddUpCostsItself(chunkSize: Int) throws {
        let good = Self.quoted(Body.cancel(1))
        for broken in ["\"{\"\"a\"\":1}", "\"x\"y\"", good + "x", good + ",1,2,3"] {
            let text = "id,payload\n1,\(good)\n2,\(broken)\n3,\(good)\n4,\(good)\n"
            let trial = try Trial(of: text, asking(chunkSize, as: .csv))
            #expect(trial.tally.converted == 3, "\(broken)")
            #expect(trial.tally.rejected == 1, "\(broken)")
        }
    }

    @Test("A field that is too long is rejected and not kept", arguments: [64, 100, 4096])
    func aFieldThatIsTooLongIsRejectedAndNotKept(chunkSize: Int) throws {
        let good = Self.quoted(Body.cancel(1))
        for long in [Self.quoted(String(repeating: "\"x", count: 900)), String(repeating: "y", count: 900)] {
            let trial = try Trial(of: "id,payload\n1,\(good)\n2,\(long)\n3,\(good)\n", asking(chunkSize, longest: 300))
            #expect(trial.faults.count == 1)
            #expect(trial.faults.first?.hasSuffix("record.too-long") == true)
            #expect(trial.tally.converted == 2)
        }
    }
}
