import ArchiveConversion
import NotificationTranslation

/// The command `pipe`.
enum PipeCommand {
    /// Answers lines until standard input ends; the content of the lines never changes the exit code.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else {
            throw arguments.refusal("pipe reads standard input and takes no files; convert does.")
        }
        if arguments.has("--grouped") { return try runGrouped(arguments) }
        try arguments.refuse(["--infer", "--as-of", "--companions"], "needs --grouped.")
        if arguments.has("--ambiguous"), arguments.has("--key") {
            throw arguments.refusal("--ambiguous cannot be used with --key; use it with pipe --grouped, which decides.")
        }
        var options = RecordConverter.Options(envelope: try ConvertCommand.envelope(arguments))
        options.shape = try ShapeArguments.shape(arguments)
        options.dropsCompanions = options.shape.isOfEventsOnly
        options.rejectsAmbiguous = arguments.value("--ambiguous") == "reject"
        options.catalogue = try CatalogueArguments.catalogue(arguments)
        if options.shape.kind != .events, arguments.has("--key") {
            throw arguments.refusal("--key needs --to events, because pipe --grouped reads events.")
        }
        let errors = arguments.value("--errors").flatMap(LinePipe.ErrorPolicy.init) ?? .inline
        var pipe = LinePipe(
            options, policy: try TrustArguments(arguments).policy,
            redactionKey: try RedactionArguments.key(arguments),
            key: arguments.value("--key").flatMap(KeyedLine.Field.init), errors: errors)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }

    /// Settles lines that were brought together by their keys.
    private static func runGrouped(_ arguments: Arguments) throws -> Int32 {
        let others = [
            "--to", "--key", "--envelope", "--errors", "--verify",
            "--expect-bundle-id", "--expect-environment",
            "--expect-app-apple-id", "--require-authentic", "--verify-receipts", "--shared-secret-file",
            "--redact",
        ]
        try arguments.refuse(
            others, "cannot be used with --grouped; use it with pipe --key, which reads the notifications.")
        let timeline = try ConvertCommand.timeline(arguments)
        var options = SubscriptionJudge.Options()
        options.inference = timeline.inference
        options.asOf = timeline.asOf
        // One key does not show how long the archive goes on; the last notification of a key is seldom that of the archive.
        options.viewEnd = timeline.asOf ?? .max
        options.dropped = timeline.dropped
        options.catalogue = try CatalogueArguments.catalogue(arguments)
        var pipe = GroupedPipe(options, rejectsAmbiguous: arguments.value("--ambiguous") == "reject")
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}
