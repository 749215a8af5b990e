import ArchiveConversion
import NotificationTranslation

/// The sentences that a report for people begins with, and how it writes numbers.
struct ReportWords {
    let document: ReportDocument

    /// The most important finding, in a sentence without a full stop.
    var headline: String {
        let score = document.agreement.total
        guard score.compared > 0 else {
            guard document.figures.events > 0 else { return "No notification was converted" }
            let exact = number("exact", of: document.figures.certainty)
            let share = percent(exact, of: document.figures.events)
            return "\(share) of \(count(document.figures.events, "event")) are exact"
        }
        let compared = count(score.compared, "compared answer")
        if score.contradicted == 0, score.candidate == 0 { return "Apple's version 2 confirms all \(compared)" }
        let share = percent(score.same, of: score.compared)
        let rest = score.contradicted == 0 ? "none" : grouped(score.contradicted)
        return "Apple's version 2 confirms \(share) of \(compared) and contradicts \(rest)"
    }

    /// What became of the records, in a sentence.
    var outcome: String {
        let tally = document.tally
        let certainties = document.figures.certainty.map { "\(grouped($0.count)) \($0.name)" }
        var text =
            "\(count(tally.records, "record")): \(grouped(tally.converted)) converted, \(grouped(tally.rejected)) rejected, "
            + "\(grouped(tally.skipped)) skipped. "
        text += "\(count(document.figures.events, "event"))"
        if !certainties.isEmpty { text += ": \(certainties.joined(separator: ", "))" }
        text += "."
        if tally.deduced > 0 { text += " \(grouped(tally.deduced)) of them were added by --infer." }
        if document.dropped > 0 { text += " \(grouped(document.dropped)) companions or duplicates were left out." }
        return text
    }

    /// How far V1 and V2 agree, in a sentence or two.
    var agreement: String {
        let agreement = document.agreement
        guard agreement.isJudged else {
            return "Not compared: each record was judged by itself (--context record)."
        }
        let score = agreement.total
        guard score.compared > 0 else {
            return
                "Nothing to compare: no subscription has a version 1 record and a version 2 notification of the same "
                + "event in view."
        }
        var text =
            "\(count(score.compared, "version 1 answer")), judged as if version 2 were absent, compared with what Apple's "
            + "version 2 says of the same event: \(grouped(score.same)) the same, "
            + "\(grouped(score.candidate)) among the candidates, \(grouped(score.contradicted)) contradicted."
        if let exact = agreement.byCertainty.first(where: { $0.name == "exact" })?.score {
            text += " Of those that were exact, \(grouped(exact.same)) of \(grouped(exact.compared)) hold."
        }
        return text
    }

    /// What was deduced, in a sentence.
    var silence: String {
        let tally = document.tally
        if tally.deduced + tally.ambiguousDeduced > 0 {
            let number = tally.ambiguousDeduced
            return "--infer added \(count(tally.deduced, "event")) that no notification reports"
                + (number > 0 ? "; --ambiguous reject left out \(count(number, "ambiguous one"))" : "") + "."
        }
        guard let leftOut = document.leftOut else {
            return document.agreement.isJudged
                ? "--infer added nothing." : "Not looked for: each record was judged by itself (--context record)."
        }
        return Self.leftOut(leftOut) + "."
    }

    /// Events that were deduced, by pair, the most frequent first.
    var deduced: [ReportFigures.Count] {
        var counts: [String: Int] = [:]
        for flow in document.figures.flows where flow.disposition == .inferred {
            counts[flow.pair ?? ReportFlow.companion, default: 0] += flow.count
        }
        return ReportFigures.Count.largestFirst(counts)
    }

    /// Events that `--infer safe` would add, by pair, the most frequent first.
    var leftOut: [ReportFigures.Count] {
        ReportFigures.Count.largestFirst(document.leftOut?.pairs ?? [:])
    }

    /// What `--infer safe` would add, in a sentence without a full stop.
    static func leftOut(_ leftOut: LeftOut) -> String {
        if leftOut.isExact { return "--infer safe would add \(count(leftOut.events, "event"))" }
        let sample = "a sample of one subscription in \(LeftOut.stride)"
        guard leftOut.events > 0 else { return "--infer safe found nothing to add in \(sample)" }
        return "--infer safe would add very roughly \(count(leftOut.events, "event")): "
            + "\(leftOut.events / Int(LeftOut.stride)) in \(sample)"
    }

    /// What only one version reports, in a sentence.
    var lonely: String {
        let agreement = document.agreement
        return "In subscriptions with both versions, \(count(agreement.v1Only, "event")) "
            + "(\(grouped(agreement.v1OnlyInside)) while both were sent) are in version 1 only, and "
            + "\(grouped(agreement.v2Only)) (\(grouped(agreement.v2OnlyInside))) in version 2 only, of which --infer all "
            + "deduces \(grouped(agreement.v2OnlyDeduced)) from version 1. "
            + "Where both report the same event, the times differ by more than an hour in \(grouped(agreement.timeDiffers)), "
            + "the product in \(grouped(agreement.productDiffers)), the transaction in "
            + "\(grouped(agreement.transactionDiffers))."
    }

    /// A share such as `63.6 %`; never 100 % or 0 % of what is not all or nothing.
    func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0 %" }
        if part == whole { return "100 %" }
        if part == 0 { return "0 %" }
        let thousandths = Int((Double(part) * 1000 / Double(whole)).rounded())
        if thousandths >= 1000 { return "more than 99.9 %" }
        if thousandths == 0 { return "less than 0.1 %" }
        return "\(thousandths / 10).\(thousandths % 10) %"
    }

    /// The number of a name among counts.
    func number(_ name: String, of counts: [ReportFigures.Count]) -> Int {
        counts.first { $0.name == name }?.count ?? 0
    }

    /// What the names of lateness mean.
    static let lateness: [String: String] = [
        "not_known": "not known: no receive time", "timed_by_receipt": "not known: dated by its receipt",
        "before": "before it happened", "within_1_minute": "within a minute", "within_1_hour": "within an hour",
        "within_1_day": "within a day", "within_3_days": "within 3 days", "within_7_days": "within 7 days",
        "within_30_days": "within 30 days", "later": "later",
    ]

    /// A place as `INPUT:LINE`; the end of a long path.
    static func place(_ place: ReportFigures.Place, longest: Int = 96) -> String {
        "\(path(place.input, longest: longest)):\(place.line)"
    }

    /// The end of a path.
    static func path(_ path: String, longest: Int = 96) -> String {
        path.count > longest ? "…" + path.suffix(longest) : path
    }

    /// A text in which nothing hides and nothing turns the direction of what follows.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { plain.append(isHidden(scalar) ? "\u{FFFD}" : scalar) }
        return String(plain)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }
}

extension ReportWords {
    /// What became of the receipts in V1 bodies; `nil` where none was verified or there was none.
    var receipts: [(name: String, count: Int)]? {
        let receipts = document.tally.receipts
        guard receipts.present > 0 else { return nil }
        return [
            ("present", receipts.present), ("verified", receipts.verified),
            ("covering the transaction (all)", receipts.covering), ("covering some of it (some)", receipts.partly),
            ("verified, covering nothing (none)", receipts.nothing),
            ("contradicting the event, or of another app", receipts.contradicting),
        ]
    }

    /// What becomes of types that are not known, in a sentence.
    static let unknownMeaning =
        "They are passed through as events of the kind unknown; a newer version of this program may know them."

    /// What a receipt proves, in a sentence.
    static let receiptsMeaning =
        "A receipt that covers an event proves its transaction; it proves neither the type of the notification nor its "
        + "sender."
}
