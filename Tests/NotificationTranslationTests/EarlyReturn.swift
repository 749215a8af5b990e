/// Finds the tests that leave before their end without a word: the run would report them as passed.
///
/// Reads the lines as `swift format` leaves them: what stands further to the right is inside of what stands above it.
enum EarlyReturn {
    /// File and line of each `return` without a value that a test function has outside of its closures, in an `if` or
    /// `guard` that records no issue.
    static func places(in path: String) throws -> [String] {
        let text = String(decoding: try Fixture.bytes(path), as: UTF8.self)
        return numbers(in: text).map { "\(path):\($0)" }
    }

    /// The numbers of the lines of such returns, the first line is 1.
    static func numbers(in text: String) -> [Int] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var found: [Int] = []
        var isTest = false
        var place = 0
        while place < lines.count {
            let words = lines[place].drop { $0 == " " }
            if words.hasPrefix("@Test") { isTest = true }
            if isTest, words.hasPrefix("func ") || lines[place].contains(" func ") {
                let end = lines[place...].firstIndex { $0 == indentation(lines[place]) + "}" } ?? place
                found += (place..<end).filter { leaves(lines, at: $0, of: place) }.map { $0 + 1 }
                place = end
                isTest = false
            }
            place += 1
        }
        return found
    }

    /// Whether the function that begins in a line is left in another without an issue.
    private static func leaves(_ lines: [Substring], at place: Int, of start: Int) -> Bool {
        let words = lines[place].drop { $0 == " " }
        guard words == "return" || words.hasSuffix("{ return }") else { return false }
        var isFirst = words == "return"
        var depth = indentation(lines[place]).count
        if !isFirst, !isControl(words) { return false }
        for above in (start + 1..<max(start + 1, place)).reversed() where !lines[above].isEmpty {
            let column = indentation(lines[above]).count
            guard column < depth else { continue }
            // The lines of a condition that is broken have no block of their own.
            guard lines[above].hasSuffix("{") || lines[above].contains("{ ") || lines[above].hasSuffix(":") else {
                continue
            }
            depth = column
            guard isControl(lines[above].drop { $0 == " " }) else { return false }
            if isFirst, lines[above...place].contains(where: { $0.contains("Issue.record") }) { return false }
            isFirst = false
        }
        return true
    }

    private static func isControl(_ words: Substring) -> Bool {
        let first = words.trimmingPrefix("} ").prefix { $0.isLetter }
        return ["if", "guard", "else", "for", "while", "switch", "case", "default", "do", "catch"].contains(first)
            || words == "{"
    }

    private static func indentation(_ line: Substring) -> Substring { line.prefix { $0 == " " } }
}
