import NotificationArchives
import NotificationTranslation

/// The commands `pipe` and `evidence`.
enum PipeCommand {
    /// Answers lines until standard input ends; the content of the lines never changes the exit code.
    static func run(_ arguments: Arguments, writesEvidence: Bool) throws -> Int32 {
        try checkStreams(arguments)
        var pipe = LinePipe(
            arguments.request.records, policy: try arguments.policy(),
            redactionKey: try SmallFile.redactionKey(arguments), writesEvidence: writesEvidence,
            tellsEnds: arguments.tellsEnds, errors: arguments.errors)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }

    /// Refuses operands, and a file that is both input and output: the command would read what it writes, for ever.
    static func checkStreams(_ arguments: Arguments) throws(UsageError) {
        guard arguments.operands.isEmpty else {
            throw arguments.refusal(
                "\(arguments.command?.name ?? "pipe") reads standard input and takes no files; convert does.")
        }
        guard let input = FileStatus(of: .standardInput), input.kind == .regular,
            let output = FileStatus(of: .standardOutput), input.isSameFile(as: output)
        else { return }
        throw arguments.refusal(
            "standard input and standard output are the same file; redirect the output to another one.")
    }
}

/// The command `settle`: the second half of a cluster's work.
enum SettleCommand {
    /// Settles lines that were brought together by their keys.
    static func run(_ arguments: Arguments) throws -> Int32 {
        try PipeCommand.checkStreams(arguments)
        var options = ConvertCommand.timeline(arguments).judging
        // One key does not show how long the archive goes on; the last notification of a key is seldom that of the archive.
        options.viewEnd = options.asOf ?? .max
        switch arguments.rows {
        case .state: options.table = .state(at: options.asOf ?? .min)
        case .transactions: options.table = .transactions(asOf: options.asOf ?? .min)
        case .events: break
        }
        var pipe = GroupedPipe(
            options, rejectsAmbiguous: arguments.request.records.rejectsAmbiguous, tellsEnds: arguments.tellsEnds)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}
