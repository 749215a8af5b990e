import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("An archive converted with --ambiguous reject") struct AmbiguousRejectTests {
    private static let archive = LivesArchive.text(lives: 12)

    private static func convert(
        _ workspace: Workspace, inTimeline: Bool, to output: String, _ change: Change
    ) throws -> Trial {
        try Trial(["a"], in: workspace, output: output) {
            if inTimeline { settle(.all)(&$0) }
            change(&$0)
        }
    }

    @Test("Ambiguous records are rejects, and every other line is the same", arguments: [false, true], [1, 2, 8])
    func rejectsAmbiguousRecords(inTimeline: Bool, jobs: Int) throws {
        let workspace = try Workspace(["a": Self.archive])
        let kept = try Self.convert(workspace, inTimeline: inTimeline, to: "kept") { _ in }
        let trial = try Self.convert(workspace, inTimeline: inTimeline, to: "out") {
            asking(30_000, jobs: jobs)(&$0)
            $0.records.rejectsAmbiguous = true
            $0.reports = [ReportFile(path: workspace.path("report.json")) { _ in "" }]
        }
        let lines = kept.lines
        let ambiguous = lines.filter { $0.contains(#""certainty":"ambiguous""#) }
        let deduced = ambiguous.filter { $0.contains(#""disposition":"inferred""#) }
        #expect(trial.lines == lines.filter { !ambiguous.contains($0) })
        #expect(ambiguous.count > deduced.count && !deduced.isEmpty == inTimeline)

        let places = Trial.places(in: ambiguous.filter { !deduced.contains($0) })
        let faults = trial.faults.filter { $0.hasSuffix(" event.ambiguous") }
        let records = Self.archive.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = places.map { place in
            let number = place.split(separator: "@").first.flatMap { Int($0) } ?? 0
            return "\(place)+\(records[number - 1].utf8.count) event.ambiguous"
        }
        #expect(faults == expected)
        #expect(trial.faults.filter { !$0.hasSuffix(" event.ambiguous") } == kept.faults)

        let (tally, before) = (trial.tally, kept.tally)
        #expect(tally.records == before.records && tally.skipped == before.skipped)
        #expect(tally.rejected == before.rejected + faults.count && tally.converted == before.converted - faults.count)
        #expect(tally.ambiguous == 0 && tally.exact == before.exact && tally.inferred == before.inferred)
        #expect(tally.ambiguousDeduced == deduced.count && tally.deduced == before.deduced - deduced.count)
        #expect(trial.outcome.rejectCodes[ArchiveFault.ambiguous.code] == faults.count)
        #expect(trial.outcome.report.events == trial.lines.count)
        let shown = trial.outcome.report.rejects[ArchiveFault.ambiguous.code]?.places.map(\.line) ?? []
        #expect(shown == faults.prefix(shown.count).map { Int64($0.prefix { $0 != "@" }) ?? 0 })
        #expect(!shown.isEmpty)
    }

    @Test("Companions that are left out are rejects if they are ambiguous", arguments: [false, true])
    func rejectsAmbiguousCompanions(inTimeline: Bool) throws {
        let workspace = try Workspace(["a": Self.archive])
        let kept = try Self.convert(workspace, inTimeline: inTimeline, to: "kept") {
            $0.records.rejectsAmbiguous = true
        }
        let dropped = try Self.convert(workspace, inTimeline: inTimeline, to: "out") {
            $0.records.rejectsAmbiguous = true
            $0.records.dropsCompanions = !inTimeline
            $0.timeline?.dropped = [.companion]
        }
        #expect(dropped.rejects == kept.rejects)
        let lines = kept.lines.filter { !$0.contains(#""disposition":"companion""#) }
        #expect(dropped.lines == lines)
    }
}
