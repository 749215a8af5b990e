import NotificationTranslation

/// What a chunk, or a part of one, became; handed from a worker to the writer and back.
///
/// One thread at a time owns it, hence `@unchecked Sendable`.
final class ConvertedChunk: @unchecked Sendable {
    // Used for every record; a run-time exclusivity check costs about 1 % of a small one.
    /// Event lines, rejects and counts.
    @exclusivity(unchecked) var output = ChunkOutput()
    /// The content of each reject, where rejects are wanted with their content; `nil` for what was not kept.
    var contents: [[UInt8]?] = []
    /// Place of the chunk's input in the list of inputs.
    var input = 0
    /// Name of the input.
    var path = ""
    /// Bytes of the input that the part covers.
    var inputBytes: Int64 = 0
    /// How large the chunk should be.
    var chunkSize: Int
    /// How much of the input's file was taken from the disk by then, for the progress line.
    var filePosition: Int64 = 0

    init(chunkSize: Int) {
        self.chunkSize = chunkSize
    }

    /// Empties it for the next part, whose line numbers go on.
    func removeAll() {
        output.removeAll()
        contents.removeAll(keepingCapacity: true)
        inputBytes = 0
    }

    /// Whether it is time to write what there is before the chunk continues.
    ///
    /// A chunk of tiny records becomes twenty times its size, one of garbage a million rejects; memory stays bounded.
    var isFull: Bool {
        output.bytes.count >= 1 << 20 || output.rejects.count >= 1024
    }
}
