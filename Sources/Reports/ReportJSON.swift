import NotificationArchives
import NotificationTranslation

/// A report as JSON: the stable core of the contract, and more beside it.
///
/// The keys are listed once, in their order; the report and its schema are both made of that list. A key of an object
/// of counts is there only if there was something to count.
enum ReportJSON {
    static func text(_ document: ReportDocument) -> String { keys.lines(document).text() + "\n" }

    /// All keys, in their order.
    static var keys: [ReportKey<ReportDocument>] {
        head + [
            .optionalObject("subscriptions", subscriptions, "And one-time purchases; null in record context.") {
                $0.figures.subscriptions
            },
            .counts("repetitions", "Duplicates by why they are there.") { $0.figures.repetitions },
            .object("silent", silent, "Events that no notification reports.") { $0 },
            .lines("receipts", receipts, "What the receipts in V1 bodies prove; all 0 without --verify-receipts.") {
                $0.tally.receipts
            },
            .lines("agreement", agreement, "How far V1, judged as if V2 were absent, agrees with V2.") {
                $0.agreement
            },
        ] + input + [
            .lines("places", places, "Up to 20 examples of each.") { $0.figures }
        ]
    }

    private static var head: [ReportKey<ReportDocument>] {
        [
            ReportKey("report_version", .word(["1"]), "The version of this form.") { _ in "\"1\"" },
            .text("rules_version", "The version of the rules that judged.") { $0.rulesVersion },
            .text("command", "The command line that gives the same report.") { $0.command },
            .number("records", "Records read: the next four together.") { $0.tally.records },
            .number("converted") { $0.tally.converted },
            .number("evidence", "Answers of Apple's, which are no notifications.") { $0.tally.evidence },
            .number("rejected", "Records that could not be converted.") { $0.tally.rejected },
            .number("skipped", "Valid JSON without a notification of Apple's.") { $0.tally.skipped },
            .counts("skip_reasons", "What the skipped records are.") { $0.skipReasons },
            .number("events", "Event lines; what follows counts these.") { $0.figures.events },
            .number("left_out", "Lines that --companions drop and --duplicates drop left out.") { $0.dropped },
            .number("inferred", "Events that --infer added.") { $0.tally.deduced },
            .counts("dispositions") { $0.figures.dispositions },
            .counts("certainty") { $0.figures.certainty },
            .counts("entitlement") { $0.figures.entitlement },
            .counts("kinds", "By event kind.") { $0.figures.kinds },
            .counts("flags") { $0.figures.flags.map { .init(name: $0.flag.rawValue, count: $0.count) } },
            .counts("rejects", "By the code of the error.") { $0.rejectCodes },
            .counts("v1_types") { $0.figures.types },
            .counts("pairs", "As TYPE/SUBTYPE, or TYPE.") { $0.figures.pairs },
            .list("months", months) { $0.figures.months },
            .number("untimed", "Event lines without a time.") { $0.figures.untimed },
            .number("other_months", "Event lines of months beyond the number that a report lists.") {
                $0.figures.otherMonths
            },
            .counts(
                "unknown_types", "Events of types that this build does not know, as V1 TYPE or V2 TYPE/SUBTYPE."
            ) { $0.figures.unknownTypes },
        ]
    }

    private static var months: [ReportKey<ReportFigures.Month>] {
        [
            .text("month", "Such as 2020-03.") { $0.month },
            .number("events") { $0.events },
            .counts("kinds") { $0.kinds },
            .counts("certainty") { $0.certainty },
        ]
    }

    private static var subscriptions: [ReportKey<ReportFigures.Subscriptions>] {
        [
            .number("count") { $0.count },
            .optionalNumber("active", "Those that give access at the end; null where no state was computed.") {
                $0.active
            },
            .optionalNumber("not_known", "Those of which that is not known.") { $0.notKnown },
        ]
    }

    private static var silent: [ReportKey<ReportDocument>] {
        [
            .number("added", "Events that --infer added.") { $0.tally.deduced },
            .number("ambiguous_left_out", "Ambiguous events that --ambiguous reject left out.") {
                $0.tally.ambiguousDeduced
            },
        ]
    }

    private static var receipts: [ReportKey<Tally.Receipts>] {
        [
            .number("present", "V1 bodies with a receipt.") { $0.present },
            .number("verified", "Receipts that Apple signed, or whoever holds the root that was given.") {
                $0.verified
            },
            .object("covers", covers, "Verified receipts by how much of the event's transaction they prove.") { $0 },
            .number("contradicting", "Receipts that say something else than the event, or are of another app.") {
                $0.contradicting
            },
        ]
    }

    private static var covers: [ReportKey<Tally.Receipts>] {
        [.number("all") { $0.covering }, .number("some") { $0.partly }, .number("none") { $0.nothing }]
    }

    // MARK: Agreement with V2

    private static var agreement: [ReportKey<AgreementFigures>] {
        score.map { $0.of(\.total) } + [
            .number("v1_only", "V1 records without a V2 notification of the same event.") { $0.v1Only },
            .number("v2_only", "V2 notifications without a V1 record of the same event.") { $0.v2Only },
            .list("contradictions", contradictions, "At most 1,000; contradicted is exact.") { $0.contradictions },
            .truth("judged", "Whether anything could be compared: timeline context only.") { $0.isJudged },
            .number("contradicted_exact", "Contradicted answers that were exact.") { $0.contradictedExact },
            .number("v1_only_inside", "Of v1_only, those within the time that V2 covers.") { $0.v1OnlyInside },
            .number("v2_only_inside", "Of v2_only, those within the time that V1 covers.") { $0.v2OnlyInside },
            .number("v2_only_deduced", "Of v2_only, those that --infer would find.") { $0.v2OnlyDeduced },
            .counts("v1_only_types") { $0.v1OnlyTypes },
            .counts("v2_only_pairs") { $0.v2OnlyPairs },
            .object("differences", differences, "Compared records whose facts differ from V2's.") { $0 },
            .list("v1_types", scores(by: "v1_type")) { $0.byType },
            .list("certainty", scores(by: "certainty")) { $0.byCertainty },
            .list("months", scores(by: "month")) { $0.byMonth },
            .list("confusion", confusion) { $0.confusion },
        ]
    }

    private static var score: [ReportKey<AgreementFigures.Score>] {
        [
            .number("compared", "V1 records with a V2 notification of the same event.") { $0.compared },
            .number("same", "Where V1 alone gave the same pair.") { $0.same },
            .number("candidate", "Where V2's pair was among the candidates and was not chosen.") { $0.candidate },
            .number("contradicted", "Where V2's pair was not among the answers.") { $0.contradicted },
        ]
    }

    private static func scores(by name: String) -> [ReportKey<(name: String, score: AgreementFigures.Score)>] {
        [.text(name) { $0.name }] + score.map { $0.of(\.score) }
    }

    private static var contradictions: [ReportKey<AgreementFigures.Contradiction>] {
        [
            .object("v1", place) { $0.v1 },
            .object("v2", place) { $0.v2 },
            .object("ours", pair) { $0.ours },
            .object("apple", pair) { $0.apple },
            .word("certainty") { $0.certainty },
            .text("v1_type") { $0.type },
        ]
    }

    private static var pair: [ReportKey<NotificationPair>] {
        [
            .optionalText("type", "The notificationType.") { $0.type?.rawValue },
            .optionalText("subtype") { $0.subtype?.rawValue },
        ]
    }

    private static var differences: [ReportKey<AgreementFigures>] {
        [
            .number("time") { $0.timeDiffers },
            .number("product") { $0.productDiffers },
            .number("transaction") { $0.transactionDiffers },
        ]
    }

    private static var confusion: [ReportKey<AgreementFigures.Confusion>] {
        [
            .text("v1_type") { $0.type },
            .optionalText("ours", "`null` for no event of its own.") { $0.ours },
            .optionalText("apple") { $0.apple },
            .text("result", "same, candidate or contradicted.") { $0.result },
            .number("count") { $0.count },
        ]
    }

    // MARK: The archive

    private static var input: [ReportKey<ReportDocument>] {
        [
            .counts("versions") { $0.figures.versions },
            .counts("environments") { $0.figures.environments },
            .counts("apps") { $0.figures.apps },
            .list("flows", flows, "What became of V1 types.") { $0.figures.flows },
            .list("entitlement_by_kind", entitlements) { $0.figures.entitlementByKind },
            .counts("lateness", "How long after they happened notifications were received.") { $0.figures.lateness },
            .optionalObject("days", days, "The first and last day of which there is a notification.") {
                $0.figures.days
            },
            .list("gaps", gaps, "Days without any notification, where there usually are some.") { $0.figures.gaps },
            .list("inputs", inputs, "At most 1,000.") { document in
                document.inputs.prefix(1000).map { ($0, document.figures.inputs[$0.path] ?? Tally()) }
            },
            .number("input_count") { $0.inputs.count },
            .number("input_bytes", "Unpacked.") { Int($0.inputBytes) },
            .truth("damaged", "Whether an input was damaged; what came before the damage was converted.") {
                $0.wasDamaged
            },
            .truth("capped", "Whether there are more names or combinations than a report lists.") {
                $0.figures.isCapped
            },
        ]
    }

    private static var flows: [ReportKey<ReportFigures.Flow>] {
        [
            .optionalText("v1_type", "null for inferred events.") { $0.type },
            .optionalText("pair", "null for no event of its own.") { $0.pair },
            .word("disposition") { $0.disposition },
            .word("certainty") { $0.certainty },
            .number("count") { $0.count },
        ]
    }

    private static var entitlements: [ReportKey<(kind: String, entitlement: Entitlement, count: Int)>] {
        [.text("kind") { $0.kind }, .word("entitlement") { $0.entitlement }, .number("count") { $0.count }]
    }

    private static var days: [ReportKey<(first: String, last: String)>] {
        [.text("first") { $0.first }, .text("last") { $0.last }]
    }

    private static var gaps: [ReportKey<ReportFigures.Gap>] {
        [
            .text("from") { $0.from },
            .text("to") { $0.to },
            .number("days") { $0.days },
            .number("around", "Notifications in the four weeks before and after.") { $0.around },
        ]
    }

    private static var inputs: [ReportKey<((path: String, size: Int64?), Tally)>] {
        [
            .text("input") { $0.0.path }, .optionalNumber("bytes") { $0.0.size.map { Int($0) } },
            .number("records") { $0.1.records }, .number("converted") { $0.1.converted },
            .number("evidence") { $0.1.evidence }, .number("rejected") { $0.1.rejected },
            .number("skipped") { $0.1.skipped },
        ]
    }

    // MARK: Places

    private static var places: [ReportKey<ReportFigures>] {
        [
            examples("flags") { $0.flags.map { ($0.flag.rawValue, $0.places) } },
            examples("rejects") { $0.rejects.map { ($0.code, $0.places) } },
            examples("skips") { $0.skips.map { ($0.reason.rawValue, $0.places) } },
        ]
    }

    private static func examples(
        _ name: String, _ places: @escaping (ReportFigures) -> [(String, [ReportFigures.Place])]
    ) -> ReportKey<ReportFigures> {
        ReportKey(name, .listsByName(place.type())) { JSONLines.object(places($0).map { ($0.0, list($0.1)) }) }
    }

    private static func list(_ places: [ReportFigures.Place]) -> String {
        "[" + places.map(place.object).joined(separator: ",") + "]"
    }

    private static var place: [ReportKey<ReportFigures.Place>] {
        [
            .text("input", "The input as given, or as found in a folder.") { $0.input },
            ReportKey("line", .number, "The line or the record, from 1.", line),
        ]
    }

    /// A deduced event has no line.
    private static func line(_ place: ReportFigures.Place) -> String { place.line > 0 ? "\(place.line)" : "null" }
}
