import NotificationArchives

/// The program: a command line in, an exit code out.
enum Program {
    /// The codes that the program ends with.
    enum ExitCode {
        static let done: Int32 = 0
        static let findings: Int32 = 1
        static let failure: Int32 = 2
    }

    /// Runs a command line, without the program's name.
    static func run(_ words: [String]) -> Int32 {
        do {
            let arguments = try Arguments(words)
            if arguments.has("--version") {
                return try print("notification-translator \(Version.number), rules \(MappingTables.version)\n")
            }
            return try run(arguments)
        } catch let error as UsageError {
            say(error.message)
            let more = error.command.map { "notification-translator help \($0)" } ?? "notification-translator help"
            say("Try: \(more)", isFirst: false)
            return ExitCode.failure
        } catch let error as ArchiveError {
            return exitCode(for: error)
        } catch {
            say("\(error)")
            return ExitCode.failure
        }
    }

    private static func run(_ arguments: Arguments) throws -> Int32 {
        guard let name = arguments.command, let command = CommandTable.command(named: name) else {
            guard arguments.operands.isEmpty else { throw UsageError("no command is given.") }
            if arguments.has("--help") { return try print(HelpText.overview) }
            try Descriptor.standardError.writeAll(HelpText.overview)
            return ExitCode.failure
        }
        if let form = arguments.value("--help") {
            return try print(form == "h" ? HelpText.short(command) : HelpText.of(command))
        }
        switch command.command {
        case .convert: return try ConvertCommand.run(arguments)
        case .state, .transactions, .worklist: return try TableCommand.run(arguments)
        case .rehearse: return try RehearseCommand.run(arguments)
        case .pipe: return try PipeCommand.run(arguments)
        case .evidence: return try EvidenceCommand.run(arguments)
        case .settle: return try SettleCommand.run(arguments)
        case .report: return try ReportCommand.run(arguments)
        case .explain: return try ExplainCommand.run(arguments)
        case .mapping: return try MappingCommand.run(arguments)
        case .schema: return try SchemaCommand.run(arguments)
        case .help: return try HelpCommand.run(arguments)
        case .completions: return try CompletionsCommand.run(arguments)
        case .man: return try print(ManPage.text)
        }
    }

    /// Writes to standard output and makes sure that it got there.
    static func print(_ text: String) throws(ArchiveError) -> Int32 {
        try Descriptor.standardOutput.writeAll(text)
        return ExitCode.done
    }

    static func say(_ text: String, isFirst: Bool = true) {
        Messages().say((isFirst ? "notification-translator: " : "") + text)
    }

    private static func exitCode(for error: ArchiveError) -> Int32 {
        switch error.code {
        case .outputClosed: Interruption.endByClosedPipe()
        case .interrupted: return 128 + error.systemCode
        default:
            say("\(error)")
            return ExitCode.failure
        }
    }
}
