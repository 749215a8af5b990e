import PayloadVerification
import Testing

@testable import NotificationTranslation

/// `Fixtures/receipts`: bodies around receipts that are signed below `root.pem`, an invented root whose key is gone.
@Suite("The receipts of an archive")
struct ReceiptTests {
    static let folder = Command.root + "/Fixtures/receipts/"
    private static let notifications = folder + "notifications.ndjson"
    static let verify = ["--verify-receipts", folder + "root.pem"]
    static let verifyReplay = ["--verify-receipts", folder + "replay-root.pem"]

    /// The lines of a file beside the roots.
    static func lines(_ name: String = "notifications") throws -> [String] {
        try Command.file("Fixtures/receipts/\(name).ndjson").split(separator: "\n").map(String.init)
    }

    static func verifier(_ root: String) throws -> AppReceiptVerifier {
        let bytes = Array(try Command.file("Fixtures/receipts/" + root).utf8)
        return try AppReceiptVerifier(roots: CertificateFile.certificates(in: bytes))
    }

    /// The event of a body that was piped.
    static func event(_ body: String, _ options: [String]) throws -> UnifiedEvent {
        try #require(try Command().run(["pipe"] + options, input: .text(body + "\n")).events.first)
    }

    /// What the lines of the fixture are, by what is expected of them.
    private static let expected = [
        "all",  // as signed
        "some RECEIPT_CONTRADICTS_ROW",  // a later expiry
        "none TRANSACTION_NOT_IN_RECEIPT RECEIPT_ROWS",  // a transaction that was made up
        "none receipt.bundle-id RECEIPT_OTHER_BUNDLE",  // a receipt of another app
        "none x509.untrusted-root",  // signed below another root
        "none receipt.bad-signature",  // a bit of the signature changed
        "none receipt.not-der",  // blanked
        "null",  // no receipt
        "none receipt.type RECEIPT_CONTRADICTS_ROW",  // a receipt of the sandbox
        "none RECEIPT_ROWS",  // no transaction
        "null",  // version 2
    ]

    private func tree(_ line: some StringProtocol) throws -> JSONTree { try JSONTree(Array(line.utf8)) }

    /// What a line says of the receipt: `absent` for no key.
    private func finding(_ line: some StringProtocol) throws -> String {
        let event = try tree(line)
        if let code = event["error"]?["code"]?.string { return code }
        guard let receipt = event["source"]?["receipt"] else { return "absent" }
        guard let covers = receipt["covers"]?.string else { return "null" }
        // Verified and dated is the same.
        #expect((receipt["created_at"]?.string == nil) == (receipt["code"]?.string.map(Self.isOfVerifying) ?? false))
        let flags = (event["flags"]?.elements ?? []).compactMap(\.string).filter { $0.contains("RECEIPT") }
        return ([covers, receipt["code"]?.string].compactMap(\.self) + flags).joined(separator: " ")
    }

    private static func isOfVerifying(_ code: String) -> Bool { code != "receipt.bundle-id" && code != "receipt.type" }

    private func findings(_ run: Command.Result) throws -> [String] { try run.lines.map { try finding($0) } }

    @Test("An archive's receipts are verified and compared with the event, in both contexts and by pipe")
    func findings() throws {
        let command = try Command()
        for context in ["record", "timeline"] {
            let run = try command.run(["convert", "--context", context, Self.notifications] + Self.verify)
            #expect(try run.code == 0 && findings(run) == Self.expected)
            let line = "\n      receipt    9   verified 6 · covering all 1 · some 1 · none 4 · contradicting 3\n"
            #expect(run.errors.contains(line), "\(run.errors)")
        }
        let lines = Command.Input.file(Self.notifications)
        #expect(try findings(command.run(["pipe"] + Self.verify, input: lines)) == Self.expected)
        let apple = try command.run("pipe", "--verify-receipts", "apple", input: lines)
        #expect(try findings(apple).allSatisfy { !$0.hasPrefix("all") && !$0.hasPrefix("some") })
    }

    @Test("Receipts are counted in a report of each form, and in none without the option")
    func report() throws {
        let command = try Command()
        let json = try command.run(["report", "--format", "json", Self.notifications] + Self.verify).output
        let receipts = try #require(try tree(json)["receipts"])
        #expect(["present", "verified", "contradicting"].map { receipts[$0]?.integer } == [9, 6, 3])
        #expect(["all", "some", "none"].map { receipts["covers"]?[$0]?.integer } == [1, 1, 4])
        let markdown = try command.run(["report", Self.notifications] + Self.verify).output
        #expect(markdown.contains("\n## What the receipts prove\n"))
        #expect(markdown.contains("\n| covering the transaction (all) | 1 |\n"))
        #expect(markdown.contains("\n| verified, covering nothing (none) | 4 |\n"))
        let html = try command.run(["report", "--format", "html", Self.notifications] + Self.verify).output
        #expect(html.contains("<section id=\"receipts\">") && html.contains("<a href=\"#receipts\">"))
        #expect(html.contains("covering some of it (some)</th><td class=\"n\">1</td>"))
        let plain = try command.run("report", "--format", "json", Self.notifications).output
        #expect(try tree(plain)["receipts"]?["present"]?.integer == 0)
        for format in ["html", "markdown"] {
            let page = try command.run("report", "--format", format, Self.notifications).output
            #expect(!page.contains("receipts prove"))
        }
    }

    @Test("A notification without proof in a row of a table, or in a line of a log, is rejected as one in a line is")
    func rowsWithoutProof() throws {
        let command = try Command(["a.csv": "id,payload\n1,\"{\"\"notification_type\"\":\"\"CANCEL\"\"}\"\n2,x\n"])
        try command.write("INFO {\"notification_type\":\"CANCEL\"}\nINFO done\n", to: "a.log")
        for name in ["a.csv", "a.log"] {
            let run = try command.run(["convert", "--require-authentic", name] + Self.verify)
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(run.errors.contains("rejected    1   trust.no-proof 1"), "\(run.errors)")
        }
    }

    /// The genuine body, with something done to the row that the event is not about.
    private static let otherRows: [(change: String, expected: String, isInPlace: Bool)] = [
        (#""expires_date_ms":"1804240801000""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""product_id":"com.example.news.year""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""transaction_id":"700000000000009""#, "some TRANSACTION_NOT_IN_RECEIPT RECEIPT_ROWS", true),
        (#""original_transaction_id":"700000000000009""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""quantity":"2""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""web_order_line_item_id":"70000000000009""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""purchase_date_ms":"1799143201000""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""original_purchase_date_ms":"1699143200000""#, "some RECEIPT_CONTRADICTS_ROW", true),
        (#""cancellation_date_ms":"1799143300000""#, "some RECEIPT_CONTRADICTS_ROW", false),
        (#""transaction_id":"""#, "some RECEIPT_ROWS", true),
        // An end that is left out.
        (#""expires_date_ms":"""#, "some RECEIPT_CONTRADICTS_ROW", true),
        // What changes nothing.
        (#""web_order_line_item_id":70000000000001"#, "all", true),
        (#""is_in_intro_offer_period":"false""#, "all", true),
        (#""cancellation_date_ms":"""#, "all", false),
    ]

    @Test("A row that is not the event's, and is not as Apple signed it, is detected", arguments: otherRows)
    func otherRow(_ change: String, _ expected: String, _ isInPlace: Bool) throws {
        let genuine = try Self.lines()[0]
        // The second row of two.
        let row = try #require(genuine.firstRange(of: "},{\"transaction_id\":\"700000000000001\""))
        let second = genuine.index(row.lowerBound, offsetBy: 3)
        var body = String(genuine)
        if isInPlace {
            let key = String(change.prefix(through: try #require(change.firstIndex(of: ":"))))
            let start = try #require(genuine[second...].firstRange(of: key)).lowerBound
            let end = try #require(genuine[start...].firstIndex { $0 == "," || $0 == "}" })
            body.replaceSubrange(start..<end, with: change)
        } else {
            body.insert(contentsOf: change + ",", at: second)
        }
        let command = try Command()
        let run = try command.run(["pipe"] + Self.verify, input: .text(body + "\n"))
        #expect(try findings(run) == [expected])
        let accepted = try command.run(["pipe", "--require-authentic"] + Self.verify, input: .text(body + "\n"))
        #expect(try findings(accepted) == [expected == "all" ? "all" : "trust.no-proof"])
    }

    @Test(
        "A row that was added is detected, unless it may be a finished consumable",
        arguments: [
            (#""original_transaction_id":"700000000000001","expires_date_ms":"4092595200000""#, true),
            (#""original_transaction_id":"800000000000001","expires_date_ms":"4092595200000""#, true),
            (#""original_transaction_id":"700000000000001""#, true),
            (#""original_transaction_id":"800000000000001""#, false),
        ]
    )
    func addedRow(_ facts: String, _ isTold: Bool) throws {
        let genuine = try Self.lines()[0]
        for copies in [1, 9] {
            let rows = (1...copies).map { number in
                #"{"transaction_id":"80000000000000\#(number)","product_id":"com.example.news.month",\#(facts),"#
                    + #""purchase_date_ms":"1801821700000"},"#
            }
            let list = "\"latest_receipt_info\":["
            let body = genuine.replacing(list, with: list + rows.joined())
            let run = try Command().run(["pipe"] + Self.verify, input: .text(body + "\n"))
            let found = try #require(try findings(run).first)
            #expect(found.contains("TRANSACTION_NOT_IN_RECEIPT") == isTold, "\(found)")
            #expect(!found.hasPrefix("all") || !isTold)
        }
    }

    @Test("Receipts are not looked at without the option")
    func withoutTheOption() throws {
        let command = try Command()
        let plain = try command.run("convert", Self.notifications)
        let none = try command.run("convert", Self.notifications, "--verify-receipts", "none")
        #expect(try findings(plain).allSatisfy { $0 == "absent" })
        #expect(none.output == plain.output)
        #expect(!plain.errors.contains("receipt "))
    }

    @Test("The receipt of an answer is verified like that of a body, and proves its transactions alone")
    func answers() throws {
        let bodies = try Self.lines().map(tree)
        func answer(_ line: Int, app: String = "com.example.news", rows more: String = "") throws -> String {
            let receipt = try #require(bodies[line]["unified_receipt"]?["latest_receipt"]?.string)
            let list = (1...2).map { number in
                Body.row(
                    "700000000000001", "70000000000000\(number)", of: "com.example.news.month",
                    from: 1_801_821_600_000 + Int64(number) * 10_000, lasting: 9000)
            }
            return #"{"status":0,"environment":"Production","receipt":{"bundle_id":"\#(app)","in_app":[]},"#
                + #""latest_receipt_info":[\#(more)\#(list.joined(separator: ","))],"latest_receipt":"\#(receipt)"}"#
        }
        let madeUp = #"{"transaction_id":"7","original_transaction_id":"700000000000001","purchase_date_ms":"1"},"#
        for (text, rows, code) in [
            (try answer(0), 2, nil), (try answer(0, rows: madeUp), 2, nil), (try answer(3), 0, "receipt.bundle-id"),
            (try answer(0, app: "com.example.other"), 0, "receipt.bundle-id"),
            (try answer(4), 0, "x509.untrusted-root"), (try answer(5), 0, "receipt.bad-signature"),
        ] {
            let run = try Command.run(
                ["transactions", "--require-authentic", "answer.json"] + Self.verify, over: text, as: "answer.json")
            #expect(run.lines.count == rows)
            #expect(run.code == (code == nil ? 0 : 1))
            if let code { #expect(run.errors.hasPrefix("answer.json:1:1: reject[\(code)]: latest_receipt")) }
        }
    }

    @Test("Receipts change nothing else of an event")
    func changeNothingElse() throws {
        let command = try Command()
        let plain = try command.run("convert", "--infer", "all", Self.notifications).events
        let told = try command.run(["convert", "--infer", "all", Self.notifications] + Self.verify)
        #expect(plain.count == told.lines.count)
        for (before, (line, event)) in zip(plain, zip(told.lines, try told.events)) {
            var after = event
            // A line of ours decodes to what gives it back.
            #expect(String(decoding: after.line(), as: UTF8.self) == line)
            #expect(after.source.isReceiptRequested)
            (after.source.receipt, after.source.isReceiptRequested) = (nil, false)
            after.flags.removeAll { $0.rawValue.contains("RECEIPT") }
            if after.occurredAtBasis == "receipt_creation_date" {
                // Of a type without a time of its own.
                #expect(after.source.type == "CONSUMPTION_REQUEST")
                #expect(before.flags.contains(.timeLowerBound) || before.occurredAt == nil)
                (after.occurredAt, after.occurredAtBasis) = (before.occurredAt, before.occurredAtBasis)
                after.flags = before.flags
            }
            #expect(after == before)
        }
    }

    @Test("Verdicts on receipts survive a cluster's sort, and deduced events say that they have none")
    func keyed() throws {
        let command = try Command()
        let keyed = try command.run(["evidence"] + Self.verify, input: .file(Self.notifications))
        let grouped = try findings(command.run("settle", "--infer", "all", input: .text(keyed.output)))
        #expect(!grouped.contains("absent") && grouped.contains("all"))
        #expect(try command.run(["settle"] + Self.verify).code == 2)
        // With a first purchase in view only, the end of its period is deduced.
        let body = try Self.lines()[0]
        try command.write(String(body).replacing("\"DID_RENEW\"", with: "\"INITIAL_BUY\"") + "\n", to: "a")
        let deduced = try command.run(["convert", "--infer", "all", "--as-of", "2030-01-01", "a"] + Self.verify)
        let inferred = try zip(deduced.events, findings(deduced)).filter { $0.0.disposition == .inferred }
        #expect(!inferred.isEmpty && inferred.allSatisfy { $0.1 == "null" })
    }

    @Test("Receipts are proof enough where they are accepted, and only those that cover everything")
    func accept() throws {
        let command = try Command()
        let options = Self.verify + ["--require-authentic"]
        let run = try command.run(["pipe"] + options, input: .file(Self.notifications))
        let refusals = Array(repeating: "trust.no-proof", count: 9) + ["trust.unsigned"]
        #expect(try findings(run) == ["all"] + refusals)
        #expect(run.output.contains("\"authenticity\":\"unverified\""))
        let files = ["-o", "out", "--rejects", "rejects"]
        #expect(try command.run(["convert", Self.notifications] + files + options).code == 1)
        #expect(try command.lines("out").count == 1)
        #expect(try command.lines("rejects").count == 10)
        #expect(try command.text("rejects").contains(#""line":2,"#))
        for (arguments, sentence) in [
            (["--require-authentic"], "--require-authentic needs"),
            (["--verify-receipts", "none", "--require-authentic"], "--require-authentic needs"),
            (["--verify-receipts", Self.notifications], "--verify-receipts \(Self.notifications): not one whole"),
            (["--verify-receipts", "missing.cer"], "missing.cer"),
        ] {
            let run = try command.run(["pipe"] + arguments)
            #expect(run.code == 2 && run.errors.contains(sentence), "\(run.errors)")
        }
    }

    @Test("Receipts of any size are refused or read")
    func sizes() throws {
        let first = try Self.lines()[0]
        let receipt = try #require(try tree(first)["unified_receipt"]?["latest_receipt"]?.string)
        let long = String(repeating: "QUFB", count: 3 << 20)
        // Longer than a record may be.
        let tooLong = String(repeating: "QUFB", count: 5 << 20)
        let deep = String(decoding: CanarySearch.base64([UInt8](repeating: 0x30, count: 90_000)), as: UTF8.self)
        let lines = [tooLong, long, deep, String(receipt.dropLast(4)), receipt + "AAAA", "%%%%"].map {
            String(first).replacing(receipt, with: $0)
        }
        let run = try Command.run(["convert", "--context", "record", "a"] + Self.verify, over: lines.asLines)
        #expect(run.code == 1 && run.errors.contains("record.too-long 1\n"))
        let codes = ["too-long", "not-der", "not-der", "bad-base64", "bad-base64"]
        #expect(try findings(run) == codes.map { "none receipt." + $0 })
    }

    #if os(Linux)
    @Test("Receipts are an error where there is no libcrypto, and never pass")
    func withoutLibcrypto() throws {
        let command = try Command()
        let environment = try VerifyTests.withoutLibcrypto(command)
        for options in [[], ["--require-authentic"]] {
            let run = try command.run(
                ["convert", Self.notifications, "-o", "out"] + Self.verify + options, environment: environment)
            #expect(run.code == 2 && run.errors.contains("root.pem: no libcrypto.so.3 or libcrypto.so.4 to verify "))
            #expect(!command.exists("out"))
        }
    }
    #endif
}
