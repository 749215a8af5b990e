/// Everyone takes a turn, round after round; what is compared was measured within the same round.
struct Tournament {
    /// The runs of a contender over an archive, one a round.
    struct Entry {
        let contender: Contender
        let files: ArchiveFiles
        let bytes: Int
        var runs: [ChildRun] = []
    }

    private(set) var entries: [Entry] = []
    /// Contenders that could not be started or failed, with the reason.
    private(set) var absent: [String] = []
    /// Milliseconds on the clock for one line, by contender.
    private(set) var starts: [(name: String, milliseconds: [Double])] = []
    /// Turns during which others used the machine, however often they were taken again; `nil` if that is not known.
    private(set) var disturbed: Int?
    private let folder: TemporaryFolder
    private let cores: Int

    /// Why it cannot continue.
    enum Failure: Error {
        case interrupted
        case ourselves(exitCode: Int32)
    }

    /// Prepares the turns.
    ///
    /// - Parameters:
    ///   - contenders: Ours first.
    ///   - archives: What each of them reads.
    ///   - folder: For outputs; best in memory, so that no one waits for a disk.
    ///   - cores: Processors of the machine.
    init(_ contenders: [Contender], _ archives: [ArchiveFiles], folder: TemporaryFolder, cores: Int) {
        self.folder = folder
        self.cores = cores
        for files in archives {
            for contender in contenders {
                let bytes = folder.size(of: contender.input(files))
                entries.append(Entry(contender: contender, files: files, bytes: bytes))
            }
        }
    }

    /// Names of the files it makes in its folder.
    static let files = ["output", "events", "messages"]

    /// Plays a round that does not count, in which the absent are found out, and then those that count.
    mutating func play(rounds: Int, tell: (String) -> Void) throws(Failure) {
        var present: [Entry] = []
        for entry in entries {
            let name = entry.contender.name ?? entry.contender.callsName ?? ""
            let run = run(entry.contender, entry.contender.input(entry.files))
            switch run?.exitCode {
            case 0: present.append(entry)
            case 130: throw .interrupted
            case let code?:
                if present.isEmpty { throw .ourselves(exitCode: code) }
                absent.append("\(name) on \(entry.files.profile.rawValue): failed with exit code \(code)")
            case nil: absent.append("\(name): not installed")
            }
        }
        entries = present
        for round in 1...rounds {
            tell("round \(round) of \(rounds)")
            for place in entries.indices {
                entries[place].runs.append(try quietRun(entries[place]))
            }
        }
    }

    /// Lets everyone of one thread convert a single line, often.
    mutating func measureStarts(rounds: Int) throws(Failure) {
        let starters = entries.filter { entry in
            entry.contender.name != nil && !entry.contender.isParallel
                && entry.files.profile == entries[0].files.profile
        }
        starts = starters.map { ($0.contender.name ?? "", []) }
        for _ in 0..<rounds {
            for (place, entry) in starters.enumerated() {
                guard let run = run(entry.contender, entry.files.line), run.exitCode == 0 else { throw .interrupted }
                starts[place].milliseconds.append(run.clock * 1000)
            }
        }
    }

    /// A turn that was not disturbed, or the least disturbed of a few.
    private mutating func quietRun(_ entry: Entry) throws(Failure) -> ChildRun {
        var best: (run: ChildRun, noise: Double)?
        for _ in 0..<Self.tries {
            let watch = Noise(cores: cores)
            guard let run = run(entry.contender, entry.contender.input(entry.files)), run.exitCode == 0 else {
                throw .interrupted
            }
            guard let noise = watch.share(beside: run) else { return run }
            if noise < best?.noise ?? .infinity { best = (run, noise) }
            if noise < Noise.limit { break }
        }
        guard let best else { throw .interrupted }
        disturbed = (disturbed ?? 0) + (best.noise < Noise.limit ? 0 : 1)
        return best.run
    }

    /// How often a turn is taken at most.
    private static let tries = 5

    private func run(_ contender: Contender, _ input: String) -> ChildRun? {
        let messages = folder.path("messages")
        let command = contender.command(input, folder.path("events"))
        guard var run = ChildRun.of(command, output: folder.path("output"), messages: messages) else { return nil }
        let told = TemporaryFolder.lines(of: messages).first { $0.hasPrefix("calls ") }
        run.calls = told.flatMap { Double($0.split(separator: " ")[1]) }.map { $0 / 1e9 }
        return run
    }
}
