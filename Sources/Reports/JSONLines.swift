import NotificationTranslation

/// JSON with a line for each key of the outer objects, so that two reports can be compared line by line.
indirect enum JSONLines {
    /// In one line; JSON already.
    case inline(String)
    /// An array with a line for each element, which is JSON already.
    case list([String])
    /// An object with a line for each key.
    case object([(key: String, value: JSONLines)])

    /// The text; the first line stands where `depth` objects around it are open.
    func text(depth: Int = 0) -> String {
        switch self {
        case .inline(let text): return text
        case .list(let elements): return Self.lines("[", elements, "]", depth)
        case .object(let members):
            let lines = members.map { Self.string($0.key) + ": " + $0.value.text(depth: depth + 1) }
            return Self.lines("{", lines, "}", depth)
        }
    }

    private static func lines(_ begin: String, _ lines: [String], _ end: String, _ depth: Int) -> String {
        let indent = "\n" + String(repeating: "  ", count: depth)
        return begin + lines.map { indent + "  " + $0 }.joined(separator: ",") + (lines.isEmpty ? "" : indent) + end
    }

    /// An object in one line; its values are JSON already.
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { string($0.key) + ": " + $0.value }.joined(separator: ", ") + "}"
    }

    /// A string, or `null`.
    static func string(_ text: String?) -> String {
        guard let text else { return "null" }
        let output = OutputBuffer(capacity: 64)
        output.append(jsonString: text)
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
