import ArchiveConversion
import NotificationTranslation

/// The drawing of what V1 types became as a file of its own, such as for a README: SVG, for light and dark pages.
struct ReportPicture {
    let text: String

    init(_ document: ReportDocument) {
        let words = ReportWords(document: document)
        let flow = ReportFlow(document.figures.flows)
        let (margin, head) = (20.0, 118.0)
        let (width, height) = (ReportFlow.width + 2 * margin, flow.height + head + margin)
        var legend: HTMLText = ""
        for (place, part) in ReportChart.certainty.enumerated() {
            let x = margin + Double(place) * 110
            legend += ReportChart.block(part, x: x, y: 86, width: 22, height: 14)
            legend += "<text x=\"\(at: x + 29)\" y=\"97.5\" font-size=\"12.5\">\(part.name)</text>"
        }
        // A bold letter is about two thirds of its size wide; the headline must fit into the width.
        let size = max(12, min(20, 1.55 * ReportFlow.width / Double(max(1, words.headline.count))))
        let page: HTMLText = """
            <!-- notification-translator report -->
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(at: width) \(at: height)" role="img" \
            aria-label="\(words.headline). What version 1 types became.">
            <title>\(words.headline). What version 1 types became.</title>
            <style>\(ReportStyle.ofDrawing)</style>
            \(ReportChart.definitions)
            <rect width="\(at: width)" height="\(at: height)" rx="10" style="fill:var(--card)"/>
            <text x="\(at: margin)" y="36" font-size="\(at: size)" font-weight="700">\(words.headline)</text>
            <text class="dim" x="\(at: margin)" y="62" font-size="13">\(Self.counts(document))</text>
            \(legend)
            <g transform="translate(\(at: margin) \(at: head))">\(flow.drawing)</g>
            </svg>

            """
        text = page.text
    }

    /// What became of the records, in a line.
    private static func counts(_ document: ReportDocument) -> String {
        let tally = document.tally
        return "\(count(tally.records, "record")): \(grouped(tally.converted)) converted, "
            + "\(grouped(tally.rejected)) rejected, \(grouped(tally.skipped)) skipped. Bands: version 1 type to version 2 pair."
    }
}
