import Testing

@testable import NotificationTranslation

@Suite("A damaged decision table")
struct TableRefusalTests {
    /// What the loader says of a table that it refuses.
    private static func refusal(of table: [UInt8]) -> String? {
        #expect(throws: TableError.self) { try DecisionTable(table) }?.description
    }

    @Test(
        "A damaged decision table is refused with the row and the reason",
        arguments: Mutation.rules + Mutation.rest + Mutation.neighbours)
    func refuses(_ mutation: Mutation) throws {
        let message = Self.refusal(of: try mutation.table())
        #expect(message == "v1-to-v2.json: " + mutation.message)
    }

    @Test("A damaged table of silent events is refused with the row and the reason", arguments: Mutation.silentEvents)
    func refusesSilent(_ mutation: Mutation) throws {
        let bytes = try mutation.table("silent-events.json")
        let error = #expect(throws: TableError.self) { try SilentTable(bytes) }
        #expect(error?.description == "silent-events.json: " + mutation.message)
    }

    @Test("A damaged decision table is refused where a key appears twice in one row")
    func keyTwice() throws {
        let row = #"{"id":"initial-buy","when":{},"#
        let bytes = try Mutation(row, row + #""id":"initial-buy","#, "").table()
        let text = String(decoding: bytes, as: UTF8.self)
        let start = try #require(text.firstRange(of: row))
        let offset = text.utf8.distance(from: text.startIndex, to: start.upperBound)
        let message = Self.refusal(of: bytes)
        #expect(message == "v1-to-v2.json: byte \(offset): the same key twice in one object")
    }

    @Test(
        "A damaged decision table is refused when it is not JSON",
        arguments: [("", 0), ("{", 1), ("[]", nil), ("null", nil)])
    func notJSON(_ text: String, _ offset: Int?) {
        let message = Self.refusal(of: Array(text.utf8))
        let problem = offset.map { "byte \($0): the text ends inside a value" } ?? "not an object"
        #expect(message == "v1-to-v2.json: \(problem)")
    }
}
