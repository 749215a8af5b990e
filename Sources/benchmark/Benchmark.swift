import SystemLibC

/// From the words after the program's name to the tables.
enum Benchmark {
    /// How often a single line is converted.
    private static let starts = 41

    /// - Returns: The exit code: 0, 1 when something could not be measured, 2 for wrong options, 130 interrupted.
    static func run(_ words: [String]) -> Int32 {
        do throws(Options.UsageError) {
            let options = try Options(words)
            guard !options.wantsHelp else {
                print(Options.help)
                return 0
            }
            return measure(options)
        } catch {
            tell("benchmark: \(error.sentence)")
            return 2
        }
    }

    private static func measure(_ options: Options) -> Int32 {
        #if DEBUG
        tell("benchmark: this is a debug build, a hundred times slower than `swift run -c release benchmark`")
        #endif
        guard let own = ownPath, let converter = converter(beside: own) else {
            tell("benchmark: no notification-translator beside this program; `swift build -c release` makes both")
            return 1
        }
        guard let archiveFolder = TemporaryFolder(in: TemporaryFolder.usual),
            let outputFolder = TemporaryFolder(in: ["/dev/shm"] + TemporaryFolder.usual)
        else {
            tell("benchmark: cannot make a temporary folder")
            return 1
        }
        signal(SIGINT, SIG_IGN)  // the child that runs is interrupted; we tidy up
        defer {
            archiveFolder.remove(options.profiles.flatMap(ArchiveFiles.names))
            outputFolder.remove(Tournament.files + ["swift-version"])
        }
        let machine = Machine(folder: outputFolder)
        var archives: [ArchiveFiles] = []
        for profile in options.profiles {
            tell("writing the archive \(profile.rawValue), \(options.megabytes) MB")
            let words = [
                own, "--worker", "generate", profile.rawValue, "\(options.seed)", "\(options.megabytes * 1_000_000)",
                archiveFolder.root,
            ]
            let run = ChildRun.of(words, output: "/dev/null", messages: "/dev/null")
            guard run?.exitCode == 0 else {
                tell("benchmark: cannot write an archive of \(options.megabytes) MB into \(archiveFolder.root)")
                return run?.exitCode == 130 ? 130 : 1
            }
            archives.append(ArchiveFiles(profile, in: archiveFolder))
        }
        let all = Contender.all(converter: converter, own: own)
        let chosen = options.only.isEmpty ? all : all.filter { $0.isOurs || $0.answers(to: options.only) }
        var tournament = Tournament(chosen, archives, folder: outputFolder, cores: machine.cores)
        do throws(Tournament.Failure) {
            try tournament.play(rounds: options.rounds, tell: tell)
            try tournament.measureStarts(rounds: starts)
        } catch {
            switch error {
            case .interrupted:
                tell("benchmark: stopped")
                return 130
            case .ourselves(let code):
                tell("benchmark: notification-translator failed with exit code \(code)")
                return 1
            }
        }
        print(Report(options: options, machine: machine, tournament: tournament).text, terminator: "")
        return 0
    }

    private static func tell(_ sentence: String) {
        _ = LineFile.writeAll(Array((sentence + "\n").utf8), to: 2)
    }

    /// The file this program was started from.
    private static var ownPath: String? {
        #if os(Linux)
        let path = "/proc/self/exe"
        #else
        let path = CommandLine.arguments[0]
        #endif
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func converter(beside own: String) -> String? {
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let path = own[...slash] + "notification-translator"
        return access(String(path), X_OK) == 0 ? String(path) : nil
    }
}
