import Testing
import NotificationLibC

@Suite("The command convert") struct ConvertTests {
    @Test("A file, standard input, a pipe and gzip give the same events", arguments: ["1", "2", "8"])
    func fileStandardInputPipeAndGzipGiveTheSameEvents(jobs: String) throws {
        let command = try Command(["a": Body.lines(1000) + "broken\n" + Body.cancel(0)])
        let pack = try command.start(["-c", "a"], program: "/bin/gzip")
        #expect(pack.wait() == 0)
        let inputs =
            [
                .file("a"), .pipe(try command.bytes("a")), .file("stdout1"), .pipe(try command.bytes("stdout1")),
            ] as [Command.Input]
        let runs = try inputs.map { try command.run("convert", "-q", "-j", jobs, "-", input: $0) }
        #expect(runs[0].lines.count == 1001)
        for run in runs {
            #expect(run.code == 1 && run.errors == "")
            #expect(run.output == runs[0].output)
        }
    }

    @Test("An output appears when it is complete, and is not replaced without --force")
    func outputAppearsWhenItIsCompleteAndIsNotReplacedWithoutForce() throws {
        let command = try Command(["a": Body.lines(3)])
        #expect(try command.run("convert", "a", "-o", "out").code == 0)
        let events = try command.text("out")
        #expect(events.split(separator: "\n").count == 3)
        #expect(command.names == ["a", "out"])
        try command.write("kept", to: "out")
        let refused = try command.run("convert", "a", "-o", "out")
        #expect(refused.code == 2)
        #expect(
            refused.errors
                == "notification-translator: cannot write out: it exists already; use --force to replace it\n"
        )
        #expect(try command.text("out") == "kept")
        #expect(try command.run("convert", "a", "-o", "out", "--force").code == 0)
        #expect(try command.text("out") == events)
        #expect(command.names == ["a", "out"])
    }

    @Test("Rejects are written with their place and without their content")
    func rejectsAreWrittenWithTheirPlaceAndWithoutTheirContent() throws {
        let command = try Command(["a": Body.cancel(1) + "\nse\u{1}cret \"x\" é\n" + Body.cancel(2) + "\n"])
        let run = try command.run("convert", "a", "--rejects", "r", "-o", "out")
        #expect(run.code == 1)
        let line = try command.text("r")
        #expect(line.hasPrefix(#"{"input":"a","line":2,"offset":66,"length":14,"code":""#))
        #expect(line.hasSuffix("}\n"))
        #expect(line.contains(#","path":""#))
        #expect(!line.contains("cret"))
        #expect(run.errors.contains("a:2:"))
        #expect(!run.errors.contains("cret"))
        #expect(run.errors.hasSuffix("notification-translator: 1 record rejected, 0 allowed (--max-rejects)\n"))
        #expect(try command.run("convert", "a", "--max-rejects", "1").code == 0)
        let raw = try command.run("convert", "a", "--rejects", "raw", "--rejects-raw", "-n", "-q")
        #expect(raw.code == 1)
        #expect(!command.exists("raw"))
        #expect(try command.run("convert", "-q", "a", "--rejects", "raw", "--rejects-raw", "-o", "out2").code == 1)
        #expect(try command.text("raw").hasSuffix(#","content":"se\u0001cret \"x\" é"}"# + "\n"))
        #expect(command.rights("raw") == 0o600)
    }

    @Test("A reject in a file of several lines a record is placed on its line, as an editor shows it")
    func rejectsOfPrettyPrintedFilesHaveTheirPhysicalLine() throws {
        let command = try Command()
        let body = "{\n  \"notification_type\": \"CANCEL\",\n  \"environment\": \"PROD\"\n}\n"
        let broken = "{\n  \"notification_type\": \"CANCEL\",\n  \"environment\": PROD\n}\n"
        try command.write(body + broken + body, to: "a")
        let run = try command.run("convert", "a", "--rejects", "r", "--max-rejects", "1")
        #expect(run.code == 0)
        #expect(run.errors.hasPrefix("a:7:18: reject[json.syntax]: environment: "))
        #expect(run.errors.split(separator: "\n").first?.hasSuffix(" (record 2)") == true)
        #expect(try command.text("r").hasPrefix(#"{"input":"a","line":2,"offset":\#(body.utf8.count),"#))
        #expect(run.lines.last?.contains(#""line":3,"#) == true)
        let array = "[\n" + body.dropLast() + ",\n" + broken.dropLast() + "\n]\n"
        try command.write(array, to: "b")
        #expect(try command.run("convert", "b").errors.hasPrefix("b:8:18: reject[json.syntax]: environment: "))
        try command.write("[\n" + body.dropLast() + "\n" + body.dropLast() + "]\n", to: "c")
        #expect(try command.run("convert", "c").errors.hasPrefix("c:6:1: reject[array.separator]: "))
        let piped = try command.run("convert", "-", input: .text(body + broken))
        #expect(piped.errors.hasPrefix("-:2:53: reject[json.syntax]: environment: "))
        #expect(piped.errors.contains(" (record 2; the column counts from its first byte)\n"))
        #expect(try command.run("explain", "a").code == 1)
        try command.write(broken, to: "d")
        #expect(try command.run("explain", "d").errors.hasPrefix("d:3:18: reject[json.syntax]: environment: "))
    }

    @Test("At most twenty rejects of a code are shown") func atMostTwentyRejectsOfACodeAreShown() throws {
        let command = try Command(["a": String(repeating: "x\n", count: 30)])
        let run = try command.run("convert", "a")
        #expect(run.errors.split(separator: "\n").filter { $0.contains(": reject[") }.count == 20)
        #expect(run.errors.contains("    10 rejects not shown; --verbose shows all\n"))
        let verbose = try command.run("convert", "-v", "a")
        #expect(verbose.errors.split(separator: "\n").filter { $0.contains(": reject[") }.count == 30)
        #expect(try command.run("convert", "-q", "a").errors == "")
    }

    @Test("The summary adds up") func theSummaryAddsUp() throws {
        let run = try Command.run("convert", "a", "a", over: Body.lines(1234) + "x\n")
        #expect(run.errors.contains("notification-translator: 2,470 records from 2 files, "))
        #expect(run.errors.contains("\n    converted   2,468"))
        #expect(run.errors.contains("\n    rejected        2"))
        #expect(run.errors.contains("\n    skipped         0\n"))
    }

    @Test("A full disk is exit code two", .enabled(if: access("/dev/full", W_OK) == 0, "there is no /dev/full"))
    func aFullDiskIsExitCodeTwo() throws {
        let command = try Command(["a": Body.lines(3)])
        for arguments in [["convert", "-q", "a"], ["pipe"], ["--version"], ["help"], ["man"]] {
            let running = try command.start(arguments, input: .file("a"), output: "/dev/full")
            #expect(running.wait() == 2)
        }
        let named = try command.run("convert", "-q", "a", "-o", "/dev/full")
        #expect(named.code == 2)
        #expect(named.errors == "notification-translator: cannot write /dev/full: No space left on device\n")
        #expect(try command.run("convert", "-q", "a", "-o", "/dev/null").code == 0)
    }

    @Test("A closed pipe ends the run silently") func aClosedPipeEndsTheRunSilently() throws {
        let command = try Command()
        // The output is more than a pipe holds.
        try command.write(Body.lines(2000), to: "a")
        let ends = try Command.makePipe()
        close(ends.reading)
        let running = try command.start(["convert", "a"], output: "/proc/self/fd/\(ends.writing)")
        _ = running.wait()
        close(ends.writing)
        let shell = try command.start(
            ["-c", "\"\(Command.program)\" convert a 2>errors | head -n 1 >first"],
            program: "/bin/sh"
        )
        #expect(shell.wait() == 0)
        #expect(try command.text("errors") == "")
        #expect(try command.lines("first").count == 1)
    }

    @Test("Truncated gzip publishes what came before and is exit code two")
    func truncatedGzipPublishesWhatCameBeforeAndIsExitCodeTwo() throws {
        let command = try Command(["a": Body.lines(2000)])
        #expect(try command.start(["-c", "a"], program: "/bin/gzip").wait() == 0)
        let gzip = try command.bytes("stdout1")
        try command.write(Array(gzip.prefix(gzip.count / 2)), to: "cut.gz")
        for input in ["cut.gz", "-"] {
            let run = try command.run(
                "convert", input, "-o", "out", "--rejects", "r", "--force",
                input: input == "-" ? .pipe(Array(gzip.prefix(gzip.count / 2))) : .nothing)
            #expect(run.code == 2)
            let converted = try command.lines("out").count
            let advice = input == "-" ? "" : "; to leave it out of its folder, use --exclude 'cut.gz'"
            #expect(
                run.errors.contains(
                    ": \(input): the input is damaged; \(converted) records before the damage were converted\(advice)\n"
                ))
            let rejects = try command.text("r")
            #expect(rejects.split(separator: "\n").count == 1)
            #expect(rejects.contains("\"code\":\"input.damaged\""))
            #expect(converted > 400 && converted < 2000)
        }
    }

    @Test("Every damaged input is named with the number of its own records")
    func everyDamagedInputIsNamedWithTheNumberOfItsOwnRecords() throws {
        let command = try Command()
        command.makeFolder("f")
        try command.write(Body.lines(2000), to: "a")
        #expect(try command.start(["-c", "a"], program: "/bin/gzip").wait() == 0)
        let gzip = try command.bytes("stdout1")
        try command.write(Array(gzip.prefix(gzip.count / 2)), to: "f/1.gz")
        try command.write(Body.lines(3) + "x\n", to: "f/2")
        try command.write(Array(gzip.prefix(40)), to: "f/3.gz")
        for (command, run) in [
            try (command, command.run("convert", "f", "-o", "out", "-q")),
            try (command, command.run("convert", "f", "-n", "-j", "2", "--context", "record")),
            try (command, command.run("report", "f", "-q")),
        ] {
            #expect(run.code == 2)
            let all = try command.lines("out").count
            #expect(
                run.errors.contains(
                    "f/1.gz: the input is damaged; \(all - 3) records before the damage were converted; "))
            #expect(run.errors.contains("f/3.gz: the input is damaged; 0 records before the damage were converted; "))
            #expect(run.errors.contains("use --exclude '3.gz'\n"))
        }
        #expect(
            try command.run("convert", "f", "--exclude", "1.gz", "--exclude", "3.gz", "--max-rejects", "1").code == 0)
    }

    @Test("A missing program is a clear error") func aMissingProgramIsAClearError() throws {
        let command = try Command()
        try command.write([0x1F, 0x8B, 8, 0] + Array(repeating: 0, count: 50), to: "a.gz")
        let run = try command.run("convert", "a.gz", "-o", "out", environment: ["PATH=/nonexistent"])
        #expect(run.code == 2)
        #expect(
            run.errors
                == "notification-translator: cannot read a.gz: it is gzip data and no 'gzip' program was found\n"
        )
        #expect(command.names == ["a.gz"])
        let output = try command.run("convert", "a.gz", "-o", "out.gz", environment: ["PATH=/nonexistent"])
        #expect(output.code == 2)
        #expect(command.names == ["a.gz"])
    }

    @Test(
        "An output whose name promises another format is a wrong use",
        arguments: ["x.csv", "x.parquet", "x.zst", "x.CSV.gz", "f/x.tsv", "x.ndjson.xz"])
    func anOutputWhoseNamePromisesAnotherFormatIsAWrongUse(name: String) throws {
        let command = try Command()
        command.makeFolder("f")
        try command.write(Body.lines(1), to: "a")
        for option in ["--output", "--rejects"] {
            let run = try command.run("convert", "a", option, name)
            #expect(run.code == 2)
            #expect(run.errors.contains("\(option) \(name): the file cannot be ."))
        }
        #expect(try command.run("report", "a", "-o", name).code == 2)
        #expect(try command.run("report", "a", "-o", "x.md.gz").code == 2)
        #expect(try command.run("convert", "a", "--rejects", "x.ndjson.gz").code == 2)
        #expect(command.names.sorted() == ["a", "f"])
        #expect(try command.run("convert", "a", "-o", "csv").code == 0)
    }

    @Test("Lines and columns are those of the file, whatever its first byte is")
    func linesAndColumnsAreThoseOfTheFile() throws {
        let run = try Command.run(
            "convert", "-i", "concat", "a", over: "(a log)\n{\n  \"notification_type\":\n  x\n}\n{\n  \"a\": 1\n}\n")
        #expect(run.errors.contains("a:4:3: reject[json.syntax]"), "\(run.errors)")
    }

    @Test("An output that ends in gz is packed") func anOutputThatEndsInGzIsPacked() throws {
        let command = try Command(["a": Body.lines(100), "empty": ""])
        #expect(try command.run("convert", "a", "-o", "out").code == 0)
        #expect(try command.run("convert", "a", "-o", "out.gz").code == 0)
        #expect(try command.run("convert", "empty", "-o", "empty.gz").code == 0)
        let unpacked = try command.start(["-dc", "out.gz", "empty.gz"], program: "/bin/gzip")
        #expect(unpacked.wait() == 0)
        #expect(try command.bytes(unpacked.output) == command.bytes("out"))
    }

    @Test("Input from a pipe or a file needs no name", arguments: ["convert", "report"])
    func inputFromAPipe(_ name: String) throws {
        let command = try Command()
        let body = #"{"notification_type":"DID_RENEW","environment":"PROD"}"# + "\n"
        try command.write(body, to: "bodies")
        let named = try command.run(name, "-", input: .file("bodies"))
        for input in [Command.Input.file("bodies"), .text(body)] {
            let unnamed = try command.run(name, input: input)
            #expect(unnamed.code == 0)
            // A report repeats the command that made it.
            if name == "convert" { #expect(unnamed.output == named.output) } else { #expect(!unnamed.output.isEmpty) }
        }
    }

    @Test("Usage errors say what to do") func usageErrorsSayWhatToDo() throws {
        let command = try Command()
        let expected = [
            (
                ["convert"],
                "no input. Name files or folders, or name '-' for standard input: "
                    + "notification-translator convert archive/ -o events.ndjson\nTry: notification-translator help convert"
            ),
            (
                ["convert", "a", "--context", "record", "--infer", "all"],
                "--infer needs --context timeline.\nTry: notification-translator help convert"
            ),
            (
                ["convert", "a", "--as-of", "yesterday"],
                "invalid value 'yesterday' for --as-of (expected: archive-end, a date such as 2025-01-31, a time such as "
                    + "2025-01-31T00:00:00Z, or seconds or milliseconds since 1970)\n"
                    + "Try: notification-translator help convert"
            ),
            (
                ["convert", "a", "--envelope", "body"],
                "invalid value 'body' for --envelope (expected: auto, none or a JSON pointer that begins with '/')"
                    + "\nTry: notification-translator help convert"
            ),
            (
                ["convert", "a", "--rejects-raw"],
                "--rejects-raw needs --rejects PATH.\nTry: notification-translator help convert"
            ),
            (
                ["pipe", "a"],
                "pipe reads standard input and takes no files; convert does.\nTry: notification-translator help pipe"
            ),
            (["convert", "nothing"], "cannot open nothing: No such file or directory"),
            (["convert", "-", "-"], "cannot read standard input twice"),
            (
                ["convert", "-", "-o", "no/such/folder"],
                "cannot create no/such/folder: No such file or directory"
            ),
            (
                ["help", "exit-code"],
                "unknown command or topic 'exit-code'. Did you mean 'exit-codes'?\n"
                    + "Try: notification-translator help"
            ),
        ]
        for (arguments, message) in expected {
            let run = try command.run(arguments)
            #expect(run.code == 2 && run.output == "")
            #expect(run.errors == "notification-translator: " + message + "\n")
        }
    }

    @Test("Help, version, manual and completions go to standard output")
    func helpVersionManualAndCompletionsGoToStandardOutput() throws {
        let command = try Command()
        for arguments in [
            ["--help"], ["help"], ["convert", "--help"], ["help", "convert"], ["help", "exit-codes"],
            ["help", "formats"], ["help", "privacy"], ["man"], ["completions", "bash"], ["completions", "zsh"],
            ["completions", "fish"], ["--version"],
        ] {
            let run = try command.run(arguments)
            #expect(run.code == 0 && run.output.count > 20 && run.errors == "")
        }
        let version = try command.run("convert", "--version").output
        #expect(version.contains(/^notification-translator [0-9.]+, rules [0-9.]+\n$/))
        let bash = try command.start(["-n", command.path("stdout9")], program: "/bin/bash")
        #expect(bash.wait() == 0)
    }

    @Test("A file of a folder that cannot be read ends the run with 2, and the others are converted")
    func anUnreadableFileEndsWithTwo() throws {
        let command = try Command()
        command.makeFolder("d")
        for name in ["a", "b", "c"] { try command.write(Body.lines(2), to: "d/" + name) }
        for (path, rights) in [("d/b", 0o000), ("d/a", 0o644), ("d/c", 0o644), ("d", 0o755), ("", 0o777)] {
            chmod(command.path(path), mode_t(rights))
        }
        // Nothing is unreadable for root.
        let user = geteuid() == 0 ? "/usr/bin/setpriv --reuid=65534 --clear-groups " : ""
        let script = "exec \(user)\"\(Command.program)\" \"$@\""
        for jobs in ["1", "2"] {
            let words = ["convert", "d", "-o", "out", "--force", "-j", jobs, "--report", "r.md"]
            let run = try command.start(["-c", script, "sh"] + words, program: "/bin/sh")
            #expect(run.wait() == 2)
            #expect(try command.lines("out").count == 4)
            let errors = try command.text(run.errors)
            #expect(errors.contains("reject[input.unreadable]: the file cannot be read"), "\(errors)")
            #expect(
                errors.hasSuffix(
                    "d/b: the input cannot be read; the others were converted; to leave it out of its folder, use "
                        + "--exclude 'b'\n"), "\(errors)")
            #expect(try command.text("r.md").contains("An input is damaged or cannot be read"))
        }
    }
}
