import NotificationTranslation

/// The command `mapping`.
enum MappingCommand {
    /// Prints the tables of this build in the form asked for.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else { throw UsageError("mapping takes no file.", command: "mapping") }
        let document = MappingDocument()
        switch arguments.value("--format") ?? "markdown" {
        case "json": return try Program.print(document.json)
        case "csv": return try Program.print(document.csv)
        default: return try Program.print(document.markdown)
        }
    }
}
