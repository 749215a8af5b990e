import Testing
import NotificationLibC

@Suite("Interrupted runs") struct InterruptionTests {
    /// About 9 MB, so that some chunks are done before the input ends.
    private static let input = (1...2200).map {
        Body.cancel($0).dropLast() + #","latest_receipt":"\#(String(repeating: "QUJD", count: 1000))"}"#
    }.asLines

    /// Feeds the input until some of it is converted, and leaves the program waiting for the rest.
    private func startAndWait(_ command: Command, _ arguments: [String]) throws -> (Command.Running, writing: Int32) {
        let ends = try Command.makePipe()
        let running = try command.start(arguments, input: .held(ends))
        close(ends.reading)
        try Command.pour(Array(Self.input.utf8.dropLast(1 << 20)), into: ends.writing)
        #expect(command.exists(Command.partial("out")))
        return (running, ends.writing)
    }

    @Test(
        "A run that was killed leaves the earlier output as it was, and can be repeated", arguments: ["1", "2"],
        ["record", "timeline"])
    func aRunThatWasKilledCanBeRepeated(jobs: String, context: String) throws {
        let command = try Command()
        let options = ["convert", "-q", "-", "--context", context, "-j", jobs]
        #expect(try command.run(options + ["-o", "whole"], input: .text(Self.input)).code == 0)
        try command.write("earlier", to: "out")
        let arguments = options + ["-o", "out", "--rejects", "r", "--force"]
        let (running, writing) = try startAndWait(command, arguments)
        kill(running.identifier, SIGKILL)
        #expect(running.wait() == 128 + SIGKILL)
        close(writing)
        #expect(command.names == [Command.partial("out"), Command.partial("r"), "out", "whole"])
        #expect(try command.text("out") == "earlier")
        #expect(try command.run(arguments, input: .text(Self.input)).code == 0)
        #expect(try command.bytes("out") == command.bytes("whole"))
        #expect(command.names == ["out", "r", "whole"])
    }

    @Test(
        "A run that is killed at any moment leaves the earlier output or the whole, and can be repeated",
        arguments: 0..<4)
    func aRunThatIsKilledAtAnyMoment(trial: Int) throws {
        let command = try Command(["a": Self.input + "{\"broken\":\n"])
        let packed = trial % 2 == 0 ? "" : ".gz"
        func options(_ output: String) -> [String] {
            let context = trial < 2 ? "timeline" : "record"
            let rejects = ["--rejects", output + ".rejects"]
            return ["convert", "-q", "a", "--context", context, "-o", output + packed] + rejects
        }
        let whole = try command.run(options("whole"))
        try command.write("earlier", to: "out" + packed)
        let running = try command.start(options("out") + ["--force"])
        // At any moment of the time that a run takes.
        usleep(useconds_t(whole.seconds * 1e6 * Double.random(in: 0.2...1)))
        kill(running.identifier, SIGKILL)
        _ = running.wait()
        let (wholeBytes, left) = (try command.bytes("whole" + packed), try command.bytes("out" + packed))
        #expect(left == Array("earlier".utf8) || left == wholeBytes)
        let again = try command.run(options("out") + ["--force"])
        #expect(again.code == whole.code && again.errors == whole.errors)
        #expect(try command.bytes("out" + packed) == wholeBytes)
        #expect(try command.bytes("out.rejects") == command.bytes("whole.rejects"))
        #expect(command.names.filter { $0.contains("out") } == ["out" + packed, "out.rejects"])
    }

    @Test(
        "A signal ends the run, which leaves no file", arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))],
        ["record", "timeline"])
    func aSignalEndsTheRun(signal: (number: Int32, code: Int32), context: String) throws {
        let command = try Command()
        let (running, writing) = try startAndWait(command, ["convert", "-q", "-", "-o", "out", "--context", context])
        kill(running.identifier, signal.number)
        #expect(running.wait() == signal.code)
        close(writing)
        #expect(command.names == [])
    }

    @Test("A signal ends a run to standard output at once") func aSignalEndsARunToStandardOutputAtOnce() throws {
        let command = try Command()
        let ends = try Command.makePipe()
        let running = try command.start(["convert", "-"], input: .held(ends))
        // It reads only after it has said what a signal does.
        try Command.pour(Body.lines(1), into: ends.writing)
        #expect(Command.isRead(ends.reading))
        kill(running.identifier, SIGINT)
        #expect(running.wait() == 130)
        close(ends.reading)
        close(ends.writing)
    }

    @Test("A second run on the same output is refused") func aSecondRunOnTheSameOutputIsRefused() throws {
        let command = try Command(["a": Body.lines(1)])
        let ends = try Command.makePipe()
        let running = try command.start(["convert", "-", "-o", "out"], input: .held(ends))
        for _ in 0..<500 where !command.exists(Command.partial("out")) { usleep(10_000) }
        let second = try command.run("convert", "a", "-o", "out")
        #expect(second.code == 2)
        #expect(second.errors == "notification-translator: cannot write out: another run is writing it\n")
        close(ends.reading)
        close(ends.writing)
        #expect(running.wait() == 0)
        #expect(try command.text("out") == "")
    }
}
