import NotificationTranslation

/// Reads chunks of the inputs, converts them side by side, and writes them in the order of the input.
///
/// `reader` is used only while filling, the others only while emptying. Hence `@unchecked Sendable`.
final class ChunkPipeline: OrderedWork, @unchecked Sendable {
    private let request: ConversionRequest
    private let reader: ChunkReader
    private let state: RunState
    private let output: OutputFile?
    private let spill: TimelineSpill?
    private let look: (ConvertedChunk) throws(ArchiveError) -> Void

    /// A pipeline.
    ///
    /// - Parameters:
    ///   - inputs: What is read.
    ///   - request: How it is read.
    ///   - state: Gets the counts.
    ///   - output: Where events go; `nil` counts without writing.
    ///   - spill: Takes the events in place of the output, until all have been read; `nil` in record context.
    ///   - look: Looks at every chunk before it is written.
    init(
        _ inputs: [InputFile], _ request: ConversionRequest, _ state: RunState, output: OutputFile? = nil,
        spill: TimelineSpill?,
        look: @escaping (ConvertedChunk) throws(ArchiveError) -> Void = { _ throws(ArchiveError) in }
    ) {
        self.request = request
        self.state = state
        self.output = output
        self.spill = spill
        self.look = look
        reader = ChunkReader(inputs, request: request)
    }

    func run() throws(ArchiveError) {
        defer { reader.close() }
        try OrderedPool(self, jobs: request.workers) { ConvertedChunk(request) }.run()
        try state.checkAccounts()
    }

    var hasMore: Bool { reader.hasMore }

    func makeWorker() -> RecordConverter {
        RecordConverter(options: request.records, policy: request.policy, redactionKey: request.redactionKey)
    }

    func fill(_ slot: ConvertedChunk) throws(ArchiveError) -> Bool { try reader.next(into: slot.chunk) }

    func work(on slot: ConvertedChunk, by converter: inout RecordConverter) throws(ArchiveError) {
        try slot.convert(by: &converter)
    }

    func empty(_ slot: ConvertedChunk) throws(ArchiveError) {
        try Interruption.check()
        try look(slot)
        if let spill {
            try spill.add(slot.output, input: slot.chunk.input)
        } else {
            try output?.append(slot.output.bytes.bytes)
        }
        try state.add(slot)
        slot.output.removeAll()
    }
}
