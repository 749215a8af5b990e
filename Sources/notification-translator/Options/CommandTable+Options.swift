import ArchiveConversion
import NotificationTranslation

/// Options, and groups of options, that commands have in common.
extension CommandTable {
    static let convertOutput: [OptionSpec] = [
        OptionSpec(
            "--output",
            short: "o",
            takes: .path("PATH"),
            "write there instead of standard output; the file appears when it is complete, packed if it ends in .gz"
        ),
        shape, context, infer, asOf, companions, duplicates, ambiguous, catalogue,
        OptionSpec("--rejects", takes: .path("PATH"), "write one line for each record that could not be converted"),
        OptionSpec("--rejects-raw", "add the record itself to each of those lines; the file is readable by you alone"),
        OptionSpec(
            "--report",
            takes: .path("PATH"),
            repeatable: true,
            "write a report on the conversion, too: a page if it ends in .html, Markdown if in .md, JSON if in .json"
        ),
        temporary,
        OptionSpec("--force", "replace an output that exists"),
        OptionSpec("--dry-run", short: "n", "read, judge and count, but write nothing"),
    ]

    static let temporary = OptionSpec(
        "--temp-dir",
        takes: .path("PATH"),
        "folder of the temporary files that timeline context needs for large inputs (default: that of the output, "
            + "or TMPDIR or /tmp)"
    )

    static let context = OptionSpec(
        "--context",
        takes: .choice(["timeline", "record"]),
        "judge each record together with all others of its subscription, or by itself"
    )

    static let shape = OptionSpec(
        "--to",
        short: "t",
        takes: .choice(EventShape.Kind.allCases.map(\.rawValue)),
        "shape of the output: our events, Apple's version 2 payloads (unsigned; without companions and duplicates), or "
            + "CloudEvents 1.0"
    )

    static let infer = OptionSpec(
        "--infer",
        takes: .choice(SilentInference.allCases.map(\.rawValue)),
        "in timeline context, add events that version 1 never sent: safe those that the records prove, all also those "
            + "that are only likely"
    )

    static let asOf = OptionSpec(
        "--as-of",
        takes: .text("archive-end|TIME"),
        "the time to take as now when a subscription lapsed and never returned, or a notification never came: the "
            + "latest time in the input (of pipe --grouped: of the same key, and nothing counts as missing), or a date "
            + "such as 2025-01-31, a time, or seconds or milliseconds since 1970"
    )

    static let companions = OptionSpec(
        "--companions",
        takes: .choice(["keep", "drop"]),
        "write or leave out notifications that are only part of another event; what is left out may still be named in "
            + "derived_from"
    )

    static let duplicates = OptionSpec(
        "--duplicates",
        takes: .choice(["keep", "drop"]),
        "in timeline context: write or leave out notifications that were delivered again; without them, ids are unique"
    )

    static let ambiguous = OptionSpec(
        "--ambiguous",
        takes: .choice(["keep", "reject"]),
        "write events that remain ambiguous, or reject their records (event.ambiguous) and leave out ambiguous deduced "
            + "events; companions and duplicates of a rejected event stay, unless they are ambiguous, too"
    )

    static let catalogue = OptionSpec(
        "--catalogue",
        takes: .path("FILE"),
        "what you know of your products (CSV or JSON: kind, period, rank, group, promotional offers); it settles which way "
            + "plans went and what was refunded"
    )

    static let convertInput: [OptionSpec] = [
        OptionSpec(
            "--input-format",
            short: "i",
            takes: .choice(ConversionRequest.InputFormat.allCases.map(\.rawValue)),
            "one record per line, a JSON array, concatenated documents, a table with a header, or a log with JSON in its "
                + "lines; auto looks at the start of each file"
        ),
        envelope,
        OptionSpec(
            "--received-at",
            takes: .text("auto|none|mtime|/POINTER"),
            "where the time of receipt is in each record: auto finds it beside the notification, mtime takes the "
                + "time of the file, for archives of one body per file"
        ),
        OptionSpec("--files-from", takes: .path("PATH"), "read the names of further inputs from a file, one per line"),
        OptionSpec(
            "--include",
            takes: .text("GLOB"),
            repeatable: true,
            "in folders, read only files that match; a pattern with a slash is compared with the path in the folder"
        ),
        OptionSpec("--exclude", takes: .text("GLOB"), repeatable: true, "in folders, leave out what matches"),
    ]

    static let envelope = OptionSpec(
        "--envelope",
        takes: .text("auto|none|/POINTER"),
        "where the notification is in each record: auto finds it, none means the record is the notification"
    )

    /// Shared by the commands that make events.
    static let trust: [OptionSpec] = [
        OptionSpec(
            "--verify",
            takes: .text("none|apple|ROOT.cer"),
            "check version 2 signatures up to Apple's root, or up to a root of your own; refused ones are rejects"
        ),
        OptionSpec(
            "--expect-bundle-id",
            takes: .text("ID"),
            repeatable: true,
            "with --verify, --verify-receipts or secrets: refuse notifications for other apps"
        ),
        OptionSpec(
            "--expect-environment",
            takes: .choice(["Production", "Sandbox", "Xcode", "LocalTesting"]),
            hasDefault: false,
            "refuse other environments; without it, sandbox notifications are accepted (environment Sandbox), though "
                + "anyone can create them for free and Apple signs them the same way"
        ),
        OptionSpec(
            "--expect-app-apple-id",
            takes: .text("NUMBER"),
            repeatable: true,
            "refuse notifications for apps of another number"
        ),
        OptionSpec(
            "--shared-secret-file",
            takes: .path("PATH"),
            "check the secret of version 1 bodies: one secret per line, or a bundle id and its secret"
        ),
        OptionSpec(
            "--require-authentic",
            "also refuse records without proof of origin: bodies without a secret, payloads without a signature"
        ),
        OptionSpec(
            "--verify-receipts",
            takes: .text("none|apple|ROOT.cer"),
            "check the receipts in version 1 bodies up to Apple's root, or up to a root of your own, and say in "
                + "source.receipt what each proves of its event; refuses nothing by itself"
        ),
        OptionSpec(
            "--receipt-rows",
            "with --verify-receipts: take transactions that a body lacks from its receipt (flag RECEIPT_ROWS)"
        ),
        OptionSpec(
            "--receipt-dates",
            takes: .choice(["verified", "unverified"]),
            "how version 1 bodies without a time of their own are dated: by receipts that --verify-receipts verified "
                + "(without it by none), or by receipts whose signature is not checked (flag RECEIPT_DATE_UNPROVEN; "
                + "not with --verify-receipts)"
        ),
        OptionSpec(
            "--accept",
            takes: .choice(["receipt"]),
            hasDefault: false,
            "with --require-authentic and --verify-receipts: also accept a V1 body without a secret if source.receipt "
                + "covers all of the event; source.authenticity stays unverified"
        ),
    ]

    /// Shared by the commands that make events.
    static let redaction: [OptionSpec] = [
        OptionSpec(
            "--redact",
            takes: .choice(["none", "pii"]),
            "replace app_account_token, which points to a person, by its HMAC-SHA256 in 64 hexadecimal digits"
        ),
        OptionSpec(
            "--redact-key-file",
            takes: .path("PATH"),
            "the key of --redact pii: all bytes of the file, 16 or more"
        ),
    ]

    static let jobs = OptionSpec(
        "--jobs",
        short: "j",
        takes: .number("N"),
        "number of workers (default: one for each core); never changes the output"
    )

    static let convertRun: [OptionSpec] = [
        OptionSpec(
            "--strict",
            "exit with 1 if anything was ambiguous or of an unknown type, or if version 2 contradicts an exact answer"),
        OptionSpec(
            "--max-rejects",
            takes: .number("N"),
            "exit with 1 only if there are more rejects than this (default 0)"
        ),
        jobs,
        OptionSpec("--quiet", short: "q", "print nothing on standard error except what stopped the run"),
        OptionSpec(
            "--verbose",
            short: "v",
            "show every reject, not only the first 20 of each code"
        ),
    ]
}
