import NotificationTranslation
import Testing

@testable import ArchiveConversion

@Suite("An interrupted conversion with whole subscriptions in view")
struct TimelineResumeTests {
    private static let archive = LivesArchive.text(lives: 3)
    private static let leftovers = ["out.checkpoint", "out.partial", "out.timeline-lines", "out.timeline-runs"]

    private static func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(archive, to: "a")
        return workspace
    }

    private static func run(_ workspace: Workspace, _ change: (inout ConversionRequest) -> Void) throws -> Trial {
        try Trial(["a"], in: workspace) {
            $0.timeline = .frugal
            $0.checkpointInterval = 0
            $0.chunkSize = 20_000
            $0.resumes = true
            change(&$0)
        }
    }

    private static func stop(_ workspace: Workspace, _ change: (inout ConversionRequest) -> Void) throws {
        #expect(throws: ArchiveError(.interrupted, "stopped", systemCode: 15)) { try run(workspace, change) }
    }

    @Test(
        "An interrupted conversion continues from any point and writes the same bytes", arguments: [1, 2],
        ["out", "out.gz"])
    func goesOn(jobs: Int, output: String) throws {
        let workspace = try Self.workspace()
        let wholeName = "whole" + output.dropFirst(3)
        let whole = try Trial(["a"], in: workspace, output: wholeName) {
            $0.timeline = .frugal
            $0.memberSize = 5000
        }
        var attempts = 0
        var stoppedWriting = false
        while attempts < 100 {
            attempts += 1
            do {
                let trial = try Trial(["a"], in: workspace, output: output) {
                    $0.timeline = .frugal
                    $0.checkpointInterval = 0
                    $0.chunkSize = 20_000
                    $0.jobs = jobs
                    $0.resumes = true
                    $0.stopsAfterChunks = 3
                    $0.stopsAfterBlocks = stoppedWriting ? nil : 2
                    $0.memberSize = 5000
                }
                #expect(try workspace.bytes(output) == workspace.bytes(wholeName))
                #expect(trial.rejects == whole.rejects)
                #expect(trial.outcome.tally == whole.outcome.tally)
                break
            } catch let error as ArchiveError where error.code == .interrupted {
                #expect(!workspace.exists(output))
                if try workspace.read(output + ".checkpoint").contains("\nread 1\n") { stoppedWriting = true }
            }
        }
        #expect(attempts > 5 && attempts < 100)
        #expect(stoppedWriting)
        #expect(workspace.names == ["a", output, output + ".rejects", wholeName, wholeName + ".rejects"].sorted())
    }

    @Test(
        "An interrupted conversion keeps what it needs, readable by nobody else, until the next run that starts again")
    func leftovers() throws {
        let workspace = try Self.workspace()
        try Self.stop(workspace) { $0.stopsAfterChunks = 4 }
        #expect(workspace.names == (["a", "out.rejects.partial"] + Self.leftovers).sorted())
        for name in workspace.names where name.contains("timeline") { #expect(workspace.rights(name) == 0o600) }
        _ = try Trial(["a"], in: workspace) { _ in }
        #expect(workspace.names == ["a", "out", "out.rejects"])
    }

    @Test("A conversion leaves no file when it could not begin a checkpoint")
    func noCheckpoint() throws {
        let workspace = try Self.workspace()
        try Self.stop(workspace) {
            $0.checkpointInterval = 1000
            $0.stopsAfterBlocks = 1
        }
        #expect(workspace.names == ["a"])
    }

    @Test("A conversion keeps its files in the folder asked for")
    func temporaryFolder() throws {
        let workspace = try Self.workspace()
        workspace.makeFolder("t")
        let whole = try Self.run(workspace) { _ in }
        try Self.stop(workspace) {
            $0.timeline?.temporaryFolder = workspace.path("t")
            $0.stopsAfterChunks = 4
        }
        #expect(workspace.names(in: "t").count == 2)
        #expect(workspace.names(in: "t").allSatisfy { $0.hasPrefix("out-") && $0.contains(".timeline-") })
        // Elsewhere its files would not be found, so that is another run.
        #expect(throws: ArchiveError.self) { try Self.run(workspace) { _ in } }
        let trial = try Self.run(workspace) { $0.timeline?.temporaryFolder = workspace.path("t") }
        #expect(trial.events == whole.events)
        #expect(workspace.names(in: "t").isEmpty)
    }

    @Test("An interrupted conversion does not continue without its files")
    func filesAreGone() throws {
        let workspace = try Self.workspace()
        try Self.stop(workspace) { $0.stopsAfterChunks = 4 }
        try workspace.write("", to: "out.timeline-runs")
        let error = #expect(throws: ArchiveError.self) { try Self.run(workspace) { _ in } }
        #expect(error?.detail == "its temporary files are not there; run without --resume to start again")
    }

    @Test("An interrupted conversion does not continue with other options for the timeline")
    func otherOptions() throws {
        let workspace = try Self.workspace()
        try Self.stop(workspace) { $0.stopsAfterChunks = 4 }
        for change: (inout ConversionRequest) -> Void in [
            { $0.timeline = nil }, { $0.timeline?.inference = .safe }, { $0.timeline?.asOf = 1 },
            { $0.timeline?.dropped = [.companion] },
        ] {
            let error = #expect(throws: ArchiveError.self) { try Self.run(workspace, change) }
            #expect(error?.code == .checkpointMismatch)
        }
    }
}
