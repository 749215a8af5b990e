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
        /// Bytes read, unpacked.
        package var inputBytes: Int64 = 0
        package var seconds = 0.0
        /// An input was damaged; what came before the damage was converted.
        package var wasDamaged = false
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
        let rejectsFile = try openRejects()
        let output = try openOutput()
        do throws(ArchiveError) {
            let writer = EventWriter(
                output: output,
                rejects: RejectLog(file: rejectsFile, withContent: request.rejectsAreRaw, messages: messages),
                progress: progress,
                messages: messages
            )
            let jobs = request.jobs > 0 ? request.jobs : processorCount()
            let chunkSize = request.chunkSize ?? (jobs == 1 ? 1 << 20 : 2 << 20)
            let reader = ChunkReader(inputs, request: request, chunkSize: chunkSize, hashesTails: false)
            try Pipeline(request, jobs: jobs, chunkSize: chunkSize, reader: reader, writer: writer).run(jobs: jobs)
            try writer.checkAccounts()
            try rejectsFile?.finish()
            try output?.finish()
            try rejectsFile?.publish()
            try output?.publish()
            messages.clearProgress()
            return outcome(of: writer, files: inputs.count, seconds: progress.seconds)
        } catch {
            messages.clearProgress()
            output?.abandon(keepingPartial: false)
            rejectsFile?.abandon(keepingPartial: false)
            throw error
        }
    }

    private func outcome(of writer: EventWriter, files: Int, seconds: Double) -> Outcome {
        Outcome(
            tally: writer.tally,
            rejectCodes: writer.rejects.counts,
            hiddenRejects: writer.rejects.hidden,
            files: files,
            inputBytes: writer.inputBytes,
            seconds: seconds,
            wasDamaged: writer.rejects.counts[ArchiveFault.damaged.rawValue] != nil
        )
    }

    /// Files that are written and must not be read: an output lying in a folder that is converted.
    private func outputFiles() -> [FileStatus] {
        let paths = [request.output, request.rejects].compactMap { $0 }.filter { $0 != "-" }
        return paths.flatMap { [$0, OutputFile.partialPath(of: $0), Checkpoint.path(of: $0)] }
            .compactMap { FileStatus(ofPath: $0) }
            + [Descriptor.standardOutput].compactMap { FileStatus(of: $0) }.filter { $0.kind == .regular }
    }

    private func openRejects() throws(ArchiveError) -> OutputFile? {
        guard let path = request.rejects, !request.dryRun else { return nil }
        return try OutputFile(
            path,
            mode: .init(overwrites: request.overwrites, rights: request.rejectsAreRaw ? 0o600 : 0o666)
        )
    }

    private func openOutput() throws(ArchiveError) -> OutputFile? {
        guard !request.dryRun else { return nil }
        return try OutputFile(request.output, mode: .init(overwrites: request.overwrites, packsByName: true))
    }
}
