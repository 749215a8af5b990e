import NotificationArchives
import NotificationTranslation

/// The command `pipe`.
enum PipeCommand {
    /// Answers lines until standard input ends; the content of the lines never changes the exit code.
    static func run(_ arguments: Arguments) throws -> Int32 {
        var options = try options(arguments)
        options.shape = try ShapeArguments.shape(arguments)
        options.rejectsAmbiguous = arguments.value("--ambiguous") == "reject"
        let errors = arguments.value("--errors").flatMap(LinePipe.ErrorPolicy.init) ?? .inline
        return try run(options, writesEvidence: false, errors, arguments)
    }

    /// How lines are read; of `evidence` too.
    static func options(_ arguments: Arguments) throws -> RecordConverter.Options {
        guard arguments.operands.isEmpty else {
            throw arguments.refusal(
                "\(arguments.command ?? "pipe") reads standard input and takes no files; convert does.")
        }
        return RecordConverter.Options(envelope: try ConvertCommand.envelope(arguments))
    }

    /// Answers lines.
    static func run(
        _ options: RecordConverter.Options, writesEvidence: Bool, _ errors: LinePipe.ErrorPolicy, _ arguments: Arguments
    ) throws -> Int32 {
        var pipe = LinePipe(
            options, policy: try TrustArguments(arguments).policy, redactionKey: try RedactionArguments.key(arguments),
            writesEvidence: writesEvidence, tellsEnds: arguments.has("--ends"), errors: errors)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}

/// The command `evidence`: the first half of a cluster's work.
enum EvidenceCommand {
    /// Answers lines with events and their evidence until standard input ends.
    static func run(_ arguments: Arguments) throws -> Int32 {
        try PipeCommand.run(PipeCommand.options(arguments), writesEvidence: true, .inline, arguments)
    }
}

/// The command `settle`: the second half of a cluster's work.
enum SettleCommand {
    /// Settles lines that were brought together by their keys.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else {
            throw arguments.refusal("settle reads standard input and takes no files; convert does.")
        }
        let timeline = try ConvertCommand.timeline(arguments)
        var options = SubscriptionJudge.Options()
        options.inference = timeline.inference
        options.asOf = timeline.asOf
        // One key does not show how long the archive goes on; the last notification of a key is seldom that of the archive.
        options.viewEnd = timeline.asOf ?? .max
        options.dropped = timeline.dropped
        let asOf = timeline.asOf ?? .min
        switch arguments.value("--to") {
        case "state": options.table = .state(at: asOf)
        case "transactions": options.table = .transactions(asOf: asOf)
        default: break
        }
        var pipe = GroupedPipe(
            options, rejectsAmbiguous: arguments.value("--ambiguous") == "reject",
            tellsEnds: arguments.has("--ends"))
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}
