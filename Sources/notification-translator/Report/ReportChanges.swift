import ArchiveConversion
import NotificationTranslation

/// What a report says of changes since an earlier run, as sentences and tables for people.
struct ReportChanges {
    /// A cell of a table.
    enum Cell {
        /// A name from the archive or from the tables.
        case name(String)
        /// Several, one below the other.
        case names([String])
        /// The id of an event, which may be broken anywhere.
        case id(String)
        case number(Int)
    }

    /// A table with its caption and the names of its columns; the columns of numbers come last.
    struct Table {
        var caption: String
        var columns: [String]
        var rows: [[Cell]]
    }

    private let changes: ChangeFigures

    /// `nil` where nothing was compared.
    init?(_ document: ReportDocument) {
        guard document.changes.isCompared else { return nil }
        changes = document.changes
    }

    /// What changed, in a few sentences.
    var summary: String {
        var text =
            "\(count(changes.newEvents, "event")) compared with \(count(changes.oldEvents, "event")) of "
            + "\(ReportWords.plain(changes.path)): \(grouped(changes.same)) the same, \(grouped(changes.changed)) changed, "
            + "\(grouped(changes.added)) added, \(grouped(changes.gone)) gone. Events are joined by their id; a different "
            + "place of the record or version of the rules does not count as a change."
        let versions = changes.rulesVersions.map { "\(ReportWords.plain($0.name)) (\(grouped($0.count)))" }
        if !versions.isEmpty { text += " The earlier events are of rules \(versions.joined(separator: ", "))." }
        if changes.foreign > 0, let line = changes.firstForeign {
            text +=
                " \(count(changes.foreign, "line")) of that file \(changes.foreign == 1 ? "is not an event" : "are not events") of this program, "
                + "the first at line \(line)."
        }
        return text
    }

    /// The tables, those with nothing in them left out.
    var tables: [Table] {
        [
            Table(
                caption: "Changed fields", columns: ["field", "events"],
                rows: changes.fields.map { [.name($0.name), .number($0.count)] }),
            Table(
                caption: "Changed answers", columns: ["received as", "pair before", "pair now", "events"],
                rows: changes.answers.map {
                    [
                        .name($0.answer.type ?? "inferred"), .name($0.answer.step.old ?? Self.none),
                        .name($0.answer.step.new ?? Self.none), .number($0.count),
                    ]
                }),
            Table(
                caption: "Changed events by rule", columns: ["rule", "events"],
                rows: changes.rules.map { [.names([Self.rule($0.step)]), .number($0.count)] }),
            Self.sorts("Added events", changes.addedBySort), Self.sorts("Gone events", changes.goneBySort),
            Table(
                caption: "Changed events, the first ones", columns: ["record", "changed", "rule"],
                rows: changes.changedExamples.map {
                    [
                        .names([Self.record($0), Self.line($0)]), .name($0.fields.joined(separator: " ")),
                        .names([Self.rule($0.rule)]),
                    ]
                }),
            Table(
                caption: "Added events, the first ones", columns: ["record", "pair and rule", "id"],
                rows: changes.addedExamples.map {
                    [
                        .names([Self.record($0)]), .names([$0.pair.new ?? Self.none, $0.rule.new ?? Self.noRule]),
                        .id($0.id),
                    ]
                }),
            Table(
                caption: "Gone events, the first ones", columns: ["record", "pair and rule", "id"],
                rows: changes.goneExamples.map {
                    [
                        .names([Self.line($0)]), .names([$0.pair.old ?? Self.none, $0.rule.old ?? Self.noRule]),
                        .id($0.id),
                    ]
                }),
        ].filter { !$0.rows.isEmpty }
    }

    private static let none = "no event of its own"
    private static let noRule = "no rule"

    /// The rule that decided before, and the one that decides now if it is another.
    private static func rule(_ step: ChangeFigures.Step) -> String {
        let (old, new) = (step.old ?? noRule, step.new ?? noRule)
        return old == new ? new : "\(old) → \(new)"
    }

    /// The place of a record in this archive; a deduced event has its input alone.
    private static func record(_ example: ChangeFigures.Example) -> String {
        guard let place = example.place else { return "unknown" }
        return place.line > 0 ? ReportWords.place(place) : "deduced from \(ReportWords.path(place.input))"
    }

    /// The line in the file of the earlier events.
    private static func line(_ example: ChangeFigures.Example) -> String {
        example.oldLine.map { "line \($0) of the earlier file" } ?? "unknown"
    }

    private static func sorts(_ caption: String, _ sorts: [(sort: ChangeFigures.Sort, count: Int)]) -> Table {
        Table(
            caption: caption, columns: ["kind", "rule", "events"],
            rows: sorts.map { row in
                let isEvent = row.sort.disposition == Disposition.event.rawValue
                return [
                    .names(isEvent ? [row.sort.kind] : [row.sort.kind, row.sort.disposition]),
                    .name(row.sort.rule ?? noRule), .number(row.count),
                ]
            })
    }
}

extension ReportMarkdown {
    /// What changed since an earlier run; nothing where that was not asked for.
    func changes(_ rows: Int) -> MarkdownText {
        guard let changes = ReportChanges(document) else { return "" }
        var section: MarkdownText = "\n## What changed\n\n\(changes.summary)\n"
        for part in changes.tables {
            let last = part.columns.count - 1
            let isCounted = part.columns[last] == "events"
            section += "\n### \(part.caption)\n"
            let head = part.columns.enumerated().map { place, name -> ReportMarkdown.Column in
                place == last && isCounted ? .number("\(name)") : .text("\(name)")
            }
            section += table(
                head,
                part.rows.map { row in
                    row.map { cell -> MarkdownText in
                        switch cell {
                        case .name(let name), .id(let name): "\(code: name)"
                        case .names(let names): MarkdownText.joined(names.map { "\(code: $0)" }, " ")
                        case .number(let number): "\(number)"
                        }
                    }
                }, most: rows)
        }
        return section
    }
}

extension ReportHTML {
    /// What changed since an earlier run; nothing where that was not asked for.
    var changes: HTMLText {
        guard let changes = ReportChanges(document) else { return "" }
        var body: HTMLText = "<h2>What changed</h2><p>\(changes.summary)</p>"
        for part in changes.tables {
            let last = part.columns.count - 1
            let isCounted = part.columns[last] == "events"
            let names: [HTMLText] = part.columns.map { "\($0)" }
            let head =
                isCounted
                ? ReportHTML.head(Array(names[..<last]), numbers: [names[last]]) : ReportHTML.head(names)
            let lines = part.rows.map { row -> HTMLText in
                HTMLText.joined(
                    row.enumerated().map { place, cell -> HTMLText in
                        let text: HTMLText
                        switch cell {
                        case .number(let number): return "<td class=\"n\">\(number)</td>"
                        case .id(let id): return "<td class=\"id\">\(name: id)</td>"
                        case .name(let name): text = "\(name: name)"
                        case .names(let names):
                            text = HTMLText.joined(
                                names.enumerated().map { line, name -> HTMLText in
                                    line == 0 ? "\(name: name)" : "<span class=\"below\">\(name: name)</span>"
                                })
                        }
                        return place == 0 ? "<th scope=\"row\" class=\"name\">\(text)</th>" : "<td>\(text)</td>"
                    })
            }
            body += table(part.caption, head, lines)
        }
        return "<section id=\"changes\">\(body)</section>"
    }
}
