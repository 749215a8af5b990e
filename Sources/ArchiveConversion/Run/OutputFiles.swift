import NotificationTranslation

/// The files that a run writes.
struct OutputFiles {
    let output: OutputFile?
    let rejects: OutputFile?
    /// What a timeline keeps until everything has been read.
    let spill: TimelineSpill?
    let keeper: CheckpointKeeper?
    /// Reports, in the order of the request.
    var reports: [OutputFile] = []

    /// Writes the reports.
    func write(_ requests: [ReportFile], _ outcome: Conversion.Outcome) throws(ArchiveError) {
        for (file, request) in zip(reports, requests) {
            let buffer = OutputBuffer(capacity: 256 * 1024)
            for part in request.render(outcome) { buffer.append(part) }
            try file.append(buffer.bytes)
            try file.flush()
        }
    }

    /// Gives the complete files their names, the output last; `end` is what a run says at its end.
    func publish(_ end: RunState) throws(ArchiveError) {
        try rejects?.finish()
        for report in reports { try report.finish() }
        try output?.finish()
        // Two names cannot be given at once, and one file alone needs no help unless it has a checkpoint to outlive.
        if let keeper, keeper.hasWritten || rejects != nil || !reports.isEmpty { try keeper.saveComplete(end) }
        try rejects?.publish()
        for report in reports { try report.publish() }
        try output?.publish()
        spill?.remove()
        keeper?.remove()
    }

    /// Keeps what a later run can continue with, and removes everything else.
    func abandon(after error: ArchiveError, _ messages: Messages) {
        var keeps = keeper?.hasWritten ?? false
        if error.code == .interrupted, let keeper, keeper.canSave {
            do throws(ArchiveError) {
                try keeper.save()
                keeps = true
            } catch {}
        }
        if error.code == .accounting { keeps = false }
        if !keeps {
            spill?.remove()
            keeper?.remove()
        }
        output?.abandon(keepingPartial: keeps)
        rejects?.abandon(keepingPartial: keeps)
        // A resumed run writes them again.
        for report in reports { report.abandon(keepingPartial: false) }
        if keeps, !messages.isQuiet {
            messages.say("notification-translator: progress is saved; run again with --resume to continue")
        }
    }
}
