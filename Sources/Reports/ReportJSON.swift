import NotificationArchives
import NotificationTranslation

/// A report as JSON: the stable core of the contract, and more beside it.
///
/// The keys are listed once, in their order; the report and its schema are both made of that list. A key of an object
/// of counts is there only if there was something to count.
enum ReportJSON {
    static func text(_ document: ReportDocument) -> String { keys.lines(document) + "\n" }

    /// An object in one line; its values are JSON already.
    static func object(_ members: [(key: String, json: String)]) -> String {
        "{" + members.map(member).joined(separator: ", ") + "}"
    }

    static func member(_ member: (key: String, json: String)) -> String { "\(member.key.json): \(member.json)" }

    /// An object or array with a line for each of its parts, inside of so many others.
    static func lines(_ begin: String, _ lines: [String], _ end: String, _ depth: Int) -> String {
        let indent = "\n" + String(repeating: "  ", count: depth)
        return begin + lines.map { indent + "  " + $0 }.joined(separator: ",") + (lines.isEmpty ? "" : indent) + end
    }

    /// All keys, in their order.
    static var keys: [ReportKey<ReportDocument>] {
        head + [
            .object("subscriptions", subscriptions, nullable: true, "And one-time purchases; null in record context.") {
                $0.figures.subscriptions
            },
            .key("repetitions", "Duplicates by why they are there.") { $0.figures.repetitions },
            .object("silent", silent, "Events that no notification reports.") { $0 },
            .list("missing", missing, "What was surely sent and is not in the archive, by month.") {
                $0.missing.byMonth
            },
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
            ReportKey("report_version", .word(["1"]), "The version of this form.") { _, _ in "\"1\"" },
            .key("rules_version", "The version of the rules that judged.") { $0.rulesVersion },
            .key("command", "The command line that gives the same report.") { $0.command },
            .key("records", "Records read: the next four together.") { $0.tally.records },
            .key("converted") { $0.tally.converted },
            .key("evidence", "Answers of Apple's, which are no notifications.") { $0.tally.evidence },
            .key("rejected", "Records that could not be converted.") { $0.tally.rejected },
            .key("skipped", "Valid JSON without a notification of Apple's.") { $0.tally.skipped },
            .key("skip_reasons", "What the skipped records are.") { $0.skipReasons },
            .key("events", "Event lines; what follows counts these.") { $0.figures.events },
            .key("left_out", "Lines that --companions drop and --duplicates drop left out.") { $0.dropped },
            .key("inferred", "Events that --infer added.") { $0.tally.deduced },
            .key("dispositions") { $0.figures.dispositions },
            .key("certainty") { $0.figures.certainty },
            .key("entitlement") { $0.figures.entitlement },
            .key("kinds", "By event kind.") { $0.figures.kinds },
            .key("flags") { $0.figures.flags.map { .init(name: $0.flag.rawValue, count: $0.count) } },
            .key("rejects", "By the code of the error.") { $0.rejectCodes },
            .key("v1_types") { $0.figures.types },
            .key("pairs", "As TYPE/SUBTYPE, or TYPE.") { $0.figures.pairs },
            .list("months", months) { $0.figures.months },
            .key("untimed", "Event lines without a time.") { $0.figures.untimed },
            .key("other_months", "Event lines of months beyond the number that a report lists.") {
                $0.figures.otherMonths
            },
            .key(
                "unknown_types", "Events of types that this build does not know, as V1 TYPE or V2 TYPE/SUBTYPE."
            ) { $0.figures.unknownTypes },
        ]
    }

    private static var months: [ReportKey<ReportFigures.Month>] {
        [
            .key("month", "Such as 2020-03.") { $0.month },
            .key("events") { $0.events },
            .key("kinds") { $0.kinds },
            .key("certainty") { $0.certainty },
        ]
    }

    private static var subscriptions: [ReportKey<ReportFigures.Subscriptions>] {
        [
            .key("count") { $0.count },
            .key("active", "Those that give access at the end; null where no state was computed.") {
                $0.active
            },
            .key("not_known", "Those of which that is not known.") { $0.notKnown },
            .key("answered", "Those that would stand otherwise without Apple's answers.") { $0.answered },
            .key("shut_out", "Those without access in the compared table that have it; null without such a table.") {
                $0.shutOut
            },
            .key("let_in", "Those with access in the compared table that have none, or are not in the archive.") {
                $0.letIn
            },
        ]
    }

    private static var silent: [ReportKey<ReportDocument>] {
        [
            .key("added", "Events that --infer added.") { $0.tally.deduced },
            .key("ambiguous_left_out", "Ambiguous events that --ambiguous reject left out.") {
                $0.tally.ambiguousDeduced
            },
        ]
    }

    private static var missing: [ReportKey<(month: Int, missing: MissingNotifications.Month)>] {
        [
            .key("month", "Such as 2020-03.") { ReportFigures.name(ofMonth: $0.month) },
            .key("renewals", "Those that lists prove and no notification reports.") { $0.missing.renewals },
            .key("listed", "Those that only pages of Apple's notification history have.") { $0.missing.listed },
            .key("attempts", "How often Apple tried to send the latter.") { $0.missing.attempts },
            .key("sent", "Those of them that were sent with success.") { $0.missing.sent },
        ]
    }

    private static var receipts: [ReportKey<Tally.Receipts>] {
        [
            .key("present", "V1 bodies with a receipt.") { $0.present },
            .key("verified", "Receipts that Apple signed, or whoever holds the root that was given.") {
                $0.verified
            },
            .object("covers", covers, "Verified receipts by how much of the event's transaction they prove.") { $0 },
            .key("contradicting", "Receipts that say something else than the event, or are of another app.") {
                $0.contradicting
            },
        ]
    }

    private static var covers: [ReportKey<Tally.Receipts>] {
        [.key("all") { $0.covering }, .key("some") { $0.partly }, .key("none") { $0.nothing }]
    }

    // MARK: Agreement with V2

    private static var agreement: [ReportKey<AgreementFigures>] {
        score.map { $0.of(\.total) } + [
            .key("v1_only", "V1 records without a V2 notification of the same event.") { $0.v1Only },
            .key("v2_only", "V2 notifications without a V1 record of the same event.") { $0.v2Only },
            .list("contradictions", contradictions, "At most 1,000; contradicted is exact.") { $0.contradictions },
            .key("judged", "Whether anything could be compared: timeline context only.") { $0.isJudged },
            .key("contradicted_exact", "Contradicted answers that were exact.") { $0.contradictedExact },
            .key("v1_only_inside", "Of v1_only, those within the time that V2 covers.") { $0.v1OnlyInside },
            .key("v2_only_inside", "Of v2_only, those within the time that V1 covers.") { $0.v2OnlyInside },
            .key("v2_only_deduced", "Of v2_only, those that --infer would find.") { $0.v2OnlyDeduced },
            .key("v1_only_types") { $0.v1OnlyTypes },
            .key("v2_only_pairs") { $0.v2OnlyPairs },
            .object("differences", differences, "Compared records whose facts differ from V2's.") { $0 },
            .list("v1_types", scores(by: "v1_type")) { $0.byType },
            .list("certainty", scores(by: "certainty")) { $0.byCertainty },
            .list("months", scores(by: "month")) { $0.byMonth },
            .list("confusion", confusion) { $0.confusion },
            .object("answers", answers, "What rests on answers of Apple's API, and what these confirm.") { $0 },
        ]
    }

    private static var answers: [ReportKey<AgreementFigures>] {
        [
            .key("events", "Events that rest on an answer.") { $0.answers.events },
            .key("prices", "Events that have their price from one.") { $0.answers.prices },
            .key("transactions", "Transactions that answers alone show.") { $0.answers.transactions },
            .key("subscriptions", "Subscriptions that no notification names.") { $0.answers.subscriptions },
            .list("v1_types", scores(by: "v1_type")) { $0.confirmed.byType },
            .list("eras", scores(by: "era")) { $0.confirmed.byEra },
        ] + score.map { $0.of(\.confirmed.total) }
    }

    private static var score: [ReportKey<AgreementFigures.Score>] {
        [
            .key("compared", "V1 records of whose event Apple says something too.") { $0.compared },
            .key("same", "Where V1 alone gave the same.") { $0.same },
            .key("candidate", "Where what Apple says was among the candidates and was not chosen.") { $0.candidate },
            .key("contradicted", "Where what Apple says was not among the answers.") { $0.contradicted },
        ]
    }

    private static func scores(by name: String) -> [ReportKey<(name: String, score: AgreementFigures.Score)>] {
        [.key(name) { $0.name }] + score.map { $0.of(\.score) }
    }

    private static var contradictions: [ReportKey<AgreementFigures.Contradiction>] {
        [
            .object("v1", place) { $0.v1 },
            .object("v2", place) { $0.v2 },
            .object("ours", pair) { $0.ours },
            .object("apple", pair) { $0.apple },
            .word("certainty") { $0.certainty },
            .key("v1_type") { $0.type },
        ]
    }

    private static var pair: [ReportKey<NotificationPair>] {
        [
            .key("type", "The notificationType.") { $0.type?.rawValue },
            .key("subtype") { $0.subtype?.rawValue },
        ]
    }

    private static var differences: [ReportKey<AgreementFigures>] {
        [
            .key("time") { $0.timeDiffers },
            .key("product") { $0.productDiffers },
            .key("transaction") { $0.transactionDiffers },
        ]
    }

    private static var confusion: [ReportKey<AgreementFigures.Confusion>] {
        [
            .key("v1_type") { $0.type },
            .key("ours", "`null` for no event of its own.") { $0.ours },
            .key("apple") { $0.apple },
            .key("result", "same, candidate or contradicted.") { $0.result },
            .key("count") { $0.count },
        ]
    }

    // MARK: The archive

    private static var input: [ReportKey<ReportDocument>] {
        [
            .key("versions") { $0.figures.versions },
            .key("environments") { $0.figures.environments },
            .key("apps") { $0.figures.apps },
            .list("flows", flows, "What became of V1 types.") { $0.figures.flows },
            .list("entitlement_by_kind", entitlements) { $0.figures.entitlementByKind },
            .key("lateness", "How long after they happened notifications were received.") { $0.figures.lateness },
            .object("days", days, nullable: true, "The first and last day of which there is a notification.") {
                $0.figures.days
            },
            .list("gaps", gaps, "Days without any notification, where there usually are some.") { $0.figures.gaps },
            .list("inputs", inputs, "At most 1,000.") { document in
                document.inputs.prefix(1000).map { ($0, document.figures.inputs[$0.path] ?? Tally()) }
            },
            .key("input_count") { $0.inputs.count },
            .key("input_bytes", "Unpacked.") { Int($0.inputBytes) },
            .key("damaged", "Whether an input was damaged; what came before the damage was converted.") {
                $0.wasDamaged
            },
            .key("capped", "Whether there are more names or combinations than a report lists.") {
                $0.figures.isCapped
            },
        ]
    }

    private static var flows: [ReportKey<ReportFigures.Flow>] {
        [
            .key("v1_type", "null for inferred events.") { $0.type },
            .key("pair", "null for no event of its own.") { $0.pair },
            .word("disposition") { $0.disposition },
            .word("certainty") { $0.certainty },
            .key("count") { $0.count },
        ]
    }

    private static var entitlements: [ReportKey<(kind: String, entitlement: Entitlement, count: Int)>] {
        [.key("kind") { $0.kind }, .word("entitlement") { $0.entitlement }, .key("count") { $0.count }]
    }

    private static var days: [ReportKey<(first: String, last: String)>] {
        [.key("first") { $0.first }, .key("last") { $0.last }]
    }

    private static var gaps: [ReportKey<ReportFigures.Gap>] {
        [
            .key("from") { $0.from },
            .key("to") { $0.to },
            .key("days") { $0.days },
            .key("around", "Notifications in the four weeks before and after.") { $0.around },
        ]
    }

    private static var inputs: [ReportKey<((path: String, size: Int64?), Tally)>] {
        [
            .key("input") { $0.0.path }, .key("bytes") { $0.0.size.map { Int($0) } },
            .key("records") { $0.1.records }, .key("converted") { $0.1.converted },
            .key("evidence") { $0.1.evidence }, .key("rejected") { $0.1.rejected },
            .key("skipped") { $0.1.skipped },
        ]
    }

    // MARK: Places

    private static var places: [ReportKey<ReportFigures>] {
        [
            examples("flags") { $0.flags.map { ($0.flag.rawValue, $0.places) } },
            examples("rejects") { $0.rejects.map { ($0.code, $0.places) } },
            examples("skips") { $0.skips.map { ($0.reason.code, $0.places) } },
        ]
    }

    private static func examples(
        _ name: String, _ places: @escaping (ReportFigures) -> [(String, [ReportFigures.Place])]
    ) -> ReportKey<ReportFigures> {
        ReportKey(name, .map(.list(place.type()))) { figures, _ in object(places(figures).map { ($0, list($1)) }) }
    }

    private static func list(_ places: [ReportFigures.Place]) -> String {
        "[" + places.map(place.object).joined(separator: ",") + "]"
    }

    private static var place: [ReportKey<ReportFigures.Place>] {
        [
            .key("input", "The input as given, or as found in a folder.") { $0.input },
            // A deduced event has no line.
            ReportKey("line", .number, "The line or the record, from 1.") { place, _ in
                place.line > 0 ? "\(place.line)" : "null"
            },
        ]
    }
}
