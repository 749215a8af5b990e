import NotificationTranslation
import SimulatedLives
import Testing

@testable import ArchiveConversion

@Suite("The judging pass")
struct JudgingPassTests {
    private static func verdicts(_ events: ChunkOutput, times: Int, jobs: Int) throws -> [[UInt8]] {
        let workspace = try Workspace()
        let place = TemporaryPlace.nameless(folder: workspace.folder)
        let store = SortedRunStore(SortedRunFile(place, .runs), budget: 2000)
        for _ in 0..<times {
            var start = 0
            for (position, mark) in events.evidenceMarks.enumerated() {
                store.add(
                    mark.key, UInt64(position),
                    UnsafeRawBufferPointer(rebasing: events.evidence.bytes[start..<mark.end]))
                try store.spillIfFull()
                start = mark.end
            }
        }
        store.sort()
        let request = TimelineRequest.frugal
        let settling = JudgingPass(
            store, request.settling(latest: 0), request.budgets, verdicts: SortedRunFile(place, .verdicts),
            messages: Messages(isQuiet: true), jobs: jobs)
        try settling.run()
        var cursors = try SortedRunStore.cursors(of: settling.verdicts, partition: nil, window: 100)
        for store in settling.stores { cursors += try store.memoryCursors(partition: nil) }
        var merge = SortedRunMerge(cursors)
        var found: [[UInt8]] = []
        let bytes = OutputBuffer()
        while let top = merge.top {
            bytes.removeAll()
            bytes.append(decimal: Int64(top.first))
            try top.take(into: bytes)
            found.append(Array(bytes.bytes))
            try merge.advance()
        }
        return found
    }

    @Test("The judging pass takes evidence that is there twice once", arguments: [1, 2])
    func twice(jobs: Int) throws {
        var converter = RecordConverter(options: .init(keepsEvidence: true), policy: .trustingTheSource)
        var output = ChunkOutput()
        let archive = LivesArchive.text(lives: 2)
        let chunk = Array(archive.utf8) + Array(repeating: 0, count: RecordConverter.slack)
        chunk.withUnsafeBytes { bytes in
            let lines = UnsafeRawBufferPointer(rebasing: bytes[..<archive.utf8.count])
            var at = 0
            while at < lines.count {
                at = converter.convertLine(of: lines, from: at, place: .init(input: "a", offset: 0), into: &output)
            }
        }
        let once = try Self.verdicts(output, times: 1, jobs: 1)
        #expect(once.count > 10)
        #expect(try Self.verdicts(output, times: 2, jobs: jobs) == once)
    }
}
