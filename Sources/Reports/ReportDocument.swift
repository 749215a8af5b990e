package import NotificationArchives
import NotificationTranslation

/// What a report says, whatever its form.
package struct ReportDocument: Sendable {
    let tally: Tally
    let figures: ReportFigures
    let agreement: AgreementFigures
    /// Notifications that were surely sent and are not in the archive.
    let missing: MissingNotifications
    /// Rejects by code, the most frequent first.
    let rejectCodes: [ReportFigures.Count]
    let skipReasons: [ReportFigures.Count]
    /// The inputs with their sizes.
    let inputs: [(path: String, size: Int64?)]
    /// Bytes read, unpacked.
    let inputBytes: Int64
    let wasDamaged: Bool
    /// The command line that gives the same report.
    let command: String
    let rulesVersion = MappingTable.current.version

    package init(_ outcome: Conversion.Outcome, command: String) {
        tally = outcome.tally
        figures = outcome.report
        agreement = outcome.agreement
        missing = outcome.missing
        rejectCodes = ReportFigures.Count.largestFirst(outcome.rejectCodes)
        skipReasons = outcome.tally.skipReasons.map { .init(name: $0.reason.code, count: $0.count) }
        inputs = outcome.inputs
        inputBytes = outcome.inputBytes
        wasDamaged = outcome.wasDamaged
        self.command = command
    }

    /// Lines that were left out by `--companions drop` or `--duplicates drop`.
    var dropped: Int { tally.converted + tally.deduced - figures.events }

    /// Where a reject of a code happened, for example.
    func places(ofReject code: String) -> [ReportFigures.Place] {
        figures.rejects.first { $0.code == code }?.places ?? []
    }
}

/// The forms that a report can have.
package enum ReportFormat: String, CaseIterable {
    case markdown, html, json

    /// The form that the end of a path asks for.
    package init?(ofPath path: String) {
        switch path.split(separator: ".").last {
        case "html", "htm": self = .html
        case "md", "markdown": self = .markdown
        case "json": self = .json
        default: return nil
        }
    }

    /// The text of a report.
    package func render(_ document: ReportDocument) -> String {
        switch self {
        case .json: ReportJSON.text(document)
        case .markdown: ReportMarkdown.text(document)
        case .html: ReportHTML.text(document)
        }
    }
}
