@testable import notification_translator

extension HelpText {
    /// The options of all commands as Markdown, a row for each option, for the article about the command.
    static let optionTable: String = {
        typealias Form = (option: OptionSpec, commands: [String])
        var rows: [(name: String, forms: [Form])] = []
        for command in CommandTable.commands {
            for option in command.options {
                let row = rows.firstIndex { $0.name == option.name } ?? rows.count
                if row == rows.count { rows.append((option.name, [])) }
                let same = rows[row].forms.firstIndex {
                    $0.option.signature == option.signature && $0.option.summary == option.summary
                }
                if let same {
                    rows[row].forms[same].commands.append(command.name)
                } else {
                    rows[row].forms.append((option, [command.name]))
                }
            }
        }
        func code(_ text: String) -> String { "`" + text.drop { $0 == " " }.replacing("|", with: "\\|") + "`" }
        let lines = rows.map { _, forms in
            let first = forms[0].option.signature
            let meanings = forms.enumerated().map { number, form in
                (number == 0 ? "" : "; of \(form.commands.joined(separator: " and ")): ")
                    + (form.option.signature == first ? "" : code(form.option.signature) + ", ")
                    + form.option.summary + defaultNote(form.option)
            }
            return "| \(code(first)) | \(forms.flatMap(\.commands).joined(separator: ", ")) | \(meanings.joined()) |\n"
        }
        return "| option | of | meaning |\n|---|---|---|\n" + lines.joined()
    }()
}
