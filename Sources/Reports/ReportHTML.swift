import NotificationArchives

/// A report as one page that needs nothing else: no script, no font, no picture, less than a megabyte.
enum ReportHTML {
    static func text(_ document: ReportDocument) -> String {
        ReportPage.fitting(document, in: 900_000, [(200, 20), (60, 5), (20, 1), (10, 0)], months: 480) { page($0).text }
    }

    private static func page(_ page: ReportPage) -> HTMLText {
        let headline = page.headline
        let contents = page.sections.map { "<li><a href=\"#\($0.id)\">\($0.name)</a></li>" as HTMLText }
        let sections = page.sections.map { section -> HTMLText in
            """
            <section id="\(section.id)"><h2>\(section.title)</h2>\(HTMLText.joined(section.blocks.map(block)))</section>
            """
        }
        let warnings = page.warnings.map { "<p class=\"bad\"><strong>\($0)</strong></p>" as HTMLText }
        return """
            <!DOCTYPE html><!-- notification-translator report -->
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ReportStyle.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
            <title>\(headline) – notification report</title>
            <style>\(HTMLText(trusted: ReportStyle.rules))</style></head><body>
            <a class="skip" href="#main">Skip to the findings</a>
            <main id="main"><header><p class="eyebrow">App Store Server Notifications · conversion report</p>
            <h1>\(headline).</h1><p class="lead">\(page.outcome)</p>\(HTMLText.joined(warnings))
            <nav aria-label="Sections"><ul>\(HTMLText.joined(contents))<li><a href="#repeat">Repeat</a></li></ul></nav></header>
            \(HTMLText.joined(sections, "\n"))
            <section id="repeat"><h2>How to repeat it</h2><pre tabindex="0"><code>\(page.document.command)</code></pre>\
            <footer><p>Rules \(page.document.rulesVersion). Made of the inputs alone: the same inputs and options give the same \
            page.</p></footer></section>
            </main></body></html>

            """
    }

    private static func block(_ block: ReportPage.Block) -> HTMLText {
        switch block {
        case .text(let text): "<p>\(text)</p>"
        case .table(let table): Self.table(table)
        }
    }

    /// A table in a frame of its own, which scrolls by keyboard, too; a line below it says what is left out.
    private static func table(_ table: ReportPage.Table) -> HTMLText {
        let heads = table.heads.map { name, isFigure -> HTMLText in
            isFigure ? "<th scope=\"col\" class=\"n\">\(name)</th>" : "<th scope=\"col\">\(name)</th>"
        }
        let lines = table.rows.prefix(table.most).map { row -> HTMLText in
            "<tr>\(HTMLText.joined(row.enumerated().map { cell($1, isFirst: $0 == 0) }))</tr>"
        }
        let rest: HTMLText =
            table.rows.count > table.most ? "<p class=\"soft\">… and \(table.rows.count - table.most) more.</p>" : ""
        return """
            <div><div class="scroll" tabindex="0" role="region" aria-label="\(table.caption)">\
            <table class="\(heads.count > 4 ? "wide" : "narrow")"><caption>\(table.caption)</caption>\
            <thead><tr>\(HTMLText.joined(heads))</tr></thead><tbody>\(HTMLText.joined(lines))</tbody></table></div>\(rest)</div>
            """
    }

    private static func cell(_ cell: ReportPage.Cell, isFirst: Bool) -> HTMLText {
        switch cell {
        case .text(let text): isFirst ? "<th scope=\"row\">\(text)</th>" : "<td>\(text)</td>"
        case .name(let name):
            isFirst ? "<th scope=\"row\" class=\"name\">\(name: name)</th>" : "<td class=\"name\">\(name: name)</td>"
        case .figure(let figure): "<td class=\"n\">\(figure)</td>"
        case .share(let part, let whole):
            """
            <td class="n">\(ReportPage.percent(part, of: whole))\
            <meter min="0" max="1000" value="\(String(whole > 0 ? part * 1000 / whole : 0))"></meter></td>
            """
        case .places(let places): "<td>\(list(places))</td>"
        }
    }

    private static func list(_ places: [ReportTally.Place]) -> HTMLText {
        let items = places.map { "<li><code>\(name: ReportPage.text($0))</code></li>" as HTMLText }
        return items.isEmpty ? "" : "<ul class=\"places\">\(HTMLText.joined(items))</ul>"
    }
}

typealias HTMLText = EscapedText<HTML>

/// The language of pages.
enum HTML: Markup {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in ReportPage.plain(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension HTMLText.StringInterpolation {
    /// A text from the input: its direction does not turn what is beside it, and it may continue in another line after
    /// `_`, `/` and `.`.
    mutating func appendInterpolation(name value: String) {
        var text = HTML.escaped(value)
        for mark in ["_", "/", "."] { text.replace(mark, with: mark + "<wbr>") }
        appendLiteral("<bdi>" + text + "</bdi>")
    }
}
