/// A piece of HTML.
typealias HTMLText = EscapedText<HTML>

/// The language of pages.
enum HTML: Markup {
    static func escaped(_ text: String) -> String { escaped(text, breaksWords: false) }

    /// A text that HTML reads as such; with `breaksWords` a long name may continue in another line after `_`, `/` and
    /// `.`.
    fileprivate static func escaped(_ value: String, breaksWords: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in ReportWords.plain(value).unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            case "_", "/", ".":
                result.append(scalar)
                if breaksWords { result.append(contentsOf: "<wbr>".unicodeScalars) }
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

extension HTMLText.StringInterpolation {
    /// A text from the input: its direction does not turn what is beside it.
    mutating func appendInterpolation(name value: String) {
        appendLiteral("<bdi>" + HTML.escaped(value, breaksWords: true) + "</bdi>")
    }

    /// A number for the browser: a length or a position.
    mutating func appendInterpolation(at value: Double) {
        let tenths = Int((value * 10).rounded())
        if tenths < 0 { appendLiteral("-") }
        appendLiteral("\(abs(tenths) / 10)")
        if tenths % 10 != 0 { appendLiteral(".\(abs(tenths) % 10)") }
    }
}
