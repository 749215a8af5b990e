import SimulatedLives
import Testing

@Suite("A catalogue given to the command") struct CatalogueTests {
    private static let archive = Cluster.archive(lives: 6)

    static let products = CatalogueText.csv

    private static func command() throws -> Command {
        let command = try Command()
        try command.write(archive.joined(separator: "\n") + "\n", to: "archive.ndjson")
        try command.write(CatalogueText.csv, to: "products.csv")
        return command
    }

    private static func count(_ flag: String, in text: String) -> Int {
        text.split(separator: "\n").count { $0.contains("\"\(flag)\"") }
    }

    @Test(
        "A catalogue settles plans and kinds",
        arguments: [["--context", "record"], ["--context", "timeline", "--infer", "all"]])
    func aCatalogueSettlesPlansAndKinds(options: [String]) throws {
        let command = try Self.command()
        let convert = ["convert", "-q", "--max-rejects", "9", "archive.ndjson"] + options
        let without = try command.run(convert)
        let with = try command.run(convert + ["--catalogue", "products.csv"])
        #expect(without.code == 0 && with.code == 0)
        #expect(without.output.split(separator: "\n").count == with.output.split(separator: "\n").count)
        for flag in ["PLAN_DIRECTION_UNKNOWN", "PRODUCT_KIND_UNKNOWN"] {
            #expect(Self.count(flag, in: without.output) > 0)
            #expect(Self.count(flag, in: with.output) < Self.count(flag, in: without.output))
        }
        let again = try command.run(convert + ["--catalogue", "products.csv", "--jobs", "3"])
        #expect(again.output == with.output)
    }

    @Test("Invalid content of a catalogue is one error with file, line and code")
    func whatItDoesNotUnderstandIsOneErrorWithFileLineAndCode() throws {
        let command = try Self.command()
        try command.write("product_id,period\na,P1M\nb,monthly\n", to: "bad.csv")
        for name in ["convert", "report", "pipe"] {
            let inputs = name == "pipe" ? [] : ["archive.ndjson"]
            let run = try command.run([name, "--catalogue", "bad.csv"] + inputs)
            #expect(run.code == 2)
            #expect(run.output == "")
            #expect(
                run.errors == """
                    notification-translator: --catalogue bad.csv:3: catalogue.bad-period: not a period (expected: P and \
                    a number and D, W, M or Y, such as P1W, P6M or P1Y): 'monthly'.
                    Try: notification-translator help \(name)

                    """)
        }
        let explained = try command.run("explain", "catalogue.bad-period")
        #expect(explained.code == 0 && explained.output.contains("not a period"))
    }

    @Test("Products that a catalogue does not have are counted and reported")
    func productsThatItDoesNotHaveAreCountedAndReported() throws {
        let command = try Self.command()
        let lines = CatalogueText.csv.split(separator: "\n")
        try command.write(lines[0...1].joined(separator: "\n") + "\n", to: "short.csv")
        let convert = ["convert", "--max-rejects", "9", "archive.ndjson", "-o", "out.ndjson", "--force", "--catalogue"]
        let short = try command.run(convert + ["short.csv"])
        #expect(short.errors.contains(" name a product that the catalogue does not have"))
        let whole = try command.run(convert + ["products.csv"])
        // The archive's made-up notifications name a product of their own.
        #expect(whole.code == 0)
        let number = { (text: String) in
            text.split(separator: "\n").first { $0.contains("that the catalogue does not have") }
                .flatMap { Int($0.split(separator: " ")[1].filter(\.isNumber)) } ?? 0
        }
        #expect(number(short.errors) > number(whole.errors))
    }

    @Test("A template of a catalogue reads back and shows what the archive shows")
    func aTemplateOfTheArchiveReadsBackAndTellsWhatTheArchiveKnows() throws {
        let command = try Self.command()
        let template = ["report", "-q", "--max-rejects", "9", "archive.ndjson", "--catalogue-template"]
        let run = try command.run(template)
        #expect(run.code == 0 && run.errors == "")
        let rows = run.output.split(separator: "\n").map(String.init)
        #expect(rows.first == "product_id,kind,period,rank,group,promotional_offers,price_changes")
        #expect(rows.dropFirst() == rows.dropFirst().sorted()[...])
        let known = CatalogueText.csv.split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        var periods = 0
        for row in known {
            guard let line = rows.first(where: { $0.hasPrefix(row[0] + ",") }) else { continue }
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            #expect(cells[1].isEmpty || cells[1] == row[1])
            // P12M and P1Y are the same.
            let period = row[2] == "P12M" ? "P1Y" : row[2]
            #expect(cells[2].isEmpty || cells[2] == period, "\(row[0])")
            if !cells[2].isEmpty { periods += 1 }
            #expect(cells[4].isEmpty || cells[4] == row[4])
            #expect(cells[3] == "" && cells[6] == "")
        }
        #expect(periods > 6)
        for jobs in ["1", "3"] { #expect(try command.run(template + ["--jobs", jobs]).output == run.output) }
        try command.write(run.output, to: "template.csv")
        let again = try command.run(template + ["--catalogue", "template.csv"])
        #expect(again.code == 0 && again.output == run.output)
        let json = try command.run(template + ["--format", "json"])
        try command.write(json.output, to: "template.json")
        let fromJSON = try command.run(template + ["--catalogue", "template.json"])
        #expect(fromJSON.code == 0 && fromJSON.output == run.output)
        let completed = try command.run(template + ["--catalogue", "products.csv"])
        #expect(completed.output.contains("com.example.reader.plus.yearly,auto-renewable,P12M,1,20480731,"))
    }

    @Test("A template of a catalogue refuses options that have no effect on it")
    func aTemplateTakesNoOptionThatDecidesNothingOfIt() throws {
        let command = try Self.command()
        for options in [["--infer", "all"], ["--format", "html"], ["--context", "record"]] {
            let run = try command.run(["report", "archive.ndjson", "--catalogue-template"] + options)
            #expect(run.code == 2 && run.output == "")
        }
    }

    @Test("Hostile product ids read back as they were") func hostileProductIDsReadBackAsTheyWere() throws {
        let command = try Command()
        let ids = [#"a,b\"c"#, #" lead"#, #"line\nend"#, "=1+1", "none", "é😀", #"tab\there"#]
        let lines = ids.map {
            #"{"notification_type":"DID_RENEW","environment":"PROD","latest_receipt_info":{"product_id":"\#($0)","#
                + #""original_transaction_id":"1","transaction_id":"1","purchase_date_ms":"1577869200000"}}"#
        }
        try command.write(lines.joined(separator: "\n") + "\n", to: "archive.ndjson")
        let template = ["report", "-q", "archive.ndjson", "--catalogue-template"]
        let csv = try command.run(template)
        try command.write(csv.output, to: "template.csv")
        let json = try command.run(template + ["--catalogue", "template.csv", "--format", "json"])
        #expect(json.output == (try command.run(template + ["--format", "json"]).output))
        let convert = ["convert", "archive.ndjson", "--catalogue", "template.csv"]
        #expect(!(try command.run(convert).errors.contains("does not have")))
    }

    @Test("Both halves of a cluster need the same catalogue") func bothHalvesOfAClusterNeedTheSameOne() throws {
        let command = try Self.command()
        let archive = Array((Self.archive.joined(separator: "\n") + "\n").utf8)
        let keyed = try command.run(
            ["evidence", "--catalogue", "products.csv"], input: .pipe(archive))
        let sorted = keyed.output.split(separator: "\n").map(String.init)
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let shuffled = Array((sorted.joined(separator: "\n") + "\n").utf8)
        let with = try command.run(["settle", "--catalogue", "products.csv"], input: .pipe(shuffled))
        #expect(with.code == 0 && !with.output.contains("record.other-catalogue"))
        let converted = try command.run(
            ["convert", "-q", "--max-rejects", "9", "archive.ndjson", "--catalogue", "products.csv"])
        #expect(Cluster.events(with.output).sorted() == Cluster.events(converted.output).sorted())
        let without = try command.run(["settle"], input: .pipe(shuffled))
        let isVersion1 = { (line: Substring) in line.contains("\"version\":\"v1\"") }
        #expect(without.code == 0)
        #expect(without.output.split(separator: "\n").count == sorted.count)
        #expect(!without.output.split(separator: "\n").contains(where: isVersion1))
        #expect(without.output.contains("\"code\":\"record.other-catalogue\""))
    }
}
