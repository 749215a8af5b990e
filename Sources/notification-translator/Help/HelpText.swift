/// The help, made from the table of commands and options.
enum HelpText {
    /// What the program says without a command.
    static let overview: String = {
        let width = CommandTable.commands.map(\.name.count).max() ?? 0
        let commands = CommandTable.commands.map { command in
            "  " + padded(command.name, to: width) + "  " + command.summary
        }
        return """
            Translates App Store Server Notifications version 1 into version 2 and both into one stream of events.

            Usage: notification-translator COMMAND [options] ...

            Commands:
            \(commands.joined(separator: "\n"))

            Examples:
              notification-translator convert archive/ -o events.ndjson
              zcat 2020.gz | notification-translator convert - > events.ndjson

            More: notification-translator help COMMAND, help exit-codes, help formats, help privacy, --version

            """
    }()

    /// The help of one command.
    static func of(_ command: CommandSpec) -> String {
        var text = "\(command.name): \(command.summary)\n\nUsage: \(command.usage)\n"
        for paragraph in command.details { text += "\n" + wrapped(paragraph, indent: 0) + "\n" }
        text += "\nOptions:\n"
        for option in command.options + CommandTable.everywhere {
            text += "  " + option.signature + "\n" + wrapped(option.summary + defaultNote(option), indent: 10) + "\n"
        }
        if !command.examples.isEmpty { text += "\nExamples:\n" }
        for example in command.examples {
            text += "  \(example.line)\n" + wrapped(example.meaning, indent: 10) + "\n"
        }
        return text
    }

    /// The options of all commands as Markdown, for the README.
    static let optionTable: String = {
        var text = "| command | option | meaning |\n|---|---|---|\n"
        for command in CommandTable.commands {
            for option in command.options {
                let name = option.signature.drop { $0 == " " }.replacing("|", with: "\\|")
                text += "| `\(command.name)` | `\(name)` | \(option.summary)\(defaultNote(option)) |\n"
            }
        }
        return text
    }()

    /// ` (default auto)`, where there is a default to tell.
    static func defaultNote(_ option: OptionSpec) -> String {
        guard case .choice(let choices) = option.value, option.hasDefault, let first = choices.first, choices.count > 1
        else { return "" }
        return " (default \(first))"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Breaks a text into lines of at most 80 characters.
    static func wrapped(_ text: String, indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = margin
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > 80, line.count > indent {
                lines.append(line)
                line = margin
            }
            line += (line.count > indent ? " " : "") + word
        }
        lines.append(line)
        return lines.joined(separator: "\n")
    }
}
