import SystemLibC

/// What this program does when it started itself: one contender over one file, or the writing of the archives.
enum Worker {
    /// Runs the worker of that name; its figures go to standard error, its output to standard output.
    static func run(_ words: [String]) -> Int32 {
        switch words.first {
        case "generate" where words.count == 5:
            guard let profile = Profile(rawValue: words[1]), let seed = UInt64(words[2]), let bytes = Int(words[3])
            else { return 2 }
            let files = ArchiveFiles(profile, in: TemporaryFolder(existing: words[4]))
            return files.write(seed: seed, bytes: bytes) ? 0 : 1
        case "scan" where words.count == 2: return scan(words[1])
        case "library" where words.count == 2: return LibraryWorker.run(words[1])
        case "decoder" where words.count == 2: return DecoderWorker.run(words[1])
        default: return 2
        }
    }

    /// Reads and looks for line ends, and nothing else: what a program of one thread cannot be faster than.
    private static func scan(_ path: String) -> Int32 {
        var lines = 0
        let isFine = LineFile.forEachPiece(of: path) { piece in
            LineFile.forEachLine(in: piece) { _ in lines += 1 }
        }
        return isFine && lines > 0 ? 0 : 1
    }

    /// Tells the parent how long the calls themselves took.
    static func report(calls: CallClock, events: Int) {
        _ = LineFile.writeAll(Array("calls \(calls.nanoseconds) \(events)\n".utf8), to: 2)
    }
}

/// Adds up the processor time of this thread between `start` and `stop`.
struct CallClock {
    private(set) var nanoseconds = 0
    private var began = 0

    mutating func start() {
        began = Self.now()
    }

    mutating func stop() {
        nanoseconds += Self.now() - began
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
