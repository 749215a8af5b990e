import Testing

@testable import NotificationTranslation

/// A file of the repository that the library's tables generate, and the text it should have.
///
/// `Mappings/README.md` is written by the command, and tested with it.
struct GeneratedFile: Sendable, CustomTestStringConvertible {
    var path: String
    var text: @Sendable () throws -> String

    var testDescription: String { path }

    /// All of them.
    ///
    /// A file that is added here is written by `RECORD=1 swift test --filter Generated`.
    static let all =
        [GeneratedFile(path: "Mappings/Tables+Generated.swift", text: embeddedTables)]
        + EventSource.files + NameSource.files + SnippetSource.files

    /// The tables that are embedded, by file and the name of the constant.
    private static let tables = [
        ("v1-to-v2.json", "v1ToV2"), ("v2-to-event.json", "v2ToEvent"), ("flags.json", "flags"),
        ("fields.json", "fields"),
        ("silent-events.json", "silentEvents"), ("event.json", "event"),
    ]

    /// The tables as raw string literals: these compile in a tenth of a second, arrays of bytes in half a minute.
    @Sendable
    private static func embeddedTables() throws -> String {
        var members: [String] = []
        for (file, name) in tables {
            var json = String(decoding: try Fixture.mapping(file), as: UTF8.self)
            while json.last?.isNewline == true { json.removeLast() }
            members.append(
                "    /// `\(file)`\n    package static let \(name): StaticString = ##\"\"\"\n\(json)\n\"\"\"##\n"
            )
        }
        return """
            // Written from the JSON files beside it by `RECORD=1 swift test --filter Generated`; a test compares them.

            extension Mappings {
            \(members.joined(separator: "\n"))}

            """
    }
}

@Suite("Generated files")
struct GeneratedFilesTests {
    @Test("Generated files are up to date with their sources", arguments: GeneratedFile.all)
    func isFresh(_ file: GeneratedFile) throws {
        Fixture.expect(try file.text(), in: file.path)
    }

    @Test("Generated files exist")
    func areThere() {
        #expect(!GeneratedFile.all.isEmpty)
    }
}
