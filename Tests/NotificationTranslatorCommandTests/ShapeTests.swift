import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("Shapes of the output")
struct ShapeTests {
    /// Fixtures of both versions, and the first records once more as if they had been delivered again.
    private static func archive(_ command: Command) throws {
        var lines = try ["2018.ndjson", "2020.ndjson", "2023.ndjson"].flatMap { name in
            try Command.file("Fixtures/archive/" + name).split(separator: "\n").map(String.init)
        }
        let payloads = "Fixtures/v2-to-event/"
        lines += try Command.files(in: payloads).map {
            try Command.file(payloads + $0 + "/input.json").replacing("\n", with: " ")
        }
        lines += lines.prefix(9)
        try command.write(lines.asLines, to: "archive.ndjson")
    }

    private static func converted(_ options: [String], _ command: Command) throws -> [JSONValue] {
        let run = try command.run(["convert", "archive.ndjson", "-q"] + options)
        #expect(run.code == 0, "\(run.errors)")
        return try run.values
    }

    private static func members(_ value: JSONValue?) -> [String: JSONValue] {
        guard case .object(let members)? = value else { return [:] }
        return members
    }

    /// Whether `null` stands anywhere in it.
    private static func hasNull(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .array(let elements): elements.contains(where: hasNull)
        case .object(let members): members.values.contains(where: hasNull)
        default: false
        }
    }

    @Test("The shape v2 holds the events alone, without nulls, under Apple's keys", arguments: ["timeline", "record"])
    func version2(context: String) throws {
        let command = try Command()
        try Self.archive(command)
        let events = try Self.converted(["--context", context], command)
        let own = events.filter { !["companion", "duplicate"].contains($0["disposition"]?.string) }
        let shaped = try Self.converted(["--context", context, "--to", "v2"], command)
        #expect(own.count < events.count && shaped.count == own.count)
        for (event, payload) in zip(own, shaped) {
            let data = payload["data"]
            #expect(payload["notificationUUID"] == event["id"])
            guard event["source"]?["version"]?.string == "v1" else {
                // As Apple wrote it.
                #expect(payload["notificationType"] == event["source"]?["type"])
                #expect(payload["translation"] == nil)
                continue
            }
            #expect(payload["notificationType"] ?? .null == event["v2"]?["type"])
            #expect(payload["subtype"] ?? .null == event["v2"]?["subtype"])
            #expect(
                data?["transactionInfo"]?["transactionId"] ?? .null == event["transaction"]?["transaction_id"] ?? .null)
            #expect(!Self.hasNull(payload))
            #expect(payload["signedDate"] == nil && !Self.members(data).keys.contains { $0.hasPrefix("signed") })
            #expect(payload["translation"]?["signed"] == .bool(false))
            #expect(payload["translation"]?["rule"] ?? .null == event["source"]?["rule"])
            #expect(payload["translation"]?["occurredDate"] ?? .null == event["occurred_at_ms"])
            #expect(payload["translation"]?["flags"] == event["flags"])
            #expect(payload["translation"]?["entitlement"] == event["entitlement"])
            #expect((payload["translation"]?["accessUntil"] == nil) == (event["access_until"] == .null))
            let derivesStatus = "\(payload["translation"]?["derived"] ?? .null)".contains("data.status")
            #expect(derivesStatus == (data?["status"] != nil))
        }
        // What is left out is told.
        let run = try command.run(["convert", "archive.ndjson", "--context", context, "--to", "v2"])
        #expect(run.errors.contains("--to v2 left out "))
        let counts = run.errors.matches(of: /(\d+) (?:companion|duplicate)s?(?: and |;)/).compactMap {
            Int($0.output.1)
        }
        #expect(counts.reduce(0, +) == events.count - own.count)
        // What Apple signed is handed on beside what it says.
        let signed = shaped.filter { $0["data"]?["signedTransactionInfo"] != nil }
        #expect(signed.contains { $0["data"]?["transactionInfo"] != nil })
    }

    @Test("The shape cloudevents wraps the line of the event", arguments: ["timeline", "record"])
    func cloudEvents(context: String) throws {
        let command = try Command()
        try Self.archive(command)
        let lines = try command.run(["convert", "archive.ndjson", "-q", "--context", context]).output
            .split(separator: "\n")
        let options = ["convert", "archive.ndjson", "-q", "--context", context, "--to", "cloudevents"]
        let run = try command.run(options)
        let wrapped = run.lines
        #expect(wrapped.count == lines.count && run.code == 0)
        for (line, text) in zip(lines, wrapped) {
            let data = try #require(text.firstRange(of: "\"data\":"))
            #expect(text[data.upperBound...].dropLast() == line)
            let event = try Command.json(text)
            #expect(event["specversion"]?.string == "1.0" && event["datacontenttype"]?.string == "application/json")
            #expect(event["id"] == event["data"]?["id"])
            #expect(event["type"]?.string == "apple.app-store." + (event["data"]?["type"]?.string ?? ""))
            #expect(event["time"] ?? .null == event["data"]?["occurred_at"])
            #expect(event["subject"] ?? .null == event["data"]?["transaction"]?["original_transaction_id"] ?? .null)
            #expect(event["source"]?.string?.hasPrefix("urn:apple:app-store:") ?? false)
        }
        for jobs in ["1", "3"] {
            #expect(try command.run(options + ["-j", jobs]).output == command.run(options).output)
        }
    }

    @Test("An account token that is not a UUID is left out of --to v2, and that is flagged")
    func token() throws {
        let command = try Command()
        let uuid = "7e3fb204-2a11-4f1d-8f0d-1df6b2a44e0b"
        let bodies = [(uuid, "1"), ("user-7", "2")].map { token, id in
            Body.version1("INITIAL_BUY", [Body.row(id, from: 1_600_000_000_000, #","app_account_token":"\#(token)""#)])
        }
        try command.write(bodies.asLines, to: "archive.ndjson")
        let payloads = try Self.converted(["--to", "v2"], command)
        let tokens = payloads.map { $0["data"]?["transactionInfo"]?["appAccountToken"]?.string }
        #expect(tokens == [uuid, nil])
        let areFlagged = payloads.map { payload in
            guard case .array(let flags)? = payload["translation"]?["flags"] else { return false }
            return flags.contains(.string("ACCOUNT_TOKEN_DROPPED"))
        }
        #expect(areFlagged == [false, true])
    }

    @Test(
        "A payload of version 1 says Apple's status wherever the event tells it",
        arguments: [
            ("cancel-refund", 5), ("cancel-refund-of-an-older-period", 1), ("cancel-family", 5), ("fail", 3),
            ("fail-grace", 4), ("history-capped", 1), ("initial-buy", 1), ("refund", nil), ("preference-unknown", 1),
        ] as [(String, Int64?)])
    func status(fixture: String, status: Int64?) throws {
        let line = try Command.file("Fixtures/v1-to-v2/\(fixture)/input.json").replacing("\n", with: "") + "\n"
        let run = try Command().run(["pipe", "--to", "v2"], input: .text(line))
        let payload = try Command.json(run.output)
        #expect(payload["data"]?["status"]?.integer == status)
    }

    @Test("The Apple ID of the app is written where version 1 does not say it, and changes no id")
    func appAppleID() throws {
        let command = try Command()
        try Self.archive(command)
        let plain = try Self.converted(["--infer", "all"], command)
        let named = try Self.converted(["--infer", "all", "--app-apple-id", "1234567890"], command)
        for (before, after) in zip(plain, named) {
            var members = Self.members(before)
            if before["source"]?["version"]?.string == "v1", before["app_apple_id"] == .null {
                members["app_apple_id"] = .string("1234567890")
            }
            #expect(Self.members(after) == members)
        }
        let shaped = try Self.converted(["--to", "v2", "--app-apple-id", "1234567890"], command)
        #expect(shaped.contains { $0["data"]?["appAppleId"]?.integer == 1_234_567_890 })
        let line = #"{"notification_type":"DID_RENEW","environment":"PROD","bid":"app"}"# + "\n"
        let run = try command.run(["pipe", "--app-apple-id", "7"], input: .text(line))
        #expect(run.output.contains(#""app_apple_id":"7""#))
    }

    @Test("The command pipe answers each line in the shape, and a companion with its id")
    func pipe() throws {
        let command = try Command()
        let renewal = #"{"notification_type":"DID_RENEW","environment":"PROD","bid":"app"}"#
        let companion = try Self.companion()
        let run = try command.run(["pipe", "--to", "v2"], input: .text("\(renewal)\n\(companion)\n{}\n"))
        let lines = run.lines
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix(#"{"notificationType":"DID_RENEW","notificationUUID":""#))
        let event = try command.run(["pipe"], input: .text("\(companion)\n")).output
        let id = try #require(event.split(separator: #""id":""#).dropFirst().first).prefix { $0 != "\"" }
        #expect(lines[1] == #"{"companion":{"id":"\#(id)","sourceType":"CANCEL"}}"#)
        #expect(lines[2].hasPrefix(#"{"error":{"code":"record.skipped","#))
    }

    /// A body of the fixtures that is only part of another event.
    private static func companion() throws -> String {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let bodies = try Command.files(in: "Fixtures/v1-to-v2").map {
            try Command.file("Fixtures/v1-to-v2/" + $0 + "/input.json")
        }
        let companion = bodies.first { (try? normalizer.event(from: $0.utf8))?.disposition == .companion }
        return try #require(companion).replacing("\n", with: " ")
    }
}
