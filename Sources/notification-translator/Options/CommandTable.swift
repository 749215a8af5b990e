import NotificationArchives
import NotificationTranslation

/// All commands and options there are.
///
/// Everything listed here works; what is only planned is not listed.
enum CommandTable {
    /// In the order of the help.
    static let commands: [CommandSpec] = working + [help, completions, man]

    private static let working = [
        convert, state, transactions, worklist, rehearse, pipe, evidence, settle, report, explain, mapping, schema,
    ]

    /// Options that every command knows.
    static let everywhere: [OptionSpec] = [
        OptionSpec("--help", short: "h", takes: .written(\.help), "show the help of the command; -h shows a short one"),
        OptionSpec("--version", takes: .flag(\.wantsVersion), "print the versions of the program and of its rules"),
    ]

    private static let files = "[FILE|DIR|-]..."

    static func command(named name: String) -> CommandSpec? { commands.first { $0.name == name } }

    private static let convert = CommandSpec(
        name: "convert", run: ConvertCommand.run,
        summary: "archives in, events out, one JSON object per line",
        operands: files,
        groups: [convertOutput, OptionGroup(heading: "Judgement", options: judging), convertInput, trust, convertRun],
        details: [
            "Reads archived App Store Server Notifications, version 1 and 2 mixed, and writes one event per line in the "
                + "order of the input. Folders are read with all folders in them, in the order of their paths. "
                + "Standard input is read where nothing is named, if it is a pipe or a file.",
            "A record that cannot be converted is counted, reported on standard error, and makes the exit code 1. All "
                + "other records are converted.",
        ],
        examples: [
            "notification-translator convert archive/ -o events.ndjson": "a folder of archives into one file",
            "zcat 2020.gz | notification-translator convert - | jq .type": "as part of a pipeline",
            "notification-translator convert old.ndjson -o events.ndjson --rejects rejects.ndjson --max-rejects 10":
                "accept up to ten broken records, and list their places",
        ])

    private static let state = CommandSpec(
        name: "state", run: { try TableCommand.run($0, $0.history ? .history(until: .min) : .state(at: .min)) },
        summary: "one row per subscription: how it stands at an instant, its history, or how your own table differs",
        operands: files,
        groups: [
            OptionGroup(
                "State",
                OptionSpec(
                    "--at", takes: .parsed("TIME", \.timeline.asOf, timeForms) { EventTime.written($0)?.milliseconds },
                    needs: [.without("--history")],
                    "the instant: a date such as 2025-01-31, a time, or seconds or milliseconds since 1970 (default: the "
                        + "latest time in the input)"),
                OptionSpec(
                    "--history", takes: .flag(\.history),
                    "write every stretch of time of each subscription, with valid_from and valid_to"),
                compared.needing(.without("--history")).saying(
                    "write the differences between the states and this table, CSV with a header or NDJSON, which has the "
                        + "column original_transaction_id and any others of the states"),
                tableFormat)
        ] + tables + [
            convertRun.map {
                guard $0.name == "--strict" else { return $0 }
                return $0.saying("exit with 1 if a table that is compared differs, or a state is not known")
            }
        ],
        details: [
            "Says how each subscription, and each purchase made once, stood at an instant, by everything that the input "
                + "holds, later records too: Apple's status (1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked), "
                + "access, product, automatic renewal, and how sure that is. What is not known is unknown, never expired.",
            "In a table to compare, a status is a number or a word (active, expired, billing_retry, grace_period, revoked), "
                + "yes and no are 1, true, t, yes, y, on or active and their opposites. A time is RFC 3339 (UTC if it has no "
                + "zone), a date (it matches any time of that day), or seconds or milliseconds since 1970. An empty cell is "
                + "null. Other values are refused.",
        ],
        examples: [
            "notification-translator state archive/ -o state.csv": "how everybody stands, as CSV",
            "notification-translator state archive/ --at 2024-01-01": "at the beginning of 2024",
            "notification-translator state archive/ --compare subscriptions.csv":
                "what your own table has otherwise",
        ])

    private static let transactions = CommandSpec(
        name: "transactions", run: { try TableCommand.run($0, .transactions(asOf: .min)) },
        summary: "one row per transaction: bought, renewed, refunded or replaced, whoever reported it",
        operands: files,
        groups: [OptionGroup("Transactions", asOf, tableFormat)] + tables + [convertRun],
        details: [
            "Every transaction that a notification, a list in its body or an answer of Apple's shows, once: its period, how it "
                + "ended, offer, price where Apple says it, and who reports it. Money that a list proves is certain, also where "
                + "the event about it is not."
        ],
        examples: ["notification-translator transactions archive/ -o transactions.csv": "for finance"])

    private static let worklist = CommandSpec(
        name: "worklist", run: { try TableCommand.run($0, .worklist(asOf: .min)) },
        summary: "which subscriptions to ask Apple about, and what",
        operands: files,
        groups: [
            OptionGroup(
                "Questions", asOf,
                OptionSpec(
                    "--limit", takes: .number("N", \.timeline.limit),
                    "write at most so many lines, those that matter most first"))
        ] + tables + [convertRun],
        details: [
            "One line for each subscription whose state, events or transactions stay open, those whose access today is not "
                + "known first. Apple's App Store Server API answers them; read beside the archive, its answers take the line "
                + "off the list."
        ],
        examples: ["notification-translator worklist archive/ --limit 100": "the hundred that matter most"])

    private static let rehearse = CommandSpec(
        name: "rehearse", run: RehearseCommand.run,
        summary: "version 2 bodies of an archive's history, to be posted to an endpoint under test",
        operands: files,
        groups: [rehearsal, rehearsalOutput, convertInput, rehearsalTrust, convertRun],
        details: [
            "Writes what version 2 would have sent of the same history: one line for each delivery, in the order of "
                + "time, {\"send_at\":..., \"attempt\":..., \"notificationUUID\":..., \"body\":{\"signedPayload\":...}}. "
                + "Apple's libraries decode the bodies in the environment chosen, never in Production. In the end, the "
                + "handler has to hold what the archive tells.",
            "Each payload carries translation, so that it is never read as Apple's again. The events of one app and "
                + "environment are rehearsed; the others are left out and counted.",
        ],
        examples: [
            "notification-translator rehearse archive/ -o bodies.ndjson": "for a verifier in LocalTesting",
            "notification-translator rehearse archive/ --environment Sandbox --sign keys -o bodies.ndjson":
                "signed, for a verifier that trusts keys/root.cer",
            "notification-translator rehearse archive/ --retries 7 | jq -c .body":
                "with retries, duplicates, swapped neighbours and outages",
        ])

    private static let pipe = CommandSpec(
        name: "pipe", run: { try PipeCommand.run($0, writesEvidence: false) },
        summary: "one line in, one line out, until the input ends",
        groups: [
            OptionGroup(
                "Lines", shape, appAppleID, envelope, redact, ambiguous,
                OptionSpec(
                    "--errors", takes: .choice(\.errors),
                    "where the answer to a line without an event goes: into the output, to standard error, or nowhere"
                )), trust,
        ],
        details: [
            "For a program that keeps this one running beside it. Every line, blank and broken ones included, gets one "
                + "line as its answer, in the same order. All answers to the lines read so far are written before more is read.",
            "If a line holds no event, the answer is {\"error\":{\"code\":...,\"message\":...,\"line\":...}}. The exit "
                + "code is 0 whatever the lines hold.",
        ],
        examples: ["head -3 old.ndjson | notification-translator pipe": "three lines in, three lines out"])

    private static let evidence = CommandSpec(
        name: "evidence", run: { try PipeCommand.run($0, writesEvidence: true) },
        summary: "one line in, one or more out: each event and its evidence, to be stored by key",
        groups: [
            OptionGroup(
                "Lines",
                OptionSpec("--ends", takes: .flag(\.tellsEnds), "write an empty line after the lines of each record"),
                envelope, redact), trust,
        ],
        details: [
            "For a cluster, a table or a topic: each line is judged by itself and answered with "
                + "one line for each notification in it, KEY<TAB>TIME<TAB>{\"event\":...,\"evidence\":...}. The key is the original transaction id; it is empty for "
                + "errors and for notifications that name none.",
            "settle reads such lines, brought together by their key.",
        ],
        examples: [
            "notification-translator evidence < old.ndjson | LC_ALL=C sort | notification-translator settle":
                "timeline context with a sort in place of a cluster"
        ])

    private static let settle = CommandSpec(
        name: "settle", run: SettleCommand.run,
        summary: "lines of evidence, grouped by key, in; the events of each timeline out",
        groups: [
            OptionGroup(
                heading: "Judgement",
                options: [
                    asOf,
                    OptionSpec(
                        "--to", short: "t", takes: .choice(\.rows),
                        "what of each group is written: its events, its state as of --as-of, or its transactions"),
                ] + [infer, companions, duplicates, ambiguous].map { $0.needing(.value(of: "--to", ["events"])) }),
            OptionGroup(
                "Lines",
                OptionSpec(
                    "--ends", takes: .flag(\.tellsEnds),
                    "write a line after each group: {\"group\":{\"key\":..., \"lines\":..., \"settle_at\":...}}; settle_at is "
                        + "when time alone changes the answer")),
        ],
        details: [
            "Reads the lines that evidence wrote, those of one key together, and writes the events of a key as soon as its "
                + "last line was read. Errors pass through.",
            "An empty line ends a group at once, and so does a line that holds only a time (RFC 3339), which is the --as-of "
                + "of the group.",
        ],
        examples: ["LC_ALL=C sort keyed | notification-translator settle > events.ndjson": "lines that evidence wrote"])

    private static let report = CommandSpec(
        name: "report", run: ReportCommand.run,
        summary: "report how archives would be converted, without writing events",
        operands: files,
        groups: [
            OptionGroup(
                "Output", output,
                OptionSpec(
                    "--format", takes: .choice(\.reportFormat), isAside: true,
                    "form of the report; without it the end of the output's name decides (.html, .md, .json)"),
                temporary, force),
            OptionGroup(heading: "Judgement", options: judging + [compared.needing(isTimeline)]), convertInput, trust,
            convertRun,
        ],
        details: [
            "Reads and judges everything as convert does, with the same options, and reports what it found: how sure the "
                + "answers are, how far they agree with Apple's own version 2 notifications where an archive has both, "
                + "and what deserves a look.",
            "The counts are those of the events that convert would write. Exit codes are those of convert.",
        ],
        examples: [
            "notification-translator report archive/": "Markdown, for a pull request",
            "notification-translator report --format html archive/ -o report.html": "a page to read and to print",
            "notification-translator report --format json archive/ | jq .agreement":
                "how far version 1 and version 2 agree",
        ])

    private static let help = CommandSpec(
        name: "help", run: SmallCommands.help,
        summary: "explain a command or a topic",
        operands: "[COMMAND|\(Topics.all.map(\.key).joined(separator: "|"))]",
        operandChoices: working.map(\.name) + ["completions", "man"] + Topics.all.map(\.key))

    private static let explain = CommandSpec(
        name: "explain", run: ExplainCommand.run,
        summary: "say why a body became that event, or what a name means",
        operands: "[FILE|-|NAME|FILE:LINE [FILE|DIR]...]",
        groups: [
            OptionGroup(
                "Judgement",
                OptionSpec(
                    "--id", takes: .text("ID", \.id),
                    "explain the event, subscription, transaction or account token of this id in the files and folders "
                        + "named: what convert did, with its subscription"),
                context, infer, asOf, temporary, jobs), convertInput, trust,
        ].map { $0.map { $0.needing(.story) } },
        details: [
            "FILE:LINE and --id show what convert made of a record with the same options, and why: the whole subscription "
                + "in the order of time, each record with its place, its result, the rule, and the neighbours that decided. "
                + "Only the files and folders that are named are read.",
            "A body (a file, or standard input) is judged alone: the facts, the rule that decided, what else is possible "
                + "and what would settle it. NAME is a V1 type, a V2 type, subtype or pair, a flag, a rule, a fact, an event "
                + "kind, a field, a value of a field such as keep, or an error code. For a file with the same name, "
                + "write ./NAME.",
        ],
        examples: [
            "notification-translator explain old.ndjson.gz:1204 archive/":
                "what convert archive/ made of that record, and why",
            "notification-translator explain --id 7d3c2a5e-0c1b-5d0e-9b5e-2f4f3c1f8a11 archive/":
                "the same for an event",
            "notification-translator explain body.json": "one body, or each line of a file",
            "notification-translator explain CANCEL": "what a CANCEL can mean, rule by rule",
            "notification-translator explain json.duplicate-key": "what a reject's code means",
        ])

    private static let mapping = CommandSpec(
        name: "mapping", run: SmallCommands.mapping,
        summary: "print the decision table and the other tables of this build",
        groups: [
            OptionGroup(
                "Options",
                OptionSpec("--format", takes: .word(["markdown", "json", "csv"], \.format), "form of the tables"))
        ])

    private static let schema = CommandSpec(
        name: "schema", run: SchemaCommand.run,
        summary: "print the fields of the output in the form a database or a validator asks for",
        groups: [
            OptionGroup(
                "Options",
                OptionSpec("--format", takes: .word(SchemaCommand.formats, \.format), "the language of the schema"),
                OptionSpec(
                    "--shape", takes: .word(Schema.shapes, \.schemaShape),
                    "which output: see convert --to, state and transactions"))
        ],
        examples: [
            "notification-translator schema --format postgres > events.sql": "tables, a load and a view",
            "duckdb -c \"from read_json('events.ndjson', $(notification-translator schema --format duckdb))\"":
                "every column has its type, even where it is always null",
        ])

    private static let completions = CommandSpec(
        name: "completions", run: SmallCommands.completions,
        summary: "print the completions of a shell",
        operands: "bash|zsh|fish",
        operandChoices: ["bash", "zsh", "fish"],
        examples: [
            "source <(notification-translator completions bash)": "for this bash session",
            "notification-translator completions zsh > ~/.zfunc/_notification-translator":
                "for zsh, where ~/.zfunc is a folder of fpath, before compinit",
            "notification-translator completions fish > ~/.config/fish/completions/notification-translator.fish":
                "for fish",
        ])

    private static let man = CommandSpec(
        name: "man", run: { _ in try Program.print(ManPage.text) }, summary: "print the manual page",
        examples: ["notification-translator man | man -l -": "read it"])
}
