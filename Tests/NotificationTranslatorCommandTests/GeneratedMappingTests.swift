import Testing

@testable import notification_translator

@Suite("Mappings/README.md")
struct GeneratedMappingTests {
    /// `RECORD=1` writes the file and still fails.
    @Test("Mappings/README.md is up to date with the tables") func isFresh() throws {
        let expected = try Command.file("Mappings/README.md")
        let actual = MappingDocument.markdown
        #expect(actual.split(separator: "\n") == expected.split(separator: "\n"))
        if ProcessInfo.processInfo.environment["RECORD"] == "1", actual != expected {
            try Data(actual.utf8).write(to: URL(filePath: Command.root + "/Mappings/README.md"))
        }
    }
}
