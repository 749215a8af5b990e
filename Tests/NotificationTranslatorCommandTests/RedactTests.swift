import Testing
import NotificationLibC

@testable import NotificationTranslation

@Suite("Pseudonyms") struct RedactTests {
    private static let token = "7e3fb204-2a11-4f1d-8f0d-1df6b2a44e0b"
    private static let key = Array("0123456789abcdef0123456789abcdef\n".utf8)

    private static func v1(_ token: String) -> String {
        #"{"notification_type":"INITIAL_BUY","environment":"PROD","bid":"app","unified_receipt":{"latest_receipt_info":"#
            + #"[{"product_id":"p","original_transaction_id":"1","transaction_id":"1","purchase_date_ms":"1600000000000","#
            + #""app_account_token":"\#(token)"}]}}"#
    }

    private static func v2(_ token: String) -> String {
        #"{"notificationType":"DID_RENEW","notificationUUID":"u","signedDate":1700000000000,"data":{"bundleId":"app","#
            + #""transactionInfo":{"originalTransactionId":"1","appAccountToken":"\#(token)"}}}"#
    }

    /// The tokens of events, in order.
    private func tokens(_ lines: String) -> [String] {
        lines.split(separator: "\n").map { line in
            let value = line.split(separator: "\"app_account_token\":").last ?? ""
            return String(value.prefix { $0 != "," })
        }
    }

    @Test("One token has one pseudonym in both versions, however it is written")
    func oneTokenHasOnePseudonymInBothVersionsHoweverItIsWritten() throws {
        let command = try Command()
        try command.write(Self.key, to: "key")
        let escaped = "\\u0037" + Self.token.dropFirst()
        let lines = [
            Self.v1(Self.token), Self.v1(Self.token.uppercased()), Self.v1(escaped), Self.v2(Self.token),
            Self.v2(Self.token.uppercased()), Self.v2(escaped),
        ]
        try command.write(lines.joined(separator: "\n") + "\n" + Self.v1("") + "\n" + Self.v2("x") + "\n", to: "a")
        let run = try command.run("convert", "-q", "--redact", "key", "a")
        #expect(run.code == 0)
        // printf %s TOKEN | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(xxd -p -c 256 key)
        let pseudonym = "\"bb7de2f6736d130f8d8bb794235bffe4b92ac9e98139cda8c2800a8b8f2f45e0\""
        let other = try "\"\(RedactionKey(Self.key).pseudonym(of: "x"))\""
        #expect(tokens(run.output) == Array(repeating: pseudonym, count: 6) + ["null", other])
        let piped = try command.run(
            "pipe", "--redact=key", input: .pipe(try command.bytes("a")))
        #expect(tokens(piped.output) == tokens(run.output))
        #expect(!(run.output + piped.output).lowercased().contains(Self.token))
        let plain = try command.run("convert", "-q", "a")
        #expect(tokens(plain.output).first == "\"\(Self.token)\"")
        // Nothing but the token differs.
        #expect(
            run.output.split(separator: "\n").last
                == plain.output.replacing("\"x\"", with: other).split(separator: "\n").last)
    }

    @Test("A token in an object that this build does not know has the pseudonym, too")
    func redactsDetails() throws {
        let command = try Command()
        try command.write(Self.key, to: "key")
        let object = #"{"bundleId":"app","environment":"Production","seats":[{"appAccountToken":"\#(Self.token)"}]}"#
        let line = #"{"notificationType":"NEW","notificationUUID":"u","signedDate":1700000000000,"newInfo":\#(object)}"#
        let run = try command.run(
            "pipe", "--redact", "key", input: .pipe(Array(line.utf8)))
        let pseudonym = "bb7de2f6736d130f8d8bb794235bffe4b92ac9e98139cda8c2800a8b8f2f45e0"
        #expect(run.output.contains(#""new_info":{"bundle_id":"app","environment":"Production","seats":[{"#))
        #expect(run.output.contains(#""app_account_token":"\#(pseudonym)""#))
        #expect(!run.output.contains(Self.token))
    }

    @Test("A key that cannot be used is a usage error") func aKeyThatCannotBeUsedIsAUsageError() throws {
        let command = try Command()
        try command.write(Self.v1(Self.token), to: "a")
        try command.write("", to: "empty")
        try command.write("0123456789abcde", to: "short")
        try command.write([UInt8](repeating: 7, count: 1 << 20 + 1), to: "long")
        command.makeFolder("folder")
        let try_ = "\nTry: notification-translator help convert"
        let expected = [
            (["--redact", "empty"], "--redact empty: a redaction key must have 16 bytes or more." + try_),
            (["--redact", "short"], "--redact short: a redaction key must have 16 bytes or more." + try_),
            (["--redact", "long"], "--redact long: larger than 1 MiB." + try_),
            (["--redact", "none"], "cannot open none: No such file or directory"),
            (["--redact", "folder"], "cannot read folder: Is a directory"),
        ]
        for (arguments, message) in expected {
            let running = try command.start(["convert", "a", "-o", "out"] + arguments)
            #expect(running.wait() == 2)
            let errors = try command.text(running.errors)
            #expect(errors == "notification-translator: " + message + "\n")
            #expect(!command.exists("out"))
        }
    }
}
