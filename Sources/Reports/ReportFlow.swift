import NotificationArchives
import NotificationTranslation

/// The drawing of what V1 types became: types at the left, V2 pairs at the right, bands as thick as there are events.
struct ReportFlow {
    /// A V1 type, or a pair.
    private struct Node {
        var name: String
        var count = 0
        var y = 0.0
        var height = 0.0
        /// How much of the height bands have taken.
        var used = 0.0
    }

    private struct Band {
        var from: Int
        var to: Int
        var certainty: Certainty
        var count: Int
    }

    private var left: [Node] = []
    private var right: [Node] = []
    private var bands: [Band] = []

    /// What is beyond as many nodes at a side is one node.
    private static let mostNodes = 16
    private static let companion = "no event of its own"
    private static let more = "others"

    init(_ flows: [ReportFigures.Flow]) {
        let told = flows.filter { $0.disposition != .inferred }
        left = Self.nodes(told.map { ($0.type ?? "?", $0.count) })
        right = Self.nodes(told.map { ($0.pair ?? Self.companion, $0.count) })
        var counts: [[Int]: Int] = [:]
        for flow in told {
            let key = [
                Self.place(flow.type ?? "?", left), Self.place(flow.pair ?? Self.companion, right),
                Certainty.allCases.firstIndex(of: flow.certainty) ?? 0,
            ]
            counts[key, default: 0] += flow.count
        }
        bands = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            Band(from: $0.key[0], to: $0.key[1], certainty: Certainty.allCases[$0.key[2]], count: $0.value)
        }
        layOut()
    }

    private static func nodes(_ counts: [(String, Int)]) -> [Node] {
        var sums: [String: Int] = [:]
        for (name, count) in counts { sums[name, default: 0] += count }
        let sorted = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var nodes = sorted.prefix(mostNodes).map { Node(name: $0.key, count: $0.value) }
        let rest = sorted.dropFirst(mostNodes).reduce(0) { $0 + $1.value }
        if rest > 0 { nodes.append(Node(name: more, count: rest)) }
        return nodes
    }

    private static func place(_ name: String, _ nodes: [Node]) -> Int {
        nodes.firstIndex { $0.name == name } ?? nodes.count - 1
    }

    // MARK: Layout

    /// Room for a label of two lines.
    private static let leastHeight = 31.0
    private static let gap = 7.0
    private static let width = 800.0
    private static let (leftEdge, rightEdge) = (248.0, 536.0)

    private mutating func layOut() {
        let room = 420.0
        let total = max(1, left.reduce(0) { $0 + $1.count })
        for place in left.indices {
            left[place].height = max(Self.leastHeight, Double(left[place].count) * room / Double(total))
        }
        for place in right.indices {
            right[place].height = max(Self.leastHeight, Double(right[place].count) * room / Double(total))
        }
        let height = max(Self.height(left), Self.height(right))
        Self.stack(&left, height)
        Self.stack(&right, height)
    }

    private static func height(_ nodes: [Node]) -> Double {
        nodes.reduce(0) { $0 + $1.height + gap }
    }

    private static func stack(_ nodes: inout [Node], _ height: Double) {
        var y = 6 + (height - self.height(nodes)) / 2
        for place in nodes.indices {
            nodes[place].y = y
            y += nodes[place].height + gap
        }
    }

    // MARK: Drawing

    /// The drawing; empty where there is nothing.
    var html: HTMLText {
        guard !bands.isEmpty else { return "" }
        return """
            <div class="draw" tabindex="0" role="region" aria-label="What version 1 types became">\
            <svg class="flow" viewBox="0 0 \(at: Self.width) \(at: height)" role="img" \
            aria-label="Bands from version 1 types to version 2 pairs; the table below has the numbers">\(drawing)</svg></div>
            """
    }

    private var height: Double { max(Self.height(left), Self.height(right)) + 8 }

    /// What is drawn: bands, then the nodes at both sides with their names.
    private var drawing: HTMLText {
        var (left, right) = (left, right)
        var drawing: HTMLText = ""
        for band in bands {
            let thick = (
                Double(band.count) * left[band.from].height / Double(max(1, left[band.from].count)),
                Double(band.count) * right[band.to].height / Double(max(1, right[band.to].count))
            )
            let (y0, y1) = (left[band.from].y + left[band.from].used, right[band.to].y + right[band.to].used)
            left[band.from].used += thick.0
            right[band.to].used += thick.1
            let (x0, x1) = (Self.leftEdge + 8, Self.rightEdge - 8)
            let middle = (x0 + x1) / 2
            let part = ReportChart.certainty[Certainty.allCases.firstIndex(of: band.certainty) ?? 0]
            let path: HTMLText = """
                M\(at: x0) \(at: y0)C\(at: middle) \(at: y0) \(at: middle) \(at: y1) \(at: x1) \(at: y1)\
                V\(at: y1 + thick.1)C\(at: middle) \(at: y1 + thick.1) \(at: middle) \(at: y0 + thick.0) \
                \(at: x0) \(at: y0 + thick.0)Z
                """
            drawing += """
                <g><title>\(left[band.from].name) → \(right[band.to].name): \(band.count), \(part.name)</title>\
                <path class="ribbon \(part.style)" d="\(path)"/>
                """
            if part.pattern > 0 {
                drawing += "<path fill=\"url(#p\(part.pattern))\" fill-opacity=\".75\" d=\"\(path)\"/>"
            }
            drawing += "</g>"
        }
        for node in left { drawing += Self.draw(node, isLeft: true) }
        for node in right { drawing += Self.draw(node, isLeft: false) }
        return drawing
    }

    private static func draw(_ node: Node, isLeft: Bool) -> HTMLText {
        let x = isLeft ? leftEdge : rightEdge - 8
        let middle = node.y + node.height / 2
        let parts = node.name.split(separator: "/", maxSplits: 1).map { shortened(String($0)) }
        let label = parts.first ?? "?"
        let detail: HTMLText = parts.count > 1 ? "\(parts[1]) · \(node.count)" : "\(node.count)"
        let place: HTMLText = isLeft ? "x=\"\(at: leftEdge - 8)\" text-anchor=\"end\"" : "x=\"\(at: rightEdge + 8)\""
        return """
            <rect class="node" x="\(at: x)" y="\(at: node.y)" width="8" height="\(at: node.height)"/>\
            <text \(place) y="\(at: middle - 2)" font-size="12.5" font-weight="600">\(label)</text>\
            <text class="dim" \(place) y="\(at: middle + 13)" font-size="11.5">\(detail)</text>
            """
    }

    /// A name that fits beside its node; every name of Apple's does.
    private static func shortened(_ name: String) -> String {
        name.count > 27 ? name.prefix(26) + "…" : name
    }
}
