import NotificationArchives
import NotificationReports
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
        request.judgesAgreement = true
        let format = arguments.value("--format").flatMap(ReportFormat.init(rawValue:)) ?? .markdown
        let command = Reproduction(arguments, format: format).text
        request.reports = [ReportFile(path: path) { [format.render(ReportDocument($0, command: command))] }]
        return try ConvertCommand.run(request, arguments)
    }
}
