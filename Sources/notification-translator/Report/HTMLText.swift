import ArchiveConversion
import NotificationTranslation

/// HTML made of literals; its type escapes every text that is put into it.
struct HTMLText: ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// The rules of ``ReportStyle``, which come from this program alone.
    init(trusted rules: String) {
        text = rules
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// A text, as content or inside the quotes of an attribute.
        mutating func appendInterpolation(_ value: String) { text += HTMLText.escaped(value) }

        /// A text from the input: its direction does not turn what is beside it.
        mutating func appendInterpolation(name value: String) {
            text += "<bdi>" + HTMLText.escaped(value, breaksWords: true) + "</bdi>"
        }

        /// A number for people, its thousands apart.
        mutating func appendInterpolation(_ value: Int) { text += grouped(value) }

        /// A number for the browser: a length or a position.
        mutating func appendInterpolation(at value: Double) {
            let tenths = Int((value * 10).rounded())
            if tenths < 0 { text += "-" }
            text += "\(abs(tenths) / 10)"
            if tenths % 10 != 0 { text += ".\(abs(tenths) % 10)" }
        }

        mutating func appendInterpolation(_ value: HTMLText) { text += value.text }
    }

    static func += (one: inout HTMLText, other: HTMLText) { one.text += other.text }

    /// Concatenated parts.
    static func joined(_ parts: some Sequence<HTMLText>) -> HTMLText {
        var result: HTMLText = ""
        for part in parts { result += part }
        return result
    }

    /// A text that HTML reads as such; with `breaksWords` a long name may continue in another line after `_`, `/` and
    /// `.`.
    private static func escaped(_ value: String, breaksWords: Bool = false) -> String {
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
