package import NotificationArchives
import NotificationTranslation

/// What a report says, whatever its form: what came of a conversion, and a little more.
@dynamicMemberLookup
package struct ReportDocument: Sendable {
    private let outcome: ConversionOutcome
    /// The command line that gives the same report.
    let command: String
    let rulesVersion = MappingTable.current.version

    package init(_ outcome: ConversionOutcome, command: String) {
        self.outcome = outcome
        self.command = command
    }

    package subscript<Value>(dynamicMember part: KeyPath<ConversionOutcome, Value>) -> Value { outcome[keyPath: part] }

    var figures: ReportTally { outcome.report }
    /// Rejects by code, the most frequent first.
    var rejectCodes: [ReportTally.Count] { ReportTally.largestFirst(outcome.rejectCodes) { $0 } }

    /// Lines that were left out by `--companions drop` or `--duplicates drop`.
    var dropped: Int { outcome.tally.converted + outcome.tally.deduced - figures.events }
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
