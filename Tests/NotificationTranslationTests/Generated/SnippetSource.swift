/// Writes a test file that compiles the Swift code of the README, of the articles and of documentation comments.
///
/// Each piece becomes a method of `Snippets`, whose members are what the piece takes for granted. What a test file
/// holds word for word is compiled there and left out here, and so is the manifest of a package.
enum SnippetSource {
    static let files = [
        GeneratedFile(path: "Tests/PayloadVerificationTests/Snippets+Generated.swift", text: text)
    ]

    /// One piece of code, and the document it stands in.
    private struct Snippet {
        var document: String
        var lines: [Substring]
    }

    @Sendable
    private static func text() throws -> String {
        let tests = try SourceFile.paths(in: "Tests").filter { !$0.hasSuffix("+Generated.swift") }
            .map { String(decoding: try Fixture.bytes($0), as: UTF8.self) }
        let snippets = try snippets().filter { snippet in
            let code = snippet.lines.joined(separator: "\n")
            return !code.hasPrefix("// Package.swift") && !tests.contains { $0.contains(code) }
        }
        var numbers: [String: Int] = [:]
        let functions = snippets.map { snippet in
            numbers[snippet.document, default: 0] += 1
            return function(snippet, named: "\(snippet.document)\(numbers[snippet.document] ?? 0)")
        }
        return """
            // Written from the documentation by `RECORD=1 swift test --filter Generated`; a test compares them.
            // swift-format-ignore-file
            #if canImport(FoundationEssentials)
            import FoundationEssentials
            #else
            import Foundation
            #endif
            import NotificationTranslation
            import PayloadVerification

            extension Snippets {
            \(functions.joined(separator: "\n"))}

            """
    }

    /// The code of all documents, in the order of their paths.
    private static func snippets() throws -> [Snippet] {
        var snippets: [Snippet] = []
        let articles = SourceFile.paths(in: "Sources", ending: ".md")
        for path in ["README.md"] + articles + SourceFile.paths(in: "Sources") {
            let text = String(decoding: try Fixture.bytes(path), as: UTF8.self)
            let document = path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? ""
            snippets += code(of: text, isComment: path.hasSuffix(".swift")).map {
                Snippet(document: NameSource.lowerCamel(document), lines: $0)
            }
        }
        return snippets
    }

    /// What stands between the marks of Swift code, in Markdown or in documentation comments.
    private static func code(of text: String, isComment: Bool) -> [[Substring]] {
        var pieces: [[Substring]] = []
        var piece: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = line
            if isComment {
                let comment = line.drop { $0 == " " }
                guard comment.hasPrefix("///") else { continue }
                line = comment.dropFirst(comment.hasPrefix("/// ") ? 4 : 3)
            }
            if line == "```swift" {
                piece = []
            } else if line == "```", let found = piece {
                pieces.append(found)
                piece = nil
            } else {
                piece?.append(line)
            }
        }
        return pieces
    }

    private static func function(_ snippet: Snippet, named name: String) -> String {
        var body: [String] = []
        var used: [String] = []
        for line in snippet.lines where !line.hasPrefix("import ") {
            if line.hasPrefix("let ") || line.hasPrefix("guard let ") {
                used += line.matches(of: #/let (\w+) = /#).map { "_ = \($0.output.1)" }
            } else if line.hasPrefix("var ") {
                used.append("use(&\(line.dropFirst(4).prefix { $0.isLetter || $0.isNumber }))")
            }
            body.append((isValue(line) ? "_ = " : "") + line)
        }
        while body.first?.isEmpty == true { body.removeFirst() }
        let code = (body + used).map { $0.isEmpty ? "" : "        " + $0 }.joined(separator: "\n")
        return "    private func \(name)() async throws {\n\(code)\n    }\n"
    }

    /// Whether a line only names a value, as the articles do to say what it holds.
    private static func isValue(_ line: Substring) -> Bool {
        let code = line.prefix { $0 != " " }
        let rest = line.dropFirst(code.count).drop { $0 == " " }
        let name = code.hasSuffix("()") ? code.dropLast(2) : code
        return code.contains(".") && (rest.isEmpty || rest.hasPrefix("//"))
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
    }
}
