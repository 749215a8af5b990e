#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

@testable import notification_translator

@Suite("Mappings/README.md")
struct GeneratedMappingTests {
    /// `RECORD=1` writes the file and still fails.
    @Test("Mappings/README.md is up to date with the tables") func isFresh() throws {
        let path = URL(filePath: Command.root).appending(path: "Mappings/README.md")
        let expected = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let actual = MappingDocument.markdown
        #expect(actual.split(separator: "\n") == expected.split(separator: "\n"))
        if ProcessInfo.processInfo.environment["RECORD"] == "1", actual != expected {
            try Data(actual.utf8).write(to: path)
        }
    }
}
