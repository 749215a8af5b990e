/// Why a text is not the JSON this package reads: a code and the byte where it shows.
package struct JSONFault: Error, Hashable, Sendable {
    /// The closed list of what can be wrong with a JSON text.
    package enum Code: String, Sendable, CaseIterable {
        case syntax = "json.syntax"
        case unexpectedEnd = "json.unexpected-end"
        case trailingContent = "json.trailing-content"
        case trailingComma = "json.trailing-comma"
        case invalidUTF8 = "json.invalid-utf8"
        case controlCharacter = "json.control-character"
        case invalidEscape = "json.invalid-escape"
        case loneSurrogate = "json.lone-surrogate"
        case duplicateKey = "json.duplicate-key"
        case tooDeep = "json.too-deep"
        case invalidNumber = "json.invalid-number"
        case numberOverflow = "json.number-overflow"

        /// One sentence for people, the same for every text with this fault.
        package var sentence: String {
            switch self {
            case .syntax: "unexpected character"
            case .unexpectedEnd: "the text ends inside a value"
            case .trailingContent: "unexpected content after the JSON value"
            case .trailingComma: "trailing comma"
            case .invalidUTF8: "a byte sequence that is not UTF-8"
            case .controlCharacter: "a control character that is not escaped"
            case .invalidEscape: "a backslash followed by something that is not an escape"
            case .loneSurrogate: "half of a surrogate pair"
            case .duplicateKey: "the same key twice in one object"
            case .tooDeep: "nested deeper than \(JSONWalker.deepest) levels"
            case .invalidNumber: "not a number as JSON writes them"
            case .numberOverflow: "a number outside the range of 64 bits"
            }
        }
    }

    var code: Code
    /// Offset from the first byte of the memory that was scanned.
    var offset: Int

    /// One sentence for people, the same for every text with this fault.
    var sentence: String { code.sentence }
}
