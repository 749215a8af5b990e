/// A report as Markdown that fits into a pull request: less than 65,536 characters, tables of bounded length.
enum ReportMarkdown {
    static func text(_ document: ReportDocument) -> String {
        ReportPage.fitting(document, in: 64_000, [(30, 5), (20, 2), (10, 1), (5, 0)], months: 60) { page($0).text }
    }

    private static func page(_ page: ReportPage) -> MarkdownText {
        var text: MarkdownText = "# Notification report\n\n**\(page.headline).** \(page.outcome)\n"
        for warning in page.warnings { text += "\n**\(warning)**\n" }
        for section in page.sections {
            text += "\n## \(section.title)\n"
            for part in section.blocks { text += block(part) }
        }
        text += "\n## How to repeat it\n\n\(code: page.document.command)\n\nRules \(page.document.rulesVersion).\n"
        return text
    }

    private static func block(_ block: ReportPage.Block) -> MarkdownText {
        switch block {
        case .text(let text): "\n\(text)\n"
        case .table(let table): Self.table(table)
        }
    }

    private static func table(_ table: ReportPage.Table) -> MarkdownText {
        func line(_ cells: [MarkdownText]) -> MarkdownText { "| \(MarkdownText.joined(cells, " | ")) |\n" }
        let rules: [MarkdownText] = table.heads.map { $0.isFigure ? "---:" : "---" }
        var text: MarkdownText = "\n**\(table.caption)**\n\n\(line(table.columns.map { "\($0)" }))\(line(rules))"
        for row in table.rows.prefix(table.most) { text += line(row.map(cell)) }
        if table.rows.count > table.most { text += "\n… and \(table.rows.count - table.most) more.\n" }
        return text
    }

    private static func cell(_ cell: ReportPage.Cell) -> MarkdownText {
        switch cell {
        case .text(let text): "\(text)"
        case .name(let name): "\(code: name)"
        case .figure(let figure): "\(figure)"
        case .share(let part, let whole): "\(ReportPage.percent(part, of: whole))"
        case .places(let places): .joined(places.map { "\(code: ReportPage.text($0))" }, ", ")
        }
    }
}

typealias MarkdownText = EscapedText<Markdown>

/// The language of comments in pull requests.
enum Markdown: Markup {
    static func escaped(_ value: String) -> String {
        var result = ""
        for character in ReportPage.plain(value) {
            if "\\`*_{}[]<>#|~&!$@".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }

    /// Code in a table's cell: a fence longer than any inside, and no bar that ends the cell.
    fileprivate static func code(_ value: String) -> String {
        let plain = ReportPage.plain(value)
        guard !plain.isEmpty else { return "" }
        guard plain.contains("`") || plain.contains("|") || plain.contains("\\") else { return "`\(plain)`" }
        // A bar cannot be written as code in a table by all readers, so such a text is not code.
        return escaped(plain)
    }
}

extension MarkdownText.StringInterpolation {
    mutating func appendInterpolation(code value: String) { appendLiteral(Markdown.code(value)) }
}
