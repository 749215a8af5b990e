/// Cuts an input that is an array, a row of documents or a table into stretches of whole records.
final class DocumentCutter {
    private let longestRecord: Int
    private var splitter: any RecordSplitter
    /// The beginning of a record that has not ended yet.
    private let largestChunk: Int
    /// Size of a stretch, save for longer records; may be made smaller and larger again at any time.
    var chunkSize: Int {
        didSet { chunkSize = max(1, min(chunkSize, largestChunk)) }
    }
    private var rest: [UInt8] = []
    /// Whether all of the input has been read.
    private(set) var reachedEnd = false
    private var isDone = false

    /// Begins where the splitter does.
    init(longestRecord: Int, chunkSize: Int, splitter: any RecordSplitter) {
        self.longestRecord = max(1, longestRecord)
        largestChunk = max(1, min(chunkSize, longestRecord))
        self.chunkSize = largestChunk
        self.splitter = splitter
    }

    /// Fills a chunk from its offset on; `chunk.end` is set to where the next one begins.
    ///
    /// - Returns: `false` at the end of the input, with an empty chunk.
    func fill(_ chunk: Chunk, from stream: ByteStream) throws(ArchiveError) -> Bool {
        chunk.removeAll()
        if isDone { return false }
        let limit = longestRecord + 1
        let wanted = max(chunkSize, min(limit, rest.count + min(chunkSize, 64 * 1024)))
        if chunk.capacity < wanted || chunk.capacity > 2 * wanted { chunk.resize(to: wanted) }
        rest.withUnsafeBytes { chunk.room.copyMemory(from: $0) }
        chunk.count = rest.count
        rest.removeAll(keepingCapacity: rest.capacity <= 2 * chunkSize)
        while true {
            let room = chunk.room
            let count = try stream.read(into: room)
            reachedEnd = count < room.count
            chunk.count += count
            splitter.scan(chunk.bytes, base: chunk.offset, into: &chunk.items)
            if reachedEnd { return try finish(chunk, stream) }
            let open = splitter.openRecord.map { max(0, Int($0 - chunk.offset)) } ?? chunk.count
            if !chunk.items.isEmpty {
                cut(chunk, at: open)
                return true
            }
            if open > 0 {
                chunk.removeFirst(open)
            } else if chunk.capacity < limit {
                chunk.resize(to: min(limit, chunk.capacity * 2))
            } else {
                // The record is too long already; the splitter follows it to its end and nothing of it is kept.
                chunk.removeFirst(min(chunk.count, Int(splitter.position - chunk.offset)))
            }
        }
    }

    private func cut(_ chunk: Chunk, at open: Int) {
        rest.append(contentsOf: chunk.bytes[open...])
        chunk.count = open
        chunk.end = chunk.offset + Int64(open)
        chunk.endsInDocuments = splitter.isInDocuments
    }

    private func finish(_ chunk: Chunk, _ stream: ByteStream) throws(ArchiveError) -> Bool {
        isDone = true
        let isDamaged = try stream.damage() != nil
        splitter.finish(isDamaged: isDamaged, bytes: chunk.bytes, base: chunk.offset, into: &chunk.items)
        chunk.end = chunk.offset + Int64(chunk.count)
        return !chunk.items.isEmpty
    }
}
