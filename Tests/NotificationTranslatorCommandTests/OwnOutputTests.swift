import NotificationLibC
import Testing

/// Whatever the program wrote is in the folder that it reads next, and is never taken for Apple's.
@Suite("Output that is read again") struct OwnOutputTests {
    private static let fixtures = Command.root + "/Fixtures"

    /// What was written, by the name of its file, and what each of its lines is when it is read.
    ///
    /// The shape of version 2 is written of version 1 alone: notifications of version 2 stay Apple's in it.
    private static func write(_ command: Command, into folder: String) throws -> [(name: String, kinds: Set<String>)] {
        let archive = OverlapArchive(lives: 2)
        try command.write(archive.text + "{\"broken\":\n{\"a\":1}\n", to: "source")
        let unsigned = archive.lines.enumerated().filter { !archive.signedLines.contains($0.offset + 1) }.map(\.element)
        try command.write(OverlapArchive.text(unsigned) + "{}\n", to: "v1")
        command.makeFolder(folder)
        var written: [(name: String, kinds: Set<String>)] = []
        func run(_ name: String, _ kinds: Set<String>, _ words: [String], input: String? = nil) throws {
            let run = try command.run(words, input: input.map { .file($0) } ?? .nothing)
            #expect(run.code < 2 && !run.output.isEmpty, "\(words)")
            try command.write(run.output, to: folder + "/" + name)
            written.append((name, kinds))
        }
        let events: Set = ["own-event"]
        try run(
            "events.ndjson", events, ["convert", "-q", "--infer", "all", "source", "--rejects", folder + "/rejects"])
        written.append(("rejects", ["own-reject"]))
        try run("events.json", events, ["convert", "-q", "source", "--context", "record"])
        try run("cloudevents.ndjson", events, ["convert", "-q", "source", "--to", "cloudevents"])
        try run("v2.ndjson", ["record.translated"], ["convert", "-q", "v1", "--to", "v2", "--infer", "all"])
        try run("pipe", ["own-event", "own-error"], ["pipe"], input: "source")
        try run("pipe-v2", ["record.translated", "own-error", "own-companion"], ["pipe", "--to", "v2"], input: "v1")
        let app = ["--expect-environment", "Production", "--expect-bundle-id", "com.example.reader"]
        try run("rehearsed", ["record.translated"], ["rehearse", "-q", "source"] + app)
        try run("evidence", ["own-event", "own-error"], ["evidence"], input: "source")
        let answer =
            #"{"signedTransactions":[{"transactionId":"2","originalTransactionId":"1","purchaseDate":1600000000000}]}"#
        try command.write(answer + "\n", to: "answer")
        try run("evidence-of-an-answer", events, ["evidence"], input: "answer")
        let sort = try command.start(["\(folder)/evidence", "-o", "sorted"], program: "/usr/bin/sort")
        #expect(sort.wait() == 0)
        try run("settled", ["own-event", "own-error"], ["settle"], input: "sorted")
        try run("ends", ["own-event", "own-error", "own-group"], ["settle", "--ends"], input: "sorted")
        let asked = fixtures + "/timelines/cancel-of-a-refund-before-an-upgrade-2021/input.ndjson"
        try command.write("original_transaction_id,entitled\n7,1\n", to: "theirs.csv")
        let tables = [
            ["state"], ["state", "--history"], ["transactions"], ["worklist"], ["state", "--compare", "theirs.csv"],
        ]
        for (place, words) in tables.enumerated() {
            try run("table\(place).ndjson", ["own-table"], words + ["-q", words == ["worklist"] ? asked : "source"])
            if words == ["worklist"] { continue }
            try run("table\(place).csv", ["own-table"], words + ["-q", "--format", "csv", "source"])
        }
        for format in ["json", "markdown", "html"] {
            try run("report." + format, ["own-report"], ["report", "-q", "--format", format, "source"])
        }
        for format in ["json", "markdown", "csv"] {
            try run("mapping." + format, ["own-mapping"], ["mapping", "--format", format])
        }
        command.makeFolder(folder + "/schemas")
        for shape in ["events", "v2", "cloudevents", "state", "history", "transactions"] {
            for format in ["json-schema", "duckdb", "bigquery", "clickhouse", "postgres", "spark"] {
                let words = ["schema", "--format", format, "--shape", shape]
                try run("schemas/\(shape).\(format)", ["own-schema"], words)
            }
        }
        written.removeAll { $0.kinds == ["own-schema"] }
        written.append(("schemas", ["own-schema"]))
        return written
    }

    @Test("Each output alone is skipped or rejected by its name, and the source beside it keeps every byte")
    func isNeverApples() throws {
        let command = try Command()
        let written = try Self.write(command, into: "own")
        let verify = ["--verify", Self.fixtures + "/signed/root.pem"]
        for (name, kinds) in written {
            for options in name == "v2.ndjson" ? [[], verify, ["--context", "record"]] : [[]] {
                let run = try command.run(["report", "-q", "--format", "json", "own/" + name] + options)
                let report = try ReportCore(run.output)
                #expect(run.code == 1 && report.converted == 0 && report.records > 0, "\(name): \(run.errors)")
                let found = Set(report.rejects.keys).union(report.skip_reasons.keys)
                #expect(found == kinds, "\(name)")
                #expect(name != "schemas" || report.skipped == 36)
            }
        }
        // Beside the source, in a folder that is read before and after it, and in a stream.
        command.makeFolder("all")
        try command.write(try command.bytes("source"), to: "all/m")
        func outcomes() throws -> [String] {
            let options = ["-q", "--max-rejects", "100000", "all"]
            let convert = try command.run(["convert"] + options)
            let all = try command.run(["convert", "--infer", "all", "--to", "v2"] + options)
            let report = try command.run(["report", "--format", "json"] + options)
            #expect(convert.code < 2 && !convert.output.isEmpty)
            let agreement = try ReportCore(report.output).agreement
            #expect(agreement.compared > 0)
            return [convert.output, all.output, "\(agreement)"]
        }
        func streamed(_ text: String) throws -> [String] {
            try command.write(text, to: "stream")
            try command.write(try command.run("evidence", input: .file("stream")).output, to: "keyed")
            #expect(try command.start(["keyed", "-o", "sorted"], program: "/usr/bin/sort").wait() == 0)
            let settled = try command.run("settle", input: .file("sorted")).output
            return Cluster.events(try command.run("pipe", input: .file("stream")).output) + Cluster.events(settled)
        }
        let (before, stream) = (try outcomes(), try streamed(command.text("source")))
        var texts = ["", ""]
        for (number, name) in written.map(\.name).enumerated() where name != "schemas" {
            let text = try command.text("own/" + name)
            try command.write(text, to: "all/" + ["a-", "z-"][number % 2] + name)
            texts[number % 2] += text + "\n"
        }
        let after = try outcomes()
        #expect(after == before)
        let streamedAfter = try streamed(texts[0] + command.text("source") + texts[1])
        #expect(streamedAfter == stream)
    }
}
