import NotificationTranslation

/// A whole run: archives in, events out.
package struct Conversion {
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
    package func run() throws(ArchiveError) -> ConversionOutcome {
        let (inputs, links) = try InputFile.all(of: request, besides: unreadFiles())
        try refuseOutputs(among: inputs)
        let files = try OutputFiles(request)
        defer { messages.clearProgress() }
        let state = RunState(inputs, rejects: files.rejects, withContent: request.rejectsAreRaw, messages)
        state.outcome.links = links
        if !request.reports.isEmpty { state.report = ReportTally() }
        let spill = request.timeline.map { TimelineSpill($0, in: request.temporaryFolder) }
        try state.read(inputs, readingRequest) { (slot) throws(ArchiveError) in
            // In timeline context nothing is written until all has been read.
            if let spill { return try spill.add(slot.output, input: slot.chunk.input) }
            try files.output?.append(slot.output.bytes.bytes)
        }
        if let spill, let timeline = request.timeline {
            messages.beginPhase()
            try settle(spill, timeline, files.output, state)
            try state.checkAccounts()
        }
        state.outcome.seconds = state.progress.seconds
        if let report = state.report {
            state.outcome.report = report
            state.outcome.comparesStates = request.timeline?.compared != nil
            state.outcome.inputs = inputs.map { ($0.path, $0.regularSize) }
        }
        try files.publish(request.reports, state.outcome)
        return state.outcome
    }

    private var readingRequest: ConversionRequest {
        var request = request
        request.records.keepsEvidence = request.timeline != nil
        // A report counts states too.
        request.records.keepsDetails = request.timeline?.table != nil || !request.reports.isEmpty
        request.records.spillsEvents = request.timeline != nil
        request.records.writesEvents = request.timeline?.table == nil
        request.records.reports = !request.reports.isEmpty
        return request
    }

    /// Settles what was read and writes it; `state` gets the counts of the events as they have become.
    private func settle(
        _ spill: TimelineSpill, _ timeline: TimelineRequest, _ output: OutputFile?, _ state: RunState
    ) throws(ArchiveError) {
        let (isTable, reports) = (timeline.table != nil, !request.reports.isEmpty)
        let pass = try spill.settle(
            countsStates: reports && !isTable, isRehearsal: request.rehearsal != nil, jobs: request.workers,
            messages: messages)
        state.outcome.unsettled = pass.unsettled
        state.outcome.missing = pass.missing
        if isTable { return try writeTable(timeline, pass, output, state) }
        messages.beginPhase()
        let store = request.rehearsal.map { ($0, RehearsalStore(in: request.temporaryFolder, timeline.budgets)) }
        try CorrectionPass(lines: spill.lines, records: request.records, output: output, rehearsal: store, state: state)
            .run(pass.results(), jobs: request.workers)
        try store?.1.write(to: output)
        state.outcome.rehearsal = store?.1.figures
        if reports {
            pass.addDifferences { _, _ in }
            state.outcome.states = pass.figures
        }
        guard timeline.judgesAgreement else { return }
        state.outcome.agreement = try pass.agreementFigures(linesOf: spill.lines)
    }

    /// Writes the rows of a table in the place of events.
    private func writeTable(
        _ timeline: TimelineRequest, _ pass: JudgingPass, _ output: OutputFile?, _ state: RunState
    ) throws(ArchiveError) {
        var rows = try pass.results()
        let header = OutputBuffer(capacity: 1024)
        switch timeline.format == .csv ? timeline.table : nil {
        case .state where timeline.compared != nil, .history where timeline.compared != nil:
            StateDifference.appendHeader(to: header)
        case .state, .history: SubscriptionState.appendHeader(to: header)
        case .transactions: SubscriptionTransaction.appendHeader(to: header)
        case .worklist: WorklistItem.appendHeader(to: header)
        case nil: break
        }
        try output?.append(header.bytes)
        var written = 0
        // The rows of the other table that none of ours is about; those whose access differs lead among these too.
        let (leading, others) = (OutputBuffer(capacity: 1024), OutputBuffer(capacity: 1024))
        if timeline.compared != nil { pass.addDifferences { ($0 ? leading : others).append($1) } }
        while let cursor = rows.top, written < timeline.limit ?? .max {
            if !RowOrder.leads(cursor.first), leading.count > 0 {
                try output?.append(leading.bytes)
                leading.removeAll()
            }
            try output?.append(cursor.payload())
            written += 1
            if written & 1023 == 0 { try Interruption.check() }
            try rows.advance()
        }
        try output?.append(leading.bytes)
        try output?.append(others.bytes)
        state.outcome.table = pass.figures
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
        guard let bytes = try? Descriptor.contents(of: path, limit: 64) else { return false }
        var openings = [#"{"schema_version":"1"#, #"{"send_at":"#, "schema_version,", #"{"original_transaction_id":""#]
        if path == request.rejects { openings.append(#"{"input":""#) }
        if reportPaths.contains(path) { openings += ReportFile.openings }
        return openings.contains { bytes.starts(with: $0.utf8) }
    }

    private var outputPaths: [String] {
        ([request.output, request.rejects].compactMap { $0 } + reportPaths).filter { $0 != "-" }
    }

    private var reportPaths: [String] { request.reports.map(\.path) }

    /// Refuses to write into what is read, whatever its name: replacing it would destroy the archive.
    private func refuseOutputs(among inputs: [InputFile]) throws(ArchiveError) {
        var outputs: [(path: String, status: FileStatus)] = []
        for path in request.dryRun ? reportPaths : outputPaths {
            for name in [path, OutputFile.partialPath(of: path)] {
                if let status = FileStatus(ofPath: name), status.kind == .regular { outputs.append((name, status)) }
            }
        }
        if request.dryRun ? reportPaths.contains("-") : request.output == "-",
            let status = FileStatus(of: .standardOutput), status.kind == .regular
        {
            outputs.append(("standard output", status))
        }
        let sources =
            inputs.map { ($0.status, "it is one of the inputs; choose another name, or leave it out with --exclude") }
            + request.optionFiles.map { (FileStatus(ofPath: $0.path), "\($0.option) reads it; choose another name") }
        for (status, detail) in sources {
            guard let status, let output = outputs.first(where: { $0.status.isSameFile(as: status) }) else { continue }
            throw ArchiveError(.outputUnwritable, "cannot write", path: output.path, detail: detail)
        }
    }
}
