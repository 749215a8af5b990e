import NotificationTranslation

/// Reads chunks of the inputs, converts them side by side, and writes them in the order of the input.
///
/// Where records are small, events are twenty times their size; chunks then become smaller, so that what a worker holds
/// back until its turn stays small too.
///
/// `reader` is used only while filling, `writer` only while emptying. Hence `@unchecked Sendable`.
final class ChunkPipeline: OrderedWork, @unchecked Sendable {
    /// What a worker keeps from chunk to chunk.
    struct Worker {
        var chunk: Chunk
        var conversion: ChunkConversion
    }

    private let request: ConversionRequest
    private let chunkSize: Int
    private let reader: ChunkReader
    private let writer: EventWriter

    init(_ request: ConversionRequest, chunkSize: Int, reader: ChunkReader, writer: EventWriter) {
        self.request = request
        self.chunkSize = chunkSize
        self.reader = reader
        self.writer = writer
    }

    func run(jobs: Int) throws(ArchiveError) {
        let slots = (0..<OrderedPool<ChunkPipeline>.itemCount(jobs: jobs)).map { _ in
            ConvertedChunk(chunkSize: chunkSize)
        }
        try OrderedPool(self, slots).run(jobs: jobs)
    }

    var hasMore: Bool { reader.hasMore }

    func makeWorker() -> Worker {
        Worker(chunk: Chunk(capacity: chunkSize), conversion: ChunkConversion(request))
    }

    func fill(_ slot: ConvertedChunk, by worker: inout Worker) throws(ArchiveError) -> Bool {
        guard try reader.next(into: worker.chunk, size: slot.chunkSize) else { return false }
        slot.filePosition = reader.filePosition
        return true
    }

    func work(on slot: ConvertedChunk, by worker: inout Worker, _ turn: OrderedPool<ChunkPipeline>.Turn)
        throws(ArchiveError)
    {
        slot.input = worker.chunk.input
        slot.path = worker.chunk.path
        try worker.conversion.convert(worker.chunk, into: slot) { turn.passOn() }
    }

    func empty(_ slot: ConvertedChunk) throws(ArchiveError) -> Bool {
        try writer.write(slot)
        slot.removeAll()
        slot.chunkSize = writer.growth < 0.25 ? chunkSize : max(64 * 1024, Int(Double(chunkSize) / (4 * writer.growth)))
        return true
    }
}
