/// The manual page in roff, made from the table of commands and options.
enum ManPage {
    /// The whole page.
    static var text: String {
        var page = """
            .TH NOTIFICATION-TRANSLATOR 1 "" "notification-translator \(Version.number)" "User Commands"
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
            for example in command.examples {
                page += ".PP\n\(escaped(example.meaning)):\n.PP\n.nf\n\(escaped(example.line))\n.fi\n"
            }
        }
        for topic in ["exit-codes", "formats", "privacy"] {
            let lines = (Topics.text(of: topic) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
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
