import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("What a report counts")
struct ReportTests {
    private static let archive =
        LivesArchive.text(lives: 12) + "\n{\"kind\":\"heartbeat\"}\nbroken\n" + Body.cancel(7) + "\n"

    private static func workspace() throws -> Workspace {
        try Workspace(["a": archive, "b": "[" + Body.pretty(1) + ",{\"no\":1}," + Body.pretty(2) + "]"])
    }

    /// Everything that a report is made of, as a text to compare; dictionaries have their members in any order.
    private static func dump(_ outcome: ConversionOutcome) -> String {
        let text = "\(outcome.tally) \(outcome.agreement) \(outcome.report) \(outcome.rejectCodes)"
        return text.split { " ,[]".contains($0) }.sorted().joined(separator: "\n")
    }

    private static func trial(_ workspace: Workspace, _ output: String = "out", _ change: Change) throws -> Trial {
        try Trial(["a", "b"], in: workspace, output: output) {
            $0.reports = [ReportFile(path: workspace.path(output + ".report")) { Self.dump($0) }]
            change(&$0)
            $0.timeline?.judgesAgreement = true
        }
    }

    private static let contexts: [TimelineRequest?] = {
        var inferring = TimelineRequest.frugal
        inferring.inference = .all
        var dropping = TimelineRequest()
        dropping.dropped = [.companion, .duplicate]
        return [nil, TimelineRequest(), inferring, dropping]
    }()

    @Test("A report counts the events that are written, one by one", arguments: contexts)
    func addsUp(timeline: TimelineRequest?) throws {
        let workspace = try Self.workspace()
        let trial = try Self.trial(workspace) { $0.timeline = timeline }
        let events = try trial.decoded
        let report = trial.outcome.report
        #expect(report.events == events.count)
        #expect(events.count > 200)
        func expect(_ counts: [ReportTally.Count], _ name: (UnifiedEvent) -> String?) {
            var wanted: [String: Int] = [:]
            for event in events { if let name = name(event) { wanted[name, default: 0] += 1 } }
            let found = Dictionary(uniqueKeysWithValues: counts.map { ($0.name, $0.count) })
            #expect(found == wanted)
        }
        expect(report.dispositions) { $0.disposition.rawValue }
        expect(report.certainty) { $0.certainty.rawValue }
        expect(report.entitlement) { $0.entitlement.rawValue }
        expect(report.kinds) { $0.type.rawValue }
        expect(report.pairs) { $0.v2.type == nil ? nil : "\($0.v2)" }
        expect(report.types) { $0.source.version == .v1 ? $0.source.type : nil }
        expect(report.versions) { $0.disposition == .inferred ? nil : $0.source.version.rawValue }
        expect(report.environments) { $0.disposition == .inferred ? nil : $0.environment?.rawValue ?? "(none)" }
        expect(report.apps) { $0.disposition == .inferred ? nil : $0.bundleID ?? "(none)" }
        expect(report.months.map { .init(name: $0.month, count: $0.events) }) {
            $0.occurredAt.map { "\($0)".prefix(7) + "" }
        }
        #expect(report.untimed == events.count { $0.occurredAt == nil })
        for flag in AmbiguityFlag.allKnown {
            let raised = events.filter { $0.flags.contains(flag) }
            let found = report.flags.first { $0.flag == flag }
            #expect(found?.example.count ?? 0 == raised.count)
            let places = raised.compactMap { event in event.source.line.map { "\(event.source.input ?? ""):\($0)" } }
            if places.count == raised.count {
                #expect(found?.example.places.map { "\($0.input):\($0.line)" } ?? [] == Array(places.prefix(20)))
            }
        }
        let tally = trial.tally
        #expect(tally.records == tally.converted + tally.rejected + tally.skipped)
        #expect(tally.rejected == trial.outcome.rejectCodes.values.reduce(0, +))
        #expect(report.skips.values.reduce(0) { $0 + $1.places.count } == min(20, tally.skipped))
        for (path, wanted) in [("a", tally.records - 3), ("b", 3)] {
            let outcome = try #require(report.inputs.first { $0.key.hasSuffix("/" + path) || $0.key == path }?.value)
            #expect(outcome.records == wanted)
            #expect(outcome.records == outcome.converted + outcome.rejected + outcome.skipped)
        }
        let duplicates = events.count { $0.disposition == .duplicate }
        if timeline?.dropped.isEmpty != false {
            #expect(report.repetitions.reduce(0) { $0 + $1.count } == (timeline == nil ? 0 : duplicates))
        }
        #expect((trial.outcome.agreement.subscriptions ?? 0 > 10) == (timeline != nil))
        #expect(report.rejects.values.reduce(0) { $0 + $1.places.count } == tally.rejected)
    }

    @Test("The counts of a report do not depend on workers, chunks and memory", arguments: contexts, [2, 8])
    func isTheSameForAnyNumberOfJobs(timeline: TimelineRequest?, jobs: Int) throws {
        let workspace = try Self.workspace()
        let whole = try Self.trial(workspace, "whole") { $0.timeline = timeline }
        var frugal = timeline
        if timeline != nil { frugal?.budgets = TimelineRequest.frugal.budgets }
        let cut = try Self.trial(workspace) {
            asking(900, jobs: jobs)(&$0)
            $0.timeline = frugal
        }
        #expect(Self.dump(cut.outcome) == Self.dump(whole.outcome))
        #expect(try workspace.read("out.report") == Self.dump(whole.outcome))
    }

    @Test("A report is refused where it would replace an input, and exists only when it is complete")
    func isSafe() throws {
        let workspace = try Self.workspace()
        let error = #expect(throws: ArchiveError.self) {
            try Trial(["a"], in: workspace) {
                $0.reports = [ReportFile(path: workspace.path("./a")) { _ in "x" }]
            }
        }
        #expect(error?.detail.hasPrefix("it is one of the inputs") == true)
        try workspace.write("mine", to: "r")
        let other = #expect(throws: ArchiveError.self) {
            try Trial(["a"], in: workspace) {
                $0.overwrites = false
                $0.reports = [ReportFile(path: workspace.path("r")) { _ in "x" }]
            }
        }
        #expect(other?.detail.hasPrefix("it exists already") == true)
        #expect(try workspace.read("r") == "mine")
        #expect(workspace.names == ["a", "b", "r"])
    }

    /// A number in capitals, as Apple writes types.
    private static func letters(_ number: Int) -> String {
        String(decoding: "\(number)".utf8.map { $0 + 0x11 }, as: UTF8.self)
    }

    @Test("A report stays small however many names an archive has")
    func isBounded() throws {
        let lines = (0..<21_000).map { number in
            #"{"notification_type":"KIND_\#(Self.letters(number))","environment":"E\#(number)","bid":"app.\#(number)"}"#
        }
        let workspace = try Workspace(["a": lines.asLines])
        func report(_ jobs: Int, _ chunkSize: Int) throws -> ReportTally {
            try Trial(["a"], in: workspace) {
                asking(chunkSize, jobs: jobs)(&$0)
                $0.reports = [ReportFile(path: workspace.path("r")) { _ in "" }]
            }.outcome.report
        }
        let one = try report(1, 1 << 20)
        #expect(one.events == 21_000)
        #expect(one.isCapped)
        #expect(one.apps.count < 20_010)
        #expect(one.apps.reduce(0) { $0 + $1.count } == 21_000)
        #expect(one.types.reduce(0) { $0 + $1.count } == 21_000)
        #expect(one.dispositions == [.init(name: "unmapped", count: 21_000)])
        let two = try report(2, 5_000)
        #expect(one.apps == two.apps && one.types == two.types && one.environments == two.environments)
        #expect(one.dispositions == two.dispositions && one.isCapped == two.isCapped && one.events == two.events)
    }
}
