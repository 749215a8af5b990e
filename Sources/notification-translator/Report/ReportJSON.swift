import ArchiveConversion
import NotificationTranslation

/// A report as JSON: the stable core of the contract, and more beside it.
///
/// A key of an object of counts is there only if there was something to count.
struct ReportJSON {
    let text: String

    init(_ document: ReportDocument) {
        let figures = document.figures
        let tally = document.tally
        var json = JSONLines()
        json.open("{")
        json.key("report_version", "\"1\"")
        json.key("rules_version", json.string(document.rulesVersion))
        json.key("command", json.string(document.command))
        json.key("records", "\(tally.records)")
        json.key("converted", "\(tally.converted)")
        json.key("rejected", "\(tally.rejected)")
        json.key("skipped", "\(tally.skipped)")
        json.key("events", "\(figures.events)")
        json.key("left_out", "\(document.dropped)")
        json.key("inferred", "\(tally.deduced)")
        json.counts("dispositions", figures.dispositions)
        json.counts("certainty", figures.certainty)
        json.counts("entitlement", figures.entitlement)
        json.counts("kinds", figures.kinds)
        json.counts("flags", figures.flags.map { .init(name: $0.flag.rawValue, count: $0.count) })
        json.counts("rejects", document.rejectCodes)
        json.counts("v1_types", figures.types)
        json.counts("pairs", figures.pairs)
        let writer = json
        json.list("months", figures.months) { month in
            [
                ("month", writer.string(month.month)), ("events", "\(month.events)"),
                ("kinds", writer.object(month.kinds)), ("certainty", writer.object(month.certainty)),
            ]
        }
        json.key("untimed", "\(figures.untimed)")
        json.key("other_months", "\(figures.otherMonths)")
        json.counts("unknown_types", figures.unknownTypes)
        let leftOut = document.leftOut
        json.key(
            "silent",
            json.object([
                ("added", "\(tally.deduced)"), ("safe_would_add", leftOut.map { "\($0.events)" } ?? "null"),
                ("is_estimate", leftOut.map { $0.isExact ? "false" : "true" } ?? "false"),
                (
                    "safe_would_add_pairs",
                    leftOut == nil ? "null" : json.object(ReportWords(document: document).leftOut)
                ),
            ]))
        Self.receipts(tally.receipts, &json)
        Self.agreement(document.agreement, &json)
        Self.input(document, &json)
        Self.places(document, &json)
        Self.changes(document.changes, &json)
        json.close("}")
        text = json.text + "\n"
    }

    private static func receipts(_ receipts: Tally.Receipts, _ json: inout JSONLines) {
        json.open("receipts", "{")
        json.key("present", "\(receipts.present)")
        json.key("verified", "\(receipts.verified)")
        json.key(
            "covers",
            json.object([
                ("all", "\(receipts.covering)"), ("some", "\(receipts.partly)"), ("none", "\(receipts.nothing)"),
            ]))
        json.key("contradicting", "\(receipts.contradicting)")
        json.close("}")
    }

    private static func agreement(_ agreement: AgreementFigures, _ json: inout JSONLines) {
        let writer = json
        func score(_ score: AgreementFigures.Score) -> [(String, String)] {
            [
                ("compared", "\(score.compared)"), ("same", "\(score.same)"), ("candidate", "\(score.candidate)"),
                ("contradicted", "\(score.contradicted)"),
            ]
        }
        func pair(_ pair: NotificationPair) -> String {
            writer.object([
                ("type", writer.string(pair.type?.rawValue)), ("subtype", writer.string(pair.subtype?.rawValue)),
            ])
        }
        json.open("agreement", "{")
        for (key, value) in score(agreement.total) { json.key(key, value) }
        json.key("v1_only", "\(agreement.v1Only)")
        json.key("v2_only", "\(agreement.v2Only)")
        json.list("contradictions", agreement.contradictions) { found in
            [
                ("v1", writer.place(found.v1)), ("v2", writer.place(found.v2)), ("ours", pair(found.ours)),
                ("apple", pair(found.apple)), ("certainty", writer.string(found.certainty.rawValue)),
                ("v1_type", writer.string(found.type)),
            ]
        }
        json.key("judged", agreement.isJudged ? "true" : "false")
        json.key("contradicted_exact", "\(agreement.contradictedExact)")
        json.key("v1_only_inside", "\(agreement.v1OnlyInside)")
        json.key("v2_only_inside", "\(agreement.v2OnlyInside)")
        json.key("v2_only_deduced", "\(agreement.v2OnlyDeduced)")
        json.counts("v1_only_types", agreement.v1OnlyTypes)
        json.counts("v2_only_pairs", agreement.v2OnlyPairs)
        json.key(
            "differences",
            writer.object([
                ("time", "\(agreement.timeDiffers)"), ("product", "\(agreement.productDiffers)"),
                ("transaction", "\(agreement.transactionDiffers)"),
            ]))
        for (name, key, rows) in [
            ("v1_types", "v1_type", agreement.byType), ("certainty", "certainty", agreement.byCertainty),
            ("months", "month", agreement.byMonth),
        ] {
            json.list(name, rows) { [(key, writer.string($0.name))] + score($0.score) }
        }
        json.list("confusion", agreement.confusion) { row in
            [
                ("v1_type", writer.string(row.type)), ("ours", writer.string(row.ours)),
                ("apple", writer.string(row.apple)), ("result", writer.string(row.result)), ("count", "\(row.count)"),
            ]
        }
        json.close("}")
    }

    private static func input(_ document: ReportDocument, _ json: inout JSONLines) {
        let writer = json
        let figures = document.figures
        json.counts("versions", figures.versions)
        json.counts("environments", figures.environments)
        json.counts("apps", figures.apps)
        json.list("flows", figures.flows) { flow in
            [
                ("v1_type", writer.string(flow.type)), ("pair", writer.string(flow.pair)),
                ("disposition", writer.string(flow.disposition.rawValue)),
                ("certainty", writer.string(flow.certainty.rawValue)), ("count", "\(flow.count)"),
            ]
        }
        json.list("entitlement_by_kind", figures.entitlementByKind) { row in
            [
                ("kind", writer.string(row.kind)), ("entitlement", writer.string(row.entitlement.rawValue)),
                ("count", "\(row.count)"),
            ]
        }
        json.counts("lateness", figures.lateness)
        json.key(
            "days",
            figures.days.map { writer.object([("first", writer.string($0.first)), ("last", writer.string($0.last))]) }
                ?? "null")
        json.list("gaps", figures.gaps) { gap in
            [
                ("from", writer.string(gap.from)), ("to", writer.string(gap.to)), ("days", "\(gap.days)"),
                ("around", "\(gap.around)"),
            ]
        }
        json.list("inputs", Array(document.inputs.prefix(1000))) { input in
            [("input", writer.string(input.path)), ("bytes", input.size.map { "\($0)" } ?? "null")]
        }
        json.key("input_count", "\(document.inputs.count)")
        json.key("input_bytes", "\(document.inputBytes)")
        json.key("damaged", document.wasDamaged ? "true" : "false")
        json.key("capped", figures.isCapped ? "true" : "false")
    }

    private static func places(_ document: ReportDocument, _ json: inout JSONLines) {
        let writer = json
        func places(_ places: [ReportFigures.Place]) -> String {
            "[" + places.map(writer.place).joined(separator: ",") + "]"
        }
        json.open("places", "{")
        json.key(
            "flags", writer.object(document.figures.flags.map { ($0.flag.rawValue, places($0.places)) }))
        json.key("rejects", writer.object(document.figures.rejects.map { ($0.code, places($0.places)) }))
        json.key("skips", places(document.figures.skips))
        json.close("}")
    }
}
