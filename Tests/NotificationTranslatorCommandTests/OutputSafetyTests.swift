import Testing
import NotificationLibC

@Suite("An output")
struct OutputSafetyTests {
    @Test("An output that is one of the inputs is refused, whatever its name and even with --force")
    func isNoInput() throws {
        let command = try Command(["a": Body.lines(3)])
        let archive = try command.bytes("a")
        #expect(symlink("a", command.path("link")) == 0)
        #expect(link(command.path("a"), command.path("same")) == 0)
        for output in ["a", "./a", "link", "same"] {
            let refused = try command.run("convert", "a", "-o", output, "--force")
            #expect(refused.code == 2)
            #expect(
                refused.errors
                    == "notification-translator: cannot write \(output): it is one of the inputs; choose another name, "
                    + "or leave it out with --exclude\n")
        }
        #expect(try command.run("convert", "a", "-o", "out", "--rejects", "same", "--force").code == 2)
        #expect(try command.run("convert", "-", "-o", "a", "--force", input: .file("a")).code == 2)
        try command.write(Body.lines(3), to: Command.partial("out"))
        #expect(try command.run("convert", Command.partial("out"), "-o", "out", "--force").code == 2)
        #expect(try command.run("convert", "-", "-o", "out", input: .file(Command.partial("out"))).code == 2)
        #expect(try command.bytes(Command.partial("out")) == archive)
        #expect(try command.bytes("a") == archive)
        #expect(command.names == [Command.partial("out"), "a", "link", "same"])
    }

    @Test("An output that an option reads is refused, whatever its name and even with --force")
    func isNoFileOfAnOption() throws {
        let command = try Command(["a": Body.lines(3), "others": "a\n"])
        try command.write("0123456789abcdef0123456789abcdef\n", to: "secrets")
        try command.write("0123456789abcdef", to: "key")
        try command.write("a\n", to: "list")
        #expect(link(command.path("others"), command.path("same.md")) == 0)
        let before = try ["others", "secrets", "key", "list"].map(command.bytes)
        for (option, file, more, output) in [
            ("--files-from", "others", ["-o", "out", "--rejects", "others"], "others"),
            ("--files-from", "./others", ["-o", "out", "--report", "same.md"], "same.md"),
            ("--shared-secret-file", "secrets", ["-o", "secrets"], "secrets"),
            ("--redact", "key", ["-o", "key"], "key"),
            ("--files-from", "list", ["-o", "list"], "list"),
        ] {
            let refused = try command.run(["convert", "a", "--force", option, file] + more)
            #expect(refused.code == 2)
            #expect(
                refused.errors
                    == "notification-translator: cannot write \(output): \(option) reads it; choose another name\n")
        }
        let report = try command.run("report", "a", "--files-from", "list", "-o", "list", "--force")
        #expect(report.code == 2 && report.errors.contains("--files-from reads it"))
        #expect(try ["others", "secrets", "key", "list"].map(command.bytes) == before)
        #expect(!command.exists("out"))
    }

    @Test("An output in a folder that is converted is left out if an earlier run wrote it, and refused if not")
    func liesInAFolder() throws {
        let command = try Command()
        #expect(mkdir(command.path("archive"), 0o777) == 0)
        try command.write(Body.lines(3), to: "archive/a")
        #expect(try command.run("convert", "archive", "-o", "archive/events").code == 0)
        let events = try command.bytes("archive/events")
        #expect(try command.run("convert", "archive", "-o", "archive/events", "--force").code == 0)
        #expect(try command.bytes("archive/events") == events)
        let refused = try command.run("convert", "archive", "-o", "archive/a", "--force")
        #expect(refused.code == 2 && refused.errors.contains("it is one of the inputs"))
        #expect(try command.bytes("archive/a") == Array(Body.lines(3).utf8))
    }

    @Test("An output without duplicates has every id once")
    func hasUniqueIDs() throws {
        let command = try Command(["a": Body.lines(5) + Body.lines(5)])
        let all = try command.run("convert", "-q", "a").lines
        let unique = try command.run("convert", "-q", "--duplicates", "drop", "a").lines
        #expect(all.count == 10)
        #expect(unique.count == 5)
        #expect(unique.allSatisfy { !$0.contains(#""disposition":"duplicate""#) })
        let alone = try command.run("convert", "--context", "record", "--duplicates", "drop", "a")
        #expect(alone.code == 2 && alone.errors.contains("--duplicates needs --context timeline"))
    }

    @Test("An output may be judged as of a day that is given without a time")
    func asOfADay() throws {
        let command = try Command(["a": Body.lines(3)])
        let day = try command.run("convert", "-q", "--infer", "all", "--as-of", "2025-01-31", "a")
        let time = try command.run("convert", "-q", "--infer", "all", "--as-of", "2025-01-31T00:00:00Z", "a")
        #expect(day.code == 0 && day.output == time.output)
    }
}
