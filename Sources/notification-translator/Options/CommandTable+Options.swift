import NotificationArchives
import NotificationTranslation

/// Options, and groups of options, that commands have in common.
extension CommandTable {
    static let output = OptionSpec(
        "--output", short: "o", takes: .text("PATH", \.output, .path), isAside: true,
        "write there instead of standard output; the file appears when it is complete")

    static let convertOutput = OptionGroup(
        "Output",
        output.saying(
            "write there instead of standard output; the file appears when it is complete, packed if it ends in .gz"),
        shape, appAppleID,
        OptionSpec(
            "--rejects", takes: .text("PATH", \.request.rejects, .path),
            "write one line for each record that could not be converted"),
        OptionSpec(
            "--rejects-raw", takes: .flag(\.request.rejectsAreRaw), needs: [.oneOf(["--rejects"])],
            "add the record itself to each of those lines; the file is readable by you alone"),
        OptionSpec(
            "--report", takes: .texts("PATH", \.reports, .path), needs: [.without("--dry-run")],
            "write a report on the conversion, too: a page if it ends in .html, Markdown if in .md, JSON if in .json"),
        redact, temporary, force,
        OptionSpec("--dry-run", short: "n", takes: .flag(\.request.dryRun), "read, judge and count, but write nothing"))

    static let rehearsal = OptionGroup(
        "Rehearsal",
        OptionSpec(
            "--environment", takes: .word(["LocalTesting", "Xcode", "Sandbox"], \.rehearsedEnvironment),
            needs: [.when("Sandbox", .oneOf(["--sign"]))],
            "what the payloads say of their environment: in LocalTesting and Xcode Apple's libraries check no "
                + "signature; Sandbox needs --sign"),
        OptionSpec(
            "--sign", takes: .text("FOLDER", \.chainFolder, .path), needs: [.value(of: "--environment", ["Sandbox"])],
            "sign with a chain of certificates of our own, which is made in the folder once and used again; root.cer in "
                + "it is the root for the verifier under test"),
        OptionSpec(
            "--retries", takes: .number("SEED", \.retries),
            "deliver as the App Store does: some again, some late (1, 12, 24, 48 and 72 hours after the attempt before), "
                + "neighbours swapped, many at once after an outage; the same seed does the same"),
        bundleID.saying("rehearse this app, and take events that name none as its own"),
        environment.saying("rehearse what happened in this environment, and take events that name none as of it"),
        appAppleID,
        OptionSpec(
            "--infer", takes: .choice(\.rehearsedInference, SilentInference.allCases.reversed()),
            "add events that no notification reports: all that are likely, safe those that the records prove"),
        asOf)

    static let rehearsalOutput = convertOutput.map { option in
        ["--output", "--rejects", "--rejects-raw", "--temp-dir", "--force"].contains(option.name) ? option : nil
    }

    static let tableFormat = OptionSpec(
        "--format", takes: .word(TableFormat.allCases.map(\.rawValue), \.format),
        "form of the rows; CSV also where the output ends in .csv or .csv.gz")

    static let compared = OptionSpec(
        "--compare", takes: .text("FILE", \.compared, .file),
        "also count the subscriptions whose access differs from this table, CSV with a header or NDJSON, which has the "
            + "column original_transaction_id and any others of the states")

    private static let bundleID = OptionSpec(
        "--expect-bundle-id", takes: .text("ID", \.bundleID), "refuse notifications for other apps")

    private static let environment = OptionSpec(
        "--expect-environment",
        takes: .word(["Production", "Sandbox", "Xcode", "LocalTesting"], \.environment, hasDefault: false),
        "refuse other environments; without it, sandbox notifications are accepted (environment Sandbox), though "
            + "anyone can create them for free and Apple signs them the same way")

    static let rehearsalTrust = trust.map { [bundleID.name, environment.name].contains($0.name) ? nil : $0 }

    /// Of commands that write a table; they choose where others check.
    static let tables = [
        rehearsalOutput, convertInput,
        trust.map { option in
            switch option.name {
            case bundleID.name:
                bundleID.saying(
                    "take the subscriptions of this app alone; where records are checked, refuse those of other apps")
            case environment.name:
                environment.saying(
                    "take the subscriptions of this environment alone; where records are checked, refuse those of "
                        + "others")
            default: option
            }
        },
    ]

    static let force = OptionSpec(
        "--force", takes: .flag(\.request.overwrites), isAside: true, "replace an output that exists")

    /// How records are judged; of all commands with a timeline.
    static let judging: [OptionSpec] = [context, infer, asOf, companions, duplicates, ambiguous]

    static let redact = OptionSpec(
        "--redact", takes: .text("KEYFILE", \.redactionKey, .file),
        needs: [.value(of: "--to", ["events", "cloudevents"])],
        "replace app_account_token, which points to a person, by its HMAC-SHA256 in 64 hexadecimal digits; the key is all "
            + "bytes of the file, 16 or more")

    static let temporary = OptionSpec(
        "--temp-dir", takes: .text("PATH", \.timeline.temporaryFolder, .path), isAside: true, needs: [isTimeline],
        "folder of the temporary files that timeline context needs for large inputs (default: that of the output, "
            + "or TMPDIR or /tmp)")

    private static let pointer = "a JSON pointer that begins with '/'"
    static let timeForms =
        "a date such as 2025-01-31, a time such as 2025-01-31T00:00:00Z, or seconds or milliseconds since 1970"

    static let isTimeline = OptionSpec.Condition.value(of: "--context", ["timeline"])

    static let context = OptionSpec(
        "--context", takes: .either("timeline", "record", \.isRecordContext),
        "judge each record together with all others of its subscription, or by itself")

    static let shape = OptionSpec(
        "--to", short: "t", takes: .choice(\.request.records.shape.kind),
        "shape of the output: our events, Apple's version 2 payloads (unsigned; without companions and duplicates), or "
            + "CloudEvents 1.0")

    static let appAppleID = OptionSpec(
        "--app-apple-id", takes: .number("N", \.request.records.shape.appAppleID),
        "the Apple ID of the app in App Store Connect, written where a version 1 body does not say it; it changes no id"
    )

    static let infer = OptionSpec(
        "--infer", takes: .choice(\.timeline.inference), needs: [isTimeline],
        "in timeline context, add events that no notification reports: safe those that the records prove, all also those "
            + "that are only likely")

    static let asOf = OptionSpec(
        "--as-of",
        takes: .parsed("archive-end|TIME", \.timeline.asOf, "archive-end, " + timeForms) {
            EventTime.written($0)?.milliseconds
        },
        needs: [isTimeline],
        "the time to take as now when a subscription lapsed and never returned, or a notification never came: the "
            + "latest time in the input (of settle: of the same key, and nothing counts as missing), or a date "
            + "such as 2025-01-31, a time, or seconds or milliseconds since 1970")

    static let companions = OptionSpec(
        "--companions", takes: .either("keep", "drop", \.dropsCompanions),
        needs: [.when("keep", .value(of: "--to", ["events", "cloudevents"]))],
        "write or leave out notifications that are only part of another event; what is left out may still be named in "
            + "derived_from")

    static let duplicates = OptionSpec(
        "--duplicates", takes: .either("keep", "drop", \.dropsDuplicates),
        needs: [isTimeline, .when("keep", .value(of: "--to", ["events", "cloudevents"]))],
        "in timeline context: write or leave out notifications that were delivered again; without them, ids are unique")

    static let ambiguous = OptionSpec(
        "--ambiguous", takes: .either("keep", "reject", \.request.records.rejectsAmbiguous),
        "write events that remain ambiguous, or reject their records (event.ambiguous) and leave out ambiguous deduced "
            + "events; companions and duplicates of a rejected event stay, unless they are ambiguous, too")

    static let convertInput = OptionGroup(
        "Input",
        OptionSpec(
            "--input-format", short: "i", takes: .choice(\.request.inputFormat),
            "one record per line, a JSON array, concatenated documents, a table with a header, or a log with JSON in its "
                + "lines; auto looks at the start of each file"),
        envelope,
        OptionSpec(
            "--received-at",
            takes: .parsed("auto|none|mtime|/POINTER", \.receivedAt, "auto, none, mtime or " + pointer) { text in
                switch text {
                case "none": ReceivedAt.none
                case "mtime": .modificationTime
                default: text.hasPrefix("/") ? .pointer(RecordConverter.steps(text)) : nil
                }
            },
            "where the time of arrival is in each record: auto finds it beside the notification, mtime takes the "
                + "time of the file, for archives of one body per file"),
        OptionSpec(
            "--files-from", takes: .text("PATH|-", \.request.filesFrom, .file),
            "read the names of further inputs from a file, one per line or NUL-terminated (find -print0), or from "
                + "standard input"),
        OptionSpec(
            "--include", takes: .texts("GLOB", \.request.include),
            "in folders, read only files that match; a pattern with a slash is compared with the path in the folder"),
        OptionSpec("--exclude", takes: .texts("GLOB", \.request.exclude), "in folders, leave out what matches"))

    static let envelope = OptionSpec(
        "--envelope",
        takes: .parsed("auto|none|/POINTER", \.request.records.envelope, "auto, none or " + pointer) { text in
            text == "none" ? "" : text.hasPrefix("/") ? text : nil
        },
        "where the notification is in each record: auto finds it, none means the record is the notification")

    private static let isChecked = OptionSpec.Condition.oneOf(["--verify", "--verify-receipts", "--shared-secret-file"])

    /// Shared by the commands that make events.
    static let trust = OptionGroup(
        "Trust",
        OptionSpec(
            "--verify", takes: .text("none|apple|ROOT.cer", \.verify, .file),
            "check version 2 signatures up to Apple's root, or up to a root of your own; refused ones are rejects"),
        bundleID.needing(isChecked), environment.needing(isChecked),
        OptionSpec(
            "--expect-app-apple-id", takes: .number("NUMBER", \.expectedAppAppleID), needs: [isChecked],
            "refuse notifications for apps of another number"),
        OptionSpec(
            "--shared-secret-file", takes: .text("PATH", \.secrets, .file),
            "check the secret of version 1 bodies: one secret per line, or a bundle id and its secret"),
        OptionSpec(
            "--require-authentic", takes: .flag(\.requiresAuthentic), needs: [isChecked],
            "also refuse records without proof of origin: bodies without a secret, payloads without a signature; with "
                + "--verify-receipts, a body whose receipt covers all of its event passes, too"),
        OptionSpec(
            "--verify-receipts", takes: .text("none|apple|ROOT.cer", \.verifyReceipts, .file),
            "check the receipts in version 1 bodies up to Apple's root, or up to a root of your own, and say in "
                + "source.receipt what each proves of its event; a receipt that verifies also dates a body without a time of "
                + "its own, and completes transactions that the body lacks (flag RECEIPT_ROWS); refuses nothing by itself"
        ))

    static let jobs = OptionSpec(
        "--jobs", short: "j", takes: .number("N", \.jobs), isAside: true,
        "number of workers (default: one for each core); never changes the output")

    static let convertRun = OptionGroup(
        "Run",
        OptionSpec(
            "--strict", takes: .flag(\.isStrict),
            "exit with 1 if anything was ambiguous or of an unknown type, or if version 2 contradicts a translation"),
        OptionSpec(
            "--max-rejects", takes: .number("N", \.maxRejects),
            "exit with 1 only if there are more rejects than this (default 0)"),
        jobs,
        OptionSpec(
            "--quiet", short: "q", takes: .flag(\.isQuiet), isAside: true,
            "print nothing on standard error except what stopped the run"),
        OptionSpec(
            "--verbose", short: "v", takes: .flag(\.isVerbose), isAside: true,
            "show every reject, not only the first 20 of each code"))
}
