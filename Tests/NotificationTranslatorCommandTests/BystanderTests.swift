import NotificationLibC
import Testing

/// Options that say nothing about events: with the same records in view the events are the same.
@Suite("Options that are not about events") struct BystanderTests {
    /// Some timelines of the fixtures, each with ids of its own, and two records that have no event.
    private static func archive() throws -> String {
        let folder = "Fixtures/timelines/"
        var text = ""
        for (number, name) in try Command.files(in: folder).enumerated() where number % 20 == 0 {
            let input = try Command.file(folder + name + "/input.ndjson")
            text += input.replacing("\"1000000", with: "\"1\(100_000 + number)") + "\n"
        }
        return text.replacing("\n\n", with: "\n") + "{\"notification_type\":\n{\"kind\":\"heartbeat\"}\n"
    }

    private static func command() throws -> Command {
        let command = try Command(["a": archive(), "list": "a\n"])
        command.makeFolder("t")
        return command
    }

    /// The number of the first line in which two outputs differ; 0 if they are the same.
    private static func difference(_ one: String, _ other: String) -> Int {
        let (one, other) = (one.split(separator: "\n"), other.split(separator: "\n"))
        return (zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(one.count, other.count))
            + (one == other ? -one.count : 1)
    }

    @Test(
        "Events are the same with each option that is not about them, and with all",
        arguments: [[], ["--infer", "all"], ["--to", "v2"], ["--context", "record"]])
    func events(_ options: [String]) throws {
        let command = try Self.command()
        let plain = try command.run(["convert", "a"] + options)
        #expect(plain.code == 1 && plain.lines.count > 30)
        let temporary = options.contains("record") ? [] : ["--temp-dir", "t"]
        let each = [
            ["-q"], ["-v"], ["-j", "1"], ["-j", "2"], temporary, ["--rejects", "x"], ["--rejects-raw"],
            ["--max-rejects", "5"], ["--strict"], ["--report", "r.json"],
            ["--report", "r.md", "--report", "r.html"],
        ]
        let all = Array(each.joined())
        for words in [all] + (options.isEmpty ? each.filter({ $0 != ["--rejects-raw"] }) : []) {
            let run = try command.run(["convert", "--force", "a"] + options + words)
            #expect(Self.difference(run.output, plain.output) == 0, "\(words): \(run.errors.suffix(200))")
        }
        let file = try command.run(["convert", "-o", "out", "--files-from", "list", "--force"] + options + all)
        #expect(file.code == 1)
        #expect(Self.difference(try command.text("out"), plain.output) == 0)
        let stream = plain.output.replacing(",\"input\":\"a\",", with: ",\"input\":\"-\",")
        let arguments = ["convert", "-", "--force"] + options
        let fromFile = try command.run(arguments, input: .file("a"))
        let fromPipe = try command.run(arguments + all, input: .pipe(command.bytes("a")))
        #expect(Self.difference(fromFile.output, stream) == 0)
        #expect(Self.difference(fromPipe.output, stream) == 0)
        #expect(command.names(in: "t").isEmpty)
    }
}
