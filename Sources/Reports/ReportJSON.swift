import NotificationArchives
import NotificationTranslation

/// A report as JSON: the stable core of the contract, and more beside it, keys in their order.
///
/// A key of an object of counts is there only if there was something to count. Lines are such that two reports can be
/// compared line by line.
indirect enum ReportJSON {
    typealias Members = [(key: String, value: ReportJSON)]

    /// A text, number or the like, as JSON writes it.
    case scalar(String)
    /// In one line.
    case object(Members)
    case row([ReportJSON])
    /// With a line for each member, or element.
    case lines(Members)
    case list([ReportJSON])

    static func text(_ document: ReportDocument) -> String {
        lines(head(document) + translation(document) + archive(document)).text(depth: 0) + "\n"
    }

    // MARK: What a report says

    private static func head(_ document: ReportDocument) -> Members {
        let (tally, figures) = (document.tally, document.figures)
        return [
            ("report_version", of("1")), ("rules_version", of(document.rulesVersion)),
            ("command", of(document.command)),
            ("records", of(tally.records)), ("converted", of(tally.converted)), ("evidence", of(tally.evidence)),
            ("rejected", of(tally.rejected)), ("skipped", of(tally.skipped)),
            ("skip_reasons", of(document.skipReasons)),
            // Event lines; what follows counts these.
            ("events", of(figures.events)), ("left_out", of(document.dropped)), ("inferred", of(tally.deduced)),
            ("dispositions", of(figures.dispositions)), ("certainty", of(figures.certainty)),
            ("entitlement", of(figures.entitlement)), ("kinds", of(figures.kinds)),
            ("flags", of(figures.flags.map { .init(name: $0.flag.rawValue, count: $0.count) })),
            ("rejects", of(document.rejectCodes)), ("v1_types", of(figures.types)), ("pairs", of(figures.pairs)),
            (
                "months",
                list(figures.months) { month in
                    [
                        ("month", of(month.month)), ("events", of(month.events)), ("kinds", of(month.kinds)),
                        ("certainty", of(month.certainty)),
                    ]
                }
            ),
            ("untimed", of(figures.untimed)), ("other_months", of(figures.otherMonths)),
            ("unknown_types", of(figures.unknownTypes)),
        ]
    }

    private static func translation(_ document: ReportDocument) -> Members {
        let (tally, receipts) = (document.tally, document.tally.receipts)
        let covers: Members = [
            ("all", of(receipts.covering)), ("some", of(receipts.partly)), ("none", of(receipts.nothing)),
        ]
        return [
            ("subscriptions", document.figures.subscriptions.map { .object(subscriptions($0)) } ?? null),
            ("repetitions", of(document.figures.repetitions)),
            ("silent", .object([("added", of(tally.deduced)), ("ambiguous_left_out", of(tally.ambiguousDeduced))])),
            (
                "missing",
                list(document.missing.byMonth) { month, missing in
                    [
                        ("month", of(ReportFigures.name(ofMonth: month))), ("renewals", of(missing.renewals)),
                        ("listed", of(missing.listed)), ("attempts", of(missing.attempts)), ("sent", of(missing.sent)),
                    ]
                }
            ),
            (
                "receipts",
                .lines([
                    ("present", of(receipts.present)), ("verified", of(receipts.verified)), ("covers", .object(covers)),
                    ("contradicting", of(receipts.contradicting)),
                ])
            ),
            ("agreement", .lines(agreement(document.agreement))),
        ]
    }

    private static func subscriptions(_ figures: ReportFigures.Subscriptions) -> Members {
        [
            ("count", of(figures.count)), ("active", of(figures.active)), ("not_known", of(figures.notKnown)),
            ("answered", of(figures.answered)), ("shut_out", of(figures.shutOut)), ("let_in", of(figures.letIn)),
        ]
    }

    // MARK: Agreement with V2

    private static func agreement(_ figures: AgreementFigures) -> Members {
        let differences: Members = [
            ("time", of(figures.timeDiffers)), ("product", of(figures.productDiffers)),
            ("transaction", of(figures.transactionDiffers)),
        ]
        return score(figures.total) + [
            ("v1_only", of(figures.v1Only)), ("v2_only", of(figures.v2Only)),
            ("contradictions", list(figures.contradictions, contradiction)), ("judged", of(figures.isJudged)),
            ("contradicted_exact", of(figures.contradictedExact)), ("v1_only_inside", of(figures.v1OnlyInside)),
            ("v2_only_inside", of(figures.v2OnlyInside)), ("v2_only_deduced", of(figures.v2OnlyDeduced)),
            ("v1_only_types", of(figures.v1OnlyTypes)), ("v2_only_pairs", of(figures.v2OnlyPairs)),
            ("differences", .object(differences)), ("v1_types", scores(figures.byType, by: "v1_type")),
            ("certainty", scores(figures.byCertainty, by: "certainty")),
            ("months", scores(figures.byMonth, by: "month")),
            (
                "confusion",
                list(figures.confusion) { row in
                    [
                        ("v1_type", of(row.type)), ("ours", of(row.ours)), ("apple", of(row.apple)),
                        ("result", of(row.result)), ("count", of(row.count)),
                    ]
                }
            ),
            ("answers", .object(answers(figures))),
        ]
    }

    private static func answers(_ figures: AgreementFigures) -> Members {
        let answers = figures.answers
        return [
            ("events", of(answers.events)), ("prices", of(answers.prices)), ("transactions", of(answers.transactions)),
            ("subscriptions", of(answers.subscriptions)),
            ("v1_types", scores(figures.confirmed.byType, by: "v1_type")),
            ("eras", scores(figures.confirmed.byEra, by: "era")),
        ] + score(figures.confirmed.total)
    }

    private static func score(_ score: AgreementFigures.Score) -> Members {
        [
            ("compared", of(score.compared)), ("same", of(score.same)), ("candidate", of(score.candidate)),
            ("contradicted", of(score.contradicted)),
        ]
    }

    private static func scores(_ scores: [(name: String, score: AgreementFigures.Score)], by name: String) -> Self {
        list(scores) { [(name, of($0.name))] + score($0.score) }
    }

    private static func contradiction(_ found: AgreementFigures.Contradiction) -> Members {
        func pair(_ pair: NotificationPair) -> Self {
            .object([("type", of(pair.type?.rawValue)), ("subtype", of(pair.subtype?.rawValue))])
        }
        return [
            ("v1", .object(place(found.v1))), ("v2", .object(place(found.v2))), ("ours", pair(found.ours)),
            ("apple", pair(found.apple)), ("certainty", of(found.certainty.rawValue)), ("v1_type", of(found.type)),
        ]
    }

    // MARK: The archive

    private static func archive(_ document: ReportDocument) -> Members {
        let figures = document.figures
        return [
            ("versions", of(figures.versions)), ("environments", of(figures.environments)), ("apps", of(figures.apps)),
            (
                "flows",
                list(figures.flows) { flow in
                    [
                        ("v1_type", of(flow.type)), ("pair", of(flow.pair)),
                        ("disposition", of(flow.disposition.rawValue)), ("certainty", of(flow.certainty.rawValue)),
                        ("count", of(flow.count)),
                    ]
                }
            ),
            (
                "entitlement_by_kind",
                list(figures.entitlementByKind) { row in
                    [("kind", of(row.kind)), ("entitlement", of(row.entitlement.rawValue)), ("count", of(row.count))]
                }
            ),
            ("lateness", of(figures.lateness)),
            ("days", figures.days.map { .object([("first", of($0.first)), ("last", of($0.last))]) } ?? null),
            (
                "gaps",
                list(figures.gaps) { gap in
                    [("from", of(gap.from)), ("to", of(gap.to)), ("days", of(gap.days)), ("around", of(gap.around))]
                }
            ),
            ("inputs", list(document.inputs.prefix(ReportTally.mostInputs)) { input($0, figures) }),
            ("input_count", of(document.inputs.count)), ("input_bytes", of(Int(document.inputBytes))),
            ("damaged", of(document.wasDamaged)), ("capped", of(figures.isCapped)),
            (
                "places",
                .lines([
                    ("flags", examples(figures.flags.map { ($0.flag.rawValue, $0.places) })),
                    ("rejects", examples(figures.rejects.map { ($0.code, $0.places) })),
                    ("skips", examples(figures.skips.map { ($0.reason.code, $0.places) })),
                ])
            ),
        ]
    }

    private static func input(_ input: (path: String, size: Int64?), _ figures: ReportFigures) -> Members {
        let tally = figures.inputs[input.path] ?? Tally()
        return [
            ("input", of(input.path)), ("bytes", of(input.size.map { Int($0) })), ("records", of(tally.records)),
            ("converted", of(tally.converted)), ("evidence", of(tally.evidence)), ("rejected", of(tally.rejected)),
            ("skipped", of(tally.skipped)),
        ]
    }

    private static func examples(_ places: [(String, [ReportFigures.Place])]) -> Self {
        .object(places.map { ($0, .row($1.map { .object(place($0)) })) })
    }

    private static func place(_ place: ReportFigures.Place) -> Members {
        // A deduced event has no line.
        [("input", of(place.input)), ("line", place.line > 0 ? of(Int(place.line)) : null)]
    }

    // MARK: Values

    private static var null: Self { .scalar("null") }

    private static func of(_ number: Int?) -> Self { number.map { .scalar("\($0)") } ?? null }

    private static func of(_ truth: Bool) -> Self { .scalar("\(truth)") }

    private static func of(_ text: String?) -> Self {
        guard let text else { return null }
        let output = OutputBuffer(capacity: 64)
        output.append(jsonString: text)
        return .scalar(String(decoding: output.bytes, as: UTF8.self))
    }

    private static func of(_ counts: [ReportFigures.Count]) -> Self { .object(counts.map { ($0.name, of($0.count)) }) }

    private static func list<Element>(_ elements: some Sequence<Element>, _ members: (Element) -> Members) -> Self {
        .list(elements.map { .object(members($0)) })
    }

    /// The value as text, inside of so many others with lines of their own.
    private func text(depth: Int) -> String {
        switch self {
        case .scalar(let text): text
        case .object(let members): "{" + members.map { Self.member($0, depth: 0) }.joined(separator: ", ") + "}"
        case .row(let elements): "[" + elements.map { $0.text(depth: 0) }.joined(separator: ",") + "]"
        case .lines(let members): Self.spread("{", members.map { Self.member($0, depth: depth + 1) }, "}", depth)
        case .list(let elements): Self.spread("[", elements.map { $0.text(depth: 0) }, "]", depth)
        }
    }

    private static func member(_ member: (key: String, value: ReportJSON), depth: Int) -> String {
        "\(of(member.key).text(depth: 0)): \(member.value.text(depth: depth))"
    }

    private static func spread(_ begin: String, _ lines: [String], _ end: String, _ depth: Int) -> String {
        let indent = "\n" + String(repeating: "  ", count: depth)
        return begin + lines.map { indent + "  " + $0 }.joined(separator: ",") + (lines.isEmpty ? "" : indent) + end
    }
}
