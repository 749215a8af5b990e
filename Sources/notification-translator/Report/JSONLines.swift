import NotificationTranslation

/// JSON text with a line for each key of the outer objects, so that two reports can be compared line by line.
struct JSONLines {
    private(set) var text = ""
    private var depth = 0
    private var isFirst = true

    private mutating func begin() {
        text += (isFirst ? "\n" : ",\n") + String(repeating: "  ", count: depth)
        isFirst = false
    }

    mutating func open(_ bracket: String) {
        text += bracket
        depth += 1
        isFirst = true
    }

    mutating func open(_ key: String, _ bracket: String) {
        begin()
        text += string(key) + ": "
        open(bracket)
    }

    mutating func close(_ bracket: String) {
        depth -= 1
        text += (isFirst ? "" : "\n" + String(repeating: "  ", count: depth)) + bracket
        isFirst = false
    }

    /// A member whose value is JSON already.
    mutating func key(_ key: String, _ value: String) {
        begin()
        text += string(key) + ": " + value
    }

    /// An object of counts.
    mutating func counts(_ key: String, _ counts: [ReportFigures.Count]) {
        self.key(key, object(counts))
    }

    /// An array of objects, one per line.
    mutating func list<Element>(_ key: String, _ elements: [Element], _ members: (Element) -> [(String, String)]) {
        begin()
        text += string(key) + ": ["
        let indent = "\n" + String(repeating: "  ", count: depth + 1)
        for (place, element) in elements.enumerated() {
            text += (place > 0 ? "," : "") + indent + object(members(element))
        }
        text += elements.isEmpty ? "]" : "\n" + String(repeating: "  ", count: depth) + "]"
    }

    // MARK: Values

    func object(_ members: [(String, String)]) -> String {
        var text = "{"
        for (key, value) in members {
            text += text.utf8.count > 1 ? ", " : ""
            text += string(key)
            text += ": "
            text += value
        }
        return text + "}"
    }

    func object(_ counts: [ReportFigures.Count]) -> String {
        object(counts.map { ($0.name, "\($0.count)") })
    }

    /// A place; a deduced event has no line.
    func place(_ place: ReportFigures.Place) -> String {
        object([("input", string(place.input)), ("line", place.line > 0 ? "\(place.line)" : "null")])
    }

    func string(_ text: String?) -> String {
        guard let text else { return "null" }
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }) else {
            return "\"" + text + "\""
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
