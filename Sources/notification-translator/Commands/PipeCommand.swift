import NotificationArchives
import NotificationTranslation

/// The command `pipe`.
enum PipeCommand {
    /// Answers lines until standard input ends; the content of the lines never changes the exit code.
    static func run(_ arguments: Arguments) throws -> Int32 { try answer(arguments, writesEvidence: false) }

    /// Answers lines; of `evidence` too.
    static func answer(_ arguments: Arguments, writesEvidence: Bool) throws -> Int32 {
        try refuseFiles(arguments)
        var options = RecordConverter.Options(envelope: arguments.envelope)
        options.shape = EventShape(arguments.shape ?? .events, appAppleID: arguments.appAppleID)
        options.rejectsAmbiguous = arguments.rejectsAmbiguous
        var pipe = LinePipe(
            options, policy: try TrustArguments(arguments).policy, redactionKey: try RedactionArguments.key(arguments),
            writesEvidence: writesEvidence, tellsEnds: arguments.tellsEnds, errors: arguments.errors ?? .inline)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }

    static func refuseFiles(_ arguments: Arguments) throws(UsageError) {
        guard !arguments.operands.isEmpty else { return }
        throw arguments.refusal(
            "\(arguments.command?.name ?? "pipe") reads standard input and takes no files; convert does.")
    }
}

/// The command `evidence`: the first half of a cluster's work.
enum EvidenceCommand {
    /// Answers lines with events and their evidence until standard input ends.
    static func run(_ arguments: Arguments) throws -> Int32 {
        try PipeCommand.answer(arguments, writesEvidence: true)
    }
}

/// The command `settle`: the second half of a cluster's work.
enum SettleCommand {
    /// Settles lines that were brought together by their keys.
    static func run(_ arguments: Arguments) throws -> Int32 {
        try PipeCommand.refuseFiles(arguments)
        let timeline = ConvertCommand.timeline(arguments)
        var options = SubscriptionJudge.Options()
        options.inference = timeline.inference
        options.asOf = timeline.asOf
        // One key does not show how long the archive goes on; the last notification of a key is seldom that of the archive.
        options.viewEnd = timeline.asOf ?? .max
        options.dropped = timeline.dropped
        switch arguments.rows {
        case .state: options.table = .state(at: timeline.asOf ?? .min)
        case .transactions: options.table = .transactions(asOf: timeline.asOf ?? .min)
        case .events, nil: break
        }
        var pipe = GroupedPipe(
            options, rejectsAmbiguous: arguments.rejectsAmbiguous, tellsEnds: arguments.tellsEnds)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}
