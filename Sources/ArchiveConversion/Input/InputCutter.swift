/// Cuts an input into chunks of whole records; an input that cannot be read becomes one chunk with its fault.
final class InputCutter {
    /// The input; `nil` where it cannot be opened.
    let stream: ByteStream?
    private var splitter: (any RecordSplitter)?
    private let chunkSize: Int
    /// A chunk never grows beyond this: two more than the longest record, as a line end may be CRLF.
    private let limit: Int
    /// Where the next chunk begins, and the number of its first line.
    private var (offset, line): (Int64, Int64)
    private let shape: InputShape
    /// What was read and is the beginning of the next chunk.
    private var rest: [UInt8] = []
    /// Whether all of the input has been read.
    private(set) var reachedEnd = false
    /// Whether all of it was handed out.
    private var isDone = false

    init(_ stream: ByteStream?, _ shape: InputShape, from offset: Int64 = 0, _ request: ConversionRequest) {
        (self.stream, self.shape) = (stream, shape)
        let longest = max(1, request.longestRecord)
        splitter =
            switch shape {
            case .lines, .log: LineSplitter(longestLine: longest, offset: offset)
            case .documents: DocumentSplitter(longestRecord: longest, offset: offset)
            case .table(let layout): RowSplitter(layout, longestRecord: longest, offset: offset)
            case .fault: nil
            }
        limit = longest + 2
        chunkSize = max(1, min(request.chunkSize, longest))
        (self.offset, line) = (offset, 1)
    }

    /// Fills a chunk with what comes next; `false` at the end of the input.
    func fill(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        chunk.items.removeAll(keepingCapacity: true)
        chunk.count = 0
        chunk.offset = offset
        chunk.shape = shape
        guard !isDone, let end = try cut(chunk) else { return false }
        chunk.inputBytes = end - offset
        offset = end
        chunk.firstLine = line
        line += chunk.lineCount
        chunk.nextLine = line
        chunk.modifiedAt = stream?.modifiedAt
        chunk.filePosition = stream?.filePosition ?? 0
        return true
    }

    /// Fills an empty chunk from its offset on and returns the offset after it; `nil` at the end of the input.
    private func cut(_ chunk: Chunk) throws(ArchiveError) -> Int64? {
        if case .fault(let fault, let length) = shape {
            (reachedEnd, isDone) = (true, true)
            chunk.items = [.fault(fault, offset: 0, length: Int(length))]
            return length
        }
        guard var splitter else { return nil }
        defer { self.splitter = splitter }
        begin(chunk)
        while true {
            if let stream, !reachedEnd {
                let room = chunk.room
                let count = try stream.read(into: room)
                reachedEnd = count < room.count
                chunk.count += count
            }
            let isDamaged = try reachedEnd ? stream?.isDamaged() ?? false : false
            let end: StretchEnd = isDamaged ? .damage : reachedEnd ? .nothing : .more
            chunk.items += splitter.scan(chunk.bytes, base: chunk.offset, before: end)
            let read = chunk.offset + Int64(chunk.count)
            if isDamaged {
                let start = splitter.openRecord ?? splitter.position
                chunk.items.append(.fault(.damaged, offset: start, length: Int(read - start)))
            }
            if reachedEnd {
                isDone = true
                return chunk.items.isEmpty ? nil : read
            }
            let open = splitter.openRecord.map { max(0, Int($0 - chunk.offset)) } ?? chunk.count
            if !chunk.items.isEmpty {
                rest.append(contentsOf: chunk.bytes[open...])
                chunk.count = open
                return chunk.offset + Int64(open)
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

    /// Puts the rest into a chunk that has room for more.
    private func begin(_ chunk: Chunk) {
        let wanted = max(chunkSize, min(limit, rest.count + min(chunkSize, 64 * 1024)))
        if chunk.capacity < wanted || chunk.capacity > 2 * wanted { chunk.resize(to: wanted) }
        rest.withUnsafeBytes { chunk.room.copyMemory(from: $0) }
        chunk.count = rest.count
        rest.removeAll(keepingCapacity: rest.capacity <= 2 * chunkSize)
    }
}

/// Cuts an input that is not cut into lines: finds where records begin and end, without a look at what they mean.
///
/// Offsets are those of the uncompressed input, so that they stay the same however the input is cut into stretches.
protocol RecordSplitter {
    /// Up to where bytes were followed; those before it are needed no more, unless a record is open.
    var position: Int64 { get }
    /// Offset of the record that has begun and not ended, if any.
    var openRecord: Int64? { get }

    /// Follows the bytes that were not seen yet, and returns what was found, in order.
    ///
    /// `bytes` reach at least to the end of those of the last call; `base` is the offset of the first one.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, base: Int64, before end: StretchEnd) -> [Chunk.Item]
}

/// What comes after a stretch of an input.
enum StretchEnd {
    case more, nothing
    /// The input broke off; whatever is not whole is left open.
    case damage
}

/// How an input is cut into records, and how these are read.
enum InputShape: Hashable {
    /// A line is a record of JSON.
    case lines
    /// A line is a record with JSON somewhere in it.
    case log
    /// An array, or concatenated documents.
    case documents
    case table(TableLayout)
    /// It is not read.
    case fault(ArchiveFault, length: Int64)
}
