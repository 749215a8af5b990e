import NotificationArchives
import NotificationTranslation

/// The commands `state`, `transactions` and `worklist`.
enum TableCommand {
    /// Makes a table of an archive.
    static func run(_ arguments: Arguments) throws -> Int32 {
        var request = try ConvertCommand.request(arguments)
        let command = arguments.command ?? ""
        if request.inputs.isEmpty, request.filesFrom == nil { return try ConvertCommand.refuseNoInput(of: command) }
        var table = TimelineRequest.Table(kind(arguments))
        let isNamedCSV = [".csv", ".csv.gz"].contains { request.output.lowercased().hasSuffix($0) }
        switch arguments.value("--format") {
        case "csv"?: table.format = .csv
        case nil where isNamedCSV && writesCSV(command): table.format = .csv
        default: break
        }
        table.limit = arguments.number("--limit")
        table.app = RehearsedApp(
            bundleID: arguments.value("--expect-bundle-id"), environment: arguments.value("--expect-environment"))
        if let path = arguments.value("--compare") {
            let compared = try ComparedFile.read(path)
            if !compared.unknownColumns.isEmpty, !arguments.has("--quiet") {
                let names = compared.unknownColumns.prefix(10).map(printable).joined(separator: ", ")
                Program.say("\(printable(path)): columns that no state has are not compared: \(names)")
            }
            if compared.repeated > 0, !arguments.has("--quiet") {
                Program.say(
                    "\(printable(path)): \(count(compared.repeated, "row")) with the id and environment of an earlier row; "
                        + "only the first row of each is compared")
            }
            table.compared = compared
            request.optionFiles.append(("--compare", path))
        }
        request.timeline?.table = table
        return try ConvertCommand.run(request, arguments)
    }

    private static func kind(_ arguments: Arguments) -> TimelineRequest.Table.Kind {
        switch arguments.command {
        case "transactions": .transactions
        case "worklist": .worklist
        default: arguments.has("--history") ? .history : .state
        }
    }

    /// Whether a command writes CSV if its output is named so.
    static func writesCSV(_ command: String?) -> Bool { command == "state" || command == "transactions" }

    /// A line of the summary: what the rows hold.
    static func line(_ figures: TableFigures, _ arguments: Arguments) -> String {
        let leftOut = figures.leftOut
        return rows(figures, arguments)
            + (leftOut == 0 ? "" : "\n    left out    \(grouped(leftOut))   of other apps or environments")
    }

    private static func rows(_ figures: TableFigures, _ arguments: Arguments) -> String {
        guard arguments.command == "state", !arguments.has("--history") else {
            let limit = arguments.number("--limit") ?? .max
            let leftOut = limit < figures.rows ? "   only the first \(grouped(limit)) are written (--limit)" : ""
            return "    rows        \(grouped(figures.rows))\(leftOut)"
        }
        let states = figures.entitled + figures.notEntitled + figures.unknown
        var line =
            "    states      \(grouped(states))   with access \(grouped(figures.entitled)) · without "
            + "\(grouped(figures.notEntitled)) · not known \(grouped(figures.unknown))"
        if arguments.has("--compare") {
            line +=
                "\n    differing   \(grouped(figures.differing))   shut out by the table \(grouped(figures.lost)) · "
                + "let in by the table \(grouped(figures.given)) · not compared \(grouped(figures.notCompared))"
        }
        return line
    }

    /// Why `--strict` ends a run with 1; `nil` if it does not.
    static func finding(_ figures: TableFigures, _ arguments: Arguments) -> String? {
        if arguments.has("--compare") {
            let isOne = figures.differing == 1
            return figures.differing == 0
                ? nil : "\(count(figures.differing, "subscription")) \(isOne ? "differs" : "differ") (--strict)"
        }
        let isOne = figures.unknown == 1
        return figures.unknown == 0
            ? nil : "\(count(figures.unknown, "state")) \(isOne ? "is" : "are") not known (--strict)"
    }
}
