import NotificationArchives
import NotificationTranslation
import Testing

@testable import notification_translator

/// Signed payloads, receipts and shared secrets: a story is told of events as they are believed.
@Suite("The story of a record whose origin is checked")
struct StoryTrustTests {
    private static let fixtures = Command.root + "/Fixtures/"

    private static let receipts = ["--verify-receipts", fixtures + "receipts/root.pem"]
    private static let signed = ["--verify", fixtures + "signed/root.pem"]
    private static let secret = ["--shared-secret-file", "secrets"]
    private static let app = ["--expect-bundle-id", "com.example.news", "--expect-environment", "Production"]

    private static let options: [[String]] = [
        signed, receipts, secret, receipts + ["--infer", "safe"], signed + secret + app,
        signed + receipts + secret + ["--infer", "all"], signed + secret + app + ["--require-authentic"],
        receipts + ["--require-authentic"],
        signed + receipts + secret + ["--require-authentic", "--context", "record"],
    ]

    /// Every record of the fixtures, some of them twice.
    private static func archive() throws -> String {
        let names = ["signed/notifications", "receipts/notifications", "receipts/untimed", "receipts/replay"]
        let texts = try names.map { try Command.file("Fixtures/" + $0 + ".ndjson") }
        return texts.joined() + texts[1]
    }

    private static func line(_ event: UnifiedEvent) -> String { String(decoding: event.line(), as: UTF8.self) }

    /// The events of a conversion and its rejects, by the number of the line.
    private static func convert(
        _ command: Command, _ path: String, _ options: [String]
    ) throws -> (events: [Int64: [String]], rejects: [Int64: String]) {
        let run = try command.run(["convert", "-q", "--force", path, "--rejects", "rejects"] + options)
        #expect(run.code == 0 || run.code == 1, "\(run.errors)")
        var events: [Int64: [String]] = [:]
        for line in run.lines {
            // An inferred event has no line; its story is that of the record that showed it.
            let number = line.split(separator: "\"line\":").last.flatMap { Int64($0.prefix { $0.isNumber }) } ?? 0
            events[number, default: []].append(String(line))
        }
        var rejects: [Int64: String] = [:]
        for line in try command.lines("rejects") {
            rejects[Int64(line.value(of: "line")) ?? 0] = line.value(of: "code").filter { $0 != "\"" }
        }
        return (events, rejects)
    }

    @Test(
        "The story of a record whose origin is checked has the lines that convert writes, and its rejects",
        arguments: options)
    func agreesWithConvert(_ options: [String]) throws {
        let command = try Command()
        let path = command.path("a")
        try command.write(try Self.archive(), to: "a")
        try command.write("0123456789abcdef0123456789abcdef\n", to: "secrets")
        let options = options.map { $0 == "secrets" ? command.path($0) : $0 }
        let (events, rejects) = try Self.convert(command, path, options)
        let all = Set(events.values.flatMap { $0 })
        #expect(!all.isEmpty && (!options.contains("--require-authentic") || !rejects.isEmpty))
        var request = try ConvertCommand.judging(try Arguments(["explain", "archive:1"] + options))
        request.inputs = [path]
        request.jobs = 1
        var told: Set<String> = []
        let last = try #require((Array(events.keys) + Array(rejects.keys)).max())
        for number in 1...last {
            let story = try StoryLookup(.place(path: path, line: number), request).run()
            let entries = story.subscriptions.flatMap(\.entries)
            let asked = entries.filter(\.isAsked).map { Self.line($0.event) }
            #expect(asked.sorted() == (events[number] ?? []).sorted(), "\(options): \(number)")
            for entry in entries where !entry.isGuest { #expect(all.contains(Self.line(entry.event)), "\(number)") }
            told.formUnion(asked)
            told.formUnion(entries.filter { !$0.isGuest }.map { Self.line($0.event) })
            if case .rejected(let reject)? = story.nothing {
                #expect(reject.code == rejects[number], "\(options): \(number)")
            } else {
                #expect(rejects[number] == nil, "\(options): \(number)")
            }
        }
        #expect(told == all, "\(options)")
        // Some of the ids; all with `STRESS` in the environment.
        let step = ProcessInfo.processInfo.environment["STRESS"] == nil ? 3 : 1
        for (place, line) in all.sorted().enumerated() where place % step == 0 {
            let id = line.value(of: "id").filter { $0 != "\"" }
            let story = try StoryLookup(.id(id), request).run()
            let asked = story.subscriptions.flatMap(\.entries).filter(\.isAsked).map { Self.line($0.event) }
            #expect(asked.contains(line), "\(options): \(id)")
        }
    }

    @Test("The story of a record whose origin is checked shows no secret, no receipt and no refused record")
    func command() throws {
        let command = try Command(["a": Self.archive(), "secrets": "0123456789abcdef0123456789abcdef\n"])
        let options = Self.signed + Self.receipts + Self.secret
        for number in 1...20 {
            let run = try command.run(["explain", "a:\(number)"] + options)
            let isRefused = run.errors.contains("reject[")
            #expect(run.code == (isRefused ? 1 : 0), "\(number): \(run.errors)")
            #expect(isRefused != run.output.contains("=> a:\(number)"))
            for word in ["0123456789abcdef", "fedcba9876543210", "MII"] {
                #expect(!(run.output + run.errors).contains(word), "\(number)")
            }
        }
    }
}
