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
        /// Bytes read, unpacked; with `--resume`, those of the earlier run too.
        package var inputBytes: Int64 = 0
        package var seconds = 0.0
        /// An input was damaged; what came before the damage was converted.
        package var wasDamaged = false

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

    /// Does it.
    ///
    /// - Throws: ``ArchiveError`` when the run could not be carried out; the output then has not appeared.
    package func run() throws(ArchiveError) -> Outcome {
        let inputs = try InputFile.all(of: request, besides: outputFiles())
        let progress = Progress(inputs, isShown: messages.showsProgress)
        let checkpoint = try usableCheckpoint(inputs)
        if let checkpoint, checkpoint.isComplete {
            try publishComplete(checkpoint)
            return outcome(of: checkpoint.state, hiddenRejects: 0, files: inputs.count, seconds: progress.seconds)
        }
        let files = try openFiles(checkpoint, inputs)
        do throws(ArchiveError) {
            let writer = EventWriter(
                from: checkpoint?.state ?? RunState(),
                output: files.output,
                rejects: RejectLog(
                    file: files.rejects,
                    withContent: request.rejectsAreRaw,
                    messages: messages,
                    counts: checkpoint?.state.rejectCodes ?? [:]
                ),
                keeper: files.keeper,
                progress: progress,
                messages: messages
            )
            writer.stopsAfterChunks = request.stopsAfterChunks
            try convert(inputs, from: checkpoint?.state.position, writer, writesCheckpoints: files.keeper != nil)
            try writer.checkAccounts()
            try files.publish()
            messages.clearProgress()
            return outcome(
                of: writer.state,
                rejectCodes: writer.rejects.counts,
                hiddenRejects: writer.rejects.hidden,
                files: inputs.count,
                seconds: progress.seconds
            )
        } catch {
            messages.clearProgress()
            files.abandon(after: error, messages)
            throw error
        }
    }

    private func convert(
        _ inputs: [InputFile],
        from position: InputPosition?,
        _ writer: EventWriter,
        writesCheckpoints: Bool
    ) throws(ArchiveError) {
        let jobs = request.jobs > 0 ? request.jobs : processorCount()
        let chunkSize = request.chunkSize ?? (jobs == 1 ? 512 << 10 : 2 << 20)
        let reader = ChunkReader(
            inputs,
            request: request,
            chunkSize: chunkSize,
            from: position,
            hashesTails: writesCheckpoints
        )
        try Pipeline(request, jobs: jobs, chunkSize: chunkSize, reader: reader, writer: writer).run(jobs: jobs)
    }

    private func outcome(
        of state: RunState,
        rejectCodes: [String: Int]? = nil,
        hiddenRejects: Int,
        files: Int,
        seconds: Double
    ) -> Outcome {
        var outcome = Outcome()
        outcome.tally = state.tally
        outcome.rejectCodes = rejectCodes ?? state.rejectCodes
        outcome.hiddenRejects = hiddenRejects
        outcome.files = files
        outcome.inputBytes = state.inputBytes
        outcome.seconds = seconds
        outcome.wasDamaged = outcome.rejectCodes[ArchiveFault.damaged.rawValue] != nil
        return outcome
    }

    /// Files that are written and must not be read: an output lying in a folder that is converted.
    private func outputFiles() -> [FileStatus] {
        let paths = [request.output, request.rejects].compactMap { $0 }.filter { $0 != "-" }
        let files = paths.flatMap { [$0, OutputFile.partialPath(of: $0), Checkpoint.path(of: $0)] }
            .compactMap { FileStatus(ofPath: $0) }
        guard let output = FileStatus(of: .standardOutput), output.kind == .regular else { return files }
        return files + [output]
    }

    // MARK: Files and checkpoints

    private var writesCheckpoints: Bool { !request.dryRun && OutputFile.isReplaceable(request.output) }

    /// The checkpoint to go on from, if that was asked for and there is one that fits.
    private func usableCheckpoint(_ inputs: [InputFile]) throws(ArchiveError) -> Checkpoint? {
        guard writesCheckpoints else { return nil }
        guard request.resumes else {
            if !messages.isQuiet, FileStatus(ofPath: Checkpoint.path(of: request.output)) != nil {
                messages.say("notification-translator: an interrupted run is begun anew; --resume would have gone on")
            }
            return nil
        }
        guard let checkpoint = try Checkpoint.read(for: request.output) else { return nil }
        func refusal(_ reason: String) -> ArchiveError {
            ArchiveError(
                .checkpointMismatch,
                "cannot resume",
                path: request.output,
                detail: reason + "; run without --resume to begin anew"
            )
        }
        guard checkpoint.options == Checkpoint.identity(of: request) else {
            throw refusal("the interrupted run had other options or was made by another version")
        }
        guard checkpoint.inputs == Checkpoint.identity(of: inputs) else {
            throw refusal("the inputs have changed since the checkpoint was written")
        }
        if checkpoint.isComplete { return checkpoint }
        guard let partial = FileStatus(ofPath: OutputFile.partialPath(of: request.output)),
            partial.size >= checkpoint.kept.fileLength
        else { throw refusal("its partial output is not there") }
        return checkpoint
    }

    /// Does what was left to do when a run ended between its last byte and its names.
    private func publishComplete(_ checkpoint: Checkpoint) throws(ArchiveError) {
        for path in [request.rejects, request.output].compactMap({ $0 }) where OutputFile.isReplaceable(path) {
            guard FileStatus(ofPath: OutputFile.partialPath(of: path)) != nil else { continue }
            try OutputFile.publish(path, overwrites: request.overwrites)
        }
        Checkpoint.remove(for: request.output)
    }

    private func openFiles(_ checkpoint: Checkpoint?, _ inputs: [InputFile]) throws(ArchiveError) -> RunFiles {
        guard !request.dryRun else { return RunFiles(output: nil, rejects: nil, keeper: nil) }
        if writesCheckpoints || request.rejects.map(OutputFile.isReplaceable) == true { Interruption.becomeGraceful() }
        var mode = OutputFile.Mode(overwrites: request.overwrites, packsByName: true)
        mode.memberSize = request.memberSize
        mode.resumeAt = checkpoint.map { .init(start: $0.state.outputLength, kept: $0.kept) }
        let output = try OutputFile(request.output, mode: mode)
        do throws(ArchiveError) {
            var rejects: OutputFile?
            if let path = request.rejects {
                mode = OutputFile.Mode(overwrites: request.overwrites, rights: request.rejectsAreRaw ? 0o600 : 0o666)
                let length = checkpoint?.state.rejectsLength
                mode.resumeAt = length.map { .init(start: $0, kept: OutputPosition(length: $0, fileLength: $0)) }
                rejects = try OutputFile(path, mode: mode)
            }
            guard writesCheckpoints else { return RunFiles(output: output, rejects: rejects, keeper: nil) }
            if checkpoint == nil { Checkpoint.remove(for: request.output) }
            let keeper = CheckpointKeeper(
                output: output,
                rejects: rejects,
                options: Checkpoint.identity(of: request),
                inputs: Checkpoint.identity(of: inputs),
                interval: request.checkpointInterval,
                from: checkpoint
            )
            return RunFiles(output: output, rejects: rejects, keeper: keeper)
        } catch {
            output.abandon(keepingPartial: checkpoint != nil)
            throw error
        }
    }
}

/// The files that a run writes.
private struct RunFiles {
    let output: OutputFile?
    let rejects: OutputFile?
    let keeper: CheckpointKeeper?

    /// Gives the complete files their names, the rejects first.
    func publish() throws(ArchiveError) {
        try rejects?.finish()
        try output?.finish()
        // Two names cannot be given at once, and one file alone needs no help unless it has a checkpoint to outlive.
        if let keeper, keeper.hasWritten || rejects != nil { try keeper.save(isComplete: true) }
        try rejects?.publish()
        try output?.publish()
        keeper?.remove()
    }

    /// Keeps what a later run can go on with, and removes everything else.
    func abandon(after error: ArchiveError, _ messages: Messages) {
        var keeps = keeper?.hasWritten ?? false
        if error.code == .interrupted, let keeper {
            do throws(ArchiveError) {
                try keeper.save()
                keeps = true
            } catch {}
        }
        if error.code == .accounting { keeps = false }
        if !keeps { keeper?.remove() }
        output?.abandon(keepingPartial: keeps)
        rejects?.abandon(keepingPartial: keeps)
        if keeps, !messages.isQuiet {
            messages.say("notification-translator: what was done so far is kept; --resume goes on from there")
        }
    }
}
