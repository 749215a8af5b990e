import SystemLibC

/// How much of the machine others used during a turn; known on Linux only.
///
/// Two jobs beside a busy neighbour are not faster than one, and say nothing of the program. So a turn that was
/// disturbed is taken again a few times, and the report says how many stayed disturbed.
struct Noise {
    /// Above this share of all processors a turn counts as disturbed.
    static let limit = 0.12

    private let busyBefore: Double?
    private let cores: Double

    /// Begins to watch.
    init(cores: Int) {
        self.cores = Double(cores)
        busyBefore = Self.busySeconds
    }

    /// The share of all processors that others used since, beside a child of ours; `nil` where it cannot be known.
    func share(beside run: ChildRun) -> Double? {
        guard let busyBefore, let busy = Self.busySeconds, run.clock > 0 else { return nil }
        return max(0, busy - busyBefore - run.processor) / (cores * run.clock)
    }

    /// Seconds that all processors together worked since the machine was started.
    private static var busySeconds: Double? {
        guard let line = TemporaryFolder.lines(of: "/proc/stat").first, line.hasPrefix("cpu ") else { return nil }
        let numbers = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard numbers.count == 8 else { return nil }
        let idle = numbers[3] + numbers[4]
        return (numbers.reduce(0, +) - idle) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
