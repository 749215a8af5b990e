import NotificationTranslation

/// Writes checkpoints of a run that writes a file.
///
/// About four a second, less often where the disk is slow or much is in memory: they may not cost more than a twentieth
/// of the time.
final class CheckpointKeeper {
    private let output: OutputFile
    private let rejects: OutputFile?
    private let spill: TimelineSpill?
    private let options: UInt64
    private let inputs: UInt64
    private let interval: Double
    private let start = monotonicSeconds()
    private var due: Double
    private var last: Double
    /// When a state was noted last.
    private var noted: Double
    /// States at the ends of chunks that a checkpoint may yet refer to, the oldest first.
    private var states: [RunState]
    private var isRead = false
    /// Whether what is in memory is the whole of what a checkpoint needs.
    private(set) var canSave = true
    /// Whether there is one on the disk.
    private(set) var hasWritten: Bool

    init(
        output: OutputFile,
        rejects: OutputFile?,
        spill: TimelineSpill?,
        options: UInt64,
        inputs: UInt64,
        interval: Double,
        from checkpoint: Checkpoint?
    ) {
        self.output = output
        self.rejects = rejects
        self.spill = spill
        self.options = options
        self.inputs = inputs
        self.interval = interval
        last = start
        noted = start
        due = start + interval
        states = [checkpoint?.state ?? RunState()]
        hasWritten = checkpoint != nil
        isRead = checkpoint?.isRead ?? false
        canSave = !isRead
    }

    /// Takes note of a state at the end of a chunk, and writes a checkpoint when it is time.
    func note(_ state: RunState) throws(ArchiveError) {
        let now = monotonicSeconds()
        let isTime = isTime(now)
        // Each noted state copies the counts of a report. To note one with each chunk took 2 percent of a typical
        // record, so it is done ten times in an interval. What a timeline has on the disk must be noted with each
        // chunk.
        guard spill != nil || isTime || now - noted >= interval / 10 else { return }
        noted = now
        if !output.isPacked || spill != nil { states.removeAll(keepingCapacity: true) }
        states.append(state)
        guard isTime else { return }
        try save()
        last = now
        let cost = monotonicSeconds() - now
        // In timeline context each makes a sorted run, of which there must not be too many; so they become rarer, and
        // what is lost with a run that is killed stays a small part of it.
        let rest = spill == nil ? 0 : (now - start) / 64
        due = now + cost + max(interval, 20 * cost, rest)
    }

    /// Takes note that all inputs are read; what is left is made from what is on the disk now, if it must be.
    func noteRead() throws(ArchiveError) {
        guard !isRead else { return }
        isRead = true
        if isTime(monotonicSeconds()) { try save() }
        canSave = false
    }

    /// Whether a checkpoint is due.
    ///
    /// What a timeline has in memory need not go to the disk but for this, so the more there is, the longer it waits: a
    /// quarter of a second for each 2.5 MB, which is a twentieth of the time of a disk that writes 200 MB a second. As
    /// memory is bounded, so is the wait.
    private func isTime(_ now: Double) -> Bool {
        let unsaved = Double(spill?.unsavedBytes ?? 0)
        return now >= due && now - last >= interval * unsaved / 2.5e6
    }

    /// Writes a checkpoint of the last state from which the output file can be resumed.
    func save() throws(ArchiveError) {
        guard let spill else {
            let kept = try output.sync()
            _ = try rejects?.sync()
            // A packed file can be kept up to the end of a member only, which is before the last states.
            let index = states.lastIndex { $0.outputLength <= kept.length } ?? 0
            states.removeFirst(index)
            return try write(states[0], kept)
        }
        try spill.save()
        _ = try rejects?.sync()
        states[states.count - 1].runsLength = spill.runsLength
        // The output itself is only written when everything has been read.
        try write(states[states.count - 1], OutputPosition())
    }

    /// Writes the checkpoint of a finished run, whose files only lack their names.
    func saveComplete(_ end: RunState) throws(ArchiveError) {
        var end = end
        // The reports are written.
        end.report = nil
        try write(end, try output.sync(), isComplete: true)
    }

    private func write(_ state: RunState, _ kept: OutputPosition, isComplete: Bool = false) throws(ArchiveError) {
        var checkpoint = Checkpoint()
        checkpoint.state = state
        checkpoint.kept = kept
        checkpoint.isComplete = isComplete
        checkpoint.isRead = isRead
        checkpoint.options = options
        checkpoint.inputs = inputs
        try checkpoint.write(for: output.path)
        hasWritten = true
    }

    /// Removes the checkpoint: the output has its name.
    func remove() {
        Checkpoint.remove(for: output.path)
    }
}
