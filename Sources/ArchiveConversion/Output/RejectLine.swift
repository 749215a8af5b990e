import NotificationTranslation

extension OutputBuffer {
    /// Appends the line of a record that could not be converted; the content is one that was kept, if contents are wanted.
    func append(_ reject: Reject, input: String, withContent: Bool, _ content: [UInt8]?) {
        append("{\"input\":")
        append(jsonString: input)
        append(",\"line\":")
        append(decimal: reject.line)
        append(",\"offset\":")
        append(decimal: reject.offset)
        append(",\"length\":")
        append(decimal: Int64(reject.length))
        append(",\"code\":")
        append(jsonString: reject.code)
        append(",\"path\":")
        append(jsonString: reject.path)
        if withContent {
            append(",\"content\":")
            let isText = content.map { String(validating: $0, as: UTF8.self) != nil } ?? false
            if isText { content?.withUnsafeBytes { append(jsonString: $0) } } else { append("null") }
            if let content, !isText {
                append(",\"content_base64\":\"")
                append(StrictBase64.encoded(standard: content))
                append("\"")
            }
        }
        append("}\n")
    }
}

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
