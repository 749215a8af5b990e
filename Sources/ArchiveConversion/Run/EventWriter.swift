import NotificationTranslation

/// Takes slots in the order of the input: writes events and rejects, adds up the counts.
final class EventWriter {
    /// How far the run has come.
    private(set) var state: RunState
    private(set) var rejects: RejectLog
    /// Looks at every slot before it is written; `nil` in a conversion.
    var search: StorySearch?
    private let output: OutputFile?
    private let spill: TimelineSpill?
    private let progress: Progress
    private let messages: Messages

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - state: What there is before the first slot.
    ///   - output: Where events go; `nil` counts without writing.
    ///   - spill: Takes the events in place of the output, until all have been read; `nil` in record context.
    ///   - rejects: Where rejects go.
    ///   - progress: Knows how much there is to do.
    ///   - messages: Where the progress line goes.
    init(
        from state: RunState, output: OutputFile?, spill: TimelineSpill?, rejects: RejectLog, progress: Progress,
        messages: Messages
    ) {
        self.state = state
        self.output = output
        self.spill = spill
        self.rejects = rejects
        self.progress = progress
        self.messages = messages
    }

    func write(_ slot: ConvertedChunk) throws(ArchiveError) {
        try Interruption.check()
        if slot.input != state.input {
            state.inputs.endInput(state.input)
            state.input = slot.input
        }
        if state.inputs.firstSign == nil, let line = slot.output.firstSign {
            state.inputs.firstSign = .init(input: slot.input, line: line)
        }
        state.inputs.add(slot.output.tally)
        try search?.look(at: slot)
        if let spill {
            try spill.add(slot.output, input: slot.input)
        } else {
            try output?.append(slot.output.bytes.bytes)
        }
        for (index, reject) in slot.output.rejects.enumerated() {
            let content = index < slot.contents.count ? slot.contents[index] : nil
            try rejects.add(reject, input: slot.path, content: content)
            if let fault = ArchiveFault(code: reject.code), fault == .damaged || fault == .unreadable {
                state.inputs.damages.append(
                    .init(input: slot.input, converted: fault == .damaged ? state.inputs.converted : nil))
            }
            state.report?.noteReject(code: reject.code, .init(input: slot.path, line: reject.line))
        }
        state.report?.count(slot.output.tally, of: slot.path)
        state.report?.add(slot.output.report)
        guard slot.output.rejects.count == slot.output.tally.rejected else {
            throw ArchiveError(.accounting, "internal error: the rejects do not match the counts in", path: slot.path)
        }
        state.tally.add(slot.output.tally)
        state.inputBytes += slot.inputBytes
        messages.progress(
            progress.line(
                records: state.tally.records, input: slot.input, filePosition: slot.filePosition,
                bytes: state.inputBytes))
    }

    /// How many bytes of output a byte of input became.
    var growth: Double {
        guard let length, state.inputBytes > 0 else { return 0 }
        return Double(length) / Double(state.inputBytes)
    }

    /// Bytes of event lines so far.
    private var length: Int64? { spill?.lines.length ?? output?.length }

    /// Ends the last input and makes sure that every record read is accounted for.
    func checkAccounts() throws(ArchiveError) {
        state.inputs.endInput(state.input)
        try state.checkAccounts(rejects)
    }
}
