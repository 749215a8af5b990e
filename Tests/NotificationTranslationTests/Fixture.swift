import NotificationTranslation
import Testing

/// One case in `Fixtures/<table>/<name>/`: what goes in, and what has to come out.
///
/// `RECORD=1 swift test --filter …` writes what came out into the expected file and still fails, so that nobody
/// takes a recording for a passed test. What was recorded has to be read before it is committed.
struct Fixture: Hashable, Sendable, CustomTestStringConvertible {
    /// The folder below `Fixtures`: what kind of case it is.
    var table: String
    /// The folder of the case.
    var name: String

    var testDescription: String { "\(table)/\(name)" }

    /// The kinds of cases, with the files a case of each may hold.
    static let tables: [String: Set<String>] = [
        "v1-to-v2": ["input.json", "timeline.json", "expected.json"],
        "v2-to-event": ["input.json", "expected.json"],
        "timelines": ["input.ndjson", "as-of.txt", "expected.json"],
        "transactions": ["input.ndjson", "expected.json"],
        "states": ["input.ndjson", "expected.json"],
        "envelopes": ["input.json", "input.ndjson", "expected.json"],
    ]

    /// Every case of a kind, by name.
    static func all(in table: String) -> [Fixture] {
        names(in: "Fixtures/" + table).map { Fixture(table: table, name: $0) }
    }

    // MARK: Files

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: root.appending(path: path))) }

    static func mapping(_ file: String) throws -> [UInt8] { try bytes("Mappings/" + file) }

    /// What stands in a folder of the repository, by name; empty if it is not there.
    static func names(in folder: String) -> [String] {
        let path = root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// The names of the files of the case.
    var files: [String] { Self.names(in: "Fixtures/\(table)/\(name)") }

    func bytes(_ file: String) throws -> [UInt8] { try Self.bytes("Fixtures/\(table)/\(name)/\(file)") }

    func has(_ file: String) -> Bool { files.contains(file) }

    /// The records that go in: a document, or lines.
    var records: [[UInt8]] {
        get throws {
            if has("input.json") { return [try bytes("input.json")] }
            return try bytes("input.ndjson").split(separator: 0x0A).map(Array.init)
        }
    }

    // MARK: Comparing

    /// Cases whose expected answer is right and is not given yet, and why.
    static let open: [String: Comment] = [:]

    static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

    /// Compares a text with a file of the case, line by line; records it if asked to.
    func expect(_ actual: String, in file: String = "expected.json", _ place: SourceLocation = #_sourceLocation) {
        let path = "Fixtures/\(table)/\(name)/\(file)"
        guard let reason = Self.open[testDescription] else { return Self.expect(actual, in: path, place) }
        withKnownIssue(reason, sourceLocation: place) {
            let expected = String(decoding: try Self.bytes(path), as: UTF8.self)
            #expect(actual == expected)
        }
    }

    /// Compares a text with a file of the repository, line by line; records it if asked to.
    static func expect(_ actual: String, in path: String, _ place: SourceLocation = #_sourceLocation) {
        let expected = (try? bytes(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(actualLines == expectedLines, "\(path)", sourceLocation: place)
        guard isRecording, actual != expected else { return }
        do {
            try Data(actual.utf8).write(to: root.appending(path: path))
        } catch {
            Issue.record(error, sourceLocation: place)
        }
    }
}
