import Testing
import NotificationLibC

@testable import NotificationTranslation

@Suite("Pseudonyms") struct RedactTests {
    private static let token = "7e3fb204-2a11-4f1d-8f0d-1df6b2a44e0b"
    private static let key = "0123456789abcdef0123456789abcdef\n"

    private static func v1(_ token: String) -> String {
        Body.version1("INITIAL_BUY", [Body.row("1", from: 1_600_000_000_000, #","app_account_token":"\#(token)""#)])
    }

    private static func v2(_ token: String) -> String {
        #"{"notificationType":"DID_RENEW","notificationUUID":"u","signedDate":1700000000000,"data":{"bundleId":"app","#
            + #""transactionInfo":{"originalTransactionId":"1","appAccountToken":"\#(token)"}}}"#
    }

    /// The tokens of events, in order.
    private func tokens(_ lines: String) -> [String] {
        lines.split(separator: "\n").map { $0.value(of: "app_account_token") }
    }

    @Test("One token has one pseudonym in both versions, however it is written")
    func oneTokenHasOnePseudonymInBothVersionsHoweverItIsWritten() throws {
        let command = try Command(["key": Self.key])
        let escaped = "\\u0037" + Self.token.dropFirst()
        let texts = [Self.token, Self.token.uppercased(), escaped]
        let lines = texts.map(Self.v1) + texts.map(Self.v2) + [Self.v1(""), Self.v2("x")]
        try command.write(lines.asLines, to: "a")
        let run = try command.run("convert", "-q", "--redact", "key", "a")
        #expect(run.code == 0)
        // printf %s TOKEN | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(xxd -p -c 256 key)
        let pseudonym = "\"bb7de2f6736d130f8d8bb794235bffe4b92ac9e98139cda8c2800a8b8f2f45e0\""
        let other = try "\"\(RedactionKey(Array(Self.key.utf8)).pseudonym(of: "x"))\""
        #expect(tokens(run.output) == Array(repeating: pseudonym, count: 6) + ["null", other])
        let piped = try command.run("pipe", "--redact=key", input: .file("a"))
        #expect(tokens(piped.output) == tokens(run.output))
        #expect(!(run.output + piped.output).lowercased().contains(Self.token))
        let plain = try command.run("convert", "-q", "a")
        #expect(tokens(plain.output).first == "\"\(Self.token)\"")
        // Nothing but the token differs.
        #expect(run.lines.last == plain.lines.last?.replacing("\"x\"", with: other))
    }

    @Test("A token in an object that this build does not know has the pseudonym, too")
    func redactsDetails() throws {
        let command = try Command(["key": Self.key])
        let object = #"{"bundleId":"app","environment":"Production","seats":[{"appAccountToken":"\#(Self.token)"}]}"#
        let line = #"{"notificationType":"NEW","notificationUUID":"u","signedDate":1700000000000,"newInfo":\#(object)}"#
        let run = try command.run("pipe", "--redact", "key", input: .text(line))
        let pseudonym = "bb7de2f6736d130f8d8bb794235bffe4b92ac9e98139cda8c2800a8b8f2f45e0"
        #expect(run.output.contains(#""new_info":{"bundle_id":"app","environment":"Production","seats":[{"#))
        #expect(run.output.contains(#""app_account_token":"\#(pseudonym)""#))
        #expect(!run.output.contains(Self.token))
    }

    @Test("A key that cannot be used is a usage error") func aKeyThatCannotBeUsedIsAUsageError() throws {
        let command = try Command(["a": Self.v1(Self.token), "empty": "", "short": "0123456789abcde"])
        try command.write([UInt8](repeating: 7, count: 1 << 20 + 1), to: "long")
        command.makeFolder("folder")
        let advice = "\nTry: notification-translator help convert"
        for (name, message) in [
            ("empty", "--redact empty: a redaction key must have 16 bytes or more." + advice),
            ("short", "--redact short: a redaction key must have 16 bytes or more." + advice),
            ("long", "--redact long: larger than 1 MiB." + advice),
            ("none", "cannot open none: No such file or directory"), ("folder", "cannot read folder: Is a directory"),
        ] {
            let run = try command.run("convert", "a", "-o", "out", "--redact", name)
            #expect(run.code == 2 && run.errors == "notification-translator: " + message + "\n")
            #expect(!command.exists("out"))
        }
    }
}
