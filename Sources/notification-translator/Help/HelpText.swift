/// The help, made from the table of commands and options.
enum HelpText {
    /// What the program says without a command.
    static let overview: String = {
        let width = CommandTable.commands.map(\.name.count).max() ?? 0
        let commands = CommandTable.commands.map { command in
            let lines = wrapped(command.summary, indent: width + 4)
            return "  " + padded(command.name, to: width) + lines.dropFirst(width + 2)
        }
        return """
            Translates App Store Server Notifications version 1 into version 2, and both
            into one stream of events.

            Usage: notification-translator COMMAND [options] ...

            Commands:
            \(commands.joined(separator: "\n"))

            Examples:
              notification-translator convert archive/ -o events.ndjson
              zcat 2020.gz | notification-translator convert - > events.ndjson

            More: notification-translator help COMMAND, help exit-codes, help fields,
            help formats, help privacy, --version

            """
    }()

    private static func head(_ command: CommandSpec) -> String {
        wrapped("\(command.name): \(command.summary)") + "\n\n" + wrapped("Usage: \(command.usage)", hanging: 7) + "\n"
    }

    static func of(_ command: CommandSpec) -> String {
        var text = head(command)
        for paragraph in command.details { text += "\n" + wrapped(paragraph, indent: 0) + "\n" }
        text += options(command) {
            "  " + $0.signature + "\n" + wrapped($0.summary + defaultNote($0), indent: 10) + "\n"
        }
        if !command.examples.isEmpty { text += "\nExamples:\n" }
        for (line, meaning) in command.examples {
            text += wrapped(line, indent: 2, hanging: 4, breaking: " \\") + "\n"
            text += wrapped(meaning, indent: 10) + "\n"
        }
        return text
    }

    /// The short help of one command: its options, one a line.
    static func short(_ command: CommandSpec) -> String {
        head(command)
            + options(command) { option in
                let (value, short) = (option.value, option.short.map { "-\($0), " } ?? "    ")
                let name = value.isFlag ? "" : " " + (value.name.count > 12 ? "VALUE" : value.name)
                let clause = option.summary.prefix { !";:(".contains($0) }
                return padded("  " + short + option.name + name, to: 33) + " "
                    + wrapped(String(clause), indent: 34).dropFirst(34) + "\n"
            } + "\nMore: notification-translator help \(command.name)\n"
    }

    /// The options of a command in a form, under their headings.
    private static func options(_ command: CommandSpec, _ text: (OptionSpec) -> String) -> String {
        (command.groups + [OptionGroup(heading: "Help", options: CommandTable.everywhere)]).map { group in
            "\n\(group.heading):\n" + group.options.map(text).joined()
        }.joined()
    }

    /// ` (default auto)`, where there is a default.
    static func defaultNote(_ option: OptionSpec) -> String {
        guard option.value.kind == .choice, let word = option.value.defaultWord else { return "" }
        return " (default \(word))"
    }

    /// A text with spaces after it, as many as a column of that width needs.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Columns that every line of the help fits into.
    static let columns = 80

    /// Breaks a text into indented lines of at most so many characters, `hanging` being the indent of all but the first;
    /// a line that continues ends with `mark`, such as the backslash of a shell.
    static func wrapped(
        _ text: String, indent: Int = 0, hanging: Int? = nil, breaking mark: String = "",
        columns: Int = HelpText.columns
    ) -> String {
        var lines: [String] = []
        var margin = String(repeating: " ", count: indent)
        var line = margin
        for word in text.split(separator: " ") {
            if line.count + 1 + word.count + mark.count > columns, line.count > margin.count {
                lines.append(line + mark)
                margin = String(repeating: " ", count: hanging ?? indent)
                line = margin
            }
            line += (line.count > margin.count ? " " : "") + word
        }
        lines.append(line)
        return lines.joined(separator: "\n")
    }
}

/// The manual page in roff, made from the table of commands and options.
enum ManPage {
    /// The whole page.
    static var text: String {
        var page = """
            .TH NOTIFICATION-TRANSLATOR 1 "" "notification-translator \(Program.version)" "User Commands"
            .SH NAME
            notification-translator \\- App Store Server Notifications V1 and V2 as one stream of events
            .SH SYNOPSIS

            """
        for command in CommandTable.commands { page += ".B \(escaped(command.usage))\n.br\n" }
        page += ".SH COMMANDS\n"
        for command in CommandTable.commands {
            page += ".SS \(escaped(command.name))\n\(escaped(command.summary)).\n"
            for paragraph in command.details { page += ".PP\n\(escaped(paragraph))\n" }
            for option in command.options + CommandTable.everywhere {
                let signature = String(option.signature.drop { $0 == " " })
                page += ".TP\n.B \(escaped(signature))\n\(escaped(option.summary + HelpText.defaultNote(option)))\n"
            }
            for (line, meaning) in command.examples {
                page += ".PP\n\(escaped(meaning)):\n.PP\n.nf\n\(escaped(line))\n.fi\n"
            }
        }
        for (topic, text) in Topics.all where topic != "fields" {
            let lines = text().split(separator: "\n", omittingEmptySubsequences: false)
            page += ".SH \(topic.uppercased().replacing("-", with: " "))\n.nf\n"
            page += lines.dropFirst(2).map { escaped(String($0)) }.joined(separator: "\n")
            page += "\n.fi\n"
        }
        return page
    }

    /// Text that roff takes as it is: no backslash, no hyphen made a dash, no line taken for a request.
    private static func escaped(_ text: String) -> String {
        let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }
}
