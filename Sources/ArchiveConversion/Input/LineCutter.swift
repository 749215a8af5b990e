import NotificationTranslation

/// Cuts an input into stretches of whole lines.
///
/// Only the last line end of a stretch that is inside no document is looked for here; the others are found by the
/// converter in its one pass. The beginning of a line that is not complete waits in `rest` for the next stretch.
final class LineCutter {
    /// Lines longer than this are skipped, however long they are, and rejected.
    let longestLine: Int
    private let largestChunk: Int
    /// Size of a stretch, save for longer records; may be made smaller and larger again at any time.
    var chunkSize: Int {
        didSet { chunkSize = max(1, min(chunkSize, largestChunk)) }
    }
    private var rest: [UInt8] = []
    /// The first bytes of `rest` that are known to hold no line end where records may be parted.
    private var searched = 0
    /// Whether all of the input has been read.
    private(set) var reachedEnd = false

    /// Cuts into stretches of about `chunkSize` bytes.
    init(longestLine: Int, chunkSize: Int) {
        self.longestLine = max(1, longestLine)
        largestChunk = max(1, min(chunkSize, longestLine))
        self.chunkSize = largestChunk
    }

    /// Fills a chunk from its offset on; `chunk.end` is set to where the next one begins.
    ///
    /// - Returns: `false` at the end of the input, with an empty chunk.
    func fill(_ chunk: Chunk, from stream: ByteStream) throws(ArchiveError) -> Bool {
        chunk.removeAll()
        // Two more than the longest line: its line end may be CRLF.
        let limit = longestLine + 2
        let wanted = max(chunkSize, min(limit, rest.count + min(chunkSize, 64 * 1024)))
        if chunk.capacity < wanted || chunk.capacity > 2 * wanted { chunk.resize(to: wanted) }
        rest.withUnsafeBytes { chunk.room.copyMemory(from: $0) }
        chunk.count = rest.count
        while true {
            if !reachedEnd {
                let room = chunk.room
                let count = try stream.read(into: room)
                reachedEnd = count < room.count
                chunk.count += count
            }
            if reachedEnd { return try finish(chunk, stream) }
            if let end = LineBoundary.last(in: chunk.bytes, from: searched) {
                cut(chunk, after: end)
                return true
            }
            // The line end that the bytes end with is judged when more is known.
            searched = chunk.count
            while searched > 0, chunk.bytes[searched - 1] <= 0x20 { searched -= 1 }
            guard chunk.capacity < limit else {
                if let end = lastLineEnd(in: chunk.bytes, from: 0) {
                    cut(chunk, after: end)
                } else {
                    try skipLine(in: chunk, stream)
                }
                return true
            }
            chunk.resize(to: min(limit, chunk.capacity * 2))
        }
    }

    private func cut(_ chunk: Chunk, after end: Int) {
        rest.removeAll(keepingCapacity: rest.capacity <= 2 * chunkSize)
        rest.append(contentsOf: chunk.bytes[(end + 1)...])
        searched = 0
        chunk.count = end + 1
        chunk.lineBytes = end + 1
        chunk.end = chunk.offset + Int64(end + 1)
        rejectIfOneTooLong(chunk)
    }

    private func finish(_ chunk: Chunk, _ stream: ByteStream) throws(ArchiveError) -> Bool {
        guard try stream.damage() == nil else {
            let whole = lastLineEnd(in: chunk.bytes, from: 0).map { $0 + 1 } ?? 0
            let length = chunk.count - whole
            chunk.lineBytes = whole
            chunk.items = [.fault(.damaged, offset: chunk.offset + Int64(whole), length: length)]
            chunk.end = chunk.offset + Int64(chunk.count)
            rest = []
            return true
        }
        rest = []
        chunk.end = chunk.offset + Int64(chunk.count)
        chunk.lineBytes = chunk.count
        rejectIfOneTooLong(chunk)
        return chunk.count > 0
    }

    /// Looks at a chunk that had to grow to the limit: it may hold one line that is a byte or two too long.
    private func rejectIfOneTooLong(_ chunk: Chunk) {
        guard chunk.count > longestLine else { return }
        let end = chunk.bytes.place(of: 0x0A)
        guard end == nil || end == longestLine + 1 else { return }
        if end != nil, chunk.bytes[longestLine] == 0x0D { return }
        chunk.lineBytes = 0
        chunk.items = [.fault(.tooLong, offset: chunk.offset, length: end ?? chunk.count)]
    }

    /// Reads on to the end of a line that is too long, keeping nothing of it.
    private func skipLine(in chunk: Chunk, _ stream: ByteStream) throws(ArchiveError) {
        var length = chunk.count
        var last = chunk.bytes[chunk.count - 1]
        let start = chunk.offset
        rest.removeAll()
        searched = 0
        while true {
            chunk.count = 0
            let count = try stream.read(into: chunk.room)
            reachedEnd = count < chunk.capacity
            chunk.count = count
            if let end = chunk.bytes.place(of: 0x0A) {
                rest.append(contentsOf: chunk.bytes[(end + 1)...])
                if end > 0 { last = chunk.bytes[end - 1] }
                length += end
                chunk.end = start + Int64(length) + 1
                if last == 0x0D { length -= 1 }
                break
            }
            length += count
            if count > 0 { last = chunk.bytes[count - 1] }
            chunk.end = start + Int64(length)
            if reachedEnd { break }
        }
        chunk.count = 0
        chunk.items = [.fault(.tooLong, offset: start, length: length)]
    }
}

/// Index of the last LF at or after `start`.
///
/// Searched backwards in vectors: `memrchr` is not to be had in Swift, and byte by byte an archive of long lines would
/// cost a tenth of the whole run.
func lastLineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let memory = bytes.baseAddress else { return nil }
    var at = bytes.count
    let pattern = SIMD16<UInt8>(repeating: 0x0A)
    while at - start >= 64 {
        // Not from the buffer, whose checks of each offset are 3 % of a heavy record.
        let block = memory + (at - 64)
        let a = block.loadUnaligned(as: SIMD16<UInt8>.self) .== pattern
        let b = block.loadUnaligned(fromByteOffset: 16, as: SIMD16<UInt8>.self) .== pattern
        let c = block.loadUnaligned(fromByteOffset: 32, as: SIMD16<UInt8>.self) .== pattern
        let d = block.loadUnaligned(fromByteOffset: 48, as: SIMD16<UInt8>.self) .== pattern
        let found = unsafeBitCast((a .| b) .| (c .| d), to: SIMD2<UInt64>.self)
        if found[0] | found[1] != 0 { break }
        at -= 64
    }
    while at > start {
        at -= 1
        if bytes[at] == 0x0A { return at }
    }
    return nil
}
