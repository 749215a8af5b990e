import NotificationArchives

/// The command `evidence`: the first half of a cluster's work.
enum EvidenceCommand {
    /// Answers lines with events and their evidence until standard input ends.
    static func run(_ arguments: Arguments) throws -> Int32 {
        try PipeCommand.run(PipeCommand.options(arguments), writesEvidence: true, .inline, arguments)
    }
}
