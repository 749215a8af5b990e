import NotificationTranslation

/// Reads all inputs one after the other as a row of chunks.
///
/// Used by one worker at a time, under the pipeline's reading lock.
final class ChunkReader {
    private let inputs: [InputFile]
    private let request: ConversionRequest
    private let chunkSize: Int
    private let jobs: Int
    private var ahead: ReadAhead?
    private var current: OpenInput?
    private var index = 0

    private struct OpenInput {
        enum Cutter {
            case lines(LineCutter)
            case documents(DocumentCutter)
            /// All of the input is one fault.
            case fault(ArchiveFault, Int)
        }

        /// Nothing where the input cannot be opened.
        let stream: ByteStream?
        let cutter: Cutter
        var shape = InputShape.lines
        var offset: Int64
        /// Number of the next line.
        var line: Int64 = 1
        var isOver = false

        var reachedEnd: Bool {
            switch cutter {
            case .lines(let cutter): cutter.reachedEnd
            case .documents(let cutter): cutter.reachedEnd
            case .fault: isOver
            }
        }

        mutating func fill(_ chunk: Chunk, size: Int) throws(ArchiveError) -> Bool {
            chunk.lines = shape == .log ? .log : .json
            chunk.table = shape.table
            switch cutter {
            case .lines(let cutter):
                guard let stream else { return false }
                cutter.chunkSize = size
                return try cutter.fill(chunk, from: stream)
            case .documents(let cutter):
                guard let stream else { return false }
                cutter.chunkSize = size
                return try cutter.fill(chunk, from: stream)
            case .fault(let fault, let length):
                chunk.removeAll()
                if isOver { return false }
                isOver = true
                chunk.items = [.fault(fault, offset: 0, length: length)]
                chunk.end = Int64(length)
                return true
            }
        }
    }

    /// Begins with the first input; as many compressed inputs are unpacked at a time as there are jobs.
    init(_ inputs: [InputFile], request: ConversionRequest, chunkSize: Int, jobs: Int) {
        self.inputs = inputs
        self.request = request
        self.chunkSize = chunkSize
        self.jobs = jobs
    }

    /// Fills a chunk with what comes next, about `size` bytes; returns `false` when all inputs have been read.
    func next(into chunk: Chunk, size: Int) throws(ArchiveError) -> Bool {
        while index < inputs.count {
            var open: OpenInput
            if let current { open = current } else { open = try openInput() }
            chunk.input = index
            chunk.path = inputs[index].path
            chunk.modifiedAt = open.stream?.modifiedAt
            chunk.offset = open.offset
            chunk.firstLine = open.line
            chunk.endsInDocuments = false
            if try open.fill(chunk, size: size) {
                current = open
                current?.offset = chunk.end
                chunk.nextLine = chunk.firstLine + chunk.lineCount
                current?.line = chunk.nextLine
                return true
            }
            open.stream?.close()
            current = nil
            index += 1
        }
        return false
    }

    var hasMore: Bool { current?.reachedEnd == false || index + 1 < inputs.count }

    /// Bytes of the input being read that were taken from the disk so far; for the progress line.
    var filePosition: Int64 { current?.stream?.filePosition ?? 0 }

    /// Ends everything that is open, whether all was read or not.
    func close() {
        current?.stream?.close()
        current = nil
        ahead?.close()
        ahead = nil
    }

    private func openStream() throws(ArchiveError) -> ByteStream {
        if let stream = try ahead?.take(index) { return stream }
        let stream = try ByteStream(inputs[index])
        if jobs > 1, ahead == nil, index + 1 < inputs.count, stream.isUnpacked {
            ahead = ReadAhead(stream, before: index + 1, of: inputs, jobs: jobs)
        }
        return stream
    }

    private func openInput() throws(ArchiveError) -> OpenInput {
        let stream: ByteStream
        do throws(ArchiveError) {
            stream = try openStream()
        } catch {
            guard error.code == .inputUnreadable, inputs[index].isFound else { throw error }
            return OpenInput(stream: nil, cutter: .fault(.unreadable, 0), offset: 0)
        }
        let format = request.inputFormat
        if let fault = ForeignFormat.fault(of: stream.head, knowsFormat: format != .auto) {
            let length = stream.fileSize ?? Int64(stream.head.count)
            return OpenInput(stream: stream, cutter: .fault(fault, Int(length)), offset: 0)
        }
        let mark = stream.head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let shape = try InputShape(of: stream, after: mark, format: format, longestRecord: request.longestRecord)
        stream.dropHead(mark)
        return OpenInput(stream: stream, cutter: cutter(shape, from: Int64(mark)), shape: shape, offset: Int64(mark))
    }

    private func cutter(_ shape: InputShape, from offset: Int64) -> OpenInput.Cutter {
        let longest = request.longestRecord
        switch shape {
        case .lines, .log:
            return .lines(LineCutter(longestLine: longest, chunkSize: chunkSize))
        case .documents:
            let splitter = DocumentSplitter(longestRecord: max(1, longest), offset: offset)
            return .documents(DocumentCutter(longestRecord: longest, chunkSize: chunkSize, splitter: splitter))
        case .table(let layout):
            let splitter = RowSplitter(layout, longestRecord: max(1, longest), offset: offset)
            return .documents(DocumentCutter(longestRecord: longest, chunkSize: chunkSize, splitter: splitter))
        }
    }
}
