#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NotificationTranslation
import Testing

@Suite struct ExplainTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    @Test func everyNameOfTheTablesIsExplained() {
        let explanation = Explanation()
        #expect(explanation.names.count > 200)
        for name in explanation.names {
            let text = explanation.name(name) ?? ""
            #expect(text.hasPrefix(name) || text.uppercased().hasPrefix(name.uppercased()), "\(name)")
            #expect(text.split(separator: "\n").count > 1, "\(name)")
        }
        #expect(explanation.name("OF_NEXT_YEAR") == nil)
    }

    @Test func aBodyIsExplainedByItsFactsItsRuleAndWhatWouldSettleIt() throws {
        let command = try Command()
        let run = try command.run("explain", Self.root + "/Fixtures/archive/cancel.json")
        #expect(run.code == 0)
        let labels = run.output.split(separator: "\n").dropFirst().map { line in
            String(line.drop { $0 == " " }.prefix { $0 != " " })
        }
        #expect(Set(labels) == ["rule", "source", "fact", "result", "event", "also", "transaction", "flag", "settle"])
        #expect(!run.output.contains("0123456789abcdef"))
    }

    @Test func eachLineOfAnArchiveIsExplained() throws {
        let command = try Command()
        for (file, heads) in [("2020.ndjson", ["V1 INITIAL_BUY", "Valid JSON"]), ("2023.ndjson", ["V2 DID_RENEW"])] {
            let run = try command.run("explain", Self.root + "/Fixtures/archive/" + file)
            #expect(run.code == 0)
            for head in heads { #expect(run.output.contains(head), "\(file): \(head)") }
        }
        try command.write(Body.cancel(1) + "\n\nx\n", to: "a")
        let run = try command.run("explain", "a")
        #expect(run.code == 1)
        #expect(run.output.hasPrefix("V1 CANCEL"))
        #expect(run.errors.hasPrefix("a:3:1: reject[json.syntax]: "))
    }

    @Test func aBodyMayComeFromStandardInputAndABrokenOneIsPlaced() throws {
        let command = try Command()
        let good = try command.run("explain", input: .pipe(Array(Body.cancel(1).utf8)))
        #expect(good.output.hasPrefix("V1 CANCEL"))
        let broken = try command.run("explain", "-", input: .pipe(Array("{\"a\":".utf8)))
        #expect(broken.code == 1)
        #expect(broken.errors.hasPrefix("-:1:6: reject[json.unexpected-end]: "))
    }

    @Test func whatIsNeitherFileNorNameIsRefusedWithASuggestion() throws {
        let command = try Command()
        let near = try command.run("explain", "CANCLE")
        #expect(near.code == 2)
        #expect(near.errors.contains("'CANCLE' is neither a file nor a name in the tables. Did you mean 'CANCEL'?"))
        let two = try command.run("explain", "a", "b")
        #expect(two.code == 2)
        #expect(two.errors.contains("explain takes one file or one name."))
    }

    @Test func theTablesArePrintedInThreeForms() throws {
        let command = try Command()
        let markdown = try command.run("mapping")
        #expect(markdown.output == MappingDocument().markdown)
        let csv = try command.run("mapping", "--format", "csv")
        #expect(csv.output.hasPrefix("v1_type,rule,when,then,certainty,candidates,flags,source\r\n"))
        #expect(csv.output.hasSuffix("\r\n"))
        let json = try command.run("mapping", "--format=json")
        struct Version: Decodable { var version: String }
        let files = try JSONDecoder().decode([String: Version].self, from: Data(json.output.utf8))
        #expect(files.keys.sorted() == ["fields", "flags", "silent-events", "v1-to-v2", "v2-to-event"])
        #expect(try command.run("mapping", "file").code == 2)
    }
}
