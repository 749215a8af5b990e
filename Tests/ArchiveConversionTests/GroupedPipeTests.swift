import NotificationTranslation
import Testing
import NotificationLibC

@testable import NotificationArchives

@Suite("The two halves of a grouped pipe") struct GroupedPipeTests {
    /// What a pipe makes of a text.
    private static func piped(_ text: String, _ run: (Descriptor, Descriptor) throws -> Void) throws -> [Substring] {
        let workspace = try Workspace(["in": text])
        let input = try Descriptor.reading(workspace.path("in"))
        defer { input.closeQuietly() }
        let output = try Descriptor.writing(workspace.path("out"), flags: O_CREAT | O_TRUNC)
        try run(input, output)
        try output.close()
        return try workspace.read("out").split(separator: "\n")
    }

    /// What the second half makes of lines, in its smallest room.
    private static func grouped(_ lines: String, chunkSize: Int) throws -> [Substring] {
        var pipe = GroupedPipe(.init(), longestLine: 4096, chunkSize: chunkSize)
        return try piped(lines) { try pipe.run(from: $0, to: $1) }
    }

    /// What the first half makes of bodies.
    private static func keyed(_ bodies: [String]) throws -> [Substring] {
        var pipe = LinePipe(.init(), policy: .trustingTheSource, writesEvidence: true, errors: .inline)
        return try piped(bodies.asLines) { try pipe.run(from: $0, to: $1) }
    }

    @Test("A pipe takes a line of the longest length, whatever its end, and no longer one", arguments: ["\n", "\r\n"])
    func longestLine(end: String) throws {
        func body(_ length: Int) -> String {
            let start = #"{"notification_type":"DID_RENEW","bid":""#
            return start + String(repeating: "x", count: length - start.utf8.count - 2) + "\"}" + end
        }
        var pipe = LinePipe(.init(), policy: .trustingTheSource, errors: .inline, longestLine: 4096)
        let answers = try Self.piped([4096, 4097, 4098, 4096].map(body).joined()) { try pipe.run(from: $0, to: $1) }
        #expect(answers.map { $0.contains("record.too-long") } == [false, true, true, false])
    }

    @Test(
        "A line that is too long gets one answer and does not split a key's group",
        arguments: [1, 100, 4096, 1 << 20])
    func aLineThatIsTooLongGetsOneAnswerAndSplitsNoGroup(chunkSize: Int) throws {
        // Equal bodies: the second is a duplicate of the first only if both are settled together.
        let body = #"{"notification_type":"CANCEL","environment":"PROD","bid":"com.example.news"}"#
        let lines = try Self.keyed([body, body])
        let whole = try Self.grouped(lines.asLines, chunkSize: chunkSize)
        #expect(whole.count == 2 && whole[1].contains("\"duplicate\""))
        let long = String(repeating: "x\ty", count: 1 << 14)
        for text in ["\(lines[0])\n\(long)\n\(lines[1])\n", "\(lines[0])\n\(lines[1])\n\(long)"] {
            let answers = try Self.grouped(text, chunkSize: chunkSize)
            #expect(answers.filter { !$0.contains("record.not-keyed") } == whole)
            #expect(answers.count == 3)
        }
    }

    @Test("What nothing dates is settled in the order of its records, in whatever order its lines come")
    func undatedLines() throws {
        let lines = try Self.keyed(
            ["monthly", "weekly", "yearly", "monthly"].map { product in
                #"{"notification_type":"DID_CHANGE_RENEWAL_PREF","environment":"PROD","bid":"com.example.news","#
                    + #""auto_renew_product_id":"\#(product)","original_transaction_id":"9","unified_receipt":{"#
                    + #""latest_receipt_info":[{"original_transaction_id":"9","transaction_id":"9","product_id":"daily","#
                    + #""purchase_date_ms":"1641000000000","expires_date_ms":"1643592000000"}]}}"#
            })
        let settled = try Self.grouped(lines.asLines, chunkSize: 1 << 20)
        #expect(settled.count == 4)
        let mixed = [lines[3], lines[1], lines[2], lines[0]].asLines
        #expect(try Self.grouped(mixed, chunkSize: 1 << 20) == settled)
    }

    /// A record has 16 MiB at most, and the second half takes lines of 128.
    @Test("No line is longer than the second half takes")
    func noLineIsLongerThanTheSecondHalfTakes() throws {
        let name = String(repeating: "x", count: 50_000)
        func members(_ keys: String...) -> String { keys.map { "\"\($0)\":\"NAME\"" }.joined(separator: ",") }
        let row = members("product_id", "transaction_id", "original_transaction_id", "app_account_token")
        let top = members("bid", "environment", "auto_renew_product_id")
        let body = "{\"notification_type\":\"CANCEL\",\(top),\"latest_receipt_info\":{\(row)}}"
        for count in 1...7 {
            // One of the seven is long.
            let parts = body.split(separator: "NAME")
            let text = parts.indices.map { $0 == 0 ? parts[0] : ($0 == count ? name : "y") + parts[$0] }.joined()
            let line = try #require(Self.keyed([text]).first)
            #expect(line.utf8.count < 7 * text.utf8.count, "\(count)")
        }
    }
}
