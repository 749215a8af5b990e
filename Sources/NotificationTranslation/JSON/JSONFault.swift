/// Why a text is not the JSON this package reads: a code and the byte where it shows.
package struct JSONFault: Error, Hashable, Sendable {
    /// The closed list of what can be wrong with a JSON text.
    package enum Code: String, Sendable, ExplainedWord {
        case syntax = "json.syntax: unexpected character"
        case unexpectedEnd = "json.unexpected-end: the text ends inside a value"
        case trailingContent = "json.trailing-content: unexpected content after the JSON value"
        case trailingComma = "json.trailing-comma: trailing comma"
        case invalidUTF8 = "json.invalid-utf8: a byte sequence that is not UTF-8"
        case controlCharacter = "json.control-character: a control character that is not escaped"
        case invalidEscape = "json.invalid-escape: a backslash followed by something that is not an escape"
        case loneSurrogate = "json.lone-surrogate: half of a surrogate pair"
        case duplicateKey = "json.duplicate-key: the same key twice in one object"
        case tooDeep = "json.too-deep: nested deeper than 64 levels"
        case invalidNumber = "json.invalid-number: not a number as JSON writes them"
        case numberOverflow = "json.number-overflow: a number outside the range of 64 bits"
    }

    var code: Code
    /// Offset from the first byte of the memory that was scanned.
    var offset: Int
}
