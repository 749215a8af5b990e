/// Reads all inputs one after the other as a row of chunks.
///
/// Used by one worker at a time, under the pipeline's reading lock.
final class ChunkReader {
    private let inputs: [InputFile]
    private let request: ConversionRequest
    private var ahead: [Int: Background<ByteStream>] = [:]
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
        for input in ahead.values { try? input.value()?.close() }
        (current, ahead) = (nil, [:])
    }

    private func openStream() throws(ArchiveError) -> ByteStream {
        let known = try ahead.removeValue(forKey: index)?.value()
        let stream = if let known { known } else { try ByteStream(inputs[index]) }
        guard request.workers > 1, stream.isUnpacked, index + 1 < inputs.count else { return stream }
        let most = min(UnpackedQueue.most, UnpackedQueue.mostOfAll / request.workers)
        stream.unpackAhead(most)
        for place in index + 1..<min(index + request.workers, inputs.count) where ahead[place] == nil {
            // Opening anything but a file may block for ever.
            guard !inputs[place].isStandardInput, inputs[place].status?.kind == .regular else { continue }
            ahead[place] = try? ByteStream.ahead(inputs[place], most)
        }
        return stream
    }

    private func open() throws(ArchiveError) -> InputCutter {
        let stream: ByteStream
        do throws(ArchiveError) {
            stream = try openStream()
        } catch {
            guard error.code == .inputUnreadable, inputs[index].isFound else { throw error }
            return InputCutter(nil, nil, request, fault: (.unreadable, 0))
        }
        let format = request.inputFormat
        if let fault = ForeignFormat.fault(of: stream.head, knowsFormat: format != .auto) {
            return InputCutter(
                nil, stream, request, fault: (fault, stream.fileSize ?? Int64(stream.head.count)))
        }
        let mark = stream.head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let shape = try shape(of: stream, after: mark)
        stream.dropHead(mark)
        let (offset, longest) = (Int64(mark), max(1, request.longestRecord))
        switch shape {
        case .lines: return InputCutter(LineSplitter(longestLine: longest, offset: offset), stream, request)
        case .log:
            return InputCutter(LineSplitter(longestLine: longest, offset: offset), stream, request, isLog: true)
        case .documents:
            return InputCutter(DocumentSplitter(longestRecord: longest, offset: offset), stream, request)
        case .table(let layout):
            let splitter = RowSplitter(layout, longestRecord: longest, offset: offset)
            return InputCutter(splitter, stream, request, table: layout)
        }
    }

    /// The shape that was asked for, or that the beginning of an input shows after its byte order mark.
    private func shape(of stream: ByteStream, after mark: Int) throws(ArchiveError) -> InputShape {
        switch request.inputFormat {
        case .ndjson: return .lines
        case .log: return .log
        case .json, .concat: return .documents
        case .csv, .tsv:
            let layout = TableLayout(
                of: stream.head.dropFirst(mark), isWhole: stream.headIsWhole, format: request.inputFormat)
            return layout.map(InputShape.table) ?? .lines
        case .auto:
            while FormatDetector.needsMore(stream.head.dropFirst(mark)) {
                guard try stream.extendHead(to: request.longestRecord + ByteStream.headSize) else { break }
            }
            return FormatDetector.shape(of: stream.head.dropFirst(mark), isWhole: stream.headIsWhole)
        }
    }
}
