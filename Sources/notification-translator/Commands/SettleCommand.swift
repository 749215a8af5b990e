import NotificationArchives
import NotificationTranslation

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
        var pipe = GroupedPipe(options, rejectsAmbiguous: arguments.value("--ambiguous") == "reject")
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}
