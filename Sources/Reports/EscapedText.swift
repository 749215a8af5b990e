import NotificationArchives

/// A language in which some characters of a text have a meaning.
protocol Markup {
    /// A text that the language reads as such.
    static func escaped(_ text: String) -> String
}

/// A text in a language, made of literals; its type escapes every text that is put into it.
struct EscapedText<Language: Markup>: ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// What comes from this program alone, such as the rules of ``ReportStyle``.
    init(trusted text: String) { self.text = text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: String) { text += Language.escaped(value) }

        /// A number for people, its thousands apart.
        mutating func appendInterpolation(_ value: Int) { text += grouped(value) }

        mutating func appendInterpolation(_ value: EscapedText) { text += value.text }
    }

    static func += (one: inout EscapedText, other: EscapedText) { one.text += other.text }

    /// Parts with something between them.
    static func joined(_ parts: some Sequence<EscapedText>, _ separator: EscapedText = "") -> EscapedText {
        EscapedText(trusted: parts.map(\.text).joined(separator: separator.text))
    }
}
