import NotificationTranslation

/// The files that a run writes.
struct RunFiles {
    let output: OutputFile?
    let rejects: OutputFile?
    /// What a timeline keeps until everything has been read.
    let spill: TimelineSpill?
    let keeper: CheckpointKeeper?

    /// Gives the complete files their names, the rejects first; `tally` is what a run says at its end.
    func publish(_ tally: Tally) throws(ArchiveError) {
        try rejects?.finish()
        try output?.finish()
        // Two names cannot be given at once, and one file alone needs no help unless it has a checkpoint to outlive.
        if let keeper, keeper.hasWritten || rejects != nil { try keeper.saveComplete(tally) }
        try rejects?.publish()
        try output?.publish()
        spill?.remove()
        keeper?.remove()
    }

    /// Keeps what a later run can go on with, and removes everything else.
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
        if keeps, !messages.isQuiet {
            messages.say("notification-translator: what was done so far is kept; --resume goes on from there")
        }
    }
}
