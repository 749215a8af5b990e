import NotificationTranslation

/// Takes slots in the order of the input: puts in the line numbers, writes events and rejects, adds up the counts.
final class EventWriter {
    /// What became of everything so far.
    private(set) var tally = Tally()
    /// Bytes of input so far, unpacked.
    private(set) var inputBytes: Int64 = 0
    /// Where the input goes on.
    private(set) var position = InputPosition()
    private(set) var rejects: RejectLog
    private let output: OutputFile?
    private let progress: Progress
    private let messages: Messages
    /// Lines of the current input before the slot being written.
    private var lines: Int64 = 0
    private var input = 0

    /// - Parameter output: `nil` counts without writing.
    init(output: OutputFile?, rejects: RejectLog, progress: Progress, messages: Messages) {
        self.output = output
        self.rejects = rejects
        self.progress = progress
        self.messages = messages
    }

    /// Writes one slot.
    func write(_ slot: Slot) throws(ArchiveError) {
        try Interruption.check()
        if slot.input != input {
            input = slot.input
            lines = 0
        }
        try writeEvents(slot.output)
        for (index, reject) in slot.output.rejects.enumerated() {
            let content = index < slot.contents.count ? slot.contents[index] : nil
            try rejects.add(reject, input: slot.path, number: lines + Int64(reject.line) + 1, content: content)
        }
        guard slot.output.rejects.count == slot.output.tally.rejected else {
            throw ArchiveError(.accounting, "the rejects do not add up in", path: slot.path)
        }
        tally.add(slot.output.tally)
        lines += Int64(slot.output.lines)
        inputBytes += slot.inputBytes
        if let next = slot.next { position = next }
        messages.progress(
            progress.line(records: tally.records, input: input, filePosition: slot.filePosition, bytes: inputBytes)
        )
    }

    private func writeEvents(_ events: ChunkOutput) throws(ArchiveError) {
        guard let output else { return }
        let bytes = events.bytes.bytes
        var at = 0
        for mark in events.lineMarks {
            try output.append(UnsafeRawBufferPointer(rebasing: bytes[at..<mark.position]))
            try output.append(decimal: lines + Int64(mark.line) + 1)
            at = mark.position
        }
        try output.append(UnsafeRawBufferPointer(rebasing: bytes[at...]))
    }

    /// Makes sure that every record read is accounted for.
    func checkAccounts() throws(ArchiveError) {
        let known = rejects.counts.values.reduce(0, +)
        guard tally.records == tally.converted + tally.rejected + tally.skipped, tally.rejected == known else {
            throw ArchiveError(
                .accounting,
                "the counts do not add up",
                detail: "\(tally.records) records read, \(tally.converted) converted, \(tally.rejected) rejected, "
                    + "\(tally.skipped) skipped"
            )
        }
    }
}
