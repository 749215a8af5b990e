import ArchiveConversion
import NotificationTranslation

/// The section of a report's page about months: columns by certainty and by kind, and their tables.
struct ReportMonths {
    private let figures: ReportFigures
    private let months: [ReportFigures.Month]
    private let kinds: [String]
    private let isFilled: Bool

    /// More months than this are not drawn.
    private static let mostMonths = 480

    init(_ figures: ReportFigures) {
        self.figures = figures
        let filled = Self.filled(figures.months)
        isFilled = filled != nil
        months = Array((filled ?? figures.months).suffix(Self.mostMonths))
        kinds = figures.kinds.map(\.name)
    }

    /// How many columns are drawn.
    var columns: Int { months.count }

    /// Months with those between that have no event; `nil` where there would be too many, as wrong dates make them.
    private static func filled(_ months: [ReportFigures.Month]) -> [ReportFigures.Month]? {
        guard let first = months.first.flatMap({ number($0.month) }),
            let last = months.last.flatMap({ number($0.month) }),
            last - first < mostMonths
        else { return nil }
        var known: [Int: ReportFigures.Month] = [:]
        for month in months { if let number = number(month.month) { known[number] = month } }
        return (first...last).map { number in
            let (year, month) = (number / 12, number % 12 + 1)
            let name = "\(year)-\(month < 10 ? "0" : "")\(month)"
            return known[number] ?? ReportFigures.Month(month: name, events: 0, kinds: [], certainty: [])
        }
    }

    private static func number(_ month: String) -> Int? {
        let parts = month.split(separator: "-").compactMap { Int($0) }
        return parts.count == 2 ? parts[0] * 12 + parts[1] - 1 : nil
    }

    var html: HTMLText {
        guard !months.isEmpty else {
            return "<section id=\"months\"><h2>Months</h2><p>No event has a time.</p></section>"
        }
        var notes: HTMLText = ""
        if !isFilled { notes += "<p class=\"soft\">Months without events are left out.</p>" }
        if figures.months.count > months.count {
            notes += "<p class=\"soft\">Only the last \(months.count) are shown.</p>"
        }
        if figures.untimed > 0 { notes += "<p class=\"soft\">\(count(figures.untimed, "event")) without a time.</p>" }
        let parts = ReportChart.parts(kinds)
        return """
            <section id="months"><h2>Months</h2>\(notes)<h3>By certainty</h3>\
            \(ReportChart.legend(ReportChart.certainty.map { ($0, $0.name) }))\
            \(ReportChart.columns(months.map(byCertainty), ReportChart.certainty, label: "Events by month and certainty"))\
            <h3>By kind</h3>\(ReportChart.legend(parts.map { ($0, $0.name) }))\
            \(ReportChart.columns(months.map(byKind), parts, label: "Events by month and kind"))\
            \(table(parts))</section>
            """
    }

    private func byCertainty(_ month: ReportFigures.Month) -> ReportChart.Column {
        let counts = ReportChart.certainty.map { part in month.certainty.first { $0.name == part.name }?.count ?? 0 }
        return ReportChart.Column(name: month.month, counts: counts)
    }

    private func byKind(_ month: ReportFigures.Month) -> ReportChart.Column {
        var counts = kinds.prefix(6).map { kind in month.kinds.first { $0.name == kind }?.count ?? 0 }
        if kinds.count > 6 { counts.append(month.events - counts.reduce(0, +)) }
        return ReportChart.Column(name: month.month, counts: counts)
    }

    /// The numbers of both drawings.
    private func table(_ parts: [ReportChart.Part]) -> HTMLText {
        func cell(_ count: Int) -> HTMLText { "<td class=\"n\">\(count)</td>" }
        let names = ["events"] + (ReportChart.certainty + parts).map(\.name)
        let heads = HTMLText.joined(ReportHTML.head([], numbers: names.map { "\($0)" }))
        let lines = months.filter { $0.events > 0 }.map { month -> HTMLText in
            let cells = [month.events] + byCertainty(month).counts + byKind(month).counts
            return "<tr><th scope=\"row\" class=\"month\">\(month.month)</th>\(HTMLText.joined(cells.map(cell)))</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Events by month"><table>\
            <caption>Events by month</caption><thead><tr><th scope="col">month</th>\(heads)</tr></thead>\
            <tbody>\(HTMLText.joined(lines))</tbody></table></div>
            """
    }
}
