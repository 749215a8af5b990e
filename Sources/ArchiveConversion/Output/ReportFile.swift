/// A report on a run: where it goes, and who writes it.
package struct ReportFile: Sendable {
    /// `-` or the path of the file.
    package var path: String
    /// The text of the report, in parts so that no copy of the whole is needed.
    package var render: @Sendable (Conversion.Outcome) -> [String]

    package init(path: String, render: @escaping @Sendable (Conversion.Outcome) -> [String]) {
        self.path = path
        self.render = render
    }

    /// How the reports of this program begin, whatever their form: no archive does.
    static let openings = [
        "<!DOCTYPE html><!-- notification-translator report -->", "# Notification report\n",
        "{\n  \"report_version\": ",
    ]
}
