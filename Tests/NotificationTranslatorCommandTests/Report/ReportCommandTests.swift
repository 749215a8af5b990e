import Testing

@Suite("The command report, and convert --report")
struct ReportCommandTests {
    private static func command() throws -> Command {
        try Command(["a": Cluster.archive(lives: 3).asLines])
    }

    @Test("Reports say the same beside a conversion and alone, in every form")
    func areTheSame() throws {
        let command = try Self.command()
        let run = try command.run(
            "convert", "-q", "a", "-o", "out", "--report", "r.json", "--report=r.md", "--report", "r.html", "--rejects",
            "x")
        #expect(run.code == 1)
        for (format, name) in [("json", "r.json"), ("markdown", "r.md"), ("html", "r.html")] {
            let alone = try command.run("report", "-q", "--format", format, "a")
            #expect(alone.code == 1)
            #expect(alone.output == (try command.text(name)))
        }
        #expect(try command.run("report", "-q", "a").output == command.text("r.md"))
        #expect(try command.run("report", "-q", "a", "-o", "alone.md").output == "")
        #expect(try command.text("alone.md") == command.text("r.md"))
        #expect(command.names == ["a", "alone.md", "out", "r.html", "r.json", "r.md", "x"])
    }

    @Test(
        "Reports add up to the records read and agree with the summary",
        arguments: [[], ["--infer", "all"], ["--companions", "drop"]])
    func addUp(options: [String]) throws {
        let command = try Self.command()
        let run = try command.run(["convert", "a", "-o", "out", "--report", "r.json", "--report", "r.md"] + options)
        let report = try ReportCore(command.text("r.json"))
        let lines = try command.lines("out").count
        #expect(report.records == report.converted + report.rejected + report.skipped)
        #expect(report.events == report.converted + report.inferred - report.left_out)
        #expect(report.events == lines)
        for counts in [report.dispositions, report.certainty, report.entitlement] {
            #expect(counts.values.reduce(0, +) == report.events)
        }
        #expect(report.months.reduce(0) { $0 + $1.events } + report.untimed == report.events)
        for month in report.months {
            #expect(month.kinds.values.reduce(0, +) == month.events)
            #expect(month.certainty.values.reduce(0, +) == month.events)
        }
        #expect(report.versions.values.reduce(0, +) == report.events - report.inferred)
        #expect(report.rejects.values.reduce(0, +) == 1)
        #expect(report.skipped == 1)
        #expect(run.errors.contains("notification-translator: \(report.records) records from 1 file"))
        let text = try command.text("r.md")
        #expect(text.contains("\(report.records) records: \(report.converted) converted, 1 rejected, 1 skipped."))
        #expect((report.inferred > 0) == (options == ["--infer", "all"]))
        #expect((report.left_out > 0) == (options == ["--companions", "drop"]))
    }

    @Test("Reports name the command that repeats them, with the options in the order of the table")
    func repetition() throws {
        let command = try Self.command()
        try command.write(Body.lines(2), to: "it's b")
        let run = try command.run(
            "convert", "it's b", "a", "--max-rejects", "3", "-j", "2", "-o", "out", "--force", "--envelope=auto",
            "--report", "r.json", "--duplicates", "drop", "--infer", "all", "--context", "timeline", "-q")
        #expect(run.code == 0)
        let wanted =
            "notification-translator report --format json --infer all --duplicates drop --envelope auto --max-rejects 3 "
            + "'it'\\''s b' a"
        #expect(try command.text("r.json").contains("\"command\": \"\(wanted.replacing("\\", with: "\\\\"))\""))
        let again = try command.run(
            "report", "-q", "--format", "json", "--infer", "all", "--duplicates", "drop", "--envelope", "auto",
            "--max-rejects", "3", "it's b", "a")
        #expect(again.output == (try command.text("r.json")))
    }

    @Test("Reports repeat what the shape of version 2 leaves out")
    func repetitionOfShape() throws {
        let command = try Self.command()
        for (context, words) in [
            ("timeline", "--companions drop --duplicates drop"), ("record", "--context record --companions drop"),
        ] {
            let run = try command.run(
                "convert", "-q", "a", "--to", "v2", "--context", context, "-o", "out", "--report", "r.json", "--force",
                "--max-rejects", "9")
            #expect(run.code == 0, "\(run.errors)")
            let wanted = "notification-translator report --format json \(words) --max-rejects 9 a"
            let report = try command.text("r.json")
            #expect(report.contains("\"command\": \"\(wanted)\""))
            let line = wanted.split(separator: " ").dropFirst().map(String.init)
            #expect(try command.run(line + ["-q"]).output == report)
        }
    }

    @Test("Reports name types that are not known, and show what was deduced")
    func unknownAndSilent() throws {
        let command = try Self.command()
        let strange = Body.cancel(7).replacing("CANCEL", with: "SPRING_CLEANING")
        let signed =
            #"{"notificationType":"WINTER_SLEEP","notificationUUID":"u","signedDate":1700000000000,"data":{"bundleId":"com.example.news"}}"#
        try command.write(try command.text("a") + strange + "\n" + signed + "\n", to: "a")
        let tail = ["--max-rejects", "9"]
        let plain = try command.run(["report", "a"] + tail)
        #expect(plain.output.contains("\n## Types that this build does not know\n"))
        #expect(plain.output.contains("V1 SPRING_CLEANING") && plain.output.contains("SLEEP"))
        #expect(plain.output.contains("\n## Deduced events\n\nNo events were deduced.\n"))
        let added = try command.run(["report", "a", "--infer", "all"] + tail).output
        #expect(added.contains("that no notification reports.\n\n**Deduced events**\n\n| deduced pair |"), "\(added)")
        let alone = try command.run(["report", "a", "--context", "record"] + tail).output
        #expect(alone.contains("Not looked for: each record was judged by itself"))
        let json = try command.run(["report", "a", "--format", "json"] + tail).output
        #expect(json.contains("\"V1 SPRING_CLEANING\": 1") && json.contains("\"added\": 0"))
        let html = try command.run(["report", "a", "--format", "html"] + tail).output
        #expect(html.contains("<section id=\"unknown\">") && html.contains("<a href=\"#deduced\">"))
    }

    @Test("Reports refuse what they cannot do")
    func refusals() throws {
        let command = try Self.command()
        try command.write("mine", to: "x.md")
        for (words, message) in [
            (
                "convert a --report x.pdf",
                "invalid value for --report (expected: a path that ends in .html, .md or .json)\n"
            ), ("convert a -n --report x.md", "--report cannot be used with --dry-run.\n"),
            ("convert a -o x.json --report x.json", "two outputs cannot be the same file.\n"),
            ("convert a --report x.md", "cannot write x.md: it exists already; use --force to replace it\n"),
            ("report a -o a --force", "cannot write a: it is one of the inputs; "), ("report", "no input. "),
        ] {
            let run = try command.run(words.split(separator: " ").map(String.init))
            #expect(run.code == 2 && run.errors.hasPrefix("notification-translator: " + message), "\(run.errors)")
        }
        #expect(try command.text("x.md") == "mine")
        #expect(command.names == ["a", "x.md"])
        #expect(try command.run("report", "a", "-q", "-o", "x.md", "--force").code == 1)
        #expect(try command.text("x.md").hasPrefix("# Notification report\n"))
    }

    @Test("Reports of an earlier run are not read as archives")
    func earlier() throws {
        let command = try Command()
        command.makeFolder("d")
        try command.write(Body.lines(3), to: "d/a")
        for _ in 0..<2 {
            let reports = ["html", "md", "json"].flatMap { ["--report", "d/r." + $0] }
            #expect(try command.run(["convert", "d", "-q", "-o", "d/out", "--force"] + reports).code == 0)
        }
        #expect(try ReportCore(command.text("d/r.json")).records == 3)
    }
}

/// The first page, for whoever signs.
@Suite("The first page of a report") struct ReportSummaryTests {
    private static func report(_ lines: [String]) throws -> String {
        let run = try Command.run("report", "-q", "a", over: lines.asLines)
        #expect(run.code == 0, "\(run.errors)")
        return run.output
    }

    /// A refund at a time in milliseconds, with a time of arrival where one is given.
    private static func refund(_ refunded: Int, _ number: Int, receivedAt: String? = nil) -> String {
        let date = #","cancellation_date_ms":"\#(refunded)""#
        let row = Body.row("1\(number)", from: Int64(refunded - 1000), lasting: nil, date)
        let body = #"{"notification_type":"CANCEL","environment":"PROD","bid":"b","latest_receipt_info":\#(row)}"#
        return receivedAt.map { #"{"received_at":"\#($0)","body":\#(body)}"# } ?? body
    }

    @Test("A report tells what the archive stored twice from what Apple delivered again") func repetitions() throws {
        func line(_ time: String?) -> String { Self.refund(1_578_560_400_000, 1, receivedAt: time) }
        let (first, again) = ("2020-01-09T09:00:05Z", "2020-01-09T15:00:07Z")
        let report = try Self.report([line(first), line(first), line(again), line(again), line(nil)])
        #expect(report.contains("| Subscriptions and one-time purchases | 1 |"))
        #expect(report.contains("| – active at the end of the archive | 0 |"))
        #expect(report.contains("| – not known whether active: ask Apple | 1 |"))
        #expect(report.contains("| Stored twice in the archive, with the same time of arrival | 2 |"))
        #expect(report.contains("| Delivered again by Apple, at another time | 1 |"))
        #expect(report.contains("| Repeated, the archive does not say when it came | 1 |"))
        #expect(report.contains("| `a` | ") && report.contains(" | 5 | 5 | 0 | 0 | 0 |\n"))
    }

    @Test("A report looks for gaps from the first delivery, not from dates in bodies") func gaps() throws {
        // Refunds of 2016 that nobody kept the time of.
        let old = (0..<30).map { Self.refund(1_467_352_800_000 + $0 * 86_400_000, 200 + $0) }
        let lines = (0..<60).map { day in
            let time = 1_577_869_200_000 + day * 86_400_000
            return Self.refund(time, day, receivedAt: "\(time + 1000)")
        }
        let report = try Self.report(lines + old)
        #expect(report.contains("with notifications that came from 2020-01-01 to 2020-02-29."))
        #expect(report.contains("| Days without notifications where some were to be expected | 0 |"))
    }

    @Test("A report says of which share and of which months Apple's own word is known") func share() throws {
        let command = try Command()
        let run = try command.run(["report", "-q", Command.root + "/Fixtures/overlap/2022.ndjson"])
        #expect(run.output.contains("exists for 15 of "))
        #expect(run.output.contains(", all of 2 months from 2022-03 to 2022-04: 14 agree, in 1 it was among"))
        #expect(run.output.contains(" The other 1 rests on the rules alone"))
    }
}
