/// A function of the package, and how many decisions it has: `if`, `guard`, `for`, `while`, `case`, `catch` and `?:`.
///
/// The text is laid out by swift format: a body ends with the first brace that stands under its declaration. What
/// stands inside counts too.
struct FunctionSize: CustomStringConvertible {
    var path: String
    var name: String
    var decisions = 0

    var description: String { "\(path): \(name) has \(decisions)" }

    private static let deciding: Set<Substring> = ["if", "guard", "for", "while", "case", "catch", "?"]
    private static let declaring: Set<Substring> = ["func", "init", "init?", "subscript", "var"]
    private static let modifiers: Set<Substring> = [
        "public", "package", "private", "fileprivate", "set", "static", "mutating", "override", "convenience", "final",
        "lazy", "consuming", "borrowing", "nonisolated", "discardableResult", "inlinable", "inline", "never",
        "__always",
    ]

    static func all(of path: String) throws -> [FunctionSize] {
        let text = String(decoding: try Fixture.bytes(path), as: UTF8.self)
        var found: [FunctionSize] = []
        // Those whose bodies are open, with the spaces before their declarations.
        var open: [(function: FunctionSize, indent: Int)] = []
        for line in text.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            // Every other part is in quotes.
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            let words = parts.filter { $0.offset % 2 == 0 }.flatMap { part in
                part.element.split { !($0.isLetter || $0.isNumber || "_?{}/".contains($0)) }
            }
            let code = words.prefix { !$0.hasPrefix("//") }
            if code.first == "}" {
                // A declaration without a body is not counted.
                while let last = open.last, last.indent > indent { open.removeLast() }
                if let last = open.last, last.indent == indent, code.count == 1 {
                    found.append(last.function)
                    open.removeLast()
                }
            }
            let count = code.count { deciding.contains($0) }
            for place in open.indices { open[place].function.decisions += count }
            let start = code.firstIndex { !modifiers.contains($0) } ?? code.endIndex
            if start < code.endIndex, declaring.contains(code[start]), code.last != "}",
                code[start] != "var" || code.last == "{"
            {
                let name = code[start...].prefix(2).joined(separator: " ")
                open.append((FunctionSize(path: path, name: name, decisions: count), indent))
            }
        }
        return found
    }
}
