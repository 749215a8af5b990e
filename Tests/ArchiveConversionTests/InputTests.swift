import NotificationTranslation
import Testing
import NotificationLibC

@testable import NotificationArchives

@Suite("The files of an input") struct InputTests {
    private func files(
        _ workspace: Workspace, _ inputs: [String] = [], include: [String] = [], exclude: [String] = [],
        from list: String? = nil
    ) throws -> [String] {
        var request = ConversionRequest(records: .init())
        request.inputs = inputs.map(workspace.path)
        (request.include, request.exclude, request.filesFrom) = (include, exclude, list.map(workspace.path))
        let found = try InputFile.all(of: request, besides: []).files
        return found.map { String($0.path.dropFirst(workspace.folder.utf8.count + 1)) }
    }

    private func tree() throws -> Workspace {
        let workspace = try Workspace()
        workspace.makeFolder("d")
        workspace.makeFolder("d/b")
        for name in ["d/b/x.ndjson", "d/b.ndjson", "d/a.ndjson", "d/Z.txt", "d/b/y.txt"] {
            try workspace.write(Body.lines(1), to: name)
        }
        symlink(workspace.path("d"), workspace.path("d/circle"))
        symlink(workspace.path("d/a.ndjson"), workspace.path("d/link.ndjson"))
        return workspace
    }

    @Test("Folders are read in the order of their paths, links are not followed, and patterns choose by name or path")
    func foldersAndPatterns() throws {
        let workspace = try tree()
        let all = ["d/Z.txt", "d/a.ndjson", "d/b.ndjson", "d/b/x.ndjson", "d/b/y.txt"]
        #expect(try files(workspace, ["d/"]) == all)
        #expect(try files(workspace, ["d"], include: ["*.ndjson"]) == all.filter { $0.hasSuffix(".ndjson") })
        #expect(try files(workspace, ["d"], include: ["b/*"], exclude: ["*.txt"]) == ["d/b/x.ndjson"])
        #expect(try files(workspace, ["d"], exclude: ["b", "Z*"]) == ["d/a.ndjson", "d/b.ndjson"])
        // Files that are named are read whatever their name, and also through links.
        let named = ["d/link.ndjson", "d/Z.txt"]
        #expect(try files(workspace, named, include: ["*.ndjson"]) == named)
    }

    @Test("Names in a list of files end with a line end or NUL", arguments: ["\r\n", "\n", "\0"])
    func listsOfFiles(end: String) throws {
        let workspace = try tree()
        let names = [workspace.path("d/a.ndjson"), workspace.path("d/b")]
        try workspace.write(names.map { $0 + end }.joined(), to: "lines")
        #expect(try files(workspace, from: "lines") == ["d/a.ndjson", "d/b/x.ndjson", "d/b/y.txt"])
    }

    @Test("A list of which some names end with NUL and some with a line end is refused")
    func mixedLists() throws {
        let workspace = try tree()
        try workspace.write(workspace.path("d/a.ndjson") + "\0" + workspace.path("d/b") + "\n", to: "mixed")
        #expect(throws: ArchiveError.self) { try files(workspace, from: "mixed") }
    }

    @Test("A file that is missing is named") func whatIsNotThereIsNamed() throws {
        let workspace = try Workspace()
        let error = #expect(throws: ArchiveError.self) { try files(workspace, ["no\u{7}file"]) }
        #expect(error?.description == "cannot open \(workspace.folder)/no\\x07file: No such file or directory")
        #expect(error?.code == .inputUnreadable)
    }

    @Test("The output is not read even if it is in the folder")
    func theOutputIsNotReadEvenIfItIsInTheFolder() throws {
        let workspace = try Workspace()
        workspace.makeFolder("d")
        try workspace.write(Body.lines(2), to: "d/a.ndjson")
        let first = try Trial(["d"], in: workspace, output: "d/out")
        let second = try Trial(["d"], in: workspace, output: "d/out")
        #expect(second.events == first.events)
        #expect(second.outcome.files == 1)
    }

    @Test(
        "Files of each program that packs and is installed give the same events",
        arguments: ["gzip", "zstd", "xz"].filter(Workspace.isInstalled))
    func compressedFiles(of program: String) throws {
        let workspace = try Workspace(["a": Body.lines(1500)])
        try workspace.pack(program, "a", "packed")
        let plain = try Trial(["a"], in: workspace)
        let packed = try Trial(["packed"], in: workspace, asking(1000))
        #expect(packed.places == plain.places)
        #expect(packed.tally == plain.tally)
    }

    @Test("Several gzip members are one input") func severalGzipMembersAreOneInput() throws {
        let workspace = try Workspace(["a": Body.cancel(1) + "\n" + Body.cancel(2).prefix(20)])
        try workspace.write(String(Body.cancel(2).dropFirst(20)), to: "b")
        try workspace.pack("gzip", "a", "a.gz")
        try workspace.pack("gzip", "b", "b.gz")
        try workspace.write(try workspace.bytes("a.gz") + workspace.bytes("b.gz"), to: "c.gz")
        let trial = try Trial(["c.gz"], in: workspace)
        #expect(trial.places == ["1@0", "2@66"])
    }

    @Test("Truncated gzip converts what came before and counts one reject", arguments: [1, 8], [100, 1 << 20])
    func truncatedGzipConvertsWhatCameBeforeAndCountsOneReject(jobs: Int, chunkSize: Int) throws {
        let workspace = try Workspace(["a": Body.lines(1500)])
        try workspace.pack("gzip", "a", "a.gz")
        let bytes = try workspace.bytes("a.gz")
        try workspace.write(Array(bytes.prefix(bytes.count * 2 / 3)), to: "cut.gz")
        let trial = try Trial(["cut.gz", "a"], in: workspace, asking(chunkSize, jobs: jobs))
        #expect(trial.outcome.wasDamaged)
        #expect(trial.tally.rejected == 1)
        #expect(trial.tally.converted > 1900)
        let whole = trial.tally.converted - 1500
        let length = Body.lines(whole).utf8.count
        #expect(trial.faults.map { $0.prefix { $0 != "+" } } == ["\(whole + 1)@\(length)"])
        #expect(trial.faults.allSatisfy { $0.hasSuffix(" input.damaged") })
    }
}
