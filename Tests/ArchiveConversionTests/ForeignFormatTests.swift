import NotificationTranslation
import Testing

@testable import NotificationArchives

/// Inputs of other formats are one clear reject each, and files that cannot be read are no end of the run.
@Suite("Inputs of other formats") struct ForeignFormatTests {
    static let samples: [(bytes: [UInt8], code: String)] = [
        ([0x50, 0x4B, 0x03, 0x04, 0x14, 0], "input.zip"),
        ([UInt8](repeating: 0x61, count: 257) + Array("ustar\0".utf8) + [UInt8](repeating: 0, count: 300), "input.tar"),
        (Array("BZh91AY&SY".utf8), "input.bzip2"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "input.7z"),
        (Array("PAR1".utf8) + [0x15, 0, 0x0A], "input.parquet"),
        (Array("SQLite format 3".utf8) + [0, 0x10, 0], "input.sqlite"),
        ([0xFF, 0xFE] + "{\n}\n".utf8.flatMap { [$0, 0] }, "input.utf16"),
        ("{\"a\":1}\n".utf8.flatMap { [$0, 0] }, "input.utf16"),
        (Array("payload=%7B%22notification_type%22%3A%22CANCEL%22%7D".utf8), "input.form-encoded"),
        (Array(#"a:1:{s:17:"notification_type";s:6:"CANCEL";}"#.utf8), "input.php"),
        (Array("<?xml version=\"1.0\"?>\n<resultset>".utf8), "input.markup"),
        (Array("\n<!DOCTYPE html>\n<p>AccessDenied</p>".utf8), "input.markup"),
        ((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 / 256 &* 31) }, "input.binary"),
        ([0x16, 0, 0, 0, 0x02] + Array("hello\0".utf8) + [6, 0, 0, 0] + Array("world\0\0".utf8), "input.bson"),
    ]

    @Test("An input of another format is one reject", arguments: samples) func areOneRejectForAFile(
        _ sample: (bytes: [UInt8], code: String)
    ) throws {
        let workspace = try Workspace()
        workspace.makeFolder("f")
        try workspace.write(sample.bytes + [0x0A, 0x0A, 0x41, 0x0A], to: "f/a")
        try workspace.write(Body.lines(2), to: "f/b")
        let trial = try Trial(["f"], in: workspace)
        #expect(trial.faults.map { $0.split(separator: " ").last.map(String.init) } == [sample.code])
        #expect(trial.tally.converted == 2)
    }

    @Test("Every fault is in the list of codes") func everyFaultIsInTheListOfCodes() {
        for fault in ArchiveFault.allCases {
            #expect(!fault.sentence.isEmpty || fault.skip != nil)
        }
    }

    @Test("Hidden files of a folder are left out and a file that cannot be read is a reject")
    func hiddenFilesOfAFolderAreLeftOutAndAFileThatCannotBeReadIsAReject() throws {
        let workspace = try Workspace()
        workspace.makeFolder("f")
        workspace.makeFolder("f/.git")
        workspace.makeFolder("f/__MACOSX")
        for name in [".DS_Store", ".git/x", "__MACOSX/y", "Thumbs.db"] { try workspace.write("junk", to: "f/" + name) }
        try workspace.write(Body.lines(2), to: "f/b")
        let trial = try Trial(["f"], in: workspace)
        #expect(trial.outcome.files == 1)
        #expect(trial.faults == [])
        var request = ConversionRequest(records: .init())
        request.chunkSize = 4096
        let inputs = [
            InputFile(path: workspace.path("f/gone"), isFound: true),
            InputFile(path: workspace.path("f/b"), isFound: true),
        ]
        let reader = ChunkReader(inputs, request: request)
        let chunk = Chunk(capacity: 4096)
        #expect(try reader.next(into: chunk))
        #expect(chunk.items == [.fault(.unreadable, offset: 0, length: 0)])
        #expect(try reader.next(into: chunk))
        #expect(chunk.lineCount == 2)
    }

    @Test("A file that begins with zeros, or has a few control characters, is still read")
    func zerosAreRead() throws {
        let workspace = try Workspace()
        try workspace.write([UInt8](repeating: 0, count: 70_000) + Array(("\n" + Body.lines(3)).utf8), to: "a")
        try workspace.write(String(repeating: "\u{1}{}\n", count: 30) + Body.lines(30), to: "b")
        let trial = try Trial(["a", "b"], in: workspace)
        #expect(trial.tally.converted == 33)
        #expect(trial.tally.rejected == 31)
    }
}
