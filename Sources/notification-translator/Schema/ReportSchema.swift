import NotificationTranslation

/// The keys of a report in JSON, in their order: what `schema --shape report` prints.
///
/// The tests hold every report against it, in both directions.
struct ReportSchema {
    /// The value of a key.
    indirect enum Value: Sendable {
        case text
        case optionalText
        case number
        case optionalNumber
        case truth
        /// One of these words.
        case word([String])
        /// An object of numbers by name.
        case counts
        case optionalCounts
        /// An object of lists by name.
        case listsByName(Value)
        case list(Value)
        case object([Member])
        case optionalObject([Member])

        /// A place that may be `null`, or have no line.
        static let optionalPlace = Value.optionalObject([
            Member("input", .text), Member("line", .optionalNumber, "null for a deduced event."),
        ])
    }

    /// A key and what it means.
    struct Member: Sendable {
        var key: String
        var value: Value
        var meaning: String
        /// Whether the key is there only where an option asks for it.
        var isOptional = false

        init(_ key: String, _ value: Value, _ meaning: String = "", optional: Bool = false) {
            isOptional = optional
            self.key = key
            self.value = value
            self.meaning = meaning
        }
    }

    private static let certainties = Value.word(Certainty.allCases.map(\.rawValue))
    private static let pair = Value.object([
        Member("type", .optionalText, "The notificationType."), Member("subtype", .optionalText),
    ])
    private static let place = Value.object([
        Member("input", .text, "The input as given, or as found in a folder."),
        Member("line", .number, "The line or the record, from 1."),
    ])
    private static let score = [
        Member("compared", .number, "V1 records with a V2 notification of the same event."),
        Member("same", .number, "Where V1 alone gave the same pair."),
        Member("candidate", .number, "Where V2's pair was among the candidates and was not chosen."),
        Member("contradicted", .number, "Where V2's pair was not among the answers."),
    ]

    /// In the order in which a report has them.
    static let members = head + silence + [receipts, agreement] + input + [places, changes]

    private static let head: [Member] = [
        Member("report_version", .word(["1"]), "The version of this form."),
        Member("rules_version", .text, "The version of the rules that judged."),
        Member("command", .text, "The command line that gives the same report."),
        Member("records", .number, "Records read: converted, rejected and skipped together."),
        Member("converted", .number),
        Member("rejected", .number, "Records that could not be converted."),
        Member("skipped", .number, "Valid JSON without a notification of Apple's."),
        Member("events", .number, "Event lines; what follows counts these."),
        Member("left_out", .number, "Lines that --companions drop and --duplicates drop left out."),
        Member("inferred", .number, "Events that --infer added."),
        Member("dispositions", .counts), Member("certainty", .counts), Member("entitlement", .counts),
        Member("kinds", .counts, "By event kind."),
        Member("flags", .counts), Member("rejects", .counts, "By the code of the error."),
        Member("v1_types", .counts), Member("pairs", .counts, "As TYPE/SUBTYPE, or TYPE."),
        Member(
            "months",
            .list(
                .object([
                    Member("month", .text, "Such as 2020-03."), Member("events", .number), Member("kinds", .counts),
                    Member("certainty", .counts),
                ]))),
        Member("untimed", .number, "Event lines without a time."),
        Member("other_months", .number, "Event lines of months beyond the number that a report lists."),
    ]

    private static let receipts = Member(
        "receipts",
        .object([
            Member("present", .number, "V1 bodies with a receipt."),
            Member("verified", .number, "Receipts that Apple signed, or whoever holds the root that was given."),
            Member(
                "covers", .object([Member("all", .number), Member("some", .number), Member("none", .number)]),
                "Verified receipts by how much of the event's transaction they prove."),
            Member("contradicting", .number, "Receipts that say something else than the event, or are of another app."),
        ]), "What the receipts in V1 bodies prove; all 0 without --verify-receipts.")

    private static let silence = [
        Member(
            "unknown_types", .counts, "Events of types that this build does not know, as V1 TYPE or V2 TYPE/SUBTYPE."),
        Member(
            "silent",
            .object([
                Member("added", .number, "Events that --infer added."),
                Member(
                    "safe_would_add", .optionalNumber, "What --infer safe would add; null where it was not counted."),
                Member("is_estimate", .truth, "Whether that is from a sample."),
                Member(
                    "safe_would_add_pairs", .optionalCounts, "The same by pair; null where it was not counted."),
            ]), "What version 1 never sent."),
    ]

    private static let agreement = Member(
        "agreement",
        .object(
            score + [
                Member("v1_only", .number, "V1 records without a V2 notification of the same event."),
                Member("v2_only", .number, "V2 notifications without a V1 record of the same event."),
                Member(
                    "contradictions",
                    .list(
                        .object([
                            Member("v1", place), Member("v2", place), Member("ours", pair), Member("apple", pair),
                            Member("certainty", certainties), Member("v1_type", .text),
                        ])), "At most 1,000; contradicted is exact."),
                Member("judged", .truth, "Whether anything could be compared: timeline context only."),
                Member("contradicted_exact", .number, "Contradicted answers that were exact."),
                Member("v1_only_inside", .number, "Of v1_only, those within the time that V2 covers."),
                Member("v2_only_inside", .number, "Of v2_only, those within the time that V1 covers."),
                Member("v2_only_deduced", .number, "Of v2_only, those that --infer would find."),
                Member("v1_only_types", .counts), Member("v2_only_pairs", .counts),
                Member(
                    "differences",
                    .object([Member("time", .number), Member("product", .number), Member("transaction", .number)]),
                    "Compared records whose facts differ from V2's."),
                Member("v1_types", .list(.object([Member("v1_type", .text)] + score))),
                Member("certainty", .list(.object([Member("certainty", .text)] + score))),
                Member("months", .list(.object([Member("month", .text)] + score))),
                Member(
                    "confusion",
                    .list(
                        .object([
                            Member("v1_type", .text), Member("ours", .text), Member("apple", .text),
                            Member("result", .text, "same, candidate or contradicted."), Member("count", .number),
                        ]))),
            ]), "How far V1, judged as if V2 were absent, agrees with V2.")

    private static let input: [Member] = [
        Member("versions", .counts), Member("environments", .counts), Member("apps", .counts),
        Member(
            "flows",
            .list(
                .object([
                    Member("v1_type", .optionalText, "null for inferred events."),
                    Member("pair", .optionalText, "null for no event of its own."),
                    Member("disposition", .word(Disposition.allCases.map(\.rawValue))),
                    Member("certainty", certainties), Member("count", .number),
                ])), "What became of V1 types."),
        Member(
            "entitlement_by_kind",
            .list(
                .object([
                    Member("kind", .text), Member("entitlement", .word(Entitlement.allCases.map(\.rawValue))),
                    Member("count", .number),
                ]))),
        Member("lateness", .counts, "How long after they happened notifications were received."),
        Member(
            "days", .optionalObject([Member("first", .text), Member("last", .text)]),
            "The first and last day of which there is a notification."),
        Member(
            "gaps",
            .list(
                .object([
                    Member("from", .text), Member("to", .text), Member("days", .number),
                    Member("around", .number, "Notifications in the four weeks before and after."),
                ])), "Days without any notification, where there usually are some."),
        Member(
            "inputs", .list(.object([Member("input", .text), Member("bytes", .optionalNumber)])), "At most 1,000."),
        Member("input_count", .number), Member("input_bytes", .number, "Unpacked."),
        Member("damaged", .truth, "Whether an input was damaged; what came before the damage was converted."),
        Member("capped", .truth, "Whether there are more names or combinations than a report lists."),
    ]

    private static let places = Member(
        "places",
        .object([
            Member("flags", .listsByName(place)), Member("rejects", .listsByName(place)),
            Member("skips", .list(place)),
        ]), "Up to 20 examples of each.")

    private static let sorts = Value.list(
        .object([
            Member("kind", .text), Member("disposition", .text), Member("rule", .optionalText),
            Member("count", .number),
        ]))
    private static let examples = Value.list(
        .object([
            Member("id", .text), Member("record", .optionalPlace), Member("old_line", .optionalNumber),
            Member("fields", .list(.text)), Member("old_pair", .optionalText), Member("new_pair", .optionalText),
            Member("old_rule", .optionalText), Member("new_rule", .optionalText),
        ]))

    private static let changes = Member(
        "changes",
        .object([
            Member("against", .text, "The file of the earlier events."), Member("old_events", .number),
            Member("new_events", .number), Member("same", .number), Member("changed", .number),
            Member("added", .number), Member("gone", .number),
            Member("no_events", .number, "Lines of that file that are not events of this program."),
            Member("first_no_event", .optionalNumber, "The first of these lines."),
            Member("old_rules_versions", .counts), Member("fields", .counts, "Changed events by field."),
            Member(
                "answers",
                .list(
                    .object([
                        Member("type", .optionalText), Member("old", .optionalText), Member("new", .optionalText),
                        Member("count", .number),
                    ])), "Changed pairs by what was received."),
            Member(
                "rules",
                .list(
                    .object([
                        Member("old", .optionalText), Member("new", .optionalText), Member("count", .number),
                    ])), "Changed events by the rules that decided."),
            Member("added_events", sorts), Member("gone_events", sorts), Member("changed_examples", examples),
            Member("added_examples", examples), Member("gone_examples", examples),
        ]), "What changed since an earlier run; there with --against only.", optional: true)

    // MARK: JSON Schema

    /// JSON Schema, draft 2020-12.
    static var jsonSchema: String {
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
            + "  \"title\": \"A report of notification-translator; more keys may be added.\",\n"
            + object(members, "  ") + "\n}\n"
    }

    private static func object(_ members: [Member], _ indent: String, orNull: Bool = false) -> String {
        let required = members.filter { !$0.isOptional }.map { Schema.quoted($0.key) }
        let lines = members.map { "\(indent)  \(Schema.quoted($0.key)): {\(described($0, indent + "  "))}" }
        return "\(indent)\"type\": \(orNull ? "[\"object\", \"null\"]" : "\"object\""),\n"
            + "\(indent)\"required\": [\(required.joined(separator: ", "))],\n"
            + "\(indent)\"properties\": {\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }

    private static func described(_ member: Member, _ indent: String) -> String {
        let about = member.meaning.isEmpty ? "" : ", \"description\": \(Schema.quoted(member.meaning))"
        return type(member.value, indent) + about
    }

    private static func type(_ value: Value, _ indent: String) -> String {
        switch value {
        case .text: "\"type\": \"string\""
        case .optionalText: "\"type\": [\"string\", \"null\"]"
        case .number: "\"type\": \"integer\""
        case .optionalNumber: "\"type\": [\"integer\", \"null\"]"
        case .truth: "\"type\": \"boolean\""
        case .word(let words): "\"enum\": [\(words.map(Schema.quoted).joined(separator: ", "))]"
        case .counts: "\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}"
        case .optionalCounts: "\"type\": [\"object\", \"null\"], \"additionalProperties\": {\"type\": \"integer\"}"
        case .listsByName(let element):
            "\"type\": \"object\", \"additionalProperties\": {\"type\": \"array\", \"items\": {"
                + "\(type(element, indent + "  "))}}"
        case .list(let element): "\"type\": \"array\", \"items\": {\(type(element, indent + "  "))}"
        case .object(let members): "\n\(object(members, indent + "  "))\n\(indent)"
        case .optionalObject(let members): "\n\(object(members, indent + "  ", orNull: true))\n\(indent)"
        }
    }
}
