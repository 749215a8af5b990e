/// The command `help`.
enum HelpCommand {
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.count < 2 else { throw UsageError("help takes one command or topic.") }
        guard let name = arguments.operands.first else { return try Program.print(HelpText.overview) }
        if let command = CommandTable.command(named: name) { return try Program.print(HelpText.of(command)) }
        if let topic = Topics.text(of: name) { return try Program.print(topic) }
        let known = CommandTable.commands.map(\.name) + CommandTable.topics
        let hint = nearest(to: name, among: known).map { " Did you mean '\($0)'?" } ?? ""
        throw UsageError("unknown command or topic '\(name)'.\(hint)")
    }
}
