import NotificationTranslation

/// The command `mapping`.
enum MappingCommand {
    /// Prints the tables of this build in the form asked for.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else { throw arguments.refusal("mapping takes no file.") }
        switch arguments.value("--format") ?? "markdown" {
        case "json": return try Program.print(MappingDocument.json)
        case "csv": return try Program.print(MappingDocument.csv)
        default: return try Program.print(MappingDocument.markdown)
        }
    }
}
