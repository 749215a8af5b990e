/// Reads all inputs one after the other as a row of chunks.
///
/// Used by one worker at a time, under the filling lock of an ``OrderedPool``.
final class ChunkReader {
    private let inputs: [InputFile]
    private let request: ConversionRequest
    private var ahead: [Int: WorkerThread<ByteStream>] = [:]
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
            current = nil
            index += 1
        }
        return false
    }

    var hasMore: Bool { current?.reachedEnd == false || index + 1 < inputs.count }

    /// Ends everything that is open, whether all was read or not.
    func close() {
        for input in ahead.values { _ = try? input.value() }
        (current, ahead) = (nil, [:])
    }

    private func openStream() throws(ArchiveError) -> ByteStream {
        let known = try ahead.removeValue(forKey: index)?.value()
        let stream = if let known { known } else { try ByteStream(inputs[index]) }
        guard request.workers > 1, stream.isUnpacked else { return stream }
        // With the current one, as many as there are workers.
        for place in (index + 1..<index + request.workers) where place < inputs.count && ahead[place] == nil {
            // Opening anything but a file may block for ever.
            guard !inputs[place].isStandardInput, inputs[place].status?.kind == .regular else { continue }
            ahead[place] = try? ByteStream.ahead(
                inputs[place], min(ByteStream.most, ByteStream.mostOfAll / request.workers))
        }
        return stream
    }

    private func open() throws(ArchiveError) -> InputCutter {
        let stream: ByteStream
        do throws(ArchiveError) {
            stream = try openStream()
        } catch {
            guard error.code == .inputUnreadable, inputs[index].isFound else { throw error }
            return InputCutter(nil, .fault(.unreadable, length: 0), request)
        }
        let head = Array(stream.head)
        if let fault = ForeignFormat.fault(of: head, knowsFormat: request.inputFormat != .auto) {
            return InputCutter(stream, .fault(fault, length: stream.fileSize ?? Int64(head.count)), request)
        }
        var mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let mayBeTable = [.auto, .csv].contains(request.inputFormat)
        let separator = mayBeTable ? TableLayout.separator(in: head.dropFirst(mark)) : nil
        if let separator { mark += separator.length }
        let shape = try shape(of: stream, after: mark, separator?.byte)
        stream.dropHead(mark)
        return InputCutter(stream, shape, from: Int64(mark), request)
    }

    /// The shape that was asked for, or that the beginning of an input shows after its byte order mark and separator.
    private func shape(of stream: ByteStream, after mark: Int, _ separator: UInt8?) throws(ArchiveError) -> InputShape {
        let format = separator == nil ? request.inputFormat : .csv
        switch format {
        case .ndjson: return .lines
        case .log: return .log
        case .json, .concat: return .documents
        case .csv, .tsv:
            let layout = TableLayout(
                of: stream.head.dropFirst(mark), isWhole: stream.headIsWhole, format: format, separator)
            return layout.map(InputShape.table) ?? .lines
        case .auto:
            while FormatDetector.needsMore(stream.head.dropFirst(mark)) {
                guard try stream.extendHead(to: request.longestRecord + ByteStream.headSize) else { break }
            }
            return FormatDetector.shape(of: stream.head.dropFirst(mark), isWhole: stream.headIsWhole)
        }
    }
}
