import NotificationTranslation
import Testing

@testable import ArchiveConversion

@Suite("Checkpoints") struct CheckpointTests {
    private func sample() -> Checkpoint {
        var checkpoint = Checkpoint()
        for (place, count) in Tally.counts.enumerated() { checkpoint.state.tally[keyPath: count] = place + 7 }
        checkpoint.state.tally.flags = [0, 3, 1]
        checkpoint.state.rejectCodes = ["json.syntax": 1, "record.too-long": 1]
        checkpoint.state.position = InputPosition(
            input: 2,
            offset: 1 << 40,
            isEnd: true,
            splitter: 5,
            tailLength: 4096,
            tailHash: .max
        )
        checkpoint.state.lines = 99
        checkpoint.state.inputBytes = 12
        checkpoint.state.outputLength = 34
        checkpoint.state.rejectsLength = 56
        checkpoint.state.runsLength = 78
        checkpoint.state.latest = -1
        checkpoint.state.contradicted = 6
        var report = ReportTally()
        report.noteReject(code: "json.syntax", input: "a \"b\"", line: 3)
        checkpoint.state.report = report
        checkpoint.kept = OutputPosition(length: 40, fileLength: 41)
        checkpoint.isComplete = true
        checkpoint.isRead = true
        checkpoint.options = .max
        checkpoint.inputs = 8
        return checkpoint
    }

    @Test("A checkpoint is read as it was written") func aCheckpointIsReadAsItWasWritten() {
        #expect(Checkpoint(text: sample().text) == sample())
        #expect(Checkpoint(text: Checkpoint().text) == Checkpoint())
    }

    @Test("The list of a tally has each of its numbers once") func everyNumberIsListed() {
        let tally = Tally()
        let numbers = [Mirror(reflecting: tally), Mirror(reflecting: tally.receipts)].flatMap(\.children)
        #expect(Set(Tally.counts.map { $0 as AnyKeyPath }).count == Tally.counts.count)
        #expect(Tally.counts.count == numbers.count { $0.value is Int })
    }

    @Test("A checkpoint that is not whole is refused") func aCheckpointThatIsNotWholeIsRefused() {
        let text = sample().text
        for length in 0..<text.utf8.count { #expect(Checkpoint(text: String(text.prefix(length))) == nil) }
        #expect(Checkpoint(text: text.replacing("kept 40", with: "kept 50")) == nil)
        #expect(Checkpoint(text: text + "x") == nil)
    }

    // MARK: Identity of a request

    /// Each field that decides what is written, by its name, and a change of it.
    private static let deciding: [String: @Sendable (inout ConversionRequest) throws -> Void] = [
        "programVersion": { $0.programVersion = "2" },
        "records.envelope": { $0.records.envelope = "" },
        "records.keepsEvidence": { $0.records.keepsEvidence.toggle() },
        "records.spillsEvents": { $0.records.spillsEvents.toggle() },
        "records.shape": { $0.records.shape = EventShape(.cloudevents) },
        "records.receivedAt": { $0.records.receivedAt = .pointer(["a", "b"]) },
        "records.catalogue": { $0.records.catalogue = try ProductCatalogue([.init(productID: "a")]) },
        "records.dropsCompanions": { $0.records.dropsCompanions.toggle() },
        "records.rejectsAmbiguous": { $0.records.rejectsAmbiguous.toggle() },
        "timeline": { $0.timeline = TimelineRequest() },
        "timeline.inference": { $0.timeline = Self.timeline { $0.inference = .all } },
        "timeline.asOf": { $0.timeline = Self.timeline { $0.asOf = 0 } },
        "timeline.dropped": { $0.timeline = Self.timeline { $0.dropped = [.duplicate] } },
        "timeline.temporaryFolder": { $0.timeline = Self.timeline { $0.temporaryFolder = "elsewhere" } },
        "policyIdentity": { $0.policyIdentity = "another" },
        "redactionKey": { $0.redactionKey = try RedactionKey(Array("0123456789abcdef".utf8)) },
        "inputFormat": { $0.inputFormat = .ndjson },
        "compression": { $0.compression = .none },
        "longestRecord": { $0.longestRecord += 1 },
        "failsFast": { $0.failsFast.toggle() },
        "rejects": { $0.rejects = "" },
        "rejectsAreRaw": { $0.rejectsAreRaw.toggle() },
        "reports": { $0.reports = [ReportFile(path: "report.md") { _ in [] }] },
    ]

    /// The fields that decide nothing of it, or are told by what ``deciding`` holds.
    private static let others: Set<String> = [
        "inputs", "output", "optionFiles", "overwrites", "filesFrom", "filesFromEndsWithNull", "include", "exclude",
        "jobs", "resumes",
        "dryRun", "checkpointInterval", "memberSize", "stopsAfterChunks", "stopsAfterBlocks", "chunkSize", "policy",
        "timeline.budgets", "records", "records.gathersIDs", "records.reports", "records.notesSkips",
        "timeline.countedWhole", "judgesAgreement", "timeline.catalogue", "records.countsProducts", "comparedWith",
    ]

    private static func timeline(_ change: (inout TimelineRequest) -> Void) -> TimelineRequest {
        var timeline = TimelineRequest()
        change(&timeline)
        return timeline
    }

    @Test("Another request has another identity") func anotherRequestHasAnotherIdentity() throws {
        let request = ConversionRequest(records: .init())
        var identities = [Checkpoint.identity(of: request)]
        for change in Self.deciding.values {
            var changed = request
            try change(&changed)
            identities.append(Checkpoint.identity(of: changed))
        }
        #expect(Set(identities).count == identities.count)
    }

    @Test("No field of a request is forgotten") func noFieldOfARequestIsForgotten() {
        func names(_ value: Any, _ prefix: String) -> [String] {
            Mirror(reflecting: value).children.compactMap { $0.label.map { prefix + $0 } }
        }
        let request = ConversionRequest(records: .init())
        let all = Set(
            names(request, "") + names(request.records, "records.") + names(TimelineRequest(), "timeline."))
        let known = Self.others.union(Self.deciding.keys)
        #expect(all == known)
    }

    @Test("A run that continues writes the same bytes", arguments: ["out", "out.gz"], [1, 2])
    func aRunThatContinuesWritesTheSameBytes(output: String, jobs: Int) throws {
        let workspace = try Workspace()
        try workspace.write(Body.lines(100) + "broken\n" + Body.lines(100), to: "a")
        try workspace.write("[" + Body.pretty(1) + "," + Body.pretty(2) + ",{,},\n" + Body.pretty(3) + "]", to: "b")
        let whole = try Trial(["a", "b"], in: workspace, output: "whole" + output.dropFirst(3)) {
            $0.memberSize = 150
        }
        var attempts = 0
        while attempts < 100 {
            attempts += 1
            do {
                let trial = try Trial(["a", "b"], in: workspace, output: output) {
                    $0.checkpointInterval = 0
                    $0.chunkSize = 500
                    $0.jobs = jobs
                    $0.resumes = true
                    $0.stopsAfterChunks = 3
                    $0.memberSize = 150
                }
                #expect(try workspace.bytes(output) == workspace.bytes("whole" + output.dropFirst(3)))
                #expect(trial.rejects == whole.rejects)
                #expect(trial.outcome.tally == whole.outcome.tally)
                break
            } catch let error as ArchiveError where error.code == .interrupted {
                #expect(!workspace.exists(output))
                #expect(workspace.exists(output + ".checkpoint"))
            }
        }
        #expect(attempts > 5 && attempts < 100)
        for name in [output + ".checkpoint", output + ".partial", output + ".rejects.partial"] {
            #expect(!workspace.exists(name))
        }
    }
}
