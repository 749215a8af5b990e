import NotificationArchives
import NotificationLibC
import NotificationReports
import NotificationTranslation

enum ConvertCommand {
    /// Converts archives, says what became of them, and turns that into an exit code.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard var request = try request(arguments) else { return Program.ExitCode.failure }
        request.reports = try reports(arguments, request)
        request.timeline?.judgesAgreement = !request.reports.isEmpty || arguments.isStrict
        return try run(request, arguments)
    }

    /// Carries out a request, says what came of it, and turns that into an exit code.
    static func run(_ request: ConversionRequest, _ arguments: Arguments) throws -> Int32 {
        let messages = Messages(isQuiet: arguments.isQuiet, isVerbose: arguments.isVerbose)
        try Interruption.listen()
        let outcome = try Conversion(request, messages: messages).run()
        if !messages.isQuiet {
            messages.say(Summary(outcome: outcome).text)
            if let table = outcome.table { messages.say(TableCommand.line(table, arguments)) }
            for note in Notes(outcome: outcome, request: request).sentences { Program.say(note) }
            let leftOut = outcome.tally.companions + outcome.tally.duplicates
            if request.records.shape.isOfEventsOnly, leftOut > 0 {
                let what = request.rehearsal == nil ? "--to v2" : "the rehearsal"
                let kinds = [(outcome.tally.companions, "companion"), (outcome.tally.duplicates, "duplicate")]
                let counts = kinds.filter { $0.0 > 0 }.map { count($0.0, $0.1) }.joined(separator: " and ")
                Program.say("\(what) left out \(counts); convert --to events has \(leftOut == 1 ? "it" : "them")")
            }
        }
        return exitCode(outcome, arguments, messages)
    }

    /// The reports that are to be written beside the events.
    private static func reports(_ arguments: Arguments, _ request: ConversionRequest) throws -> [ReportFile] {
        var taken = [request.output, request.rejects].compactMap { $0 }
        return try arguments.reports.map { path in
            guard let format = ReportFormat(ofPath: path) else {
                throw arguments.refusal(
                    "invalid value for --report (expected: a path that ends in .html, .md or .json)")
            }
            guard !taken.contains(path) else { throw arguments.refusal("two outputs cannot be the same file.") }
            taken.append(path)
            let command = arguments.reproduction(format)
            return ReportFile(path: path) { format.render(ReportDocument($0, command: command)) }
        }
    }

    /// What the options ask for, of all commands that read archives; `nil` where no input is named and the help is shown.
    static func request(_ arguments: Arguments) throws -> ConversionRequest? {
        var request = try judging(arguments)
        let isOfEventsOnly = request.records.shape.isOfEventsOnly
        request.records.dropsCompanions = request.timeline == nil && (arguments.dropsCompanions || isOfEventsOnly)
        if isOfEventsOnly {
            request.timeline?.dropped.formUnion([.companion, .duplicate])
            request.timeline?.tellsStatus = true
        }
        request.redactionKey = try SmallFile.redactionKey(arguments)
        request.output = arguments.output ?? "-"
        request.optionFiles = arguments.given.filter { $0.option.value.kind == .file }.map {
            ($0.option.name, $0.value)
        }
        if request.inputs.isEmpty, request.filesFrom == nil, Descriptor.standardInput.holdsInput {
            request.inputs = ["-"]
        }
        for (option, path) in [("--output", arguments.output), ("--rejects", request.rejects)] {
            try path.map { path throws(UsageError) in try refuseForeignName(path, of: option, arguments) }
        }
        if let rejects = request.rejects, rejects == request.output {
            throw arguments.refusal("--rejects and the output cannot be the same.")
        }
        guard request.inputs.isEmpty, request.filesFrom == nil, let command = arguments.command else { return request }
        if isatty(0) == 1 {
            try Descriptor.standardError.writeAll(HelpText.of(command))
            return nil
        }
        throw arguments.refusal(
            "no input. Name files or folders, or name '-' for standard input: notification-translator "
                + "\(command.name) archive/" + (command.name == "convert" ? " -o events.ndjson" : ""))
    }

    /// Refuses an output whose name promises a format that is not written.
    private static func refuseForeignName(
        _ path: String, of option: String, _ arguments: Arguments
    ) throws(UsageError) {
        let name = path.lowercased()
        let isReport = arguments.command?.name == "report"
        let isOutput = option == "--output" && !isReport
        let plain = isOutput && name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        let isTable = isOutput && TableCommand.writesCSV(arguments)
        guard plain.contains("."), let end = plain.split(separator: ".").last, unwritten.contains(String(end)),
            end != "csv" || !isTable
        else { return }
        let written =
            if isOutput {
                "Its output is .ndjson\(isTable ? ", .csv" : "") or .ndjson.gz."
            } else {
                isReport ? "A report is .md, .html or .json." : "Rejects are .ndjson."
            }
        throw arguments.refusal("\(option) \(printable(path)): the file cannot be .\(end). \(written)")
    }

    /// File name extensions that an output cannot have.
    private static let unwritten: Set = [
        "csv", "tsv", "parquet", "avro", "orc", "arrow", "feather", "xlsx", "sqlite", "sqlite3", "db", "duckdb", "zst",
        "zstd", "gz", "xz", "bz2", "lz4", "br", "zip", "tar", "tgz", "7z",
    ]

    /// How records are found and judged; of `explain` too.
    static func judging(_ arguments: Arguments) throws -> ConversionRequest {
        var request = arguments.request
        request.timeline = arguments.isRecordContext ? nil : timeline(arguments)
        request.records.receivedAt = arguments.receivedAt ?? .auto
        request.policy = try arguments.policy()
        request.inputs = arguments.operands
        request.jobs = min(arguments.jobs ?? 0, 256)
        return request
    }

    static func timeline(_ arguments: Arguments) -> TimelineRequest {
        var timeline = arguments.timeline
        if arguments.dropsCompanions { timeline.dropped.insert(.companion) }
        if arguments.dropsDuplicates { timeline.dropped.insert(.duplicate) }
        return timeline
    }

    private static func exitCode(_ outcome: ConversionOutcome, _ arguments: Arguments, _ messages: Messages) -> Int32 {
        if outcome.wasDamaged {
            for (input, converted) in outcome.damages.prefix(20) {
                let name = input.split(separator: "/").last.map(String.init) ?? input
                let what = converted.map {
                    agreeing($0, "is damaged; # record[s] before the damage [was|were] converted")
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
                agreeing(
                    outcome.unsettled,
                    "internal error: temporary data of # record[s] is damaged; [it was|they were] judged alone, as with "
                        + "--context record; run it again"))
            return Program.ExitCode.failure
        }
        guard let finding = finding(outcome, arguments) else { return Program.ExitCode.done }
        if !messages.isQuiet { Program.say(finding) }
        return Program.ExitCode.findings
    }

    /// Why a run that did all of its work does not end with 0.
    private static func finding(_ outcome: ConversionOutcome, _ arguments: Arguments) -> String? {
        let tally = outcome.tally
        let allowed = arguments.maxRejects ?? 0
        if tally.rejected > allowed {
            return "\(count(tally.rejected, "record")) rejected, \(allowed) allowed (--max-rejects)"
        }
        if outcome.files == 0 {
            return "no input file was found: "
                + (arguments.request.filesFrom == nil
                    ? "the folders contain no file that matches"
                    : "--files-from and the folders name no file that matches")
        }
        if tally.records > 0, tally.converted + tally.evidence == 0 { return "nothing was converted" }
        if outcome.rehearsal?.bodies == 0, tally.records > 0 { return "nothing is to be posted" }
        if tally.signs > 0 { return "\(count(tally.signs, "record")) with signs of a notification that was not read" }
        guard arguments.isStrict else { return nil }
        if let finding = outcome.table.flatMap({ TableCommand.finding($0, arguments) }) { return finding }
        if outcome.table != nil {
            return tally.unmapped > 0 ? "\(count(tally.unmapped, "record")) of an unknown type (--strict)" : nil
        }
        let contradicted = outcome.agreement.total.contradicted
        if contradicted > 0 { return "version 2 contradicts \(count(contradicted, "translation")) (--strict)" }
        return tally.ambiguous + tally.unmapped > 0 ? "something is ambiguous or of an unknown type (--strict)" : nil
    }
}

enum ReportCommand {
    /// Reads everything as `convert` does and writes nothing but the report.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard var request = try ConvertCommand.request(arguments) else { return Program.ExitCode.failure }
        let path = request.output
        request.output = "-"
        request.dryRun = true
        request.timeline?.judgesAgreement = true
        request.timeline?.compared = try TableCommand.compared(arguments)
        let isGiven = arguments.given.contains { $0.option.name == "--format" }
        let format = isGiven ? arguments.reportFormat : ReportFormat(ofPath: path) ?? arguments.reportFormat
        let command = arguments.reproduction(format)
        request.reports = [ReportFile(path: path) { format.render(ReportDocument($0, command: command)) }]
        return try ConvertCommand.run(request, arguments)
    }
}

extension Arguments {
    /// The command line of `convert` or `report` that writes the same report in a format, quoted for a shell where that is
    /// needed.
    ///
    /// It has the options that decide what the report says in the order of the table, then the inputs in the order given.
    func reproduction(_ format: ReportFormat) -> String {
        var words = ["notification-translator", "report"]
        if format != .markdown { words += ["--format", format.rawValue] }
        // A report does not count what this shape leaves out.
        let always =
            request.records.shape.kind != .v2
            ? []
            : [CommandTable.companions.name]
                + (isRecordContext ? [] : [CommandTable.duplicates.name])
        for option in CommandTable.command(named: "report")?.options ?? [] where !option.isAside {
            if always.contains(option.name) {
                words += [option.name, "drop"]
                continue
            }
            for (spec, value) in given where spec.name == option.name {
                let isDefault = option.value.kind == .choice && value == option.value.defaultWord
                words += option.value.isFlag ? [option.name] : isDefault ? [] : [option.name, Self.quoted(value)]
            }
        }
        if operands.contains(where: { $0.hasPrefix("-") && $0 != "-" }) { words.append("--") }
        return (words + operands.map(Self.quoted)).joined(separator: " ")
    }

    /// A word as a shell reads it back.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0 >= 0x80 || Completions.isPlain($0) || "+,:=@".utf8.contains($0) }
        return isPlain && !word.isEmpty ? word : Completions.quoted(word)
    }
}
