/// The elements and attributes of a page, read as a browser does that knows only what reports are made of.
struct PageElements {
    private(set) var names: Set<String> = []
    private(set) var attributes: Set<String> = []
    /// Whether every element that has an end has it in its place.
    private(set) var isBalanced = true

    struct Failure: Error { var at: String }

    static let knownAttributes: Set<String> = [
        "lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "aria-label", "role",
        "tabindex", "scope", "min", "max", "value",
    ]
    private static let empty: Set<String> = ["meta", "wbr"]

    init(_ page: String) throws {
        var open: [String] = []
        var rest = Substring(page)
        while let bracket = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: bracket)...]
            if rest.hasPrefix("!DOCTYPE html>") || rest.hasPrefix("!-- notification-translator report -->") { continue }
            let isEnd = rest.hasPrefix("/")
            if isEnd { rest = rest.dropFirst() }
            let name = String(rest.prefix { $0.isLetter || $0.isNumber })
            guard !name.isEmpty else { throw Failure(at: String(rest.prefix(40))) }
            rest = rest.dropFirst(name.count)
            names.insert(name)
            if isEnd {
                if open.popLast() != name { isBalanced = false }
                continue
            }
            try readAttributes(&rest)
            if !Self.empty.contains(name) { open.append(name) }
            if name == "style", let end = rest.firstRange(of: "</style>") { rest = rest[end.lowerBound...] }
        }
        isBalanced = isBalanced && open.isEmpty
    }

    private mutating func readAttributes(_ rest: inout Substring) throws {
        while true {
            rest = rest.drop { $0 == " " || $0 == "\n" || $0 == "/" }
            if rest.hasPrefix(">") { return }
            let name = rest.prefix { $0.isLetter || $0 == "-" }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.hasPrefix("=\"") else { throw Failure(at: String(rest.prefix(40))) }
            attributes.insert(String(name))
            rest = rest.dropFirst(2)
            guard let end = rest.firstIndex(of: "\"") else { throw Failure(at: "no end") }
            rest = rest[rest.index(after: end)...]
        }
    }
}
