import ArchiveConversion
import NotificationTranslation

/// A report as one page that needs nothing else: no script, no font, no picture, less than a megabyte.
struct ReportHTML {
    private(set) var text = ""
    let document: ReportDocument
    private let words: ReportWords
    /// How many rows a table has, and how many examples are beside a count.
    private var rows = 200
    private var places = 20

    private static let longest = 900_000

    init(_ document: ReportDocument) {
        self.document = document
        words = ReportWords(document: document)
        // Long names and paths in every place would make it larger: fewer of them then.
        for (rows, places) in [(200, 20), (60, 5), (20, 1), (10, 0)] {
            (self.rows, self.places) = (rows, places)
            text = page.text
            if text.utf8.count <= Self.longest { return }
        }
    }

    private var page: HTMLText {
        let months = ReportMonths(document.figures)
        let width = max(640, Int(ReportChart.width(ofColumns: months.columns)))
        let style = ReportStyle(monthsWidth: width)
        let title = words.headline
        return """
            <!DOCTYPE html><!-- notification-translator report -->
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(style.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
            <title>\(title) – notification report</title>
            <style>\(style.html)</style></head><body>
            <a class="skip" href="#main">Skip to the findings</a>\(ReportChart.patterns)
            <main id="main"><header><p class="eyebrow">App Store Server Notifications · conversion report</p>
            <h1>\(title).</h1><p class="lead">\(words.outcome)</p>\(damage)\(tiles)
            <nav aria-label="Sections"><ul>\(contents)</ul></nav></header>
            \(agreement)
            \(input)
            \(receipts)
            \(translation)
            \(silence)
            \(unknownTypes)
            \(months.html)
            \(access)
            \(flags)
            \(arrivals)
            \(losses)
            \(repetition)
            </main></body></html>

            """
    }

    private var contents: HTMLText {
        var entries: [(id: HTMLText, name: String)] = [
            ("agreement", "Agreement"), ("input", "Input"), ("translation", "Translation"), ("silence", "Silence"),
            ("months", "Months"),
            ("access", "Access"), ("flags", "Flags"), ("arrivals", "Arrivals"), ("losses", "Rejects and skips"),
            ("repeat", "Repeat"),
        ]
        if !document.figures.unknownTypes.isEmpty { entries.insert(("unknown", "Unknown types"), at: 4) }
        if words.receipts != nil { entries.insert(("receipts", "Receipts"), at: 2) }
        return HTMLText.joined(entries.map { "<li><a href=\"#\($0.id)\">\($0.name)</a></li>" })
    }

    private var damage: HTMLText {
        document.wasDamaged
            ? "<p class=\"bad\"><strong>An input is damaged or cannot be read; this report covers what could be read.</strong></p>"
            : ""
    }

    private var tiles: HTMLText {
        let tally = document.tally
        let exact = words.number("exact", of: document.figures.certainty)
        let tiles: [(value: String, name: String)] = [
            (grouped(tally.records), tally.records == 1 ? "record read" : "records read"),
            (grouped(document.figures.events), document.figures.events == 1 ? "event" : "events"),
            (words.percent(exact, of: document.figures.events), "of the events exact"),
            (grouped(tally.rejected), "rejected"), (grouped(tally.skipped), "skipped"),
        ]
        let items = tiles.map { tile -> HTMLText in "<li><b>\(tile.value)</b><span>\(tile.name)</span></li>" }
        return "<ul class=\"tiles\">\(HTMLText.joined(items))</ul>"
    }

    // MARK: Tables

    /// A table in a frame of its own, which scrolls by keyboard, too; a line below it says what is left out.
    func table(_ caption: String, _ head: [HTMLText], _ lines: [HTMLText], most: Int? = nil) -> HTMLText {
        guard !lines.isEmpty else { return "" }
        let most = most ?? rows
        let rest: HTMLText = lines.count > most ? "<p class=\"soft\">… and \(lines.count - most) more.</p>" : ""
        return """
            <div><div class="scroll" tabindex="0" role="region" aria-label="\(caption)">\
            <table class="\(head.count > 4 ? "wide" : "narrow")"><caption>\(caption)</caption>\
            <thead><tr>\(HTMLText.joined(head))</tr></thead><tbody>\
            \(HTMLText.joined(lines.prefix(most).map { "<tr>\($0)</tr>" }))</tbody></table></div>\(rest)</div>
            """
    }

    /// The heads of a table's columns, those of numbers last.
    static func head(_ names: [HTMLText], numbers: [HTMLText] = []) -> [HTMLText] {
        names.map { "<th scope=\"col\">\($0)</th>" } + numbers.map { "<th scope=\"col\" class=\"n\">\($0)</th>" }
    }

    private func counts(_ caption: String, _ name: String, _ counts: [ReportFigures.Count]) -> HTMLText {
        let total = counts.reduce(0) { $0 + $1.count }
        let largest = counts.map(\.count).max() ?? 0
        let lines = counts.map { count -> HTMLText in
            """
            <th scope="row" class="name">\(name: count.name)</th><td class="n">\(count.count)</td>\
            <td class="n">\(words.percent(count.count, of: total))</td>\
            <td class="bar">\(ReportChart.bar(count.count, of: largest))</td>
            """
        }
        let head = Self.head(["\(name)"], numbers: ["count", "share"]) + ["<td class=\"bar\"></td>"]
        return table(caption, head, lines, most: min(rows, 20))
    }

    private func examples(_ all: [ReportFigures.Place]) -> HTMLText {
        guard !all.isEmpty, places > 0 else { return "" }
        let items = all.prefix(places).map { place -> HTMLText in
            "<li><code>\(name: ReportWords.place(place))</code></li>"
        }
        return "<ul class=\"places\">\(HTMLText.joined(items))</ul>"
    }

    // MARK: Agreement

    private var agreement: HTMLText {
        let agreement = document.agreement
        let total = agreement.total
        var body: HTMLText = "<h2>Agreement with Apple</h2><p>\(words.agreement)</p>"
        if agreement.isJudged, total.compared + agreement.v1Only + agreement.v2Only > 0 {
            let numbers = [total.same, total.candidate, total.contradicted]
            body += ReportChart.stack(
                zip(ReportChart.agreement, numbers).map { ($0, $1) }, label: "Share of compared answers by result")
            body += ReportChart.legend(
                zip(ReportChart.agreement, numbers).map {
                    ($0, "\($0.name) \(grouped($1)) (\(words.percent($1, of: total.compared)))")
                })
            body += "<p class=\"soft\">\(words.lonely)</p><div class=\"columns\">"
            body += scores("By certainty", "certainty", agreement.byCertainty)
            body += scores("By version 1 type", "V1 type", agreement.byType)
            body += scores("By month", "month", agreement.byMonth)
            body += counts("Told by version 2 only", "V2 pair", agreement.v2OnlyPairs)
            body += counts("Told by version 1 only", "V1 type", agreement.v1OnlyTypes)
            body += "</div>\(confusion)\(contradictions)"
        }
        return "<section id=\"agreement\">\(body)</section>"
    }

    private func scores(
        _ caption: String, _ name: String, _ scores: [(name: String, score: AgreementFigures.Score)]
    ) -> HTMLText {
        let head = Self.head(["\(name)"], numbers: ["same", "candidate", "contra&shy;dicted"])
        let lines = scores.map { row -> HTMLText in
            """
            <th scope="row" class="name">\(name: row.name)</th><td class="n">\(row.score.same)</td>\
            <td class="n">\(row.score.candidate)</td><td class="n">\(row.score.contradicted)</td>
            """
        }
        return table(caption, head, lines)
    }

    private var confusion: HTMLText {
        let head = Self.head(["V1 type", "we said", "Apple said", "result"], numbers: ["records"])
        let lines = document.agreement.confusion.map { row -> HTMLText in
            """
            <th scope="row" class="name">\(name: row.type)</th><td>\(name: row.ours ?? ReportFlow.companion)</td>\
            <td>\(name: row.apple ?? "unknown")</td><td>\(row.result)</td><td class="n">\(row.count)</td>
            """
        }
        return table("What we said and what Apple said", head, lines)
    }

    private var contradictions: HTMLText {
        let all = document.agreement.contradictions
        guard !all.isEmpty else { return "" }
        let shown = all.prefix(places)
        let head = Self.head(["V1 record", "V2 notification", "we said", "Apple said", "certainty"])
        let lines = shown.map { found -> HTMLText in
            """
            <th scope="row" class="name"><code>\(name: ReportWords.place(found.v1))</code></th>\
            <td><code>\(name: ReportWords.place(found.v2))</code></td><td>\(name: found.ours.description)</td>\
            <td>\(name: found.apple.description)</td><td>\(found.certainty.rawValue)</td>
            """
        }
        return """
            <h3>Contradictions</h3><p>\(document.agreement.total.contradicted) in all, exactly counted; the first \(shown.count), each \
            with its input and its line.</p>\(table("Contradictions", head, lines))
            """
    }

    // MARK: Input and translation

    private var input: HTMLText {
        let figures = document.figures
        let inputs = document.inputs.map { input -> HTMLText in
            """
            <th scope="row" class="name"><code>\(name: input.path)</code></th>\
            <td class="n">\(input.size.map(byteSize) ?? "unknown")</td>
            """
        }
        let days: HTMLText =
            figures.days.map { ", with notifications from \($0.first) to \($0.last)" } ?? ""
        return """
            <section id="input"><h2>What came in</h2><p>\(count(document.inputs.count, "input")), \
            \(byteSize(document.inputBytes)) unpacked\(days).</p><div class="columns">\
            \(counts("Versions", "version", figures.versions))\
            \(counts("Environments", "environment", figures.environments))\(counts("Apps", "app", figures.apps))\
            \(table("Inputs", Self.head(["input"], numbers: ["size"]), inputs, most: min(rows, 50)))\
            </div>\(capped)</section>
            """
    }

    private var capped: HTMLText {
        document.figures.isCapped
            ? "<p>The archive has more names or months than a report lists; the rest is counted as (other).</p>"
            : ""
    }

    private var translation: HTMLText {
        let figures = document.figures
        guard !figures.flows.isEmpty else {
            return """
                <section id="translation"><h2>What version 1 types became</h2>\
                <p>There are no version 1 notifications.</p></section>
                """
        }
        let head = Self.head(["V1 type", "V2 pair", "disposition", "certainty"], numbers: ["events"])
        let lines = figures.flows.map { flow -> HTMLText in
            """
            <th scope="row" class="name">\(name: flow.type ?? "(inferred)")</th>\
            <td class="name">\(name: flow.pair ?? ReportFlow.companion)</td><td>\(flow.disposition.rawValue)</td>\
            <td>\(flow.certainty.rawValue)</td><td class="n">\(flow.count)</td>
            """
        }
        return """
            <section id="translation"><h2>What version 1 types became</h2>\
            <p>Each band is a type and the pair it was translated to; its pattern says how sure that is.</p>\
            \(ReportChart.legend(ReportChart.certainty.map { ($0, $0.name) }))\(ReportFlow(figures.flows).html)\
            \(table("Version 1 types and version 2 pairs", head, lines))</section>
            """
    }

    private var silence: HTMLText {
        """
        <section id="silence"><h2>Deduced events</h2><p>\(words.silence)</p>\
        \(words.deduced.isEmpty ? "" : counts("Deduced events", "pair", words.deduced))</section>
        """
    }

    private var unknownTypes: HTMLText {
        let types = document.figures.unknownTypes
        guard !types.isEmpty else { return "" }
        return """
            <section id="unknown"><h2>Types that this build does not know</h2><p>\(ReportWords.unknownMeaning)</p>\
            \(counts("Types as received", "type", types))</section>
            """
    }

    // MARK: Access, flags and what was lost

    private var access: HTMLText {
        """
        <section id="access"><h2>What the events say about access</h2><p><em>grant</em> gives access, <em>keep</em> leaves \
        it, <em>withdraw</em> ends it, <em>none</em> says nothing, and <em>undecided</em> names a flag that says why.</p>\
        <div class="columns">\(counts("Entitlement", "entitlement", document.figures.entitlement))\
        \(counts("Kinds of events", "kind", document.figures.kinds))</div></section>
        """
    }

    private var flags: HTMLText {
        let flags = document.figures.flags
        guard !flags.isEmpty else {
            return "<section id=\"flags\"><h2>Flags</h2><p>None was raised.</p></section>"
        }
        let entries = flags.map { flag -> HTMLText in
            let severity = flag.flag.severity?.rawValue ?? "info"
            let settles = flag.flag.settles ?? "-"
            let settled: HTMLText = settles == "-" ? "" : "<p class=\"soft\">Would settle it: \(settles)</p>"
            return """
                <div class="flag"><h3><span class="mono">\(flag.flag.rawValue)</span>\
                <span class="tag \(severity)">\(severity)</span><span>\(count(flag.count, "event"))</span></h3>\
                <p>\(flag.flag.meaning ?? "")</p>\(settled)\(examples(flag.places))</div>
                """
        }
        return """
            <section id="flags"><h2>Flags</h2><p>Why an answer is ambiguous or on weak footing, with up to \(places) places \
            each.</p>\(HTMLText.joined(entries))</section>
            """
    }

    private var receipts: HTMLText {
        guard let rows = words.receipts else { return "" }
        let head = Self.head(["receipts in V1 bodies"], numbers: ["notifications"])
        let lines = rows.map { row -> HTMLText in
            "<th scope=\"row\">\(row.name)</th><td class=\"n\">\(row.count)</td>"
        }
        return """
            <section id="receipts"><h2>What the receipts prove</h2><p>\(ReportWords.receiptsMeaning)</p>\
            \(table("Receipts in version 1 bodies", head, lines))</section>
            """
    }

    private var arrivals: HTMLText {
        let figures = document.figures
        let lateness = figures.lateness.map {
            ReportFigures.Count(name: ReportWords.lateness[$0.name] ?? $0.name, count: $0.count)
        }
        let head = Self.head(["from", "to"], numbers: ["days", "notifications around"])
        let gaps = figures.gaps.map { gap -> HTMLText in
            """
            <th scope="row">\(gap.from)</th><td>\(gap.to)</td><td class="n">\(gap.days)</td><td class="n">\(gap.around)</td>
            """
        }
        let silence: HTMLText =
            gaps.isEmpty
            ? "<p>No day is without a notification where some were to be expected.</p>"
            : table("Days without any notification; around: in the four weeks before and after", head, gaps)
        let duplicates = words.number("duplicate", of: figures.dispositions)
        let companions = words.number("companion", of: figures.dispositions)
        return """
            <section id="arrivals"><h2>Arrivals, repeats and gaps</h2><p>\(count(duplicates, "duplicate")) and \
            \(count(companions, "companion")) are among the events.</p><div class="columns">\
            \(counts("Received after it happened", "received", lateness))<div><h3>Gaps</h3>\(silence)</div></div></section>
            """
    }

    private var losses: HTMLText {
        let head = Self.head(["code"], numbers: ["records"]) + Self.head(["for example"])
        let codes = document.rejectCodes.map { code -> HTMLText in
            """
            <th scope="row"><code>\(name: code.name)</code></th><td class="n">\(code.count)</td>\
            <td>\(examples(document.places(ofReject: code.name)))</td>
            """
        }
        let skips = examples(document.figures.skips)
        return """
            <section id="losses"><h2>Rejects and skips</h2><p>\(count(document.tally.rejected, "record")) could not be \
            converted; \(document.tally.skipped) \(document.tally.skipped == 1 ? "carries" : "carry") no notification.</p>\
            \(table("Rejects by code", head, codes))\(counts("Skipped, by what they are", "is", document.skipReasons))\(skips.text.isEmpty ? "" : "<h3>Skipped, for example</h3>")\(skips)\
            </section>
            """
    }

    private var repetition: HTMLText {
        """
        <section id="repeat"><h2>How to repeat it</h2><pre tabindex="0"><code>\(document.command)</code></pre>\
        <footer><p>Rules \(document.rulesVersion). Made of the inputs alone: the same inputs and options give the same \
        page.</p></footer></section>
        """
    }
}
