import NotificationReports
import NotificationTranslation

/// The command `schema`.
enum SchemaCommand {
    static let formats = ["json-schema", "duckdb", "bigquery", "clickhouse", "postgres", "spark"]

    static let shapes = EventShape.Kind.allCases.map(\.rawValue) + ["report"]

    /// Prints the fields of a shape in the form that another program asks for.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.isEmpty else { throw arguments.refusal("schema takes no file.") }
        if arguments.value("--shape") == "report" {
            guard arguments.value("--format") ?? "json-schema" == "json-schema" else {
                throw arguments.refusal("--shape report needs --format json-schema: a report is one document.")
            }
            return try Program.print(ReportSchema.jsonSchema)
        }
        let schema = Schema(arguments.value("--shape").flatMap(EventShape.Kind.init) ?? .events)
        switch arguments.value("--format") ?? "json-schema" {
        case "duckdb": return try Program.print(schema.duckDB)
        case "bigquery": return try Program.print(schema.bigQuery)
        case "clickhouse": return try Program.print(schema.clickHouse)
        case "postgres": return try Program.print(schema.postgres)
        case "spark": return try Program.print(schema.spark)
        default: return try Program.print(schema.jsonSchema)
        }
    }
}
