/// What the rounds came to: one row for each contender over each archive.
struct Figures {
    /// A row.
    struct Row {
        let name: String
        /// Millions of bytes a second of processor time; the middle of the rounds.
        let processorRate: Double
        /// Millions of bytes a second on the clock; `nil` for calls, which are only timed by the processor.
        let clockRate: Double?
        /// How many times as fast ours is, round by round; `nil` for what is ours to compare with.
        let ratios: [Double]?
        /// Millions of bytes; `nil` for calls.
        let peakMemory: Double?
    }

    private let entries: [Tournament.Entry]

    init(_ entries: [Tournament.Entry]) {
        self.entries = entries
    }

    /// The rows of one archive, in the order of the contenders.
    func rows(of profile: Profile) -> [Row] {
        let own = entries.filter { $0.files.profile == profile }
        guard let first = own.first else { return [] }
        let library = own.first { $0.contender.name == nil }
        var rows: [Row] = []
        for entry in own {
            if let name = entry.contender.name {
                let ratios =
                    entry.contender.isParallel
                    ? Self.ratios(first, entry, by: \.clock).map { 1 / $0 } : Self.ratios(first, entry, by: \.processor)
                rows.append(
                    Row(
                        name: name,
                        processorRate: Self.rate(entry, by: \.processor),
                        clockRate: Self.rate(entry, by: \.clock),
                        ratios: rows.isEmpty ? nil : ratios,
                        peakMemory: entry.runs.map { Double($0.peakMemory) / 1e6 }.max()
                    )
                )
            }
            if let name = entry.contender.callsName {
                let isReference = entry.contender.name == nil
                rows.append(
                    Row(
                        name: name,
                        processorRate: Self.rate(entry, by: \.callSeconds),
                        clockRate: nil,
                        ratios: isReference ? nil : library.map { Self.ratios($0, entry, by: \.callSeconds) },
                        peakMemory: nil
                    )
                )
            }
        }
        return rows
    }

    /// How fast our one job is on the second archive, measured by the first; round by round.
    func ratios(of profile: Profile, to other: Profile) -> [Double]? {
        guard let one = entries.first(where: { $0.files.profile == profile }),
            let two = entries.first(where: { $0.files.profile == other })
        else { return nil }
        return Self.ratios(one, two, by: \.processor)
    }

    /// Rate of `one` divided by the rate of `other`, within each round.
    private static func ratios(
        _ one: Tournament.Entry,
        _ other: Tournament.Entry,
        by time: KeyPath<ChildRun, Double>
    ) -> [Double] {
        zip(one.runs, other.runs).map { mine, theirs in
            (Double(one.bytes) / mine[keyPath: time]) / (Double(other.bytes) / theirs[keyPath: time])
        }
    }

    private static func rate(_ entry: Tournament.Entry, by time: KeyPath<ChildRun, Double>) -> Double {
        entry.runs.map { Double(entry.bytes) / 1e6 / $0[keyPath: time] }.middle
    }
}

extension ChildRun {
    fileprivate var callSeconds: Double { calls ?? .nan }
}

extension [Double] {
    /// The median.
    var middle: Double {
        let sorted = sorted()
        guard !isEmpty else { return .nan }
        return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    }
}
