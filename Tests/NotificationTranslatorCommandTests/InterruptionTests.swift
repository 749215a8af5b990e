import Testing
import NotificationLibC

@Suite("Interrupted runs") struct InterruptionTests {
    /// About 9 MB, so that some chunks are done before the input ends.
    private static let input = (1...2200).flatMap { number in
        Array(
            (#"{"notification_type":"CANCEL","environment":"PROD","bid":"app.\#(number)","latest_receipt":""#
                + String(repeating: "QUJD", count: 1000) + "\"}\n").utf8
        )
    }

    /// Feeds the input until there is a checkpoint, and leaves the program waiting for the rest.
    private func startAndWait(_ command: Command, _ arguments: [String]) throws -> (Command.Running, writing: Int32) {
        let ends = try Command.makePipe()
        let running = try command.start(arguments, input: .held(reading: ends.reading, writing: ends.writing))
        close(ends.reading)
        try Command.pour(Self.input, into: ends.writing) { command.exists("out.checkpoint") }
        return (running, ends.writing)
    }

    /// What an interrupted run leaves beside an output, in the order of the names.
    private static func leftovers(_ context: String) -> [String] {
        ["out.checkpoint", "out.partial"] + (context == "timeline" ? ["out.timeline-lines", "out.timeline-runs"] : [])
    }

    @Test("A run that was killed continues and writes the same bytes", arguments: ["1", "2"], ["record", "timeline"])
    func aRunThatWasKilledContinuesAndWritesTheSameBytes(jobs: String, context: String) throws {
        let command = try Command()
        let options = ["convert", "-q", "-", "--context", context]
        let whole = try command.run(options + ["-o", "whole"], input: .pipe(Self.input))
        #expect(whole.code == 0)
        let common = options + ["-o", "out", "--rejects", "r", "--resume"]
        let arguments = common + ["-j", jobs]
        let (running, writing) = try startAndWait(command, arguments)
        kill(running.identifier, SIGKILL)
        #expect(running.wait() == 128 + SIGKILL)
        close(writing)
        #expect(command.names == Self.leftovers(context) + ["r.partial", "whole"])
        #expect(command.names.filter { $0.contains("timeline") }.allSatisfy { command.rights($0) == 0o600 })
        let other = try command.run(common + ["--fail-fast"], input: .pipe(Self.input))
        #expect(other.code == 2)
        #expect(
            other.errors
                == "notification-translator: cannot resume out: the interrupted run had other options or was made by "
                + "another version; run without --resume to start again\n"
        )
        let receipts = try command.run(common + ["--verify-receipts", "apple"], input: .pipe(Self.input))
        #expect(receipts.errors == other.errors)
        let changed = try command.run(common, input: .pipe(Array(Self.input.dropFirst(7))))
        #expect(changed.code == 2)
        #expect(
            changed.errors
                == "notification-translator: cannot resume -: it has changed since the checkpoint was written\n"
        )
        let resumed = try command.run(common, input: .pipe(Self.input))
        #expect(resumed.code == 0)
        #expect(try command.bytes("out") == command.bytes("whole"))
        #expect(command.names == ["out", "r", "whole"])
    }

    @Test("A signal ends the run with a checkpoint", arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func aSignalEndsTheRunWithACheckpoint(signal: Int32, code: Int32) throws {
        let command = try Command()
        let (running, writing) = try startAndWait(command, ["convert", "-q", "-", "-o", "out"])
        kill(running.identifier, signal)
        #expect(running.wait() == code)
        close(writing)
        #expect(command.names == Self.leftovers("timeline"))
        let whole = try command.run("convert", "-q", "-", "-o", "whole", input: .pipe(Self.input))
        let resumed = try command.run("convert", "-q", "-", "-o", "out", "--resume", input: .pipe(Self.input))
        #expect(whole.code == 0)
        #expect(resumed.code == 0)
        #expect(try command.bytes("out") == command.bytes("whole"))
    }

    @Test("A signal ends a run to standard output at once") func aSignalEndsARunToStandardOutputAtOnce() throws {
        let command = try Command()
        let ends = try Command.makePipe()
        let running = try command.start(
            ["convert", "-"],
            input: .held(reading: ends.reading, writing: ends.writing)
        )
        // It reads only after it has said what a signal does.
        try Command.pour(Array(Body.lines(1).utf8), into: ends.writing)
        #expect(Command.isRead(ends.reading))
        kill(running.identifier, SIGINT)
        #expect(running.wait() == 130)
        close(ends.reading)
        close(ends.writing)
    }

    @Test("A second run on the same output is refused") func aSecondRunOnTheSameOutputIsRefused() throws {
        let command = try Command()
        let ends = try Command.makePipe()
        let running = try command.start(
            ["convert", "-", "-o", "out"],
            input: .held(reading: ends.reading, writing: ends.writing)
        )
        for _ in 0..<500 where !command.exists("out.partial") { usleep(10_000) }
        try command.write(Body.lines(1), to: "a")
        let second = try command.run("convert", "a", "-o", "out")
        #expect(second.code == 2)
        #expect(second.errors == "notification-translator: cannot write out: another run is writing it\n")
        close(ends.reading)
        close(ends.writing)
        #expect(running.wait() == 0)
        #expect(try command.text("out") == "")
    }
}
