import Testing

@testable import NotificationArchives

@Suite("The format of an input") struct FormatDetectorTests {
    enum Format { case ndjson, documents, csv, log }

    static let samples: [Sample<Format>] = [
        Sample("nothing", "", .ndjson),
        Sample("one line", Body.cancel(1), .ndjson),
        Sample("lines", Body.lines(3), .ndjson),
        Sample("lines behind blank ones", "\n\n" + Body.lines(3), .ndjson),
        Sample("broken first line", "{\"a\":\"b\n" + Body.lines(3), .ndjson),
        Sample("first line holds two documents", "{}{}\n" + Body.lines(3), .ndjson),
        Sample("first line is an array", "[1,2]\n" + Body.lines(3), .ndjson),
        Sample("first line is a broken array", "[{\"a\":1\n" + Body.lines(3), .ndjson),
        Sample("first line is text", "hello\n" + Body.lines(3), .ndjson),
        Sample("a pretty-printed record among lines", Body.lines(9) + "{\n \"a\": 1\n}\n", .ndjson),
        Sample("log lines", "[6e2c7935] {\"a\":1}\n[6e2c7936] {}\n", .log),
        Sample("lines of Lambda", "START RequestId: 1\n2020-11-03T09:12:44.123Z\t1\tINFO\t{\"a\":1}\n", .log),
        Sample("a log with objects in texts", "level=info body=\"{\\\"a\\\":1}\"\n", .log),
        Sample("a log with more lines of JSON", "x {\"a\":1}\n" + Body.lines(2), .ndjson),
        Sample("a table", "id,payload\n1,\"{\"\"a\"\":1}\"\n", .csv),
        Sample("a table of one column", "payload\n\"{\"\"a\"\":1}\"\n", .csv),
        Sample("a column of bodies", "payload\n" + Body.lines(3), .csv),
        Sample("a table with tabs", "id\tpayload\n1\t{\"a\":1}\n", .csv),
        Sample("a table without names", "1\t{\"a\":1}\t2\n2\t{\"a\":1}\t2\n", .csv),
        Sample("a table whose first column is JSON", "a,b\n\"{\"\"a\"\":1}\",2\n", .csv),
        Sample("a table whose first column is JSON later", "a,b\neyJ.a.b,1\n\"{\"\"a\"\":1}\",2\n", .csv),
        Sample("a table that begins with pretty-printed JSON", "a,b\n,1\n\"{\n \"\"a\"\":1}\",2\n", .csv),
        Sample("a table that begins with an empty object", "a,b\n{},\"{\"\"a\"\":1}\"\n{},2\n", .csv),
        Sample("a column of pretty-printed JSON", "payload\nNULL\n\"{\n  \"\"a\"\":1}\"\n", .csv),
        Sample("a log that begins with JSON", "{\"a\":1}\nx {\"a\":1}\ny {\"a\":1}\n", .log),
        Sample("a log that begins with a brace", "{no JSON}\nx {\"a\":1}\n", .log),
        Sample("a COPY that begins the file", "COPY n (a, b, c) FROM stdin;\n1\tx, y, z\n", .log),
        Sample("a dump of JSON", "--\nCOPY n (a, b) FROM stdin;\n{\"a\":1}\t1\n\\.\n", .log),
        Sample("a table with a unit in a name", "At [UTC],b\n2,\"{\"\"a\"\":1}\"\n", .csv),
        Sample("a table of quotes without names", "1,\"{\"\"a\"\":1}\",2\n2,\"{\"\"a\"\":1}\",2\n", .csv),
        Sample("a list with an element a line", "{\"n\":2,\"rows\":[\n{\"a\":1},\n{\"a\":2}\n]}\n", .documents),
        Sample("a list with one element", "{\"n\":2,\"rows\":[\n{\"a\":1}\n]}\n", .documents),
        Sample("lines of which the first was cut off after a bracket", "{\"a\":[\n" + Body.lines(3), .ndjson),
        Sample("rows as arrays", String(repeating: "[\"2020\",\"{}\"]\n", count: 3), .ndjson),
        Sample("text with commas before lines", "one, two\n" + Body.lines(3), .ndjson),
        Sample("signed payloads", "eyJhbGciOi.J.k\neyJhbGciOi.J.k\n", .ndjson),
        Sample("one long line", "{\"a\":\"" + String(repeating: "x", count: 70_000), .ndjson),
        Sample("array on a line", "[" + Body.cancel(1) + "," + Body.cancel(2) + "]\n", .documents),
        Sample("array with an element a line", "[\n" + Body.cancel(1) + ",\n" + Body.cancel(2) + "\n]", .documents),
        Sample("array with commas in front", "[ " + Body.cancel(1) + "\n, " + Body.cancel(2) + "\n]", .documents),
        Sample("pretty-printed array", "[\n" + Body.pretty(1) + ",\n" + Body.pretty(2) + "\n]", .documents),
        Sample("empty array", "[]", .documents),
        Sample("pretty-printed document", Body.pretty(1), .documents),
        Sample("pretty-printed documents", Body.pretty(1) + "\n" + Body.pretty(2), .documents),
        Sample(
            "one short line among pretty-printed documents",
            "{\"a\":1}\n" + Body.pretty(1) + "\n" + Body.pretty(2), .documents),
        Sample("documents without line ends", Body.cancel(1) + Body.cancel(2) + Body.cancel(3), .documents),
        Sample("64 KB of text", Self.text(lines: 3000), .log),
        Sample("64 KB of text with brackets", Self.text(lines: 3000, "[12] <a> b: "), .log),
        Sample("a short text", Self.text(lines: 9), .ndjson),
        Sample("one long line of text", String(repeating: "text ", count: 20_000), .ndjson),
        Sample(
            "64 KB of lines cut off at their beginning",
            String(repeating: "\"auto_renew_status\":\"true\",\"bid\":\"a.b\"}\n", count: 2000), .ndjson),
        Sample("64 KB of text and a record", Body.cancel(1) + "\n" + Self.text(lines: 3000), .ndjson),
        Sample("64 KB that are no text", String(repeating: "a\u{1}b\u{2}\n", count: 20_000), .ndjson),
        Sample("documents behind text", "environment:PROD\n" + Body.pretty(1) + "\n\n", .documents),
    ]

    /// Lines of a log that hold no JSON.
    static func text(lines: Int, _ prefix: String = "INFO ") -> String {
        (0..<lines).map { prefix + "step \($0) of the start is done\n" }.joined()
    }

    @Test("The first bytes show the format", arguments: samples) func formatOfTheFirstBytes(_ sample: Sample<Format>) {
        let shape = FormatDetector.shape(of: Array(sample.text.utf8.prefix(ByteStream.headSize))[...])
        let format: Format? =
            switch shape {
            case .lines: .ndjson
            case .log: .log
            case .documents: .documents
            case .table: .csv
            case .fault: nil
            }
        #expect(format == sample.expected)
    }
}
