import NotificationArchives
import NotificationReports
import NotificationTranslation

/// The command `report`.
enum ReportCommand {
    /// Reads everything as `convert` does and writes nothing but the report.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard var request = try ConvertCommand.request(arguments) else { return Program.ExitCode.failure }
        let path = request.output
        request.output = "-"
        request.dryRun = true
        request.judgesAgreement = true
        request.timeline?.compared = try TableCommand.compared(arguments)
        let format = arguments.reportFormat
        let command = arguments.reproduction(format)
        request.reports = [ReportFile(path: path) { [format.render(ReportDocument($0, command: command))] }]
        return try ConvertCommand.run(request, arguments)
    }
}
