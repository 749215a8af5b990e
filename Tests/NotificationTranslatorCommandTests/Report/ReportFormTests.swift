@testable import NotificationArchives
import NotificationLibC
import Testing

@testable import NotificationReports
@testable import NotificationTranslation
@testable import notification_translator

@Suite("The forms of a report")
struct ReportFormTests {
    /// Names as an attacker, or a bad exporter, would choose them.
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "]]>", "--><b>",
        "&lt;b&gt;&amp;",
        "</style><style>*{}", "</code></pre>", "`a`|b|\\`", "**bold** [x](javascript:alert(1)) ![y](z)", "<!--",
        "\n\n# Head",
        "a\u{202E}txt.exe", "\u{0}\u{7}\u{1B}[31m", "\u{FEFF}\u{200B}", "${x}{{y}}", "https://example.com/?a=b&c=d",
        String(repeating: "<", count: 1500), String(repeating: "é\u{1F4A9}", count: 300), "", "@everyone",
        "~~x~~ _y_ *z*",
    ]

    /// An outcome in which every text that can come from outside is one of these, in another order for each seed.
    private static func outcome(_ seed: Int, many: Int = 3) -> ConversionOutcome {
        var next = seed
        func name() -> String {
            next += 1
            return hostile[next * 7 % hostile.count]
        }
        func place() -> ReportTally.Place { .init(input: name(), line: Int64(next)) }
        func example() -> ReportTally.Example {
            (0..<20).reduce(into: ReportTally.Example()) { example, _ in example.add(place()) }
        }
        var report = ReportTally()
        for number in 0..<many {
            report.byAccess[.init(kind: name(), entitlement: .keep), default: 0] += 500 - number
            report.byFlow.add(
                .init(
                    version: .v1, type: name() + "\(number)", pair: name(), certainty: .unknown,
                    disposition: .event), 9)
            report.bySource.add(.init(version: .v1, environment: name(), bundleID: name() + "\(number)"), 1 + number)
            report.byMonth.add(.init(number: 24_240 + number, kind: name(), certainty: .exact), 7)
        }
        report.skips = [.noNotification: example()]
        for number in AmbiguityFlag.allKnown.indices { report.byFlag[number] = example() }
        report.rejects = ["json.syntax": example()]
        var agreement = AgreementTally()
        for number in 0..<20 {
            for (result, certainty) in [(AgreementTally.Result.contradicted, Certainty.exact), (.same, .inferred)] {
                agreement.count(
                    .init(type: number, ours: number, apple: 5, certainty: certainty, result: result, month: 0),
                    v1: UInt64(number), v2: UInt64(number))
            }
        }
        let places = Dictionary(uniqueKeysWithValues: (0..<20).map { (UInt64($0), place()) })
        var outcome = ConversionOutcome()
        outcome.report = report
        outcome.agreement = AgreementFigures(agreement, places)
        outcome.rejectCodes = ["json.syntax": 20]
        outcome.inputs = (0..<many).map { _ in (name(), 7) }
        return outcome
    }

    private static func document(_ seed: Int, many: Int = 3) -> ReportDocument {
        ReportDocument(
            outcome(seed, many: many), command: "notification-translator report '" + hostile[seed % hostile.count])
    }

    @Test("A report in HTML keeps every text from outside where it belongs", arguments: 0..<22)
    func htmlIsEscaped(seed: Int) throws {
        let page = ReportHTML.text(Self.document(seed))
        let known: Set<String> = [
            "html", "head", "meta", "title", "style", "body", "a", "meter", "main", "header", "p", "h1", "h2", "h3",
            "nav", "ul", "li", "section", "div", "table", "caption",
            "thead",
            "tbody", "tr", "th", "td", "b", "span", "code", "pre", "footer", "em", "strong", "bdi", "wbr",
            "details", "summary",
        ]
        let elements = try PageElements(page)
        #expect(elements.names.subtracting(known).isEmpty)
        #expect(elements.attributes.isSubset(of: PageElements.knownAttributes))
        #expect(elements.isBalanced)
        #expect(
            !page.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x202A...0x202E).contains($0.value) })
    }

    @Test("Reports are small for any input, and say what they leave out")
    func areBounded() {
        for (seed, many) in [(1, 3000), (17, 600), (18, 3000)] {
            let document = Self.document(seed, many: many)
            let page = ReportHTML.text(document)
            #expect(page.utf8.count < 1_000_000)
            #expect(page.contains("more.</p>"))
            let text = ReportMarkdown.text(document)
            #expect(text.utf8.count < 65_536)
            #expect(text.contains(" more.\n"))
        }
    }

    @Test("A report in Markdown cannot be broken by names", arguments: 0..<22)
    func markdownIsEscaped(seed: Int) {
        let text = ReportMarkdown.text(Self.document(seed))
        var columns: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            // Bars that are no escapes divide cells, and every row of a table has as many.
            var bars = 0
            var isEscaped = false
            for character in line {
                if character == "|", !isEscaped { bars += 1 }
                isEscaped = character == "\\" && !isEscaped
            }
            #expect(columns ?? bars == bars, "\(line)")
            columns = bars
        }
        // Nothing outside of code begins an element, a link or a mention without a backslash before it.
        var (isCode, isEscaped, open) = (false, false, 0)
        for character in text {
            if character == "\n" { isCode = false }
            if character == "`", !isEscaped { isCode.toggle() }
            if !isCode, !isEscaped, "<[@".contains(character) { open += 1 }
            isEscaped = !isCode && character == "\\" && !isEscaped
        }
        #expect(open == 0)
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("#") }.count == 12)
    }

    @Test("A report in HTML allows its style and nothing else")
    func policy() throws {
        let page = ReportHTML.text(Self.document(3))
        #expect(!page.contains("<script") && !page.contains(" style=") && !page.contains("=\"javascript:"))
        #expect(!page.contains("src=\"") && !page.contains("@import") && !page.contains("//fonts"))
        let style = try ReadmeTests.part(of: page, from: "<style>", to: "</style>")
        let hash = try ReadmeTests.part(of: page, from: "style-src &#39;sha256-", to: "&#39;")
        #expect(StrictBase64.decoded(standard: Array(hash.utf8)) == SHA256.digest(style.utf8))
        #expect(page.contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"))
    }

    @Test("A report in HTML uses colours with enough contrast, in both themes")
    func contrast() throws {
        let page = ReportHTML.text(Self.document(3))
        let style = try ReadmeTests.part(of: page, from: "<style>", to: "</style>")
        let roots = style.split(separator: ":root{", omittingEmptySubsequences: false).dropFirst().map {
            $0.prefix { $0 != "}" }
        }
        #expect(roots.count == 3)
        for root in roots {
            var colours: [String: Double] = [:]
            for rule in root.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
                let parts = rule.split(separator: ":")
                guard parts.count == 2, let luminance = Self.luminance(parts[1]) else { continue }
                colours[parts[0].filter { !$0.isWhitespace }] = luminance
            }
            let page = try #require(colours["--page"])
            let card = try #require(colours["--card"])
            for (name, colour) in colours where !["--page", "--card", "--cut", "--line"].contains(name) {
                for ground in [page, card] {
                    let contrast = (max(colour, ground) + 0.05) / (min(colour, ground) + 0.05)
                    #expect(contrast >= 4.5, "\(name) \(contrast)")
                }
            }
            #expect(colours.count > 7)
        }
    }

    private static func luminance(_ text: Substring) -> Double? {
        guard text.hasPrefix("#"), var value = Int(text.dropFirst(), radix: 16) else { return nil }
        if text.count == 4 {
            value = [8, 4, 0].reduce(0) { $0 << 8 | (value >> $1 & 15) * 17 }
        }
        func part(_ shift: Int) -> Double {
            let part = Double(value >> shift & 255) / 255
            return part > 0.03928 ? pow((part + 0.055) / 1.055, 2.4) : part / 12.92
        }
        return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
    }
}
