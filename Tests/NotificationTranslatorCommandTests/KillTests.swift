import SimulatedLives
import Testing
import NotificationLibC

/// Runs that are killed at random moments.
///
/// `STRESS=100 SEED=7` in the environment makes it a longer run with other moments.
@Suite("Killed runs") struct KillTests {
    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    /// About 3.5 MB: lives of every era among long records of one kind, and now and then a line that is refused.
    private static let input: [UInt8] = {
        let deliveries = SimulatedEra.allCases.flatMap { era in
            (0..<8).flatMap {
                SimulatedLife(seed: 4_000 + $0, era: era, receiptLength: 8...8, cutOverPercent: 40).deliveries
            }
        }
        let lives = deliveries.sorted { $0.receivedAt < $1.receivedAt }.map(\.envelope)
        let receipt = String(repeating: "QUJD", count: 900)
        var text: [UInt8] = []
        for number in 0..<800 {
            text += lives[number * lives.count / 800] + [0x0A]
            text += Array(#"{"notification_type":"CANCEL","environment":"PROD","bid":"app.\#(number)","#.utf8)
            // Every fiftieth record is cut off.
            text += Array((number % 50 == 7 ? "" : #""latest_receipt":"\#(receipt)"}"#).utf8) + [0x0A]
        }
        return text
    }()

    /// What is asked of a run.
    private struct Way {
        var context: String
        var jobs: String
        var packs: Bool

        func arguments(_ output: String) -> [String] {
            [
                "convert", "-q", "-", "--context", context, "-j", jobs, "-o", output + (packs ? ".gz" : ""),
                "--rejects", output + ".rejects", "--force",
            ]
        }
    }

    private static let ways = ["timeline", "record"].flatMap { context in
        [false, true].flatMap { packs in
            ["1", "2"].map { Way(context: context, jobs: $0, packs: packs) }
        }
    }

    /// Feeds a run some of the input in pieces, all of it with its end, and kills it some time after; returns how it
    /// ended.
    private static func runAndKill(
        _ command: Command, _ arguments: [String], feeding count: Int, pause: useconds_t, after delay: useconds_t
    ) throws -> Int32 {
        let ends = try Command.makePipe()
        let running = try command.start(arguments, input: .held(reading: ends.reading, writing: ends.writing))
        close(ends.reading)
        var fed = 0
        while fed < count {
            let next = min(count, fed + 512 * 1024)
            try Command.pour(Array(input[fed..<next]), into: ends.writing)
            fed = next
            if fed < count { usleep(pause) }
        }
        if fed == input.count { close(ends.writing) }
        usleep(delay)
        kill(running.identifier, SIGKILL)
        let code = running.wait()
        if fed < input.count { close(ends.writing) }
        return code
    }

    @Test("A run that is killed at any moment leaves nothing or the whole output, and can be repeated")
    func aRunThatIsKilledCanBeRepeated() throws {
        let factor = Self.number("STRESS") ?? 1
        var random = SeededGenerator(seed: UInt64(Self.number("SEED") ?? 1))
        let command = try Command()
        var wholes: [String: Command.Result] = [:]
        var ways = random.shuffled(Self.ways)
        var kills = 0
        for trial in 0..<2 * factor {
            if ways.isEmpty { ways = random.shuffled(Self.ways) }
            let way = ways.removeLast()
            let name = "whole-\(way.context)\(way.packs ? "-packed" : "")"
            if wholes[name] == nil { wholes[name] = try command.run(way.arguments(name), input: .pipe(Self.input)) }
            let whole = try #require(wholes[name])
            let output = way.packs ? "out.gz" : "out"
            let wholeBytes = try command.bytes(name + (way.packs ? ".gz" : ""))
            // A third of the kills come when everything is read.
            let count =
                Int.random(in: 0..<3, using: &random) == 0
                ? Self.input.count : Int.random(in: 0..<Self.input.count, using: &random)
            let code = try Self.runAndKill(
                command, way.arguments("out"), feeding: count,
                pause: useconds_t.random(in: 0...50_000, using: &random),
                after: useconds_t.random(in: 0...100_000, using: &random))
            if code == 128 + SIGKILL { kills += 1 }
            if command.exists(output) { #expect(try command.bytes(output) == wholeBytes, "trial \(trial), \(way)") }
            let again = try command.run(way.arguments("out"), input: .pipe(Self.input))
            #expect(again.code == whole.code && again.errors == whole.errors, "trial \(trial), \(way)")
            #expect(try command.bytes(output) == wholeBytes, "trial \(trial), \(way)")
            let rejects = try command.bytes("out.rejects")
            #expect(try rejects == command.bytes(name + ".rejects"), "trial \(trial), \(way)")
            let files = command.names.filter { $0.hasPrefix("out") }
            #expect(files == [output, "out.rejects"].sorted(), "trial \(trial), \(way)")
            for file in files { unlink(command.path(file)) }
        }
        print("\(kills) kills")
        #expect(kills > 0)
    }
}
