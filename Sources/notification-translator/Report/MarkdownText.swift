import ArchiveConversion
import NotificationTranslation

/// Markdown that is made of literals; every text that is put in is escaped, which its type sees to.
struct MarkdownText: ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// A text as it reads.
        mutating func appendInterpolation(_ value: String) { text += MarkdownText.escaped(value) }

        /// A text as code.
        mutating func appendInterpolation(code value: String) { text += MarkdownText.code(value) }

        /// A number with its thousands apart.
        mutating func appendInterpolation(_ value: Int) { text += grouped(value) }

        mutating func appendInterpolation(_ value: MarkdownText) { text += value.text }
    }

    static func += (one: inout MarkdownText, other: MarkdownText) { one.text += other.text }

    /// Parts with something between them.
    static func joined(_ parts: [MarkdownText], _ separator: MarkdownText) -> MarkdownText {
        var result: MarkdownText = ""
        for (place, part) in parts.enumerated() {
            if place > 0 { result += separator }
            result += part
        }
        return result
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for character in ReportWords.plain(value) {
            if "\\`*_{}[]<>#|~&!$@".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }

    /// Code in a table's cell: a fence longer than any inside, and no bar that ends the cell.
    private static func code(_ value: String) -> String {
        let plain = ReportWords.plain(value)
        guard !plain.isEmpty else { return "" }
        guard plain.contains("`") || plain.contains("|") || plain.contains("\\") else { return "`\(plain)`" }
        // A bar cannot be written as code in a table by all readers, so such a text is not code.
        return escaped(plain)
    }
}
