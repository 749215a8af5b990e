import NotificationArchives

/// A report for people as data: what ``ReportMarkdown`` and ``ReportHTML`` write down.
struct ReportPage {
    struct Section {
        /// The name of its place in a page, and what a list of contents calls it.
        var id: String
        var name: String
        var title: String
        var blocks: [Block]
    }

    enum Block {
        case text(String)
        case table(Table)
    }

    struct Table {
        var caption: String
        var columns: [String]
        var rows: [[Cell]]
        /// Rows beyond are counted in a line below.
        var most: Int

        /// The columns; one is of figures if its cell in the first row is.
        var heads: [(name: String, isFigure: Bool)] {
            zip(columns, rows.first ?? []).map { name, cell in
                switch cell {
                case .figure, .share: (name, true)
                case .text, .name, .places: (name, false)
                }
            }
        }
    }

    enum Cell {
        /// Words of this program.
        case text(String)
        /// A name, mostly out of the archive.
        case name(String)
        /// A number, which stands at the right.
        case figure(String)
        case share(Int, of: Int)
        case places([ReportTally.Place])

        static func number(_ number: Int) -> Self { .figure(grouped(number)) }
    }

    let document: ReportDocument
    /// How many rows, months and (beside each count) example places the page shows; an archive may have any number.
    let limits: (rows: Int, places: Int, months: Int)

    /// The text of a page that is no longer than `longest` bytes: long paths and names in every place would make it longer,
    /// so it has fewer of them then.
    static func fitting(
        _ document: ReportDocument, in longest: Int, _ limits: [(rows: Int, places: Int)], months: Int,
        _ text: (ReportPage) -> String
    ) -> String {
        var page = ""
        for (rows, places) in limits {
            page = text(ReportPage(document: document, limits: (rows, places, months)))
            if page.utf8.count <= longest { break }
        }
        return page
    }

    /// A share such as `63.6 %`; never 100 % or 0 % of what is not all or nothing.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0 %" }
        if part == whole { return "100 %" }
        let thousandths = Int((Double(part) * 1000 / Double(whole)).rounded())
        if thousandths >= 1000 { return "more than 99.9 %" }
        if thousandths == 0 { return "less than 0.1 %" }
        return "\(thousandths / 10).\(thousandths % 10) %"
    }

    /// The end of a long path, and the line.
    static func text(_ place: ReportTally.Place) -> String {
        let longest = 96
        let path = place.input.count > longest ? "…" + place.input.suffix(longest) : place.input
        return place.line > 0 ? "\(path):\(place.line)" : path
    }

    /// A text in which nothing hides and nothing turns the direction of what follows.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
                0xFFF9...0xFFFB, 0xE0000...0xE007F:
                plain.append("\u{FFFD}")
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }
}
