import SimulatedLives

/// An archive of simulated lives that were told by both versions for a while, with known errors in the V1 side.
struct OverlapArchive {
    /// An error that was made: the numbers of the lines that carry it, and Apple's pair.
    struct Injection {
        var lines: [Int]
        var apple: V2Pair
    }

    var lines: [[UInt8]] = []
    private(set) var injections: [Injection] = []
    /// The numbers of the lines of version 2.
    private(set) var signedLines: Set<Int> = []

    /// - Parameters:
    ///   - lives: How many lives.
    ///   - wrong: What `notification_type` becomes in one notification of each life that can carry the error; `nil`
    ///     leaves all as they are.
    init(lives: Int, wrong: (from: String, to: String)? = nil) {
        var plan = LifePlan()
        plan.versions = .both
        plan.span = LifePlan.lateYears
        // In the sandbox a DID_RECOVER may be an ordinary renewal.
        plan.environment = .production
        for number in 0..<lives {
            let life = SimulatedLife(seed: UInt64(number), era: .unified, plan: plan)
            let chosen = wrong.flatMap { Self.choose($0.from, in: life) }
            var changed: [Int] = []
            for delivery in life.deliveries {
                var line = delivery.envelope
                if let wrong, let chosen, delivery.notice == chosen.notice, !delivery.isVersion2 {
                    line = Self.replace(wrong.from, by: wrong.to, in: line)
                    if line != delivery.envelope { changed.append(lines.count + 1) }
                }
                lines.append(line)
                if delivery.isVersion2 { signedLines.insert(lines.count) }
            }
            if let chosen, !changed.isEmpty { injections.append(Injection(lines: changed, apple: chosen.pair)) }
        }
    }

    var text: String { Self.text(lines) }

    static func text(_ lines: [[UInt8]]) -> String { lines.map { String(decoding: $0, as: UTF8.self) }.asLines }

    /// The first notification of a type that V2 tells, too.
    private static func choose(_ type: String, in life: SimulatedLife) -> (notice: Int, pair: V2Pair)? {
        for delivery in life.deliveries where !delivery.isVersion2 && delivery.type == type && !delivery.truth.isRepeat
        {
            let twin = life.deliveries.first { $0.isVersion2 && $0.happening == delivery.happening }
            if let pair = twin?.truth.pair { return (delivery.notice, pair) }
        }
        return nil
    }

    private static func replace(_ from: String, by to: String, in line: [UInt8]) -> [UInt8] {
        let (old, new) = ("\"notification_type\":\"\(from)\"", "\"notification_type\":\"\(to)\"")
        return Array(String(decoding: line, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
    }
}
