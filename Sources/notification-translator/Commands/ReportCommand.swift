import ArchiveConversion
import NotificationTranslation

/// The command `report`.
enum ReportCommand {
    /// Reads everything as `convert` does and writes nothing but the report.
    static func run(_ arguments: Arguments) throws -> Int32 {
        var request = try ConvertCommand.request(arguments)
        if request.inputs.isEmpty, request.filesFrom == nil { return try ConvertCommand.refuseNoInput(of: "report") }
        let path = request.output
        request.output = "-"
        request.dryRun = true
        if arguments.has("--catalogue-template") { return try runTemplate(request, path, arguments) }
        request.judgesAgreement = true
        let format = arguments.value("--format").flatMap(ReportFormat.init(rawValue:)) ?? .markdown
        let command = Reproduction(arguments, format: format).text
        request.reports = [ReportFile(path: path) { format.render(ReportDocument($0, command: command)) }]
        return try ConvertCommand.run(request, arguments)
    }

    /// Writes what a catalogue of the archive's products begins with, in place of a report.
    private static func runTemplate(
        _ request: ConversionRequest, _ path: String, _ arguments: Arguments
    ) throws -> Int32 {
        let format = arguments.value("--format")
        guard !arguments.has("--format") || format == "json" else {
            throw arguments.refusal("--catalogue-template is CSV, or JSON with --format json.")
        }
        var request = request
        // Records name the products; their neighbours add nothing.
        request.timeline = nil
        request.records.countsProducts = true
        let known = request.records.catalogue
        request.reports = [
            ReportFile(path: path) { outcome in
                CatalogueTemplate(outcome.products, known, isJSON: format == "json").parts
            }
        ]
        return try ConvertCommand.run(request, arguments)
    }
}
