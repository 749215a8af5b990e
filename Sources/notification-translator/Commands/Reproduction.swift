import NotificationArchives
import NotificationReports
import NotificationTranslation

extension Arguments {
    /// The command line that gives the same report, of `convert` or `report`, in a form: one line, quoted for a shell where
    /// that is needed.
    ///
    /// It has the options that decide what the report says in the order of the table, then the inputs in the order given.
    func reproduction(_ format: ReportFormat) -> String {
        var words = ["notification-translator", "report"]
        if format != .markdown { words += ["--format", format.rawValue] }
        // A report does not count what this shape leaves out.
        let always =
            request.records.shape.kind != .v2
            ? []
            : [CommandTable.companions.name]
                + (isRecordContext ? [] : [CommandTable.duplicates.name])
        for option in CommandTable.command(named: "report")?.options ?? [] where !option.isAside {
            if always.contains(option.name) {
                words += [option.name, "drop"]
                continue
            }
            for (spec, value) in given where spec.name == option.name {
                let isDefault = option.value.kind == .choice && value == option.value.defaultWord
                words += option.value.isFlag ? [option.name] : isDefault ? [] : [option.name, Self.quoted(value)]
            }
        }
        if operands.contains(where: { $0.hasPrefix("-") && $0 != "-" }) { words.append("--") }
        return (words + operands.map(Self.quoted)).joined(separator: " ")
    }

    /// A word as a shell reads it back.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0 >= 0x80 || Completions.isPlain($0) || "+,:=@".utf8.contains($0) }
        return isPlain && !word.isEmpty ? word : Completions.quoted(word)
    }
}
