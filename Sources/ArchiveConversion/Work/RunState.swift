import NotificationLibC
import NotificationTranslation

/// What came of a run so far; one thread at a time uses it, hence `@unchecked Sendable`.
final class RunState: @unchecked Sendable {
    var outcome = ConversionOutcome()
    /// What a report says so far, in timeline context of rejects and skips alone; `nil` where none is made.
    var report: ReportTally?
    let messages: Messages
    /// Where rejects go, if anywhere, and whether with their contents.
    private let rejects: (file: OutputFile?, withContent: Bool)
    private let rejectLine = OutputBuffer(capacity: 4096)
    let progress: Progress
    /// The input that is being read, by its place among the inputs, and what became of its records so far.
    private var input: (place: Int, path: String, tally: Tally)?

    init(_ inputs: [InputFile], rejects: OutputFile? = nil, withContent: Bool = false, _ messages: Messages) {
        progress = Progress(inputs, isShown: messages.showsProgress)
        self.rejects = (rejects, withContent)
        self.messages = messages
        outcome.files = inputs.count
    }

    /// Reads chunks of the inputs, converts them side by side, and counts them and hands them over in the order of the
    /// input.
    func read(
        _ inputs: [InputFile], _ request: ConversionRequest,
        take: @escaping (ConvertedChunk) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let reader = ChunkReader(inputs, request: request)
        defer { reader.close() }
        let pool = OrderedPool(jobs: request.workers) {
            ConvertedChunk(request)
        } fill: { (slot) throws(ArchiveError) in
            try reader.next(into: slot.chunk)
        } work: { (slot) throws(ArchiveError) in
            try slot.convert()
        } empty: { [self] (slot) throws(ArchiveError) in
            try Interruption.check()
            try take(slot)
            try add(slot)
            slot.converter.output.removeAll()
        }
        try pool.run { reader.hasMore }
        try checkAccounts()
    }

    /// Adds what a chunk became; chunks come in the order of the input.
    private func add(_ slot: ConvertedChunk) throws(ArchiveError) {
        let (chunk, output) = (slot.chunk, slot.output)
        if input?.place != chunk.input {
            endInput()
            input = (chunk.input, chunk.path, Tally())
        }
        if outcome.firstSign == nil, let skip = output.skips.first(where: \.hasSigns) {
            outcome.firstSign = (chunk.path, skip.line)
        }
        input?.tally.add(output.tally)
        for reject in output.rejects {
            let fault = ArchiveFault(code: reject.code)
            if fault == .damaged || fault == .unreadable {
                outcome.damages.append((chunk.path, fault == .damaged ? input?.tally.converted : nil))
            }
            try add(reject, input: chunk.path, content: slot.content(of: reject))
        }
        report?.count(output.tally, of: chunk.path)
        report?.add(output.report)
        outcome.tally.add(output.tally)
        outcome.inputBytes += chunk.inputBytes
        messages.progress(
            progress.line(
                records: outcome.tally.records, input: chunk.input, filePosition: chunk.filePosition,
                bytes: outcome.inputBytes))
    }

    /// Adds a record that could not be converted.
    func add(_ reject: Reject, input: String, content: [UInt8]? = nil) throws(ArchiveError) {
        report?.rejects[reject.code, default: .init()].add(.init(input: input, line: reject.line))
        outcome.rejectCodes[reject.code, default: 0] += 1
        // Of each code 20 are shown.
        if messages.isVerbose || outcome.rejectCodes[reject.code, default: 0] <= 20 {
            messages.reject(reject, input: input)
        } else {
            outcome.hiddenRejects += 1
        }
        guard let file = rejects.file else { return }
        rejectLine.removeAll()
        rejectLine.append(reject, input: input, withContent: rejects.withContent, content)
        try file.append(rejectLine.bytes)
    }

    private func endInput() {
        guard let input else { return }
        if input.tally.records > 0, input.tally.skipped == input.tally.records {
            if outcome.skippedInputs == 0 { outcome.firstSkippedInput = input.path }
            outcome.skippedInputs += 1
        }
        if input.tally.records > 1 { outcome.inputsOfSeveral += 1 }
        self.input = nil
    }

    /// Ends the last input and makes sure that every record read is accounted for.
    func checkAccounts() throws(ArchiveError) {
        endInput()
        let tally = outcome.tally
        let accounted = tally.converted + tally.evidence + tally.rejected + tally.skipped
        guard tally.records == accounted, tally.rejected == outcome.rejectCodes.values.reduce(0, +) else {
            throw ArchiveError(
                .system, "internal error: the counts do not match",
                detail: "\(tally.records) records read, \(tally.converted) converted, \(tally.rejected) rejected, "
                    + "\(tally.skipped) skipped")
        }
    }
}

/// The files that a run writes; those that were not published are removed when this is released.
struct OutputFiles {
    private(set) var output: OutputFile?
    private(set) var rejects: OutputFile?
    private var reports: [OutputFile] = []

    /// Opens them all before anything is read, so that one that cannot be written is reported at once.
    init(_ request: ConversionRequest) throws(ArchiveError) {
        if !request.dryRun {
            let paths = [request.output, request.rejects].compactMap { $0 }
            if paths.contains(where: OutputFile.isReplaceable) { Interruption.isGraceful = true }
            output = try OutputFile(request.output, overwrites: request.overwrites, packsByName: true)
            if let path = request.rejects {
                let rights: mode_t = request.rejectsAreRaw ? 0o600 : 0o666
                rejects = try OutputFile(path, overwrites: request.overwrites, rights: rights)
            }
        }
        for report in request.reports {
            reports.append(try OutputFile(report.path, overwrites: request.overwrites))
        }
    }

    /// All of them, the output last.
    private var all: [OutputFile] { ([rejects] + reports + [output]).compactMap(\.self) }

    /// Writes the reports, and gives all files their names once they are complete.
    func publish(_ requests: [ReportFile], _ outcome: ConversionOutcome) throws(ArchiveError) {
        for (file, request) in zip(reports, requests) {
            try file.append(Array(request.render(outcome).utf8)[...])
        }
        for file in all { try file.finish() }
        for file in all { try file.publish() }
    }
}
