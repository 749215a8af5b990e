package import NotificationTranslation

/// What became of the records and how long it took.
package struct ConversionOutcome: Sendable {
    package var tally = Tally()
    /// Rejects by code.
    package var rejectCodes: [String: Int] = [:]
    /// Rejects that were not shown because there were so many of their code.
    package var hiddenRejects = 0
    package var files = 0
    /// Links in folders, which are not followed, and the path of the first.
    package var links = (count: 0, first: "")
    /// Bytes read, unpacked.
    package var inputBytes: Int64 = 0
    package var seconds = 0.0
    /// Where the first record is that was skipped and shows signs of a notification.
    package var firstSign: (input: String, line: Int64)?
    /// Inputs of which every record was skipped, and the first of them.
    package var skippedInputs = 0
    package var firstSkippedInput = ""
    /// Inputs with more than one record.
    package var inputsOfSeveral = 0
    /// Inputs that are damaged, and how many of the records before the damage were converted; `nil` for one that cannot be
    /// opened.
    package var damages: [(input: String, converted: Int?)] = []
    /// Whether an input was damaged or could not be opened.
    package var wasDamaged: Bool { !damages.isEmpty }
    /// What became of the events, where a report is made.
    package var report = ReportTally()
    /// How far V1 and V2 agree, where that is asked for.
    package var agreement = AgreementFigures()
    /// Records that were not settled with their subscription because what was kept of them is damaged; their events are
    /// what the records alone give.
    package var unsettled = 0
    /// What became of the events of a rehearsal; `nil` where nothing was rehearsed.
    package var rehearsal: RehearsalFigures?
    /// Notifications that were surely sent and are not in the archive.
    package var missing = MissingNotifications()
    /// How the subscriptions stand, where a report is made.
    package var states: TableFigures?
    /// Whether they were compared with a table.
    package var comparesStates = false
    /// What the rows of a table hold; `nil` where none was made.
    package var table: TableFigures?
    /// The inputs, in order, with their sizes where they have one.
    package var inputs: [(path: String, size: Int64?)] = []
}

/// What became of the events of a rehearsal.
package struct RehearsalFigures: Sendable {
    /// Bodies that were written; each delivery attempt counts.
    package var bodies = 0
    /// The app and environment that was rehearsed.
    package var app: RehearsedApp?
    /// Events that were left out, by the reason.
    package var leftOut: [RehearsalEntry.LeftOut: Int] = [:]
}

/// A report on a run: where it goes, and who writes it.
package struct ReportFile: Sendable {
    /// `-` or the path of the file.
    package var path: String
    /// The text of the report.
    package var render: @Sendable (ConversionOutcome) -> String

    package init(path: String, render: @escaping @Sendable (ConversionOutcome) -> String) {
        self.path = path
        self.render = render
    }

    /// How the reports of this program begin, whatever their form: no archive does.
    static let openings = [
        "<!DOCTYPE html><!-- notification-translator report -->", "# Notification report\n",
        "{\n  \"report_version\": ",
    ]
}
