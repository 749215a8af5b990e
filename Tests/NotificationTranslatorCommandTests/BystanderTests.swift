#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NotificationLibC
import Testing

/// Options that say nothing about events: with the same records in view the events are the same.
@Suite("Options that are not about events") struct BystanderTests {
    /// Some timelines of the fixtures, each with ids of its own, and two records that have no event.
    private static func archive() throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/timelines")
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        var text = ""
        for (number, name) in names.enumerated() where number % 20 == 0 {
            let input = try Data(contentsOf: root.appending(path: name + "/input.ndjson"))
            text += String(decoding: input, as: UTF8.self).replacing("\"1000000", with: "\"1\(100_000 + number)") + "\n"
        }
        return Array((text.replacing("\n\n", with: "\n") + "{\"notification_type\":\n{\"kind\":\"heartbeat\"}\n").utf8)
    }

    private static func command() throws -> Command {
        let command = try Command()
        try command.write(archive(), to: "a")
        try command.write("a\n", to: "list")
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
        #expect(plain.code == 1 && plain.output.split(separator: "\n").count > 30)
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

    @Test("Reports are the same with each option that is not about events, and beside a conversion")
    func reports() throws {
        let command = try Self.command()
        for format in ["json", "markdown", "html"] {
            let plain = try command.run("report", "a", "--format", format).output
            for words in [["-q"], ["-v", "--temp-dir", "t", "-j", "1"]] {
                let run = try command.run(["report", "a", "--format", format] + words)
                #expect(Self.difference(run.output, plain) == 0, "\(format) \(words)")
            }
            let name = "r." + (format == "markdown" ? "md" : format)
            _ = try command.run("convert", "a", "-q", "-o", "out", "--force", "--report", name, "-j", "2")
            #expect(Self.difference(try command.text(name), plain) == 0, "\(format)")
        }
    }

    @Test("The events of evidence, sort and settle are those of convert") func settled() throws {
        let command = try Self.command()
        // convert alone knows which subscriptions a notification may be about that names no purchase.
        let keyed = try command.run("evidence", input: .file("a")).output.split(separator: "\n")
        let lines = zip(try command.text("a").split(separator: "\n"), keyed).filter { !$1.hasPrefix("\t") }.map(\.0)
        try command.write(lines.joined(separator: "\n"), to: "a")
        for options in [[], ["--infer", "all", "--as-of", "2026-01-01T00:00:00Z"]] {
            try command.write(command.run("evidence", input: .file("a")).output, to: "keyed")
            #expect(try command.start(["keyed", "-o", "sorted"], program: "/usr/bin/sort").wait() == 0)
            let settled = try command.run(["settle"] + options, input: .file("sorted"))
            let converted = try command.run(["convert", "-q", "a"] + options)
            let (one, other) = (Cluster.events(settled.output), Cluster.events(converted.output))
            #expect(Self.difference(one.joined(separator: "\n"), other.joined(separator: "\n")) == 0)
        }
    }

    /// Pair, disposition, certainty, entitlement and end of access.
    private struct Answer: Hashable {
        var words: [String]

        /// Of an event's line.
        init(_ line: Substring) throws {
            let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
            let pair = [event.v2.type, event.v2.subtype].compactMap(\.self).joined(separator: "/")
            let end = event.access_until.map { " until " + $0 } ?? ""
            words = [
                "\(pair.isEmpty ? "no pair of its own" : pair)  (\(event.disposition), \(event.certainty))",
                "\(event.type), entitlement \(event.entitlement)\(end)",
            ]
        }

        /// Of an entry of a story.
        init(entry: Substring) {
            let lines = entry.split(separator: "\n").map { $0.drop { $0 == " " } }
            words = ["result      ", "event       "].map { label in
                lines.first { $0.hasPrefix(label) }.map { String($0.dropFirst(label.count)) } ?? ""
            }
        }

        private struct Event: Decodable {
            struct Pair: Decodable {
                var type: String?
                var subtype: String?
            }

            var v2: Pair
            var type: String
            var disposition: String
            var certainty: String
            var entitlement: String
            var access_until: String?
        }
    }

    @Test("The command explain says of a place what convert wrote", arguments: [[], ["--context", "record"]])
    func explained(_ options: [String]) throws {
        let command = try Self.command()
        let events = try command.run(["convert", "-q", "a"] + options).output.split(separator: "\n")
        for line in stride(from: 0, to: events.count, by: events.count / 5).map({ events[$0] }) {
            let number = try #require(line.split(separator: ",\"line\":").last).prefix { $0 != "," }
            let story = try command.run(["explain", "a:\(number)"] + options)
            #expect(story.code == 0)
            let entries = story.output.split(separator: "\n\n").filter { $0.hasPrefix("=> ") || !options.isEmpty }
            let there = events.filter { $0.contains(",\"line\":\(number),") }
            let answers = try Set(there.map { try Answer($0) })
            #expect(Set(entries.map { Answer(entry: $0) }.filter { $0.words != ["", ""] }) == answers, "\(number)")
        }
    }
}
