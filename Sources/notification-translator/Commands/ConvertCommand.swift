import NotificationArchives
import NotificationReports
import NotificationTranslation
import NotificationLibC

/// The command `convert`.
enum ConvertCommand {
    /// Converts archives, says what became of them, and turns that into an exit code.
    static func run(_ arguments: Arguments) throws -> Int32 {
        var request = try request(arguments)
        if request.inputs.isEmpty, request.filesFrom == nil { return try refuseNoInput(of: "convert") }
        request.reports = try reports(arguments, request)
        request.judgesAgreement = !request.reports.isEmpty || arguments.has("--strict")
        return try run(request, arguments)
    }

    /// Carries out a request, says what came of it, and turns that into an exit code.
    static func run(_ request: ConversionRequest, _ arguments: Arguments) throws -> Int32 {
        let messages = Messages(isQuiet: arguments.has("--quiet"), isVerbose: arguments.has("--verbose"))
        try Interruption.listen()
        let outcome = try Conversion(request, messages: messages).run()
        let summary = Summary(outcome)
        if !messages.isQuiet {
            messages.say(summary.text)
            if let table = outcome.table { messages.say(TableCommand.line(table, arguments)) }
            for note in Notes(outcome, request).sentences { Program.say(note) }
            let leftOut = outcome.tally.companions + outcome.tally.duplicates
            if request.records.shape.isOfEventsOnly, leftOut > 0 {
                let what = request.rehearsal == nil ? "--to v2" : "the rehearsal"
                Program.say("\(what) left out \(grouped(leftOut)) companions and duplicates; --to events has them")
            }
        }
        return exitCode(outcome, arguments, messages)
    }

    /// The reports that are to be written beside the events.
    private static func reports(_ arguments: Arguments, _ request: ConversionRequest) throws -> [ReportFile] {
        let paths = arguments.all("--report")
        guard !paths.isEmpty else { return [] }
        var taken = [request.output, request.rejects].compactMap { $0 }
        return try paths.map { path in
            guard let format = ReportFormat(ofPath: path) else {
                throw arguments.refusal(
                    "invalid value for --report (expected: a path that ends in .html, .md or .json)")
            }
            guard !taken.contains(path) else {
                throw arguments.refusal("two outputs cannot be the same file.")
            }
            taken.append(path)
            let command = Reproduction(arguments, format: format).text
            return ReportFile(path: path) { [format.render(ReportDocument($0, command: command))] }
        }
    }

    /// What the options ask for; of ``ReportCommand``, too.
    static func request(_ arguments: Arguments) throws -> ConversionRequest {
        var request = try judging(arguments)
        request.records.shape = try ShapeArguments.shape(arguments)
        let dropsCompanions = arguments.value("--companions") == "drop" || request.records.shape.isOfEventsOnly
        request.records.dropsCompanions = request.timeline == nil && dropsCompanions
        if request.records.shape.isOfEventsOnly {
            request.timeline?.dropped.formUnion([.companion, .duplicate])
            request.timeline?.tellsStatus = true
        }
        request.records.rejectsAmbiguous = arguments.value("--ambiguous") == "reject"
        request.redactionKey = try RedactionArguments.key(arguments)
        request.inputs = arguments.operands
        request.output = arguments.value("--output") ?? "-"
        request.optionFiles = [
            "--shared-secret-file", "--redact", "--files-from", "--verify", "--verify-receipts",
        ].compactMap { option in arguments.value(option).map { (option, $0) } }
        request.overwrites = arguments.has("--force")
        request.rejects = arguments.value("--rejects")
        request.rejectsAreRaw = arguments.has("--rejects-raw")
        request.filesFrom = arguments.value("--files-from")
        if request.inputs.isEmpty, request.filesFrom == nil, Descriptor.standardInput.holdsInput {
            request.inputs = ["-"]
        }
        request.dryRun = arguments.has("--dry-run")
        try refuseForeignNames(arguments)
        if let rejects = request.rejects, rejects == request.output {
            throw arguments.refusal("--rejects and the output cannot be the same.")
        }
        return request
    }

    /// Refuses outputs whose names promise a format that is not written.
    private static func refuseForeignNames(_ arguments: Arguments) throws(UsageError) {
        for option in ["--output", "--rejects"] {
            guard let path = arguments.value(option) else { continue }
            let name = path.lowercased()
            let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
            guard let end = plain.split(separator: ".").last, unwritten.contains(String(end)), plain.contains("."),
                end != "csv" || option != "--output" || !TableCommand.writesCSV(arguments.command)
            else { continue }
            throw arguments.refusal(
                "\(option) \(printable(path)): this program does not write .\(end). "
                    + (arguments.command == "report"
                        ? "A report is .md, .html or .json." : "Its output is .ndjson or .ndjson.gz."))
        }
    }

    /// Ends of the names of formats that other programs write.
    private static let unwritten: Set = [
        "csv", "tsv", "parquet", "avro", "orc", "arrow", "feather", "xlsx", "sqlite", "sqlite3", "db", "duckdb", "zst",
        "zstd", "xz", "bz2", "lz4", "br", "zip", "tar", "tgz", "7z",
    ]

    /// How records are found and judged; of `explain` too.
    static func judging(_ arguments: Arguments) throws -> ConversionRequest {
        var request = ConversionRequest(records: .init(envelope: try envelope(arguments)))
        request.timeline = arguments.value("--context") == "record" ? nil : try timeline(arguments)
        request.records.receivedAt = try receivedAt(arguments)
        let trust = try TrustArguments(arguments)
        request.policy = trust.policy
        request.inputFormat = arguments.value("--input-format").flatMap(ConversionRequest.InputFormat.init) ?? .auto
        request.include = arguments.all("--include")
        request.exclude = arguments.all("--exclude")
        request.jobs = min(arguments.number("--jobs") ?? 0, 256)
        return request
    }

    /// How a timeline is settled.
    static func timeline(_ arguments: Arguments) throws(UsageError) -> TimelineRequest {
        var timeline = TimelineRequest()
        let inference = arguments.value("--infer") ?? (arguments.command == "rehearse" ? "all" : "none")
        timeline.inference = SilentInference(rawValue: inference) ?? .off
        if arguments.value("--companions") == "drop" { timeline.dropped.insert(.companion) }
        if arguments.value("--duplicates") == "drop" { timeline.dropped.insert(.duplicate) }
        timeline.temporaryFolder = arguments.value("--temp-dir")
        if let text = arguments.value("--at") {
            timeline.asOf = try instant(text, of: "--at", arguments)
        } else if let text = arguments.value("--as-of"), text != "archive-end" {
            timeline.asOf = try instant(text, of: "--as-of", arguments)
        }
        return timeline
    }

    private static func instant(_ text: String, of option: String, _ arguments: Arguments) throws(UsageError) -> Int64 {
        guard let time = EventTime(text) ?? EventTime(text + "T00:00:00Z") else {
            let end = option == "--as-of" ? "archive-end, " : ""
            throw arguments.refusal(
                "invalid value for \(option) (expected: \(end)a date such as 2025-01-31, a time such as "
                    + "2025-01-31T00:00:00Z, or seconds or milliseconds since 1970)")
        }
        return time.milliseconds
    }

    /// What `--envelope` asks for, as the converter wants it.
    static func envelope(_ arguments: Arguments) throws(UsageError) -> String? {
        switch arguments.value("--envelope") {
        case nil, "auto": return nil
        case "none": return ""
        case let pointer? where pointer.hasPrefix("/"): return pointer
        default:
            throw arguments.refusal("--envelope takes auto, none or a JSON pointer that begins with '/'.")
        }
    }

    /// What `--received-at` asks for.
    private static func receivedAt(_ arguments: Arguments) throws(UsageError) -> ReceivedAt {
        switch arguments.value("--received-at") {
        case nil, "auto": return .auto
        case "none": return .none
        case "mtime": return .modificationTime
        case let pointer? where pointer.hasPrefix("/"): return .pointer(RecordConverter.steps(pointer))
        default:
            throw arguments.refusal("--received-at takes auto, none, mtime or a JSON pointer that begins with '/'.")
        }
    }

    /// What is said where no input is named.
    static func refuseNoInput(of name: String) throws -> Int32 {
        if isatty(0) == 1, let command = CommandTable.command(named: name) {
            try Descriptor.standardError.writeAll(HelpText.of(command))
            return Program.ExitCode.failure
        }
        throw UsageError(
            "no input. Name files or folders, or name '-' for standard input: "
                + "notification-translator \(name) archive/" + (name == "convert" ? " -o events.ndjson" : ""),
            command: name)
    }

    private static func exitCode(_ outcome: Conversion.Outcome, _ arguments: Arguments, _ messages: Messages) -> Int32 {
        if outcome.wasDamaged {
            for (input, converted) in outcome.damages.prefix(20) {
                let name = input.split(separator: "/").last.map(String.init) ?? input
                let what = converted.map {
                    "is damaged; \(count($0, "record")) before the damage \($0 == 1 ? "was" : "were") converted"
                }
                Program.say(
                    "\(printable(input)): the input \(what ?? "cannot be read; the others were converted")"
                        + (input == "-" ? "" : "; to leave it out of its folder, use --exclude '\(printable(name))'"))
            }
            if outcome.damages.count > 20 {
                Program.say("\(grouped(outcome.damages.count)) inputs are damaged or cannot be read")
            }
            return Program.ExitCode.failure
        }
        if outcome.unsettled > 0 {
            Program.say(
                "internal error: temporary data of \(count(outcome.unsettled, "record")) is damaged; "
                    + "\(outcome.unsettled == 1 ? "it was" : "they were") judged alone, as with --context record; "
                    + "run it again")
            return Program.ExitCode.failure
        }
        guard let finding = finding(outcome, arguments) else { return Program.ExitCode.done }
        if !messages.isQuiet { Program.say(finding) }
        return Program.ExitCode.findings
    }

    /// Why a run that did all of its work does not end with 0.
    private static func finding(_ outcome: Conversion.Outcome, _ arguments: Arguments) -> String? {
        let tally = outcome.tally
        let allowed = arguments.number("--max-rejects") ?? 0
        if tally.rejected > allowed {
            return "\(count(tally.rejected, "record")) rejected, \(allowed) allowed (--max-rejects)"
        }
        if outcome.files == 0 { return "no input file was found: the folders contain no file that matches" }
        if tally.records > 0, tally.converted + tally.evidence == 0 { return "nothing was converted" }
        if outcome.rehearsal?.bodies == 0, tally.records > 0 { return "nothing is to be posted" }
        if tally.signs > 0 { return "\(count(tally.signs, "skipped record")) with signs of a notification" }
        guard arguments.has("--strict") else { return nil }
        if let table = outcome.table { return TableCommand.finding(table, arguments) }
        if outcome.contradicted > 0 {
            return "version 2 contradicts \(count(outcome.contradicted, "exact answer")) (--strict)"
        }
        return tally.ambiguous + tally.unmapped > 0 ? "something is ambiguous or of an unknown type (--strict)" : nil
    }
}
