import NotificationTranslation

/// Reads chunks of the inputs, converts them side by side, and writes them in the order of the input.
///
/// `reader` is used only while filling, the others only while emptying. Hence `@unchecked Sendable`.
final class ChunkPipeline: OrderedWork, @unchecked Sendable {
    private let request: ConversionRequest
    private let reader: ChunkReader
    private let state: RunState
    private let take: (ConvertedChunk) throws(ArchiveError) -> Void

    /// A pipeline.
    ///
    /// - Parameters:
    ///   - inputs: What is read.
    ///   - request: How it is read.
    ///   - state: Gets the counts.
    ///   - take: Gets every chunk, in the order of the input.
    init(
        _ inputs: [InputFile], _ request: ConversionRequest, _ state: RunState,
        take: @escaping (ConvertedChunk) throws(ArchiveError) -> Void
    ) {
        self.request = request
        self.state = state
        self.take = take
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
        try take(slot)
        try state.add(slot)
        slot.output.removeAll()
    }
}
