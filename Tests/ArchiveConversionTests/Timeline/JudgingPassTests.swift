import NotificationTranslation
import SimulatedLives
import Testing

@testable import NotificationArchives

@Suite("The judging pass")
struct JudgingPassTests {
    /// The verdicts on events, the evidence of one cut short or left out.
    private static func verdicts(
        _ events: ChunkOutput, jobs: Int = 1, cutting cut: Int? = nil, without missing: Int? = nil
    ) throws -> [[UInt8]] {
        let workspace = try Workspace()
        let stores = (0..<4).map { _ in SortedStore(in: workspace.folder, budget: 1000) }
        var start = 0
        for (position, mark) in events.evidenceMarks.enumerated() {
            let end = position == cut ? start + 1 : mark.end
            if position != missing {
                let store = stores[Int(mark.key >> 62)]
                let evidence = UnsafeRawBufferPointer(rebasing: events.evidence.bytes[start..<end])
                store.add(mark.key, UInt64(position), evidence)
                try store.spillIfFull()
            }
            start = mark.end
        }
        let request = TimelineRequest.frugal
        let settling = JudgingPass(
            stores, request.settling(latest: 0), request.budgets, in: workspace.folder,
            messages: Messages(isQuiet: true))
        try settling.run(jobs: jobs)
        #expect(settling.unsettled == (cut == nil ? 0 : 1))
        var merge = try settling.results()
        var found: [[UInt8]] = []
        while let top = merge.top {
            found.append(Array("\(top.first)".utf8) + (try top.payload()))
            try merge.advance()
        }
        return found
    }

    /// What is kept of the records of simulated lives.
    private static func events(lives: Int) -> ChunkOutput {
        var options = RecordConverter.Options()
        options.keepsEvidence = true
        let converter = RecordConverter(options: options, policy: .trustingTheSource)
        converter.begin(input: "a", offset: 0)
        let archive = LivesArchive.text(lives: lives)
        let chunk = Array(archive.utf8) + Array(repeating: 0, count: RecordConverter.slack)
        chunk.withUnsafeBytes { bytes in
            let lines = UnsafeRawBufferPointer(rebasing: bytes[..<archive.utf8.count])
            var at = 0
            while at < lines.count {
                at = converter.convertLine(of: lines, from: at)
            }
        }
        return converter.output
    }

    @Test("The judging pass gives the same with any number of workers")
    func workers() throws {
        let events = Self.events(lives: 2)
        let alone = try Self.verdicts(events)
        #expect(alone.count > 10)
        #expect(try Self.verdicts(events, jobs: 2) == alone)
    }

    @Test("Damaged evidence costs its own record, and the others are settled as without it")
    func damaged() throws {
        let events = Self.events(lives: 1)
        #expect(events.evidenceMarks.count > 5)
        for position in events.evidenceMarks.indices {
            let rest = try Self.verdicts(events, without: position)
            #expect(try Self.verdicts(events, cutting: position) == rest, "\(position)")
        }
    }
}
