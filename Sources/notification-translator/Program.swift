import NotificationArchives

/// The program: a command line in, an exit code out.
enum Program {
    /// Its version, as in CHANGELOG.
    static let version = "0.1.0"

    /// The codes that the program ends with.
    enum ExitCode {
        static let done: Int32 = 0
        static let findings: Int32 = 1
        static let failure: Int32 = 2
    }

    /// Runs a command line, without the program's name.
    static func run(_ words: [String]) -> Int32 {
        Descriptor.occupyClosedStandardStreams()
        do {
            let arguments = try Arguments(words)
            if arguments.wantsVersion {
                return try print("notification-translator \(version), rules \(MappingTables.version)\n")
            }
            return try run(arguments)
        } catch let error as UsageError {
            say(error.message)
            let more = error.command.map { "notification-translator help \($0)" } ?? "notification-translator help"
            say("Try: \(more)", isFirst: false)
            return ExitCode.failure
        } catch let error as ArchiveError where error.code == .outputClosed {
            Interruption.endByClosedPipe()
        } catch let error as ArchiveError where error.code == .interrupted {
            return 128 + error.systemCode
        } catch {
            say("\(error)")
            return ExitCode.failure
        }
    }

    private static func run(_ arguments: Arguments) throws -> Int32 {
        guard let command = arguments.command else {
            guard arguments.operands.isEmpty else { throw UsageError(message: "no command is given.") }
            if arguments.help != nil { return try print(HelpText.overview) }
            try Descriptor.standardError.writeAll(HelpText.overview)
            return ExitCode.failure
        }
        if let form = arguments.help { return try print(form == "h" ? HelpText.short(command) : HelpText.of(command)) }
        return try command.run(arguments)
    }

    /// Writes to standard output and makes sure that it got there.
    static func print(_ text: String) throws(ArchiveError) -> Int32 {
        try Descriptor.standardOutput.writeAll(text)
        return ExitCode.done
    }

    static func say(_ text: String, isFirst: Bool = true) {
        Messages().say((isFirst ? "notification-translator: " : "") + text)
    }
}
