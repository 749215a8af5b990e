import NotificationReports

/// The command line that gives the same report: the inputs and the options that decide what it says.
struct Reproduction {
    /// One line, quoted for a shell where that is needed.
    let text: String

    /// Options of `report` that decide where something goes, how much is said or how fast it is.
    private static let left: Set<String> = [
        "--output", "--force", "--jobs", "--quiet", "--verbose", "--temp-dir",
    ]

    /// The options in the order of the table, then the inputs in the order given.
    ///
    /// - Parameters:
    ///   - arguments: What was asked for, of `convert` or `report`.
    ///   - format: The form of the report.
    init(_ arguments: Arguments, format: ReportFormat) {
        var words = ["notification-translator", "report"]
        if format != .markdown { words += ["--format", format.rawValue] }
        // What this shape leaves out a report does not count.
        let isOfEventsOnly = arguments.value("--to") == "v2"
        let hasTimeline = arguments.value("--context") != "record"
        for option in CommandTable.command(named: "report")?.options ?? []
        where !Self.left.contains(option.name) && option.name != "--format" {
            if isOfEventsOnly, option.name == "--companions" || option.name == "--duplicates" && hasTimeline {
                words += [option.name, "drop"]
                continue
            }
            guard arguments.has(option.name) else { continue }
            guard option.takesValue else {
                words.append(option.name)
                continue
            }
            for value in arguments.all(option.name) where !Self.isDefault(value, of: option) {
                words += [option.name, Self.quoted(value)]
            }
        }
        if arguments.operands.contains(where: { $0.hasPrefix("-") && $0 != "-" }) { words.append("--") }
        text = (words + arguments.operands.map(Self.quoted)).joined(separator: " ")
    }

    private static func isDefault(_ value: String, of option: OptionSpec) -> Bool {
        guard case .choice(let choices) = option.value, option.hasDefault else { return false }
        return choices.first == value
    }

    /// A word as a shell reads it back.
    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case 0x2B...0x2F, 0x3A, 0x3D, 0x40, 0x5F: true
            default: byte >= 0x80
            }
        }
        if plain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
