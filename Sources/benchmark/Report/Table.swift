/// Rows of text in columns, for a terminal or as Markdown; the first column is aligned left, the others right.
struct Table {
    private let head: [String]
    private var rows: [[String]] = []

    init(_ head: [String]) {
        self.head = head
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, the last one ended too.
    func text(isMarkdown: Bool) -> String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        var lines = all.map { row in
            let cells = zip(row, widths).enumerated().map { place, cell in
                let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
                return place == 0 ? cell.0 + blanks : blanks + cell.0
            }
            return isMarkdown ? "| " + cells.joined(separator: " | ") + " |" : cells.joined(separator: "  ")
        }
        let rule = widths.enumerated().map { place, width in
            isMarkdown && place > 0
                ? String(repeating: "-", count: max(width - 1, 2)) + ":" : String(repeating: "-", count: width)
        }
        lines.insert(isMarkdown ? "| " + rule.joined(separator: " | ") + " |" : rule.joined(separator: "  "), at: 1)
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Double {
    /// Three digits that count, none after the point from 100 on.
    var short: String {
        guard isFinite else { return "–" }
        if self >= 100 { return "\(Int(rounded()))" }
        let scale = self >= 10 ? 10.0 : 100.0
        let scaled = Int((self * scale).rounded())
        let whole = scaled / Int(scale)
        let rest = String(scaled % Int(scale) + Int(scale)).dropFirst()
        return "\(whole).\(rest)"
    }
}
