/// The commands `completions`, `help` and `mapping`.
enum SmallCommands {
    /// Prints the script of the shell asked for.
    static func completions(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.count == 1, let script = Completions.script(for: arguments.operands[0]) else {
            throw arguments.refusal("completions takes one shell: bash, zsh or fish.")
        }
        return try Program.print(script)
    }

    static func help(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.count < 2 else { throw UsageError(message: "help takes one command or topic.") }
        guard let name = arguments.operands.first else { return try Program.print(HelpText.overview) }
        if let command = CommandTable.command(named: name) { return try Program.print(HelpText.of(command)) }
        if let topic = Topics.all.first(where: { $0.key == name }) { return try Program.print(topic.value()) }
        let known = CommandTable.commands.map(\.name) + Topics.all.map(\.key)
        throw UsageError(message: "unknown command or topic '\(name)'.\(Arguments.hint(name, known))")
    }

    /// Prints the tables of this build in the form asked for.
    static func mapping(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else { throw arguments.refusal("mapping takes no file.") }
        switch arguments.format {
        case "json": return try Program.print(MappingDocument.json)
        case "csv": return try Program.print(MappingDocument.csv)
        default: return try Program.print(MappingDocument.markdown)
        }
    }
}

enum SchemaCommand {
    static let formats = ["json-schema", "duckdb", "bigquery", "clickhouse", "postgres", "spark"]

    /// Prints the fields of a shape in the form that another program asks for.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else { throw arguments.refusal("schema takes no file.") }
        let schema = Schema(of: arguments.schemaShape)
        let text =
            switch arguments.format {
            case "duckdb": schema.duckDB
            case "bigquery": schema.bigQuery
            case "clickhouse": schema.clickHouse
            case "postgres": schema.postgres
            case "spark": schema.spark
            default: schema.jsonSchema
            }
        return try Program.print(text)
    }
}
