/// Writes checkpoints of a run that writes a file.
///
/// About four a second, less often where the disk is slow: they may not cost more than a twentieth of the time.
final class CheckpointKeeper {
    private let output: OutputFile
    private let rejects: OutputFile?
    private let options: UInt64
    private let inputs: UInt64
    private let interval: Double
    private var due: Double
    /// States at the ends of chunks that a checkpoint may yet speak of, the oldest first.
    private var states: [RunState]
    /// Whether there is one on the disk.
    private(set) var hasWritten: Bool

    init(
        output: OutputFile,
        rejects: OutputFile?,
        options: UInt64,
        inputs: UInt64,
        interval: Double,
        from checkpoint: Checkpoint?
    ) {
        self.output = output
        self.rejects = rejects
        self.options = options
        self.inputs = inputs
        self.interval = interval
        due = monotonicSeconds() + interval
        states = [checkpoint?.state ?? RunState()]
        hasWritten = checkpoint != nil
    }

    /// Takes note of a state at the end of a chunk, and writes a checkpoint when it is time.
    func note(_ state: RunState) throws(ArchiveError) {
        if !output.isPacked { states.removeAll(keepingCapacity: true) }
        states.append(state)
        let now = monotonicSeconds()
        guard now >= due else { return }
        try save()
        let cost = monotonicSeconds() - now
        due = now + cost + max(interval, 20 * cost)
    }

    /// Writes a checkpoint of the last state that the output file can be gone on with from.
    func save(isComplete: Bool = false) throws(ArchiveError) {
        let kept = try output.sync()
        _ = try rejects?.sync()
        // A packed file can be kept up to the end of a member only, which lies before the last states.
        let index = states.lastIndex { $0.outputLength <= kept.length } ?? 0
        states.removeFirst(index)
        var checkpoint = Checkpoint()
        checkpoint.state = isComplete ? states[states.count - 1] : states[0]
        checkpoint.kept = kept
        checkpoint.isComplete = isComplete
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
