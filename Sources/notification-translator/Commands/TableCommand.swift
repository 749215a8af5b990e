import NotificationArchives
import NotificationTranslation

/// The commands `state`, `transactions` and `worklist`.
enum TableCommand {
    /// Makes a table of an archive; its instant is the one that the options or the archive give.
    static func run(_ arguments: Arguments, _ table: SubscriptionTable) throws -> Int32 {
        guard var request = try ConvertCommand.request(arguments) else { return Program.ExitCode.failure }
        let isNamedCSV = [".csv", ".csv.gz"].contains { request.output.lowercased().hasSuffix($0) }
        request.timeline?.format =
            arguments.format.flatMap(TableFormat.init) ?? (isNamedCSV && writesCSV(arguments) ? .csv : .ndjson)
        request.timeline?.app = RehearsedApp(bundleID: arguments.bundleID, environment: arguments.environment)
        request.timeline?.compared = try compared(arguments)
        request.timeline?.table = table
        return try ConvertCommand.run(request, arguments)
    }

    /// The table that the states are compared with, after a word on what of it is not; `nil` where none was given.
    static func compared(_ arguments: Arguments) throws -> ComparedTable? {
        guard let path = arguments.compared else { return nil }
        let compared = try ComparedFile.read(path)
        guard !arguments.isQuiet else { return compared }
        if !compared.unknownColumns.isEmpty {
            let names = compared.unknownColumns.prefix(10).map(printable).joined(separator: ", ")
            Program.say("\(printable(path)): columns that no state has are not compared: \(names)")
        }
        if compared.repeated > 0 {
            Program.say(
                "\(printable(path)): \(count(compared.repeated, "row")) with the id and environment of an earlier row; "
                    + "only the first row of each is compared")
        }
        return compared
    }

    /// Whether a command writes CSV if its output is named so.
    static func writesCSV(_ arguments: Arguments) -> Bool {
        ["state", "transactions"].contains(arguments.command?.name)
    }

    /// A line of the summary: what the rows hold.
    static func line(_ figures: TableFigures, _ arguments: Arguments) -> String {
        let leftOut = figures.leftOut
        let answered = figures.answered
        return rows(figures, arguments)
            + (answered == 0
                ? "" : "\n    answered    \(grouped(answered))   would be other rows without Apple's answers")
            + (leftOut == 0 ? "" : "\n    left out    \(grouped(leftOut))   of other apps or environments")
    }

    private static func rows(_ figures: TableFigures, _ arguments: Arguments) -> String {
        guard arguments.command?.name == "state", !arguments.history else {
            let leftOut = arguments.timeline.limit.map {
                $0 < figures.rows ? "   \(grouped($0)) written (--limit)" : ""
            }
            return "    rows        \(grouped(figures.rows))" + (leftOut ?? "")
        }
        let states = figures.entitled + figures.notEntitled + figures.unknown
        var line =
            "    states      \(grouped(states))   with access \(grouped(figures.entitled)) · without "
            + "\(grouped(figures.notEntitled)) · not known \(grouped(figures.unknown))"
        if arguments.compared != nil {
            line +=
                "\n    differing   \(grouped(figures.differing))   shut out by the table \(grouped(figures.lost)) · "
                + "let in by the table \(grouped(figures.given)) · not compared \(grouped(figures.notCompared))"
        }
        return line
    }

    /// Why `--strict` ends a run with 1; `nil` if it does not.
    static func finding(_ figures: TableFigures, _ arguments: Arguments) -> String? {
        let (number, what) =
            switch arguments.command?.name {
            case "state" where arguments.compared != nil: (figures.differing, "# subscription[s] [differs|differ]")
            case "state": (figures.unknown, "# state[s] [is|are] not known")
            case "worklist": (figures.rows, "# subscription[s] [is|are] open")
            default: (figures.unknown, "# transaction[s] [is|are] not certain")
            }
        return number == 0 ? nil : agreeing(number, what) + " (--strict)"
    }
}
