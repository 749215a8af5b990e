package import NotificationTranslation

/// A whole run: archives in, events out.
package struct Conversion {
    /// What became of the records and how long it took.
    package struct Outcome: Sendable {
        package var tally = Tally()
        /// Rejects by code.
        package var rejectCodes: [String: Int] = [:]
        /// Rejects that were not shown because there were so many of their code.
        package var hiddenRejects = 0
        package var files = 0
        /// Links in folders, which are not followed, and the path of the first.
        package var links = (count: 0, first: "")
        /// Bytes read, unpacked.
        package var inputBytes: Int64 = 0
        package var seconds = 0.0
        /// Where the first record is that was skipped and shows signs of a notification.
        package var firstSign: (input: String, line: Int64)?
        /// Inputs of which every record was skipped, and the first of them.
        package var skippedInputs = 0
        package var firstSkippedInput = ""
        /// Inputs with more than one record.
        package var inputsOfSeveral = 0
        /// Inputs that are damaged, and how many of the records before the damage were converted; `nil` for one that cannot be
        /// opened.
        package var damages: [(input: String, converted: Int?)] = []
        /// Whether an input was damaged or could not be opened.
        package var wasDamaged: Bool { !damages.isEmpty }
        /// What became of the events, where a report is made.
        package var report = ReportFigures()
        /// How far V1 and V2 agree, where that is asked for.
        package var agreement = AgreementFigures()
        /// `exact` answers that V2 contradicts, where that is asked for.
        package var contradicted = 0
        /// Records that were not settled with their subscription because what was kept of them is damaged; their events are
        /// what the records alone give.
        package var unsettled = 0
        /// What became of the events of a rehearsal; `nil` where nothing was rehearsed.
        package var rehearsal: RehearsalFigures?
        /// Notifications that were surely sent and are not in the archive.
        package var missing = MissingNotifications()
        /// How the subscriptions stand, where a report is made.
        package var states: TableFigures?
        /// What the rows of a table hold; `nil` where none was made.
        package var table: TableFigures?
        /// The inputs, in order, with their sizes where they have one.
        package var inputs: [(path: String, size: Int64?)] = []

        /// An outcome of nothing.
        package init() {}
    }

    private let request: ConversionRequest
    private let messages: Messages

    /// Prepares a run.
    package init(_ request: ConversionRequest, messages: Messages) {
        self.request = request
        self.messages = messages
    }

    /// Converts the inputs.
    ///
    /// - Throws: ``ArchiveError`` when the run could not be carried out; the output then has not appeared.
    package func run() throws(ArchiveError) -> Outcome {
        var links = FolderWalk.Links()
        let inputs = try InputFile.all(of: request, besides: unreadFiles(), &links)
        try refuseOutputs(among: inputs)
        let progress = Progress(inputs, isShown: messages.showsProgress)
        let files = try openFiles()
        do throws(ArchiveError) {
            var start = RunState()
            if !request.reports.isEmpty { start.report = ReportTally() }
            let writer = EventWriter(
                from: start, output: files.output, spill: files.spill,
                rejects: RejectLog(file: files.rejects, withContent: request.rejectsAreRaw, messages: messages),
                progress: progress, messages: messages)
            try convert(inputs, writer)
            try writer.checkAccounts()
            var state = writer.state
            var rejects = writer.rejects
            var agreement = AgreementFigures()
            if let spill = files.spill, let timeline = request.timeline {
                agreement = try settle(spill, timeline, files.output, &rejects, &state)
                try state.checkAccounts(rejects)
            }
            state.rejectCodes = rejects.counts
            var outcome = outcome(
                of: state, hiddenRejects: rejects.hidden, inputs: inputs, seconds: progress.seconds)
            if let report = state.report {
                outcome.report = ReportFigures(report)
                outcome.report.subscriptions = agreement.subscriptions.map(ReportFigures.Subscriptions.init)
                outcome.report.subscriptions?.active = outcome.states?.entitled
                outcome.report.subscriptions?.notKnown = outcome.states?.unknown
                outcome.report.subscriptions?.answered = outcome.states?.answered
                if request.timeline?.compared != nil {
                    outcome.report.subscriptions?.shutOut = outcome.states?.lost
                    outcome.report.subscriptions?.letIn = outcome.states?.given
                }
                outcome.inputs = inputs.map { ($0.path, $0.status.flatMap { $0.kind == .regular ? $0.size : nil }) }
            }
            outcome.links = (links.count, links.first)
            outcome.agreement = agreement
            try files.write(request.reports, outcome)
            try files.publish()
            messages.clearProgress()
            return outcome
        } catch {
            messages.clearProgress()
            files.abandon()
            throw error
        }
    }

    private func convert(_ inputs: [InputFile], _ writer: EventWriter) throws(ArchiveError) {
        let jobs = request.jobs > 0 ? request.jobs : processorCount()
        let chunkSize = request.chunkSize ?? (jobs == 1 || request.timeline != nil ? 512 << 10 : 1 << 20)
        let reader = ChunkReader(inputs, request: request, chunkSize: chunkSize, jobs: jobs)
        defer { reader.close() }
        var request = request
        request.records.keepsEvidence = request.timeline != nil
        request.records.keepsDetails = request.timeline?.table != nil
        request.records.spillsEvents = request.timeline != nil
        request.records.writesEvents = request.timeline?.table == nil
        request.records.reports = !request.reports.isEmpty
        try ChunkPipeline(request, chunkSize: chunkSize, reader: reader, writer: writer).run(jobs: jobs)
    }

    /// Settles what was read and writes it; `state` gets the counts of the events as they have become.
    ///
    /// What is returned says how far V1 and V2 agree, where that is asked for.
    private func settle(
        _ spill: TimelineSpill, _ timeline: TimelineRequest, _ output: OutputFile?,
        _ rejects: inout RejectLog, _ state: inout RunState
    ) throws(ArchiveError) -> AgreementFigures {
        let jobs = request.jobs > 0 ? request.jobs : processorCount()
        messages.beginPhase()
        if let table = timeline.table {
            try write(table, of: spill, timeline, jobs: jobs, output, &state)
            return AgreementFigures()
        }
        let (verdicts, agreement, missing, states, unsettled) = try spill.settle(
            timeline, judgesAgreement: request.judgesAgreement, countsStates: !request.reports.isEmpty, jobs: jobs,
            messages: messages)
        messages.beginPhase()
        let rehearsal = request.rehearsal.map { ($0, RehearsalStore(temporary, budgets: timeline.budgets)) }
        let writing = CorrectionPass(
            spill.lines, verdicts: verdicts, blockSize: timeline.budgets.block, records: request.records,
            output: output, rehearsal: rehearsal, rejects: rejects, tally: state.tally, report: state.report,
            messages: messages)
        try writing.run(jobs: jobs)
        try rehearsal?.1.write(to: output)
        state.rehearsal = rehearsal?.1.figures
        rejects = writing.rejects
        state.tally = writing.tally
        state.report = writing.report
        state.contradicted = agreement.contradictedExact
        state.unsettled = unsettled
        state.missing = missing
        if !request.reports.isEmpty { state.states = states }
        guard request.judgesAgreement else { return AgreementFigures() }
        return try AgreementFigures(agreement, linesOf: spill.lines)
    }

    /// Writes the rows of a table in the place of events.
    private func write(
        _ table: TimelineRequest.Table, of spill: TimelineSpill, _ timeline: TimelineRequest, jobs: Int,
        _ output: OutputFile?, _ state: inout RunState
    ) throws(ArchiveError) {
        guard let (rows, pass) = try spill.rows(timeline, jobs: jobs, messages: messages) else { return }
        var merge = rows
        var figures = pass.figures
        state.unsettled = pass.unsettled
        state.missing = pass.missing
        let line = OutputBuffer(capacity: 64 * 1024)
        let header = table.header
        if table.format == .csv { try output?.append(header.bytes) }
        var written = 0
        // The rows of the other table that none of ours is about; those whose access differs lead among these too.
        let (leading, others) = (OutputBuffer(capacity: 1024), OutputBuffer(capacity: 1024))
        if let theirs = table.compared {
            let judge = SubscriptionJudge(timeline.settling(latest: spill.latestOfAll))
            judge.differences(in: theirs, without: pass.compared) { ($0 ? leading : others).append($1) }
            figures.add(judge.figures)
        }
        while let cursor = merge.top, written < table.limit ?? .max {
            if !RowOrder.leads(cursor.first), leading.count > 0 {
                try output?.append(leading.bytes)
                leading.removeAll()
            }
            line.removeAll()
            try cursor.take(into: line)
            try output?.append(line.bytes)
            written += 1
            if written & 1023 == 0 { try Interruption.check() }
            try merge.advance()
        }
        try output?.append(leading.bytes)
        try output?.append(others.bytes)
        state.table = figures
    }

    private func outcome(of state: RunState, hiddenRejects: Int, inputs: [InputFile], seconds: Double) -> Outcome {
        var outcome = state.outcome
        outcome.hiddenRejects = hiddenRejects
        outcome.files = inputs.count
        let found = state.inputs
        func path(_ place: Int) -> String { inputs.indices.contains(place) ? inputs[place].path : "" }
        outcome.firstSign = found.firstSign.map { (path($0.input), $0.line) }
        outcome.skippedInputs = found.skippedInputs
        outcome.firstSkippedInput = path(found.firstSkippedInput)
        outcome.inputsOfSeveral = found.inputsOfSeveral
        outcome.seconds = seconds
        outcome.damages = found.damages.map { (path($0.input), $0.converted) }
        return outcome
    }

    /// Files of a run that are in a folder that is converted, and are never read: parts of an output, an output of an
    /// earlier run, and standard output itself.
    private func unreadFiles() -> [FileStatus] {
        let parts = outputPaths.map(OutputFile.partialPath)
        let files = (parts + outputPaths.filter(isEarlierOutput))
            .compactMap { FileStatus(ofPath: $0) }
        guard let output = FileStatus(of: .standardOutput), output.kind == .regular else { return files }
        return files + [output]
    }

    /// Whether a file is empty or begins like the events or the rejects that this program writes: no archive does.
    private func isEarlierOutput(_ path: String) -> Bool {
        guard let status = FileStatus(ofPath: path), status.kind == .regular else { return false }
        if status.size == 0 { return true }
        guard let file = try? Descriptor.reading(path) else { return false }
        defer { file.closeQuietly() }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return bytes[..<count].starts(with: #"{"schema_version":"1"#.utf8)
            || bytes[..<count].starts(with: #"{"send_at":"#.utf8)
            || bytes[..<count].starts(with: #"schema_version,"#.utf8)
            || bytes[..<count].starts(with: #"{"original_transaction_id":""#.utf8)
            || path == request.rejects && bytes[..<count].starts(with: #"{"input":""#.utf8)
            || reportPaths.contains(path) && ReportFile.openings.contains { bytes[..<count].starts(with: $0.utf8) }
    }

    private var outputPaths: [String] {
        ([request.output, request.rejects].compactMap { $0 } + reportPaths).filter { $0 != "-" }
    }

    private var reportPaths: [String] { request.reports.map(\.path) }

    /// Refuses to write into what is read, whatever its name: replacing it would destroy the archive.
    private func refuseOutputs(among inputs: [InputFile]) throws(ArchiveError) {
        var outputs: [(path: String, status: FileStatus)] = []
        for path in request.dryRun ? reportPaths : outputPaths {
            if let status = FileStatus(ofPath: path), status.kind == .regular { outputs.append((path, status)) }
        }
        if request.dryRun ? reportPaths.contains("-") : request.output == "-",
            let status = FileStatus(of: .standardOutput), status.kind == .regular
        {
            outputs.append(("standard output", status))
        }
        for input in inputs {
            guard let status = input.status, let output = outputs.first(where: { $0.status.isSameFile(as: status) })
            else { continue }
            throw ArchiveError(
                .outputIsInput, "cannot write", path: output.path,
                detail: "it is one of the inputs; choose another name, or leave it out with --exclude")
        }
        for file in request.optionFiles {
            guard let status = FileStatus(ofPath: file.path),
                let output = outputs.first(where: { $0.status.isSameFile(as: status) })
            else { continue }
            throw ArchiveError(
                .outputIsInput, "cannot write", path: output.path,
                detail: "\(file.option) reads it; choose another name")
        }
    }

    private var temporary: TemporaryPlace { TemporaryPlace(request) }

    private func openFiles() throws(ArchiveError) -> OutputFiles {
        guard !request.dryRun else {
            return OutputFiles(output: nil, rejects: nil, spill: openSpill(), reports: try openReports())
        }
        let paths = [request.output, request.rejects].compactMap { $0 }
        if paths.contains(where: OutputFile.isReplaceable) { Interruption.becomeGraceful() }
        var mode = OutputFile.Mode(overwrites: request.overwrites, packsByName: true)
        let output = try OutputFile(request.output, mode: mode)
        var rejects: OutputFile?
        do throws(ArchiveError) {
            if let path = request.rejects {
                mode = OutputFile.Mode(overwrites: request.overwrites, rights: request.rejectsAreRaw ? 0o600 : 0o666)
                rejects = try OutputFile(path, mode: mode)
            }
            return OutputFiles(output: output, rejects: rejects, spill: openSpill(), reports: try openReports())
        } catch {
            output.abandon()
            rejects?.abandon()
            throw error
        }
    }

    /// Opens the files of the reports before anything is read, so that one that cannot be written is reported at once.
    private func openReports() throws(ArchiveError) -> [OutputFile] {
        var files: [OutputFile] = []
        do throws(ArchiveError) {
            for report in request.reports {
                files.append(try OutputFile(report.path, mode: OutputFile.Mode(overwrites: request.overwrites)))
            }
        } catch {
            for file in files { file.abandon() }
            throw error
        }
        return files
    }

    private func openSpill() -> TimelineSpill? {
        request.timeline.map { timeline in
            TimelineSpill(temporary, budgets: timeline.budgets, keepsEvidenceOnly: timeline.table != nil)
        }
    }
}
