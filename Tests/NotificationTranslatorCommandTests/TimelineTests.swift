import Testing
import NotificationLibC

@Suite("The command convert in timeline context")
struct TimelineTests {
    /// Few notifications whose event lines and evidence are more than memory takes.
    private static let large = (1...700).map { number in
        #"{"notificationType":"DID_RENEW","notificationUUID":"\#(number)","signedDate":1700000000000,"data":{"note":""#
            + String(repeating: "text.", count: 6000)
            + #"","transactionInfo":{"originalTransactionId":"\#(number % 9)"}}}"# + "\n"
    }.joined()

    /// A downgrade to another app's product, twice the same: the second delivery is a duplicate only in view of the first.
    private static func repeated() -> String {
        let body =
            #"{"notification_type":"CANCEL","environment":"PROD","bid":"app","cancellation_date_ms":"1577836800000","#
            + #""unified_receipt":{"latest_receipt_info":[{"transaction_id":"2","original_transaction_id":"1","#
            + #""product_id":"p","purchase_date_ms":"1575158400000","expires_date_ms":"1577836800000","#
            + #""cancellation_date_ms":"1577836800000"}]}}"# + "\n"
        return body + body
    }

    @Test("Timeline context is the default, and the summary counts what it found")
    func isTheDefault() throws {
        let command = try Command()
        try command.write(Self.repeated(), to: "a")
        let run = try command.run("convert", "a")
        #expect(run.code == 0)
        #expect(run.output.contains(#""disposition":"duplicate""#))
        #expect(run.errors.contains("\n      duplicate 1\n"))
        #expect(try command.run("convert", "a", "--context", "timeline").output == run.output)
        let alone = try command.run("convert", "a", "--context", "record")
        #expect(!alone.output.contains("duplicate"))
        #expect(!alone.errors.contains("duplicate"))
    }

    @Test("The message says where temporary files could not be written")
    func fullDisk() throws {
        let command = try Command()
        command.makeFolder("t")
        try command.write(Self.large, to: "a")
        let missing = try command.run("convert", "-q", "a", "--temp-dir", "missing")
        #expect(missing.code == 2)
        #expect(
            missing.errors
                == "notification-translator: cannot create a temporary file in missing: No such file or directory\n")
        // A limit on the size of files stands in for a full disk.
        let places = [
            ("--temp-dir t", "a temporary file in t"), ("-o out", "a temporary file in ."),
            ("--context record -o out", "out"),
        ]
        for (options, name) in places {
            let script =
                "ulimit -f 100; \"\(Command.program)\" convert -q a \(options) >/dev/null 2>errors"
            let running = try command.start(["-c", script], program: "/bin/sh")
            #expect(running.wait() == 2)
            let errors = try command.text("errors")
            #expect(errors.hasPrefix("notification-translator: cannot write \(name)"))
            #expect(errors.hasSuffix(": File too large\n"))
        }
        #expect(command.names(in: "t").isEmpty)
        #expect(command.names == ["a", "errors", "t"])
    }

    @Test("Timeline context needs no temporary file for a few notifications")
    func smallInputs() throws {
        let run = try Command.run("convert", "-q", "a", "--temp-dir", "missing", over: Body.lines(100))
        #expect(run.code == 0)
        #expect(run.output.split(separator: "\n").count == 100)
    }

    @Test("Timeline context judges --strict as in record context")
    func exitCodes() throws {
        #expect(
            try Command.run("convert", "-q", "b", "--strict", over: #"{"notification_type":"NEW","bid":"a"}"#, as: "b")
                .code == 1)
    }
}
