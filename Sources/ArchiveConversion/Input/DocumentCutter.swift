/// Cuts an input that is an array, a row of documents or a table into stretches of whole records.
final class DocumentCutter: InputCutter {
    private var splitter: any RecordSplitter
    private var isDone = false

    /// Begins where the splitter does.
    init(
        _ splitter: any RecordSplitter, _ stream: ByteStream, _ request: ConversionRequest, table: TableLayout? = nil
    ) {
        self.splitter = splitter
        super.init(stream, request, offset: splitter.position, table: table)
    }

    override func cut(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        if isDone { return false }
        let limit = longest + 1
        begin(chunk, limit: limit)
        while true {
            try readMore(into: chunk)
            splitter.scan(chunk.bytes, base: chunk.offset, into: &chunk.items)
            if reachedEnd { return try finish(chunk) }
            let open = splitter.openRecord.map { max(0, Int($0 - chunk.offset)) } ?? chunk.count
            if !chunk.items.isEmpty {
                rest.append(contentsOf: chunk.bytes[open...])
                chunk.count = open
                chunk.end = chunk.offset + Int64(open)
                chunk.endsInDocuments = splitter.isInDocuments
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

    private func finish(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        isDone = true
        let isDamaged = try stream?.damage() != nil
        splitter.finish(isDamaged: isDamaged, bytes: chunk.bytes, base: chunk.offset, into: &chunk.items)
        chunk.end = chunk.offset + Int64(chunk.count)
        return !chunk.items.isEmpty
    }
}
