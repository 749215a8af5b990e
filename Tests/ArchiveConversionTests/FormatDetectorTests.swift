import Testing

@testable import NotificationArchives

@Suite("The format of an input") struct FormatDetectorTests {
    enum Format { case ndjson, documents, csv, log }

    struct Sample: CustomTestStringConvertible {
        var name: String
        var head: String
        var format: Format
        var testDescription: String { name }
    }

    static let samples: [Sample] = [
        Sample(name: "nothing", head: "", format: .ndjson),
        Sample(name: "one line", head: Body.cancel(1), format: .ndjson),
        Sample(name: "lines", head: Body.lines(3), format: .ndjson),
        Sample(name: "lines behind blank ones", head: "\n\n" + Body.lines(3), format: .ndjson),
        Sample(name: "broken first line", head: "{\"a\":\"b\n" + Body.lines(3), format: .ndjson),
        Sample(name: "first line holds two documents", head: "{}{}\n" + Body.lines(3), format: .ndjson),
        Sample(name: "first line is an array", head: "[1,2]\n" + Body.lines(3), format: .ndjson),
        Sample(name: "first line is a broken array", head: "[{\"a\":1\n" + Body.lines(3), format: .ndjson),
        Sample(name: "first line is text", head: "hello\n" + Body.lines(3), format: .ndjson),
        Sample(name: "a pretty-printed record among lines", head: Body.lines(9) + "{\n \"a\": 1\n}\n", format: .ndjson),
        Sample(name: "log lines", head: "[6e2c7935] {\"a\":1}\n[6e2c7936] {}\n", format: .log),
        Sample(
            name: "lines of Lambda", head: "START RequestId: 1\n2020-11-03T09:12:44.123Z\t1\tINFO\t{\"a\":1}\n",
            format: .log),
        Sample(
            name: "a log with objects in texts", head: "level=info body=\"{\\\"a\\\":1}\"\n", format: .log),
        Sample(
            name: "a log with more lines of JSON", head: "x {\"a\":1}\n" + Body.lines(2), format: .ndjson),
        Sample(name: "a table", head: "id,payload\n1,\"{\"\"a\"\":1}\"\n", format: .csv),
        Sample(name: "a table of one column", head: "payload\n\"{\"\"a\"\":1}\"\n", format: .csv),
        Sample(name: "a table with tabs", head: "id\tpayload\n1\t{\"a\":1}\n", format: .csv),
        Sample(name: "a table without names", head: "1\t{\"a\":1}\t2\n2\t{\"a\":1}\t2\n", format: .csv),
        Sample(name: "a table whose first column is JSON", head: "a,b\n\"{\"\"a\"\":1}\",2\n", format: .csv),
        Sample(name: "a table with a unit in a name", head: "At [UTC],b\n2,\"{\"\"a\"\":1}\"\n", format: .csv),
        Sample(
            name: "a table of quotes without names", head: "1,\"{\"\"a\"\":1}\",2\n2,\"{\"\"a\"\":1}\",2\n",
            format: .csv),
        Sample(
            name: "a list with an element a line", head: "{\"n\":2,\"rows\":[\n{\"a\":1},\n{\"a\":2}\n]}\n",
            format: .documents),
        Sample(name: "a list with one element", head: "{\"n\":2,\"rows\":[\n{\"a\":1}\n]}\n", format: .documents),
        Sample(
            name: "lines of which the first was cut off after a bracket", head: "{\"a\":[\n" + Body.lines(3),
            format: .ndjson),
        Sample(
            name: "rows as arrays", head: String(repeating: "[\"2020\",\"{}\"]\n", count: 3), format: .ndjson),
        Sample(name: "text with commas before lines", head: "one, two\n" + Body.lines(3), format: .ndjson),
        Sample(name: "signed payloads", head: "eyJhbGciOi.J.k\neyJhbGciOi.J.k\n", format: .ndjson),
        Sample(name: "one long line", head: "{\"a\":\"" + String(repeating: "x", count: 70_000), format: .ndjson),
        Sample(name: "array on a line", head: "[" + Body.cancel(1) + "," + Body.cancel(2) + "]\n", format: .documents),
        Sample(
            name: "array with an element a line",
            head: "[\n" + Body.cancel(1) + ",\n" + Body.cancel(2) + "\n]",
            format: .documents
        ),
        Sample(
            name: "array with commas in front",
            head: "[ " + Body.cancel(1) + "\n, " + Body.cancel(2) + "\n]",
            format: .documents
        ),
        Sample(
            name: "pretty-printed array",
            head: "[\n" + Body.pretty(1) + ",\n" + Body.pretty(2) + "\n]",
            format: .documents
        ),
        Sample(name: "empty array", head: "[]", format: .documents),
        Sample(name: "pretty-printed document", head: Body.pretty(1), format: .documents),
        Sample(name: "pretty-printed documents", head: Body.pretty(1) + "\n" + Body.pretty(2), format: .documents),
        Sample(
            name: "one short line among pretty-printed documents",
            head: "{\"a\":1}\n" + Body.pretty(1) + "\n" + Body.pretty(2),
            format: .documents
        ),
        Sample(
            name: "documents without line ends",
            head: Body.cancel(1) + Body.cancel(2) + Body.cancel(3),
            format: .documents
        ),
        Sample(name: "64 KB of text", head: Self.text(lines: 3000), format: .log),
        Sample(name: "64 KB of text with brackets", head: Self.text(lines: 3000, "[12] <a> b: "), format: .log),
        Sample(name: "a short text", head: Self.text(lines: 9), format: .ndjson),
        Sample(name: "one long line of text", head: String(repeating: "text ", count: 20_000), format: .ndjson),
        Sample(
            name: "64 KB of lines cut off at their beginning",
            head: String(repeating: "\"auto_renew_status\":\"true\",\"bid\":\"a.b\"}\n", count: 2000), format: .ndjson),
        Sample(
            name: "64 KB of text and a record", head: Body.cancel(1) + "\n" + Self.text(lines: 3000), format: .ndjson),
        Sample(
            name: "64 KB that are no text", head: String(repeating: "a\u{1}b\u{2}\n", count: 20_000), format: .ndjson),
        Sample(name: "documents behind text", head: "environment:PROD\n" + Body.pretty(1) + "\n\n", format: .documents),
    ]

    /// Lines of a log that hold no JSON.
    static func text(lines: Int, _ prefix: String = "INFO ") -> String {
        (0..<lines).map { prefix + "step \($0) of the start is done\n" }.joined()
    }

    @Test("The first bytes show the format", arguments: samples) func formatOfTheFirstBytes(_ sample: Sample) {
        let shape = FormatDetector.shape(of: Array(sample.head.utf8.prefix(ByteStream.headSize))[...])
        let format: Format =
            switch shape {
            case .lines: .ndjson
            case .log: .log
            case .documents: .documents
            case .table: .csv
            }
        #expect(format == sample.format)
    }
}
