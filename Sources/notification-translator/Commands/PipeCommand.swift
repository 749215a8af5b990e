import ArchiveConversion
import NotificationTranslation

/// The command `pipe`.
enum PipeCommand {
    /// Answers lines until standard input ends; what the lines hold never changes the exit code.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else {
            throw UsageError("pipe reads standard input and takes no files; convert does.", command: "pipe")
        }
        let errors = arguments.value("--errors").flatMap(LinePipe.ErrorPolicy.init) ?? .inline
        var pipe = LinePipe(
            .init(envelope: try ConvertCommand.envelope(arguments)), policy: try TrustArguments(arguments).policy,
            redactionKey: try RedactionArguments.key(arguments), errors: errors)
        try pipe.run(from: .standardInput, to: .standardOutput)
        return Program.ExitCode.done
    }
}
