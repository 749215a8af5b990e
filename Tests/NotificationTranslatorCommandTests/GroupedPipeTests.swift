import SimulatedLives
import Testing
import NotificationLibC

/// Both halves of a cluster's work, with `sort` for a shuffle; ``SparkTests`` has a real one.
@Suite("The commands evidence and settle") struct GroupedPipeTests {
    private static let archive = Cluster.archive(lives: 12)

    /// The lines of the first half, as the shuffle hands them to the second.
    private static func shuffled(_ archive: [String], _ command: Command) throws -> [String] {
        let run = try command.run("evidence", input: .text(archive.asLines))
        #expect(run.code == 0 && run.errors == "")
        return run.lines.map(String.init).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    private static func grouped(_ lines: [String], _ command: Command) throws -> Command.Result {
        let run = try command.run("settle", input: .text(lines.asLines))
        #expect(run.code == 0 && run.errors == "")
        return run
    }

    private static func converted(_ archive: [String], _ command: Command, _ words: [String] = []) throws -> [String] {
        try command.write(archive.asLines, to: "archive.ndjson")
        let run = try command.run(["convert", "-q", "--max-rejects", "9", "archive.ndjson"] + words)
        #expect(run.code == 0 && run.errors == "")
        return Cluster.events(run.output)
    }

    @Test(
        "Both halves and a sort give what convert gives",
        arguments: [
            ([], true), (["--companions", "drop"], false),
            (["--infer", "all", "--as-of", "2024-06-01T00:00:00Z"], false),
            (["--infer", "all", "--as-of", "2024-06-01T00:00:00Z"], true),
        ])
    func bothHalvesAndASortGiveWhatConvertGives(options: [String], isAnswered: Bool) throws {
        let archive = Self.archive + (isAnswered ? Cluster.answers(lives: 12) : [])
        let command = try Command(["archive.ndjson": archive.asLines])
        try command.write(
            """
            set -e
            "$1" evidence < archive.ndjson > keyed
            LC_ALL=C /usr/bin/sort keyed > sorted
            "$1" settle \(options.joined(separator: " ")) < sorted
            """, to: "script")
        let running = try command.start(["script", Command.program], program: "/bin/sh")
        #expect(running.wait() == 0)
        let output = try command.text("stdout1")
        let expected = try Self.converted(archive, command, options)
        #expect(expected.count > 200)
        let rests = expected.count { $0.contains("\"SETTLED_BY_ANSWER\"") }
        #expect((rests > 100) == isAnswered)
        let actual = Cluster.events(output)
        #expect(actual == expected)
        // Among the answers is one without a transaction, for which nothing is to be stored.
        let errors =
            ["json.unexpected-end"] + (isAnswered ? ["record.answer"] : []) + ["record.blank", "record.skipped"]
        #expect(Cluster.errors(output) == errors)
    }

    @Test("Neither half needs an environment or any stream but its own two")
    func neitherHalfNeedsAnEnvironmentOrAnyStreamButItsOwnTwo() throws {
        let command = try Command(["archive.ndjson": Self.archive.asLines])
        // A folder that is gone, no standard error, no variable, and five open files at most.
        try command.write(
            """
            set -e
            here=$PWD; mkdir gone; cd gone; rmdir ../gone
            bare() { env -i /bin/sh -c 'ulimit -n 5; exec "$@"' - "$@" 2>&-; }
            bare "$1" evidence < "$here/archive.ndjson" > "$here/keyed"
            LC_ALL=C sort "$here/keyed" > "$here/sorted"
            bare "$1" settle < "$here/sorted" > "$here/events"
            """, to: "script")
        let path = ["PATH=/usr/bin:/bin"]
        let running = try command.start(["script", Command.program], environment: path, program: "/bin/sh")
        #expect(running.wait() == 0)
        let events = try Cluster.events(command.text("events"))
        #expect(try events == Self.converted(Self.archive, command))
    }

    @Test(
        "A line whose texts are not JSON is answered as an error",
        arguments: [String(repeating: "\u{1}", count: 60_000), "\\u12", "\\x41", "a\\"])
    func aLineWhoseTextsAreNotJSONIsAnsweredAsAnError(text: String) throws {
        let command = try Command()
        let keyed = try Self.shuffled(Self.archive, command)
        let line = try #require(keyed.first { $0.contains("\"bundle_version\":\"") })
        let value = try #require(line.firstRange(of: "\"bundle_version\":\"")).upperBound
        let end = try #require(line[value...].firstIndex(of: "\""))
        let changed = String(line[..<value]) + text + String(line[end...])
        #expect(try Cluster.errors(Self.grouped([changed], command).output) == ["record.not-keyed"])
    }

    @Test("A stream that is closed is exit code two", arguments: [["evidence"], ["settle"], ["convert", "-"]])
    func aStreamThatIsClosedIsExitCodeTwo(arguments: [String]) throws {
        let command = try Command(["a": Body.lines(1)])
        for (redirection, code) in [("<&-", 2), ("< a >&-", 2), ("< a 2>&-", 0)] {
            try command.write("exec \"$@\" \(redirection)", to: "script")
            let running = try command.start(["script", Command.program] + arguments, program: "/bin/sh")
            #expect(running.wait() == code, "\(redirection)")
        }
    }

    @Test("A file is not read and written at once", arguments: ["pipe", "evidence", "settle"])
    func isNoLoop(name: String) throws {
        let command = try Command(["a": Body.lines(1), "script": "exec \"$@\" < a >> a"])
        #expect(try command.start(["script", Command.program, name], program: "/bin/sh").wait() == 2)
        #expect(try command.text("a") == Body.lines(1))
    }

    @Test("Subscriptions that share a key are settled apart")
    func subscriptionsThatShareAKeyAreSettledApart() throws {
        let command = try Command()
        let archive = Cluster.archive(lives: 12)
        let expected = try Self.converted(archive, command)
        let lines = try Self.shuffled(archive, command).map { "a" + $0.drop { $0 != "\t" } }.sorted()
        // More than is read at once stands under one key.
        let sizes = lines.reduce(into: [:]) { $0[$1.prefix { $0 != "\t" }, default: 0] += $1.utf8.count }
        #expect(sizes.values.max() ?? 0 > 256 * 1024)
        let actual = try Cluster.events(Self.grouped(lines, command).output)
        #expect(actual == expected)
    }

    @Test("A key is answered before the next line is there") func aKeyIsAnsweredBeforeTheNextLineIsThere() throws {
        let command = try Command()
        let lines = try Self.shuffled(Array(Cluster.oddKeys.prefix(6)), command)
        #expect(lines.count == 6)
        let ends = try Command.makePipe()
        let running = try command.start(["settle"], input: .held(ends))
        let answers = { try command.lines("stdout2").count }
        try Command.pour(lines[..<3].asLines, into: ends.writing)
        #expect(Command.isRead(ends.reading))
        close(ends.reading)
        #expect(try answers() == 0)
        try Command.pour(lines[3] + "\n", into: ends.writing)
        for _ in 0..<500 where try answers() < 3 { usleep(10_000) }
        #expect(try answers() == 3)
        // The last line has no end.
        try Command.pour(lines[4...].joined(separator: "\n"), into: ends.writing)
        close(ends.writing)
        #expect(running.wait() == 0)
        // Nothing was answered before its key was complete: the answers are those to all lines at once.
        #expect(try command.text("stdout2") == Self.grouped(lines, command).output)
    }

    @Test("The readable notifications of a record that is partly unreadable are kept")
    func badPart() throws {
        let good = Body.version1("INITIAL_BUY", [Body.row("1", from: 1_646_092_800_000)])
        let page = #"{"items":[{"body":\#(good)},{"signedPayload":"e30.e30.x"}]}"#
        let run = try Command().run("evidence", input: .text(page + "\n"))
        #expect(run.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == ["1", ""])
        #expect(run.output.contains(#"{"error":{"code":"jws.bad-payload""#))
    }

    @Test("A line that evidence did not write gets one answer and costs only itself")
    func aLineOfAnotherFormGetsOneAnswer() throws {
        let command = try Command()
        let lines = try Self.shuffled(Self.archive, command)
        let whole = try Self.grouped(lines, command).lines
        func key(_ line: String) -> Substring { line.prefix { $0 != "\t" } }
        let places = lines.indices.dropFirst(lines.count / 2)
        let place = try #require(
            places.first { key(lines[$0]) == key(lines[$0 - 1]) && lines[$0].contains("\"id\":") })
        let error =
            #"{"error":{"code":"record.not-keyed","message":"not a line that evidence wrote","line":\#(place + 1)}}"#
        let name = key(lines[place])
        let evidence = try #require(lines[place].firstRange(of: "\"evidence\":\"B"))
        let damaged: [String] = [
            "garbage", " ", "\(name)\t\t", "\(name)\t\t{\"event\":{},\"evidence\":\"AVI\"}", "\(name)\t",
            lines[place][..<evidence.upperBound] + "\"}", String(lines[place].dropLast()),
            lines[place].replacing("\"id\":", with: ""),
        ]
        for line in damaged {
            let with = lines[..<place] + [line] + lines[place...]
            let answers = try Self.grouped(Array(with), command).lines
            #expect(answers.filter { $0 == error }.count == 1, "\(line.prefix(60))")
            #expect(answers.filter { $0 != error } == whole, "\(line.prefix(60))")
        }
        // Lines of Windows.
        #expect(try Self.grouped(lines.map { $0 + "\r" }, command).lines == whole)
    }

    @Test("Errors pass through both halves") func errorsPassThroughBothHalves() throws {
        let command = try Command()
        let lines = try Self.shuffled(Cluster.withoutEvent, command)
        let output = try Self.grouped(lines, command).output
        #expect(Cluster.events(output).count == 1)
        #expect(output.contains(#"{"error":{"code":"record.blank","message":"the line is blank","line":3}}"#))
        #expect(Cluster.errors(output) == ["json.unexpected-end", "record.blank", "record.skipped"])
    }
}
