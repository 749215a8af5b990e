import NotificationLibC
import NotificationTranslation
import Testing

@testable import NotificationArchives

/// Several compressed inputs are unpacked at a time, and nobody notices but by the clock.
@Suite("Unpacking ahead") struct ReadAheadTests {
    /// Records of 20 KB, so that few of them are more than a stream shows at its beginning.
    private static func records(_ count: Int) -> String {
        let filling = (0..<20).map { number in String(repeating: "\(number * 7919 % 1000) abc", count: 150) }.joined()
        return (0..<count).map { #"{"filling":"\#(filling)","# + Body.cancel($0).dropFirst() + "\n" }.joined()
    }

    @Test("The events of inputs that are unpacked at the same time are in the order of the inputs", arguments: [2, 8])
    func orderOfInputs(jobs: Int) throws {
        let workspace = try Workspace()
        var names: [String] = []
        for number in 0..<10 {
            let name = "f\(number)"
            try workspace.write(Self.records(1 + 8 * (number % 4)), to: name)
            // One that is not packed stands between the others, and one that is cut short.
            if number != 5 { try workspace.pack("gzip", name, name + ".gz") }
            if number == 6 {
                let bytes = try workspace.bytes(name + ".gz")
                try workspace.write(Array(bytes.prefix(bytes.count * 4 / 5)), to: name + ".gz")
            }
            names.append(number == 5 ? name : name + ".gz")
        }
        // With one worker, inputs are unpacked one after the other.
        let plain = try Trial(names, in: workspace)
        let trial = try Trial(names, in: workspace, asking(30_000, jobs: jobs))
        #expect(trial.events == plain.events)
        #expect(trial.faults == plain.faults)
        #expect(trial.tally.converted > 100)
        #expect(trial.faults.count == 1)
        #expect(trial.faults.allSatisfy { $0.hasSuffix(" input.damaged") })
        #expect(trial.outcome.files == 10)
    }

    @Test("More than the memory for unpacked bytes goes through it", arguments: [1, 2])
    func moreThanTheMemory(jobs: Int) throws {
        let workspace = try Workspace()
        let size = 24 << 20
        try workspace.write([UInt8](repeating: 0x20, count: size), to: "a")
        try workspace.pack("gzip", "a", "a.gz")
        let input = InputFile(path: workspace.path("a.gz"))
        let inputs = try (0..<jobs).map { _ in try ByteStream.ahead(input, 1 << 20) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { room.deallocate() }
        for input in inputs {
            let stream = try #require(try input.value())
            var count = 0
            while case let more = try stream.read(into: room), more > 0 { count += more }
            #expect(count == size)
            #expect(try !stream.isDamaged())
        }
    }
}
