/// The names in quotation marks that tests and suites have: whole sentences for tests, subjects for suites.
struct TestName {
    var place: String
    var isSuite: Bool
    /// What the quotation marks hold; nil where there are none.
    var text: String?

    /// The attributes of every test and suite in a file, in their order.
    static func all(in path: String) throws -> [TestName] {
        names(in: String(decoding: try Fixture.bytes(path), as: UTF8.self), path: path)
    }

    static func names(in text: String, path: String) -> [TestName] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        return lines.indices.compactMap { number in
            let line = lines[number]
            let isSuite = line.hasPrefix("@Suite")
            guard isSuite || line.hasPrefix("@Test") else { return nil }
            var rest = line.drop { $0.isLetter || $0 == "@" }
            // swift format puts a long name on a line of its own.
            if rest == "(", number + 1 < lines.count { rest = "(" + lines[number + 1] }
            var name: String?
            if rest.hasPrefix("(\"") {
                let quoted = rest.dropFirst(2)
                name = String(quoted.prefix { $0 != "\"" })
            }
            return TestName(place: "\(path):\(number + 1)", isSuite: isSuite, text: name)
        }
    }

    /// What is wrong with the name, nil where nothing is.
    var fault: String? {
        guard let text, let first = text.first else { return "no name" }
        if !first.isUppercase { return "does not begin with a capital letter" }
        if text.hasSuffix(".") { return "ends with a full stop" }
        let words = text.split(separator: " ")
        if isSuite { return nil }
        if words.count < 3 { return "not a sentence" }
        return Self.verbs.contains(words[0]) ? "begins with its verb" : nil
    }

    private static let verbs: Set<Substring> = [
        "Is", "Are", "Has", "Have", "Gives", "Says", "Takes", "Reads", "Refuses", "Keeps", "Does", "Do", "Writes",
    ]
}
