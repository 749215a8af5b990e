/// The forms that a report can have.
enum ReportFormat: String {
    case markdown, html, json, svg

    /// The form that the end of a path asks for.
    init?(ofPath path: String) {
        if path.hasSuffix(".html") || path.hasSuffix(".htm") {
            self = .html
        } else if path.hasSuffix(".md") || path.hasSuffix(".markdown") {
            self = .markdown
        } else if path.hasSuffix(".json") {
            self = .json
        } else if path.hasSuffix(".svg") {
            self = .svg
        } else {
            return nil
        }
    }

    /// The text of a report, in parts.
    func render(_ document: ReportDocument) -> [String] {
        switch self {
        case .json: [ReportJSON.text(document)]
        case .markdown: [ReportMarkdown(document).text]
        case .html: [ReportHTML(document).text]
        case .svg: [ReportPicture(document).text]
        }
    }
}
