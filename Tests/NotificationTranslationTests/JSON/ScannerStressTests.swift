import SimulatedLives
import Testing

@testable import NotificationTranslation

/// The scanner against ``PlainJSON``, over mutated texts; see ``StressTexts/factor`` for longer runs.
@Suite("The scanner and a plain reader")
struct ScannerStressTests {
    /// What stands behind a text, where nobody should look.
    private static let slacks: [[UInt8]] =
        ["\"", "}", "]", "\\", "\n", ",", ":", "0", "e9", "\":\"", "u0041", "\\udc00", "true", " ", "\u{1}"]
        .map { Array($0.utf8) } + [[0x80], [0xBF], [0xFF], [0xE2, 0x82]]

    /// A text in memory that is hostile on both sides.
    private struct Placed {
        var memory: [UInt8]
        var start: Int
        var limit: Int

        init(_ text: [UInt8], _ mutator: inout TextMutator) {
            start = mutator.number(0..<128)
            limit = start + text.count
            let around = mutator.pick(ScannerStressTests.slacks)
            func fill(_ count: Int) -> [UInt8] { (0..<count).map { around[$0 % around.count] } }
            memory = fill(start) + text + fill(JSONScanner.slack)
        }
    }

    /// What the scanner says of a text, its offsets counted from the text's start, and where it ends.
    private static func verdict(
        _ placed: Placed, _ scanner: inout JSONScanner, stopsAtLineFeed: Bool
    ) -> (verdict: String, length: Int) {
        placed.memory.withUnsafeBytes { bytes in
            guard let memory = bytes.baseAddress else { return ("no memory", 0) }
            scanner.scan(memory, from: placed.start, to: placed.limit, stopsAtLineFeed: stopsAtLineFeed)
            let length = scanner.end - placed.start
            do throws(JSONFault) {
                if let fault = scanner.fault { throw fault }
                var walker = scanner.walker(memory)
                try walker.skip(walker.root())
                try walker.finish()
                return ("ok", length)
            } catch {
                return ("\(error.code.code) at \(error.offset - placed.start)", length)
            }
        }
    }

    /// A text as it can be pasted into a test.
    private static func shown(_ text: [UInt8]) -> String {
        text.map { 0x20..<0x7F ~= $0 ? String(Unicode.Scalar($0)) : "<\(String($0, radix: 16))>" }.joined()
    }

    @Test("The scanner and a plain reader agree on mutated texts: accepted or not, why not, and where")
    func agreeOnTexts() {
        var mutator = TextMutator(seed: StressTexts.seed, donors: StressTexts.all)
        var scanner = JSONScanner()
        var accepted = 0
        let trials = 900 * StressTexts.factor
        for _ in 0..<trials {
            let text = mutator.hardText()
            let expected = PlainJSON.verdict(text)
            let placed = Placed(text, &mutator)
            let actual = Self.verdict(placed, &scanner, stopsAtLineFeed: false)
            guard actual.verdict == expected, actual.length == text.count else {
                Issue.record("\(actual), not \(expected), of: \(Self.shown(text))")
                return
            }
            if expected == "ok" { accepted += 1 }
        }
        print("texts that were touched: \(trials), \(accepted) of them JSON")
        #expect(accepted > trials / 10 && accepted < trials * 9 / 10)
    }

    @Test("The scanner and a plain reader agree on mutated lines, and on where they end")
    func agreeOnLines() {
        var mutator = TextMutator(seed: StressTexts.seed + 1, donors: StressTexts.all)
        var scanner = JSONScanner()
        var accepted = 0
        let trials = 900 * StressTexts.factor
        for _ in 0..<trials {
            var text = mutator.hardText()
            // In lines, an unprinted line feed is the rare case.
            if mutator.number(0..<4) > 0 { text.removeAll { $0 == 0x0A } }
            let line = Array(text.prefix { $0 != 0x0A })
            if mutator.number(0..<2) == 0 { text += [0x0A] + mutator.pick(StressTexts.handmade) }
            let expected = PlainJSON.verdict(line)
            let actual = Self.verdict(Placed(text, &mutator), &scanner, stopsAtLineFeed: true)
            guard actual.verdict == expected, actual.length == line.count else {
                Issue.record("\(actual), not \(expected) and \(line.count), of: \(Self.shown(text))")
                return
            }
            if expected == "ok" { accepted += 1 }
        }
        print("lines that were touched: \(trials), \(accepted) of them JSON")
        #expect(accepted > trials / 10 && accepted < trials * 9 / 10)
    }

    @Test("The scanner and a plain reader read the same values")
    func agreeOnValues() throws {
        var mutator = TextMutator(seed: StressTexts.seed + 2, donors: StressTexts.all)
        var compared = 0
        let trials = 250 * StressTexts.factor
        for _ in 0..<trials {
            let text = mutator.text()
            guard let plain = try? PlainJSON(text) else { continue }
            let tree = try JSONTree(text)
            if !plain.matches(tree) { Issue.record("of: \(Self.shown(text))") }
            let form = PlainJSON.Form(isSpaced: mutator.number(0..<2) == 0, escapedPercent: 30, escapesWords: true)
            let again = plain.text(form, using: &mutator.random)
            let treeAgain = try JSONTree(again)
            if !plain.matches(treeAgain) { Issue.record("of: \(Self.shown(again))") }
            compared += 1
        }
        #expect(compared > trials / 10)
    }
}
