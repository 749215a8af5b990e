import NotificationTranslation

/// Drawings of a report's page: bars, stacked columns and legends.
///
/// Colour is never alone: each part of a stack has a pattern of its own, its place in the order, and a table beside it.
enum ReportChart {
    /// A part of a stack: the class that gives it its colour, the pattern, and what it is called.
    struct Part {
        var style: HTMLText
        /// 0 for none; see ``patterns``.
        var pattern: Int
        var name: String
    }

    static let certainty = [
        Part(style: "exact", pattern: 0, name: "exact"), Part(style: "inferred", pattern: 1, name: "inferred"),
        Part(style: "ambiguous", pattern: 2, name: "ambiguous"), Part(style: "unknown", pattern: 3, name: "unknown"),
    ]

    static let agreement = [
        Part(style: "same", pattern: 0, name: "same"), Part(style: "candidate", pattern: 2, name: "candidate"),
        Part(style: "contradicted", pattern: 3, name: "contradicted"),
    ]

    /// Names beyond these are one part.
    static let mostParts = 6

    /// Parts for names, the most frequent first.
    static func parts(_ names: [String]) -> [Part] {
        let styles: [HTMLText] = ["k0", "k1", "k2", "k3", "k4", "k5"]
        var parts = zip(styles.indices, names).map { Part(style: styles[$0], pattern: $0, name: $1) }
        if names.count > mostParts { parts.append(Part(style: "k6", pattern: 6, name: "other kinds")) }
        return parts
    }

    /// What the patterns are, once a page.
    static let patterns: HTMLText = """
        <svg width="0" height="0" aria-hidden="true" focusable="false">\(definitions)</svg>
        """

    private static let definitions: HTMLText = """
        <defs>
        <pattern id="p1" width="6" height="6" patternUnits="userSpaceOnUse"><path class="cut" d="M-1 7L7 -1"/></pattern>
        <pattern id="p2" width="6" height="6" patternUnits="userSpaceOnUse"><circle class="cutfill" cx="3" cy="3" r="1.4"/></pattern>
        <pattern id="p3" width="7" height="7" patternUnits="userSpaceOnUse"><path class="cut" d="M0 0L7 7M7 0L0 7"/></pattern>
        <pattern id="p4" width="5" height="5" patternUnits="userSpaceOnUse"><path class="cut" d="M2.5 0V5"/></pattern>
        <pattern id="p5" width="5" height="5" patternUnits="userSpaceOnUse"><path class="cut" d="M0 2.5H5"/></pattern>
        <pattern id="p6" width="6" height="6" patternUnits="userSpaceOnUse"><path class="cut" d="M-1 -1L7 7"/></pattern>
        </defs>
        """

    /// A rectangle of a part.
    static func block(_ part: Part, x: Double, y: Double, width: Double, height: Double) -> HTMLText {
        guard width > 0, height > 0 else { return "" }
        let place: HTMLText = "x=\"\(at: x)\" y=\"\(at: y)\" width=\"\(at: width)\" height=\"\(at: height)\""
        let plain: HTMLText = "<rect class=\"\(part.style)\" \(place)/>"
        return part.pattern == 0 ? plain : "\(plain)<rect fill=\"url(#p\(part.pattern))\" \(place)/>"
    }

    /// A bar in a table's row: a share of the largest.
    static func bar(_ count: Int, of largest: Int) -> HTMLText {
        let width = largest > 0 ? max(0.6, Double(count) * 100 / Double(largest)) : 0
        return """
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">\
            <rect class="plain" width="\(at: count > 0 ? width : 0)" height="8"/></svg>
            """
    }

    /// One stacked bar over the whole width.
    static func stack(_ counts: [(part: Part, count: Int)], label: String) -> HTMLText {
        let total = counts.reduce(0) { $0 + $1.count }
        guard total > 0 else { return "" }
        var x = 0.0
        var blocks: HTMLText = ""
        for (part, count) in counts where count > 0 {
            let width = Double(count) * 720 / Double(total)
            blocks += block(part, x: x, y: 0, width: max(width - 1, 1), height: 26)
            x += width
        }
        return """
            <div class="draw"><svg viewBox="0 0 720 26" role="img" aria-label="\(label)">\(blocks)</svg></div>
            """
    }

    /// What the parts of a drawing are.
    static func legend(_ items: [(part: Part, text: String)]) -> HTMLText {
        let entries = items.map { item -> HTMLText in
            """
            <li><svg viewBox="0 0 22 17" aria-hidden="true" focusable="false">\
            \(block(item.part, x: 0, y: 0, width: 22, height: 17))</svg>\(name: item.text)</li>
            """
        }
        return "<ul class=\"legend\">\(HTMLText.joined(entries))</ul>"
    }

    // MARK: Columns

    /// A column: what is below it, and how many of each part.
    struct Column {
        var name: String
        var counts: [Int]

        var total: Int { counts.reduce(0, +) }
    }

    /// How wide the drawing of so many columns is.
    private static func width(ofColumns count: Int) -> Double { 56 + Double(max(1, count)) * step(count) + 8 }

    private static func step(_ count: Int) -> Double { min(58, max(7, 656 / Double(max(1, count)))) }

    /// Stacked columns over time.
    static func columns(_ columns: [Column], _ parts: [Part], label: String) -> HTMLText {
        let (top, bottom, left) = (10.0, 220.0, 56.0)
        let step = step(columns.count)
        let width = max(720, width(ofColumns: columns.count))
        let limit = niceLimit(columns.map(\.total).max() ?? 0)
        func height(_ count: Int) -> Double { Double(count) * (bottom - top) / Double(limit) }
        var drawing: HTMLText = ""
        for quarter in [0, limit / 2, limit] {
            let y = bottom - height(quarter)
            drawing += """
                <path class="axis" d="M\(at: left) \(at: y)H\(at: width - 4)"/>\
                <text class="dim" x="\(at: left - 8)" y="\(at: y + 4)" font-size="12" text-anchor="end">\(quarter)</text>
                """
        }
        var lastLabel = -100.0
        for (place, column) in columns.enumerated() {
            let x = left + Double(place) * step
            var y = bottom
            var blocks: HTMLText = ""
            for (part, count) in zip(parts, column.counts) where count > 0 {
                y -= height(count)
                blocks += block(part, x: x + step * 0.1, y: y, width: step * 0.8, height: max(height(count), 0.6))
            }
            drawing += "<g><title>\(column.name): \(column.total)</title>\(blocks)</g>"
            // The first month is named only if no January follows at once.
            let isYear =
                column.name.hasSuffix("-01")
                || place == 0 && !columns.dropFirst().prefix(Int(46 / step)).contains { $0.name.hasSuffix("-01") }
            guard step >= 52 || isYear && x - lastLabel >= 46 else { continue }
            lastLabel = x
            let text = step >= 52 ? column.name : String(column.name.prefix(4))
            drawing += """
                <path class="axis" d="M\(at: x) \(at: bottom)V\(at: bottom + 6)"/>\
                <text class="dim" x="\(at: x + 2)" y="\(at: bottom + 19)" font-size="12">\(text)</text>
                """
        }
        return """
            <div class="draw" tabindex="0" role="region" aria-label="\(label)">\
            <svg class="months" width="\(at: width)" viewBox="0 0 \(at: width) 246" role="img" aria-label="\(label)">\(drawing)</svg></div>
            """
    }

    /// A number of one or two digits and zeros, even, from a count up.
    private static func niceLimit(_ count: Int) -> Int {
        var scale = 1
        while true {
            for digit in [2, 4, 6, 8, 10, 12, 16] where digit * scale >= count { return digit * scale }
            scale *= 10
        }
    }
}
