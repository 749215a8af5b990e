import Testing

@testable import NotificationTranslation

@Suite("Records of archives")
struct EnvelopeFixtureTests {
    @Test("Records of archives give the notifications in their envelopes", arguments: Fixture.all(in: "envelopes"))
    func opens(_ fixture: Fixture) throws {
        let conversion =
            fixture.has("input.ndjson")
            ? Conversion(lines: try fixture.bytes("input.ndjson"))
            : Conversion(document: try fixture.bytes("input.json"))
        let gists = try conversion.outcomes.map(Self.gist)
        fixture.expect(PrettyJSON.text("[" + gists.joined(separator: ",") + "]"))
    }

    /// What became of a record, as `expected.json` has it.
    private static func gist(_ outcome: Conversion.Outcome) throws -> String {
        switch outcome {
        case .skipped: return "\"skipped\""
        case .rejected(let code): return "\"rejected:\(code)\""
        case .event(let line):
            let event = try JSONTree(Array(line.utf8))
            let type = try #require(event["type"]?.string)
            let pair = try #require(event["v2"].map(Conversion.pair))
            let received = event["source"]?["received_at"]?.string.map { "\"\($0)\"" } ?? "null"
            return "{\"type\":\"\(type)\",\"pair\":\"\(pair)\",\"received_at\":\(received)}"
        }
    }
}
