import NotificationTranslation

/// Tells of the records that could not be converted: in a file, if one was asked for, and on standard error.
struct RejectLog {
    private let file: OutputFile?
    private let withContent: Bool
    private let messages: Messages
    private let line = OutputBuffer(capacity: 4096)
    /// How many there were of each code.
    private(set) var counts: [String: Int] = [:]

    /// How many of a code are shown on standard error.
    private static let shownPerCode = 20

    init(file: OutputFile?, withContent: Bool, messages: Messages) {
        self.file = file
        self.withContent = withContent
        self.messages = messages
    }

    /// Rejects that were counted and not shown, because there were so many of their code.
    var hidden: Int {
        messages.isVerbose ? 0 : counts.values.reduce(0) { $0 + max(0, $1 - Self.shownPerCode) }
    }

    /// Adds one with, where it is wanted and was kept, its content.
    mutating func add(_ reject: Reject, input: String, content: [UInt8]?) throws(ArchiveError) {
        counts[reject.code, default: 0] += 1
        if messages.isVerbose || counts[reject.code, default: 0] <= Self.shownPerCode {
            messages.reject(reject, input: input)
        }
        guard let file else { return }
        line.removeAll()
        line.append("{\"input\":")
        line.append(jsonString: input)
        line.append(",\"line\":")
        line.append(decimal: reject.line)
        line.append(",\"offset\":")
        line.append(decimal: reject.offset)
        line.append(",\"length\":")
        line.append(decimal: Int64(reject.length))
        line.append(",\"code\":")
        line.append(jsonString: reject.code)
        line.append(",\"path\":")
        line.append(jsonString: reject.path)
        if withContent {
            line.append(",\"content\":")
            append(content)
        }
        line.append("}\n")
        try file.append(line.bytes)
    }

    /// The content as a string, as base64 under a key of its own when it is not UTF-8, or null when it was not kept.
    private func append(_ content: [UInt8]?) {
        guard let content else { return line.append("null") }
        if isValidUTF8(content) { return content.withUnsafeBytes { line.append(jsonString: $0) } }
        line.append("null,\"content_base64\":\"")
        line.append(StrictBase64.encoded(standard: content))
        line.append("\"")
    }
}

private func isValidUTF8(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
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
