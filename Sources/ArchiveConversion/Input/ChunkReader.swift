/// Reads all inputs one after the other as a row of chunks.
///
/// Used by one worker at a time, under the pipeline's reading lock.
final class ChunkReader {
    private let inputs: [InputFile]
    private let request: ConversionRequest
    private var ahead: [Int: AheadInput] = [:]
    private var current: InputCutter?
    private var index = 0

    /// Begins with the first input; as many compressed inputs are unpacked at a time as there are workers.
    init(_ inputs: [InputFile], request: ConversionRequest) {
        self.inputs = inputs
        self.request = request
    }

    /// Fills a chunk with what comes next; returns `false` when all inputs have been read.
    func next(into chunk: Chunk) throws(ArchiveError) -> Bool {
        while index < inputs.count {
            if current == nil { current = try open() }
            if try current?.fill(chunk) == true {
                chunk.input = index
                chunk.path = inputs[index].path
                return true
            }
            current?.stream?.close()
            current = nil
            index += 1
        }
        return false
    }

    var hasMore: Bool { current?.reachedEnd == false || index + 1 < inputs.count }

    /// Ends everything that is open, whether all was read or not.
    func close() {
        current?.stream?.close()
        for input in ahead.values { input.close() }
        (current, ahead) = (nil, [:])
    }

    private func openStream() throws(ArchiveError) -> ByteStream {
        let known = try ahead.removeValue(forKey: index)?.stream()
        let stream = if let known { known } else { try ByteStream(inputs[index]) }
        guard request.workers > 1, stream.isUnpacked, index + 1 < inputs.count else { return stream }
        let most = min(AheadInput.most, AheadInput.mostOfAll / request.workers)
        stream.unpackAhead(most)
        for place in index + 1..<min(index + request.workers, inputs.count) where ahead[place] == nil {
            // Opening anything but a file may block for ever.
            guard !inputs[place].isStandardInput, inputs[place].status?.kind == .regular else { continue }
            ahead[place] = try? AheadInput(inputs[place], most)
        }
        return stream
    }

    private func open() throws(ArchiveError) -> InputCutter {
        let stream: ByteStream
        do throws(ArchiveError) {
            stream = try openStream()
        } catch {
            guard error.code == .inputUnreadable, inputs[index].isFound else { throw error }
            return InputCutter(nil, request, fault: (.unreadable, 0))
        }
        let format = request.inputFormat
        if let fault = ForeignFormat.fault(of: stream.head, knowsFormat: format != .auto) {
            return InputCutter(stream, request, fault: (fault, stream.fileSize ?? Int64(stream.head.count)))
        }
        let mark = stream.head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let shape = try InputShape(of: stream, after: mark, format: format, longestRecord: request.longestRecord)
        stream.dropHead(mark)
        let (offset, longest) = (Int64(mark), max(1, request.longestRecord))
        switch shape {
        case .lines: return LineCutter(stream, request, offset: offset)
        case .log: return LineCutter(stream, request, offset: offset, isLog: true)
        case .documents:
            return DocumentCutter(DocumentSplitter(longestRecord: longest, offset: offset), stream, request)
        case .table(let layout):
            let splitter = RowSplitter(layout, longestRecord: longest, offset: offset)
            return DocumentCutter(splitter, stream, request, table: layout)
        }
    }
}

/// An input that is cut into chunks; this one into none, unless all of it is one fault.
class InputCutter {
    /// The input; `nil` where it cannot be opened.
    let stream: ByteStream?
    /// Records longer than this are skipped, however long they are, and rejected.
    let longest: Int
    let chunkSize: Int
    /// Where the next chunk begins, and the number of its first line.
    private var (offset, line): (Int64, Int64)
    private let isLog: Bool
    private let table: TableLayout?
    private let fault: (ArchiveFault, length: Int64)?
    /// What was read and is the beginning of the next chunk.
    var rest: [UInt8] = []
    /// Whether all of the input has been read.
    var reachedEnd = false

    init(
        _ stream: ByteStream?, _ request: ConversionRequest, offset: Int64 = 0, isLog: Bool = false,
        table: TableLayout? = nil, fault: (ArchiveFault, length: Int64)? = nil
    ) {
        self.stream = stream
        self.fault = fault
        (self.isLog, self.table) = (isLog, table)
        longest = max(1, request.longestRecord)
        chunkSize = max(1, min(request.chunkSize, longest))
        (self.offset, line) = (offset, 1)
    }

    /// Fills a chunk with what comes next; `false` at the end of the input.
    final func fill(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        chunk.removeAll()
        chunk.offset = offset
        chunk.endsInDocuments = false
        (chunk.isLog, chunk.table) = (isLog, table)
        guard try cut(chunk) else { return false }
        offset = chunk.end
        chunk.firstLine = line
        line += chunk.lineCount
        chunk.nextLine = line
        chunk.modifiedAt = stream?.modifiedAt
        chunk.filePosition = stream?.filePosition ?? 0
        return true
    }

    /// Fills an empty chunk from its offset on and sets its end; `false` at the end of the input.
    func cut(_ chunk: Chunk) throws(ArchiveError) -> Bool {
        guard let (fault, length) = fault, !reachedEnd else { return false }
        reachedEnd = true
        chunk.items = [.fault(fault, offset: 0, length: Int(length))]
        chunk.end = length
        return true
    }

    /// Puts the rest into a chunk that has room for more.
    final func begin(_ chunk: Chunk, limit: Int) {
        let wanted = max(chunkSize, min(limit, rest.count + min(chunkSize, 64 * 1024)))
        if chunk.capacity < wanted || chunk.capacity > 2 * wanted { chunk.resize(to: wanted) }
        rest.withUnsafeBytes { chunk.room.copyMemory(from: $0) }
        chunk.count = rest.count
        rest.removeAll(keepingCapacity: rest.capacity <= 2 * chunkSize)
    }

    /// Fills the room of a chunk.
    final func readMore(into chunk: Chunk) throws(ArchiveError) {
        guard let stream, !reachedEnd else { return }
        let room = chunk.room
        let count = try stream.read(into: room)
        reachedEnd = count < room.count
        chunk.count += count
    }
}
