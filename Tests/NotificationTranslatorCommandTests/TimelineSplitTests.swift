import SimulatedLives
import Testing

/// An archive may be cut by subscription, converted in parts and joined again.
@Suite("An archive in parts") struct TimelineSplitTests {
    /// The lines of an archive of lives of every era, in the order of arrival, with the times of arrival.
    static func lines(_ lives: UInt64) -> [[UInt8]] {
        let deliveries = SimulatedEra.allCases.flatMap { era in
            (0..<lives).flatMap {
                SimulatedLife(seed: 4_000 + $0, era: era, receiptLength: 8...8, cutOverPercent: 40).deliveries
            }
        }
        return deliveries.sorted { $0.receivedAt < $1.receivedAt }.map(\.envelope)
    }

    /// A line of output without what says where its record stood.
    static func withoutPlace(_ line: Substring) -> String {
        guard let place = line.utf8.indices.first(where: { line[$0...].utf8.starts(with: ",\"input\":".utf8) }) else {
            return String(line)
        }
        return String(line[..<place])
    }

    static func text(_ key: String, in line: Substring) -> Substring? {
        let mark = Array("\"\(key)\":\"".utf8)
        guard let start = line.utf8.indices.first(where: { line[$0...].utf8.starts(with: mark) }) else { return nil }
        return line[line.utf8.index(start, offsetBy: mark.count)...].prefix(while: { $0 != "\"" })
    }

    @Test("Parts by subscription give the events of the whole") func partsBySubscriptionGiveTheEventsOfTheWhole() throws
    {
        let lines = Self.lines(12)
        let command = try Command()
        let options = ["convert", "-q", "--context", "timeline", "--infer", "all", "--as-of", "2024-01-01T00:00:00Z"]
        func converted(_ lines: [[UInt8]]) throws -> [Substring] {
            try command.write(Array(lines.joined(separator: [10])), to: "a")
            let run = try command.start(options + ["a"], output: command.path("out"))
            let code = run.wait()
            #expect(code == 0)
            return try command.text("out").split(separator: "\n")
        }
        let whole = try converted(lines)

        var parts = [[[UInt8]]](repeating: [], count: 5)
        var place = 0
        for event in whole where Self.text("disposition", in: event) != "inferred" {
            let subscription = Self.text("original_transaction_id", in: event)
            parts[Int(subscription?.utf8.last ?? 0) % 5].append(lines[place])
            place += 1
        }
        #expect(place == lines.count && parts.allSatisfy { !$0.isEmpty })
        let joined = try parts.flatMap { try converted($0) }.map(Self.withoutPlace).sorted()
        let expected = whole.map(Self.withoutPlace).sorted()
        let onlyJoined = Set(joined).subtracting(expected).sorted()
        let onlyWhole = Set(expected).subtracting(joined).sorted()
        #expect(onlyJoined.prefix(3) == [])
        #expect(onlyWhole.prefix(3) == [])
        #expect(joined.count == expected.count)
        #expect(whole.contains { Self.text("disposition", in: $0) == "inferred" })
    }
}
