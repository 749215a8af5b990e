import ArchiveConversion
import NotificationTranslation

/// A report as Markdown that fits into a pull request: less than 65,536 characters, tables of bounded length.
struct ReportMarkdown {
    private(set) var text = ""
    let document: ReportDocument
    private let words: ReportWords

    /// A comment in a pull request is no longer than this.
    private static let longest = 64_000

    init(_ document: ReportDocument) {
        self.document = document
        words = ReportWords(document: document)
        // Long paths and names in every place would make it longer: fewer examples then.
        for (rows, places) in [(30, 5), (20, 2), (10, 1), (5, 0)] {
            let full = write(rows: rows, places: places).text
            text = full
            if full.utf8.count <= Self.longest { return }
        }
    }

    private func write(rows: Int, places: Int) -> MarkdownText {
        var page: MarkdownText = "# Notification report\n\n**\(words.headline).** \(words.outcome)\n"
        if document.wasDamaged {
            page += "\n**An input is damaged or cannot be read; this report covers what could be read.**\n"
        }
        page += agreement(rows, places)
        page += input(rows)
        page += receipts()
        page += translation(rows)
        page += silence(rows)
        page += unknownTypes(rows)
        page += months()
        page += access(rows)
        page += flags(places)
        page += losses(places)
        page += "\n## How to repeat it\n\n\(code: document.command)\n\nRules \(document.rulesVersion).\n"
        if document.figures.isCapped {
            page += "\nThe archive has more names or months than a report lists; the rest is counted as (other).\n"
        }
        return page
    }

    /// A column of a table.
    enum Column {
        case text(MarkdownText)
        case number(MarkdownText)

        var name: MarkdownText {
            switch self {
            case .text(let name), .number(let name): name
            }
        }

        var rule: MarkdownText {
            switch self {
            case .text: "---"
            case .number: "---:"
            }
        }
    }

    /// A table; a line below it says how many rows are left out.
    func table(_ head: [Column], _ rows: [[MarkdownText]], most: Int = .max) -> MarkdownText {
        guard !rows.isEmpty else { return "" }
        func line(_ cells: [MarkdownText]) -> MarkdownText { "| \(MarkdownText.joined(cells, " | ")) |\n" }
        var table: MarkdownText = "\n\(line(head.map(\.name)))\(line(head.map(\.rule)))"
        for row in rows.prefix(most) { table += line(row) }
        if rows.count > most { table += "\n… and \(rows.count - most) more.\n" }
        return table
    }

    // MARK: Sections

    private func agreement(_ rows: Int, _ places: Int) -> MarkdownText {
        let agreement = document.agreement
        var section: MarkdownText = "\n## Agreement with Apple\n\n\(words.agreement)\n"
        guard agreement.isJudged, agreement.total.compared + agreement.v1Only + agreement.v2Only > 0 else {
            return section
        }
        section += "\n\(words.lonely)\n"
        func scores(_ name: MarkdownText, _ scores: [(name: String, score: AgreementFigures.Score)]) -> MarkdownText {
            table(
                [.text(name), .number("compared"), .number("same"), .number("candidate"), .number("contradicted")],
                scores.map {
                    [
                        "\(code: $0.name)", "\($0.score.compared)", "\($0.score.same)", "\($0.score.candidate)",
                        "\($0.score.contradicted)",
                    ]
                }, most: rows)
        }
        section += scores("V1 type", agreement.byType)
        section += scores("certainty", agreement.byCertainty)
        let wrong = agreement.confusion.filter { $0.result != "same" }
        section += table(
            [.text("V1 type"), .text("we said"), .text("Apple said"), .text(""), .number("records")],
            wrong.map {
                [
                    "\(code: $0.type)", "\(code: $0.ours ?? "no event")", "\(code: $0.apple ?? "unknown")",
                    "\($0.result)",
                    "\($0.count)",
                ]
            }, most: rows)
        guard !agreement.contradictions.isEmpty else { return section }
        let shown = agreement.contradictions.prefix(places == 0 ? 0 : 20)
        section += "\n### Contradictions\n\n\(agreement.total.contradicted) in all, the first \(shown.count):\n"
        section += table(
            [.text("V1 record"), .text("V2 notification"), .text("we said"), .text("Apple said"), .text("certainty")],
            shown.map {
                [
                    "\(code: ReportWords.place($0.v1))", "\(code: ReportWords.place($0.v2))",
                    "\(code: $0.ours.description)", "\(code: $0.apple.description)", "\($0.certainty.rawValue)",
                ]
            })
        return section
    }

    private func counts(_ name: MarkdownText, _ counts: [ReportFigures.Count], most: Int) -> MarkdownText {
        let total = counts.reduce(0) { $0 + $1.count }
        return table(
            [.text(name), .number("notifications"), .number("share")],
            counts.map { ["\(code: $0.name)", "\($0.count)", "\(words.percent($0.count, of: total))"] }, most: most)
    }

    private func input(_ rows: Int) -> MarkdownText {
        let figures = document.figures
        var section: MarkdownText = "\n## What came in\n\n"
        section += "\(count(document.inputs.count, "input")), \(byteSize(document.inputBytes)) unpacked"
        if let days = figures.days { section += ", with notifications from \(days.first) to \(days.last)" }
        section += ".\n"
        section += counts("version", figures.versions, most: rows)
        section += counts("environment", figures.environments, most: rows)
        section += counts("app", figures.apps, most: rows)
        section += table(
            [.text("input"), .number("bytes")],
            document.inputs.map { ["\(code: $0.path)", $0.size.map { "\(Int($0))" } ?? "unknown"] }, most: rows / 2)
        return section
    }

    private func receipts() -> MarkdownText {
        guard let rows = words.receipts else { return "" }
        var section: MarkdownText = "\n## What the receipts prove\n\n\(ReportWords.receiptsMeaning)\n"
        section += table(
            [.text("receipts in V1 bodies"), .number("notifications")], rows.map { ["\($0.name)", "\($0.count)"] })
        return section
    }

    private func translation(_ rows: Int) -> MarkdownText {
        "\n## What V1 types became\n\(flows(rows))"
    }

    private func flows(_ rows: Int) -> MarkdownText {
        guard !document.figures.flows.isEmpty else { return "\nThere are no version 1 notifications.\n" }
        return table(
            [.text("V1 type"), .text("V2 pair"), .text("disposition"), .text("certainty"), .number("events")],
            document.figures.flows.map {
                [
                    "\(code: $0.type ?? "inferred")", "\(code: $0.pair ?? "no event of its own")",
                    "\($0.disposition.rawValue)", "\($0.certainty.rawValue)", "\($0.count)",
                ]
            }, most: rows)
    }

    private func silence(_ rows: Int) -> MarkdownText {
        let deduced = counts("deduced pair", words.deduced, most: rows)
        return "\n## Deduced events\n\n\(words.silence)\n\(deduced)"
    }

    private func unknownTypes(_ rows: Int) -> MarkdownText {
        let types = document.figures.unknownTypes
        guard !types.isEmpty else { return "" }
        let names = counts("type as received", types, most: rows)
        return "\n## Types that this build does not know\n\n\(ReportWords.unknownMeaning)\n\(names)"
    }

    private func months() -> MarkdownText {
        let months = document.figures.months
        guard !months.isEmpty else { return "" }
        let shown = months.suffix(60)
        var section: MarkdownText = "\n## Months\n"
        if shown.count < months.count { section += "\nThe last \(shown.count) of \(months.count).\n" }
        section += table(
            [
                .text("month"), .number("events"), .number("exact"), .number("inferred"), .number("ambiguous"),
                .number("unknown"),
            ],
            shown.map { month in
                ["\(month.month)", "\(month.events)"]
                    + Certainty.allCases.map { "\(words.number($0.rawValue, of: month.certainty))" }
            })
        if document.figures.untimed > 0 { section += "\n\(document.figures.untimed) without a time.\n" }
        return section
    }

    private func access(_ rows: Int) -> MarkdownText {
        "\n## What the events say about access\n\(counts("entitlement", document.figures.entitlement, most: rows))"
    }

    private func flags(_ places: Int) -> MarkdownText {
        let flags = document.figures.flags
        guard !flags.isEmpty else { return "\n## Flags\n\nNone was raised.\n" }
        let rows: [[MarkdownText]] = flags.map { flag in
            [
                "\(code: flag.flag.rawValue)", "\(flag.count)", "\(flag.flag.severity?.rawValue ?? "")",
                "\(flag.flag.meaning ?? "")", "\(flag.flag.settles ?? "")", examples(flag.places, places),
            ]
        }
        let head: [Column] = [
            .text("flag"), .number("events"), .text("weight"), .text("meaning"), .text("what would settle it"),
            .text("for example"),
        ]
        return "\n## Flags\n\(table(head, rows))"
    }

    private func examples(_ all: [ReportFigures.Place], _ most: Int) -> MarkdownText {
        MarkdownText.joined(all.prefix(most).map { "\(code: ReportWords.place($0))" }, ", ")
    }

    private func losses(_ places: Int) -> MarkdownText {
        let figures = document.figures
        var section: MarkdownText = "\n## Rejects, skips, gaps and late deliveries\n\n"
        section += "\(count(document.tally.rejected, "record")) rejected, \(document.tally.skipped) skipped"
        let skips = examples(figures.skips, places)
        section += skips.text.isEmpty ? ".\n" : ", such as \(skips).\n"
        section += table(
            [.text("code"), .number("records"), .text("for example")],
            document.rejectCodes.map {
                ["\(code: $0.name)", "\($0.count)", examples(document.places(ofReject: $0.name), places)]
            })
        section += table(
            [.text("skipped"), .number("records")], document.skipReasons.map { ["\(code: $0.name)", "\($0.count)"] })
        section += table(
            [.text("no notification from"), .text("to"), .number("days"), .number("in the weeks around")],
            figures.gaps.map { ["\($0.from)", "\($0.to)", "\($0.days)", "\($0.around)"] }, most: 20)
        section += table(
            [.text("received"), .number("notifications")],
            figures.lateness.map { ["\(ReportWords.lateness[$0.name] ?? $0.name)", "\($0.count)"] })
        return section
    }
}
