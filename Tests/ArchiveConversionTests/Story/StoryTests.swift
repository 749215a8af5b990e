import NotificationLibC
import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("The story of a record")
struct StoryTests {
    private static let fixtures: String =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        + "/Fixtures/timelines/"

    /// Every fifth folder; all with `STRESS` in the environment.
    private static func folders() throws -> [String] {
        let files = try InputFile.all(of: request([fixtures]), besides: []).files.map(\.path)
        let all = files.filter { $0.hasSuffix("/input.ndjson") }.map { String($0.dropLast("input.ndjson".count)) }
        return stride(from: 0, to: all.count, by: getenv("STRESS") == nil ? 5 : 1).map { all[$0] }
    }

    private static func request(_ inputs: [String], infer: SilentInference = .all) -> ConversionRequest {
        var request = ConversionRequest(records: .init())
        request.inputs = inputs
        request.jobs = 1
        request.timeline = TimelineRequest()
        request.timeline?.inference = infer
        return request
    }

    /// The line of an event as `convert` writes it, for comparisons.
    private static func line(_ event: UnifiedEvent) -> String { String(decoding: event.line(), as: UTF8.self) }

    /// Holds the stories of every record of an archive against what a conversion writes.
    private func compare(_ path: String, _ request: ConversionRequest, _ events: [String]) throws {
        var told: Set<String> = []
        var lines: [Int64: [String]] = [:]
        for event in events {
            let place = event.split(separator: "\n")[0].text(between: "\"line\":", and: ",").flatMap { Int64($0) }
            if let place { lines[place, default: []].append(event) }
        }
        for (number, expected) in lines.sorted(by: { $0.key < $1.key }) {
            let story = try StoryLookup(.place(path: path, line: number), request).run()
            let entries = story.subscriptions.flatMap(\.entries)
            let asked = entries.filter(\.isAsked).map { Self.line($0.event) }
            #expect(asked.sorted() == expected.sorted(), "\(path):\(number)")
            for entry in entries where !entry.isGuest {
                #expect(events.contains(Self.line(entry.event)), "\(path):\(number)")
            }
            told.formUnion(entries.map { Self.line($0.event) })
            for entry in entries { expectNeighbours(entry, entries, "\(path):\(number)") }
        }
        // Nothing that a conversion writes is left out of all stories, deduced events included.
        #expect(told == Set(events), "\(path)")
    }

    /// What an event says of its neighbours has to be told with it.
    private func expectNeighbours(_ entry: ArchiveStory.Entry, _ entries: [ArchiveStory.Entry], _ place: String) {
        let event = entry.event
        if let leader = event.companionOf {
            #expect(entry.finding?.leader.map { entries[$0].event.id } == leader, "\(place)")
        }
        // What an answer of Apple's settles has no neighbour.
        let isAnswered = event.flags.contains(AmbiguityFlag(rawValue: "SETTLED_BY_ANSWER"))
        if event.flags.contains(AmbiguityFlag(rawValue: "DECIDED_BY_STREAM")), !entry.isGuest, !isAnswered {
            #expect(entry.finding?.leader != nil || entry.finding?.decidedBy.isEmpty == false, "\(place): \(event.id)")
        }
    }

    @Test("The story of a record says of every record and event what convert says, and who decided")
    func timelines() throws {
        let folders = try Self.folders()
        #expect(folders.count > 60)
        for folder in folders {
            let workspace = try Workspace()
            var request = Self.request([folder + "input.ndjson"])
            if let file = try? Descriptor.reading(folder + "as-of.txt") {
                let text = String(decoding: try file.readAll(limit: 100), as: UTF8.self)
                request.timeline?.asOf = EventTime(String(text.prefix { $0 > " " }))?.milliseconds
            }
            request.output = workspace.path("out")
            _ = try Conversion(request, messages: Messages(isQuiet: true)).run()
            let events = try workspace.read("out").split(separator: "\n").map(String.init)
            #expect(!events.isEmpty)
            try compare(folder + "input.ndjson", request, events)
            for event in events {
                let id = event.split(separator: ",")[1].dropFirst(#""id":""#.count).dropLast()
                let story = try StoryLookup(.id(String(id)), request).run()
                let asked = story.subscriptions.flatMap(\.entries).filter(\.isAsked).map { Self.line($0.event) }
                #expect(asked.contains(event), "\(folder): \(id)")
            }
        }
    }

    @Test("The story of a record of simulated lives says what convert says, packed and with little memory")
    func lives() throws {
        let workspace = try Workspace(["a": LivesArchive.text(lives: 3)])
        var request = Self.request([workspace.path("a")])
        request.output = workspace.path("out")
        _ = try Conversion(request, messages: Messages(isQuiet: true)).run()
        let events = try workspace.read("out").split(separator: "\n").map(String.init)
        #expect(events.count > 60)
        request.timeline?.budgets = TimelineRequest.frugal.budgets
        request.chunkSize = 2000
        request.jobs = 2
        try compare(workspace.path("a"), request, events)
    }

    private static func name(_ nothing: ArchiveStory.Nothing?) -> String {
        switch nothing {
        case nil: "nothing else"
        case .rejected(let reject): reject.code
        case .skipped(_, let hasSigns): "skipped" + (hasSigns ? " with signs" : "")
        case .noRecord(let before): "no record after \(before ?? 0)"
        case .answer: "an answer"
        case .afterEnd(let lines): "after the end, \(lines)"
        }
    }

    @Test("The story of a record says what is in a line that is not an event")
    func nothing() throws {
        let workspace = try Workspace()
        let lines = [
            Body.cancel(1), "", "{\"a\":1}", "{\"a\":", "{\"x\":\"cut \\\"notification_type\\\":\\\"CANCEL\\\"\"}",
        ]
        try workspace.write(lines.asLines, to: "a")
        var found: [String] = []
        for line in 1...6 {
            let story = try StoryLookup(.place(path: workspace.path("a"), line: Int64(line)), Self.request([])).run()
            found.append(Self.name(story.nothing))
        }
        #expect(
            found == [
                "nothing else", "no record after 1", "skipped", "json.unexpected-end", "skipped with signs",
                "after the end, 5",
            ])
    }

    @Test("The story shows part of a subscription of very many records, around the one that is asked for")
    func caps() throws {
        let workspace = try Workspace(["a": (0..<40).map { _ in Body.cancel(1) + "\n" }.joined()])
        let story = try StoryLookup(.place(path: workspace.path("a"), line: 30), Self.request([]), most: 10).run()
        let subscription = try #require(story.subscriptions.first)
        #expect(subscription.entries.count == 40 && subscription.shown.count == 10)
        #expect(subscription.entries[subscription.shown].contains { $0.isAsked })
    }
}
