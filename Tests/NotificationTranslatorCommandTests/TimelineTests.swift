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
    private static let repeated: String = {
        let cancelled = #","cancellation_date_ms":"1577836800000""#
        let body = Body.version1("CANCEL", [Body.row("1", "2", from: 1_575_158_400_000, cancelled)], cancelled)
        return [body, body].asLines
    }()

    @Test("Timeline context is the default, and the summary counts what it found")
    func isTheDefault() throws {
        let command = try Command(["a": Self.repeated])
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
        let cause = "cannot create a temporary file in missing: No such file or directory\n"
        #expect(missing.errors == "notification-translator: " + cause)
        // A limit on the size of files stands in for a full disk.
        for (options, name) in [
            ("--temp-dir t", "a temporary file in t"), ("-o out", "a temporary file in ."),
            ("--context record -o out", "out"),
        ] {
            let script = "ulimit -f 100; \"\(Command.program)\" convert -q a \(options) >/dev/null 2>errors"
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
        #expect(run.lines.count == 100)
    }

    @Test("Timeline context judges --strict as in record context")
    func exitCodes() throws {
        let run = try Command.run("convert", "-q", "a", "--strict", over: #"{"notification_type":"NEW","bid":"a"}"#)
        #expect(run.code == 1)
    }
}
