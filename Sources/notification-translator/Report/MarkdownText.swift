/// A piece of Markdown.
typealias MarkdownText = EscapedText<Markdown>

/// The language of comments in pull requests.
enum Markdown: Markup {
    static func escaped(_ value: String) -> String {
        var result = ""
        for character in ReportWords.plain(value) {
            if "\\`*_{}[]<>#|~&!$@".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }

    /// Code in a table's cell: a fence longer than any inside, and no bar that ends the cell.
    fileprivate static func code(_ value: String) -> String {
        let plain = ReportWords.plain(value)
        guard !plain.isEmpty else { return "" }
        guard plain.contains("`") || plain.contains("|") || plain.contains("\\") else { return "`\(plain)`" }
        // A bar cannot be written as code in a table by all readers, so such a text is not code.
        return escaped(plain)
    }
}

extension MarkdownText.StringInterpolation {
    /// A text as code.
    mutating func appendInterpolation(code value: String) { appendLiteral(Markdown.code(value)) }
}
