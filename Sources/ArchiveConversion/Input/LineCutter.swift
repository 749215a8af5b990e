import NotificationTranslation

/// Cuts an input into stretches of whole lines.
///
/// Only the last line end of a stretch that is inside no document is looked for here; the others are found by the
/// converter in its one pass. The beginning of a line that is not complete waits in `rest` for the next stretch.
final class LineCutter: InputCutter {
    /// The first bytes of `rest` that are known to hold no line end where records may be parted.
    private var searched = 0

    override func cut(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        // Two more than the longest line: its line end may be CRLF.
        let limit = longest + 2
        begin(chunk, limit: limit)
        while true {
            try readMore(into: chunk)
            if reachedEnd { return try finish(chunk) }
            if let end = LineBoundary.last(in: chunk.bytes, from: searched) {
                cut(chunk, after: end)
                return true
            }
            // The line end that the bytes end with is judged when more is known.
            searched = chunk.count
            while searched > 0, chunk.bytes[searched - 1] <= 0x20 { searched -= 1 }
            guard chunk.capacity < limit else {
                if let end = chunk.bytes.lastLineEnd(from: 0) {
                    cut(chunk, after: end)
                } else {
                    try skipLine(in: chunk)
                }
                return true
            }
            chunk.resize(to: min(limit, chunk.capacity * 2))
        }
    }

    private func cut(_ chunk: Chunk, after end: Int) {
        rest.append(contentsOf: chunk.bytes[(end + 1)...])
        searched = 0
        chunk.count = end + 1
        chunk.lineBytes = end + 1
        chunk.end = chunk.offset + Int64(end + 1)
        rejectIfOneTooLong(chunk)
    }

    private func finish(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        guard try stream?.damage() == nil else {
            let whole = chunk.bytes.lastLineEnd(from: 0).map { $0 + 1 } ?? 0
            let length = chunk.count - whole
            chunk.lineBytes = whole
            chunk.items = [.fault(.damaged, offset: chunk.offset + Int64(whole), length: length)]
            chunk.end = chunk.offset + Int64(chunk.count)
            return true
        }
        chunk.end = chunk.offset + Int64(chunk.count)
        chunk.lineBytes = chunk.count
        rejectIfOneTooLong(chunk)
        return chunk.count > 0
    }

    /// Looks at a chunk that had to grow to the limit: it may hold one line that is a byte or two too long.
    private func rejectIfOneTooLong(_ chunk: Chunk) {
        guard chunk.count > longest else { return }
        let end = chunk.bytes.place(of: 0x0A)
        guard end == nil || end == longest + 1 else { return }
        if end != nil, chunk.bytes[longest] == 0x0D { return }
        chunk.lineBytes = 0
        chunk.items = [.fault(.tooLong, offset: chunk.offset, length: end ?? chunk.count)]
    }

    /// Reads on to the end of a line that is too long, keeping nothing of it.
    private func skipLine(in chunk: Chunk) throws(ArchiveError) {
        var length = chunk.count
        var last = chunk.bytes[chunk.count - 1]
        let start = chunk.offset
        searched = 0
        while true {
            chunk.count = 0
            try readMore(into: chunk)
            let count = chunk.count
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
