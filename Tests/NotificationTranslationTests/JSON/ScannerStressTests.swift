import SimulatedLives
import Testing

@testable import NotificationTranslation

extension JSONValue {
    /// Whether a tree, read by the scanner, holds the same.
    func matches(_ tree: JSONTree) -> Bool {
        switch self {
        case .null: tree.kind == .null
        case .bool(let value): tree.kind == (value ? .true : .false)
        case .number: tree.kind == .number
        case .string(let text): tree.string?.utf8.elementsEqual(text.utf8) ?? false
        case .array(let elements):
            tree.elements.map { $0.count == elements.count && zip(elements, $0).allSatisfy { $0.matches($1) } } ?? false
        case .object(let members):
            tree.kind == .object && tree.keys.count == members.count
                && members.allSatisfy { key, value in tree[key].map(value.matches) ?? false }
        }
    }
}

/// The scanner against Foundation, over mutated texts; see ``StressTexts/factor`` for longer runs.
@Suite("The scanner and Foundation")
struct ScannerStressTests {
    /// What stands behind a text, where nobody should look.
    private static let slacks: [[UInt8]] =
        ["\"", "}", "]", "\\", "\n", ",", ":", "0", "e9", "\":\"", "u0041", "\\udc00", "true", " ", "\u{1}"]
        .map { Array($0.utf8) } + [[0x80], [0xBF], [0xFF], [0xE2, 0x82]]

    /// What the scanner says of a text that stands somewhere in memory that is hostile on both sides, its offsets counted
    /// from the text's start, and where it ends.
    private static func verdict(
        _ text: [UInt8], _ scanner: inout JSONScanner, _ mutator: inout TextMutator, stopsAtLineFeed: Bool
    ) -> (verdict: String, length: Int) {
        let start = mutator.number(0..<128)
        let around = mutator.pick(slacks)
        func fill(_ count: Int) -> [UInt8] { (0..<count).map { around[$0 % around.count] } }
        return (fill(start) + text + fill(JSONScanner.slack)).withUnsafeBytes { bytes in
            guard let memory = bytes.baseAddress else { return ("no memory", 0) }
            scanner.scan(memory, from: start, to: start + text.count, stopsAtLineFeed: stopsAtLineFeed)
            let length = scanner.end - start
            do throws(JSONFault) {
                if let fault = scanner.fault { throw fault }
                var walker = scanner.walker(memory)
                try walker.skip(walker.root())
                try walker.finish()
                return ("ok", length)
            } catch {
                return ("\(error.code.code) at \(error.offset - start)", length)
            }
        }
    }

    /// What is wrong with a verdict; `nil` if nothing is.
    private static func fault(of verdict: String, on text: [UInt8]) throws -> String? {
        let words = verdict.split(separator: " ")
        // Foundation takes a key twice, more levels and a comma before the end, numbers that a Double holds, and UTF-16.
        guard !["json.duplicate-key", "json.too-deep", "json.trailing-comma"].contains(words[0]),
            !text.prefix(4).contains(0),
            !String(decoding: text, as: UTF8.self).contains(#/[eE][-+]?\d{3}/#)
        else { return nil }
        // A second opinion that shares no code with the scanner.
        let expected = try? JSONDecoder().decode(JSONValue.self, from: Data(text))
        guard verdict == "ok" else {
            let offset = words.last.flatMap { Int($0) } ?? text.count
            switch words[0] {
            // Foundation does not look into every string.
            case "json.invalid-utf8": return String(validating: text, as: UTF8.self) == nil ? nil : "it is UTF-8"
            case "json.invalid-escape", "json.lone-surrogate": return text[offset] == 0x5C ? nil : "no escape is there"
            case "json.control-character": return text[offset] < 0x20 ? nil : "no such character is there"
            case "json.syntax", "json.invalid-number":
                // Nothing before the first fault is one, save that the text ends there.
                let before = JSONScannerTests.verdict(Array(text.prefix(offset)))
                if before != "ok", before != "json.unexpected-end at \(offset)" { return "before it: \(before)" }
            default: break
            }
            return expected == nil ? nil : "Foundation reads it"
        }
        guard let expected else { return "Foundation does not read it" }
        return expected.matches(try JSONTree(text)) ? nil : "Foundation reads something else"
    }

    @Test(
        "The scanner takes of mutated texts and lines what Foundation takes, wherever they stand, and reads the same",
        arguments: [false, true])
    func agree(inLines: Bool) throws {
        var mutator = TextMutator(seed: StressTexts.seed + (inLines ? 1 : 0), donors: StressTexts.all)
        var scanner = JSONScanner()
        var accepted = 0
        let trials = 900 * StressTexts.factor
        for _ in 0..<trials {
            var text = mutator.text()
            // In lines, an unprinted line feed is the rare case.
            if inLines, mutator.number(0..<4) > 0 { text.removeAll { $0 == 0x0A } }
            let line = inLines ? Array(text.prefix { $0 != 0x0A }) : text
            if inLines, mutator.number(0..<2) == 0 { text += [0x0A] + mutator.pick(StressTexts.handmade) }
            let actual = Self.verdict(text, &scanner, &mutator, stopsAtLineFeed: inLines)
            let again = JSONScannerTests.verdict(line)
            guard actual.verdict == again, actual.length == line.count else {
                Issue.record("\(actual), not \(again) and \(line.count), of: \(StressTexts.shown(text))")
                return
            }
            if let fault = try Self.fault(of: actual.verdict, on: line) {
                Issue.record("\(actual.verdict): \(fault): \(StressTexts.shown(line))")
                return
            }
            if actual.verdict == "ok" { accepted += 1 }
        }
        print("texts that were touched: \(trials), \(accepted) of them JSON")
        #expect(accepted > trials / 10 && accepted < trials * 9 / 10)
    }
}
